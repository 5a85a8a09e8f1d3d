// Questions to the name servers through c-ares, off the thread pool, each with an end in time.
import type { ResolverOptions as ChannelOptions } from 'node:dns'
import type { Resolver as CaresResolver } from 'node:dns/promises'
import type { Clock } from '../../base/clock.ts'
import { within } from '../../base/timeout.ts'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf } from '../failure.ts'
import { nameCharsMax } from './dns-name.ts'

export type IpFamily = 'any' | 'ipv4' | 'ipv6'

/** What the name servers said, or that they said nothing. */
export interface NamesFound {
  /** IPv6 and IPv4 by turns. */
  readonly addresses: readonly string[]
  /** Milliseconds for which the answer may be used again. */
  readonly keepMs: number
  /** Why there are no addresses: a c-ares code. */
  readonly code: string
  /** When all questions have ended: whether one of them got no answer. Never rejects. */
  readonly ended: Promise<boolean>
}

export interface NameServers {
  /** As `address` or `address:port`; without those that can only be asked through `ask`. */
  readonly places: readonly string[]
  /** Never rejects, and takes at most limits.dnsTimeoutMsMax. */
  ask(host: string, family: IpFamily): Promise<NamesFound>
}

export interface NameServersOptions {
  readonly clock: Clock
  /** Opens a channel to them. */
  readonly open: (options: ChannelOptions) => CaresResolver
  /** Told each time that one of them proved that it works. */
  readonly onAnswer: () => void
}

interface OneFamily {
  readonly addresses: readonly string[]
  readonly keepMs: number
  readonly code?: string
}

interface Families {
  /** IPv4 first, where both were asked for. */
  readonly found: readonly OneFamily[]
  readonly ended: Promise<boolean>
}

/** Node looks once a second whether a try is over, so it ends a little before a whole one. */
const tryMs = limits.dnsTryMsMax - limits.dnsGraceMs
/** With each of the servers, one after the other. */
const oneTry = { timeout: tryMs, maxTimeout: tryMs, tries: 1 }
/** Needs a zone, which Node neither tells nor sets: only the channels of the system have it. */
const linkLocal = /^\[?fe[89ab][0-9a-f]:/i
const answeredCodes = new Set(['ENOTFOUND', 'ENODATA'])

/** Whether a c-ares code says that nobody answered while we asked. */
export function isSilence(code: string | undefined): boolean {
  return code === 'ETIMEOUT' || code === 'ECANCELLED'
}

export function createNameServers({ clock, open, onAnswer }: NameServersOptions): NameServers {
  const channel = open(oneTry)
  const servers = channel.getServers()
  let patient: { readonly channel: CaresResolver; readonly untilMs: number } | undefined

  /**
   * A server that was quick so far gets as little as 250 ms from c-ares for a try, whatever its
   * options say; a channel without memories waits as long as it was told to.
   */
  function patientChannel(): CaresResolver {
    const nowMs = clock.monoMs()
    if (!patient || patient.untilMs <= nowMs) {
      const next = open(oneTry)
      // Without a file to spare c-ares reads nothing, and would ask this machine. The servers are
      // set only then: setting them loses the zones of link-local ones.
      if (String(next.getServers()) !== String(servers)) next.setServers(servers)
      patient = { channel: next, untilMs: nowMs + limits.dnsPatientMs }
    }
    return patient.channel
  }

  async function question(
    channelOf: () => CaresResolver,
    host: string,
    version: 4 | 6,
  ): Promise<OneFamily> {
    const ttl = { ttl: true } as const
    try {
      const to = channelOf()
      const found = await (version === 4 ? to.resolve4(host, ttl) : to.resolve6(host, ttl))
      onAnswer()
      const seconds = Math.min(...found.map((record) => record.ttl))
      const keepMs = Math.min(Math.max(seconds, 1) * 1_000, limits.dnsCacheMsMax)
      const some = found.slice(0, limits.dnsAddressesMax)
      return { addresses: some.map((record) => record.address), keepMs }
    } catch (cause) {
      const code = codeOf(cause)
      // That there is no such name as `x.onion`, c-ares says by itself.
      if (answeredCodes.has(code) && !host.endsWith('.onion')) onAnswer()
      return failed(code)
    }
  }

  async function askPatiently(host: string, version: 4 | 6): Promise<OneFamily> {
    const endMs = clock.monoMs() + limits.dnsTimeoutMsMax - limits.dnsGraceMs
    let found = await question(() => channel, host, version)
    for (let again = 0; again < limits.dnsTriesAgainMax; again++) {
      if (found.code !== 'ETIMEOUT' || clock.monoMs() >= endMs) return found
      found = await question(patientChannel, host, version)
    }
    return found
  }

  async function askBoth(host: string): Promise<Families> {
    const four = askPatiently(host, 4)
    const six = askPatiently(host, 6)
    const ended = Promise.all([four, six]).then((all) => all.some(({ code }) => isSilence(code)))
    const first = await four
    if (first.addresses.length === 0) return { found: [first, await six], ended }
    // A name server that drops AAAA questions must not hold up what it said about A.
    const second = await within(clock, six, limits.dnsGraceMs)
    return { found: second === undefined ? [first] : [first, second], ended }
  }

  async function askOne(host: string, version: 4 | 6): Promise<Families> {
    return familyOf(await askPatiently(host, version))
  }

  async function ask(host: string, family: IpFamily): Promise<NamesFound> {
    // c-ares would ask for a name that is too long.
    if (host.length > nameCharsMax) return namesOf(familyOf(failed('EBADNAME')))
    const asked = family === 'any' ? askBoth(host) : askOne(host, family === 'ipv4' ? 4 : 6)
    // With several silent servers c-ares goes on for longer.
    return namesOf((await within(clock, asked, limits.dnsTimeoutMsMax)) ?? silentFamily)
  }

  return { ask, places: servers.filter((server) => !linkLocal.test(server)) }
}

function failed(code: string): OneFamily {
  return { addresses: [], keepMs: limits.dnsNegativeCacheMs, code }
}

function familyOf(one: OneFamily): Families {
  return { found: [one], ended: Promise.resolve(isSilence(one.code)) }
}

const silentFamily = familyOf(failed('ETIMEOUT'))

function namesOf({ found, ended }: Families): NamesFound {
  const [four, six] = found
  return {
    addresses: byTurns(six?.addresses ?? [], four?.addresses ?? []),
    keepMs: Math.min(...found.map((one) => one.keepMs)),
    code: worst(found),
    ended,
  }
}

/** That one family has no record is no news where the other could not be asked. */
function worst(found: readonly OneFamily[]): string {
  const codes = found.map((one) => one.code ?? 'ENODATA')
  return codes.find((code) => code !== 'ENODATA') ?? 'ENODATA'
}

function byTurns(first: readonly string[], second: readonly string[]): readonly string[] {
  const mixed: string[] = []
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    const one = first[i]
    const other = second[i]
    if (one !== undefined) mixed.push(one)
    if (other !== undefined) mixed.push(other)
  }
  return mixed
}
