// Sentinels: hosts that are probed only to see whether our own network and name servers work.
import { Resolver as CaresResolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { connect, isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import type { NamesAnswer, SentinelAnswer, SentinelReport } from '../../domain/checks/observer.ts'
import type { Resolver } from '../dns/resolver.ts'
import { codeOf } from '../failure.ts'
import shipped from '../iana-rdap-dns.json' with { type: 'json' }

/** This word among sentinels means the default gateways and DNS root servers. */
const autoSentinels = 'auto'

export interface SentinelsDeps {
  readonly clock: Clock
  readonly resolver: Pick<Resolver, 'servers' | 'hasAnswered'>
  /** `address:port`, or `auto`. */
  readonly places: readonly string[]
  /** A random number in [0, 1). */
  readonly random: () => number
  /**
   * Sentinels that have answered before, as `onProven` reported. The silence of others means
   * nothing.
   */
  readonly proven: readonly string[]
  /** Gets all sentinels that have ever answered, each time there is one more. */
  readonly onProven: (proven: readonly string[]) => void
  /** The default gateways; default: read from the system. */
  readonly gateways?: () => Promise<readonly string[]>
  /** Hosts besides the gateways that `auto` means; default: root servers. */
  readonly roots?: readonly string[]
}

interface SentinelAddress {
  readonly address: string
  readonly port: number
}

const dnsPort = 53
/** DNS root servers (root-servers.org) of three operators in many places; they support TCP. */
const rootServers = [
  ...['192.5.5.241', '193.0.14.129', '199.7.83.42'],
  ...['2001:500:2f::f', '2001:7fd::1', '2001:500:9f::42'],
]
const namesKey = 'names'
/** How a name server replied; `fails` is any reply that is neither an answer nor a refusal. */
type NameServerReply = 'answers' | 'refuses' | 'fails' | 'nothing'
const replyOfCode: Readonly<Record<string, NameServerReply>> = {
  ...({ ENODATA: 'answers', ENOTFOUND: 'answers', EREFUSED: 'refuses' } as const),
  ...({ ESERVFAIL: 'fails', EFORMERR: 'fails', ENOTIMP: 'fails' } as const),
}

/** How long a sentinel has to answer. */
const sentinelMs = 2_000

/**
 * The timeout of the first try. The second lasts twice as long, so both end within 90 % of a
 * sentinel check.
 */
const tryMs = Math.floor((sentinelMs * 0.9) / 3)
// Record types that top-level domains rarely have and clients rarely query, so that the answer does
// not come from a cache.
const rareTypes = ['A', 'AAAA', 'MX', 'TXT', 'CAA', 'SRV', 'NAPTR'] as const

/** Sentinels that answered once and are remembered over a restart. */
const sentinelsRemembered = 50

export function createSentinels(deps: SentinelsDeps) {
  const { clock, resolver, places: given, random } = deps
  const isAuto = given.includes(autoSentinels)
  const fixed = given.filter((place) => place !== autoSentinels).flatMap(placeIn)
  const proven = new Set<string>(deps.proven)
  /**
   * Name servers that have refused a query since the start. If one of them refuses again at once,
   * no second query is needed.
   */
  const refusing = new Set<string>()
  let isStopped = false
  /** Functions that abort the work in progress. */
  const enders = new Set<() => void>()

  async function placesNow(): Promise<readonly SentinelAddress[]> {
    if (!isAuto) return fixed
    const gateways = await (deps.gateways ?? systemGateways)()
    return [...fixed, ...[...gateways, ...(deps.roots ?? rootServers)].flatMap(placeIn)]
  }

  function prove(key: string): void {
    if (proven.has(key)) return
    proven.add(key)
    deps.onProven([...proven].slice(-sentinelsRemembered))
  }

  async function sentinel(place: SentinelAddress): Promise<SentinelAnswer> {
    const key = `${place.address} ${place.port}`
    const answers = await reaches({ clock, enders }, place)
    if (answers) prove(key)
    const version = isIP(place.address) === 6 ? 'ipv6' : 'ipv4'
    // Undefined if the query could not be sent.
    const isProven = answers !== undefined && proven.has(key)
    return { version, answers: answers === true, isProven }
  }

  async function names(): Promise<NamesAnswer | null> {
    const { servers } = resolver
    if (servers.length === 0) return null
    const replies = await Promise.all(
      servers.map((server) => asks({ clock, enders }, server, random)),
    )
    const answers = replies.includes('answers')
    if (answers) prove(namesKey)
    const areSilent = servers.every((server, i) => refusing.has(server) && replies[i] === 'nothing')
    for (const [i, server] of servers.entries()) if (replies[i] === 'refuses') refusing.add(server)
    const isProven = proven.has(namesKey) || areSilent
    return { answers, isProven, hasAnsweredOthers: resolver.hasAnswered() }
  }

  return {
    /** Checks all of them at once, for at most sentinelMs. Never rejects. */
    async look(): Promise<SentinelReport> {
      const places = await placesNow()
      if (isStopped) return { sentinels: [], names: null }
      const [sentinels, named] = await Promise.all([Promise.all(places.map(sentinel)), names()])
      return { sentinels, names: named }
    },
    /** Aborts a check in progress, when its result is no longer needed. */
    stop(): void {
      isStopped = true
      for (const end of [...enders]) end()
    },
  }
}

/** The dependencies of one query. */
interface QuestionContext {
  readonly clock: Clock
  readonly enders: Set<() => void>
}

const answersAll = new Set(['ECONNREFUSED', 'ECONNRESET'])
const silences = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'])

/** Whether a host answers there, even with a refusal; undefined if we could not connect. */
function reaches(
  { clock, enders }: QuestionContext,
  { address, port }: SentinelAddress,
): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, autoSelectFamily: false })
    const end = (answers: boolean | undefined): void => {
      clock.clearTimeout(timer)
      enders.delete(giveUp)
      socket.destroy()
      resolve(answers)
    }
    const giveUp = () => end(undefined)
    enders.add(giveUp)
    const timer = clock.setTimeout(() => end(false), sentinelMs)
    socket.once('connect', () => end(true))
    socket.on('error', (cause) => {
      const code = codeOf(cause)
      end(answersAll.has(code) ? true : silences.has(code) ? false : undefined)
    })
  })
}

/** Existing top-level domains, in ASCII and lower case, from IANA's list of RDAP services. */
function topLevelDomains(): readonly string[] {
  return shipped.services.flatMap(([suffixes = []]) => suffixes.filter((one) => !one.includes('.')))
}

/** The reply of a name server about a top-level domain; a missing record is an answer. */
async function asks(
  { clock, enders }: QuestionContext,
  server: string,
  random: () => number,
): Promise<NameServerReply> {
  const suffixes = topLevelDomains()
  const name = suffixes[Math.floor(random() * suffixes.length)] ?? 'com'
  const type = rareTypes[Math.floor(random() * rareTypes.length)] ?? 'A'
  const resolver = new CaresResolver({ timeout: tryMs, tries: 2 })
  const giveUp = () => resolver.cancel()
  const timer = clock.setTimeout(giveUp, sentinelMs)
  enders.add(giveUp)
  try {
    resolver.setServers([server])
    await resolver.resolve(name, type)
    return 'answers'
  } catch (cause) {
    return replyOfCode[codeOf(cause)] ?? 'nothing'
  } finally {
    enders.delete(giveUp)
    clock.clearTimeout(timer)
  }
}

/** `192.0.2.1`, `192.0.2.1:443` or `[2001:db8::1]:443`; empty for anything else. */
function placeIn(text: string): SentinelAddress[] {
  if (isIP(text) !== 0) return [{ address: text, port: dnsPort }]
  const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? []
  const address = bracketed ?? bare ?? ''
  return isIP(address) === 0 ? [] : [{ address, port: Number(digits) }]
}

async function systemGateways(): Promise<readonly string[]> {
  const [four, six] = await Promise.all([
    readFile('/proc/net/route', 'utf8').catch(() => ''),
    readFile('/proc/net/ipv6_route', 'utf8').catch(() => ''),
  ])
  return [...gatewaysIn(four), ...gatewaysIn6(six)]
}

/** Flags in the routing tables of Linux (proc(5), net/route.c). */
const isUpGateway = 0x3

/** Reads `/proc/net/route`, where addresses are hexadecimal in the byte order of the machine. */
export function gatewaysIn(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [, destination, gateway = '', flags = ''] = line.split('\t')
    const isDefault = destination === '00000000' && hasGateway(flags)
    if (!isDefault || !/^[0-9A-F]{8}$/i.test(gateway)) return []
    return [(gateway.match(/../g) ?? []).toReversed().map(byteOf).join('.')]
  })
}

/** Reads `/proc/net/ipv6_route`. Link-local gateways are left out: they need their own interface. */
export function gatewaysIn6(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [destination = '', bits, , , gateway = '', , , , flags = ''] = line.trim().split(/\s+/)
    const isDefault = /^0{32}$/.test(destination) && bits === '00' && hasGateway(flags)
    if (!isDefault || !/^[0-9a-f]{32}$/i.test(gateway) || /^fe[89ab]/i.test(gateway)) return []
    return [(gateway.match(/..../g) ?? []).join(':')]
  })
}

function hasGateway(flags: string): boolean {
  return (Number.parseInt(flags, 16) & isUpGateway) === isUpGateway
}

function byteOf(hex: string): number {
  return Number.parseInt(hex, 16)
}
