// Queries the name servers through c-ares, without the thread pool, with a time limit.
import type { ResolverOptions as ChannelOptions } from 'node:dns'
import type { Resolver as CaresResolver } from 'node:dns/promises'
import type { Clock } from '../../base/clock.ts'
import { within } from '../../base/timeout.ts'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf } from '../failure.ts'
import { nameCharsMax } from './dns-name.ts'

export type IpFamily = 'any' | 'ipv4' | 'ipv6'

export interface NameServerAnswer {
  /** IPv6 and IPv4 alternate. */
  readonly addresses: readonly string[]
  /** How long the answer may be reused, in milliseconds. */
  readonly keepMs: number
  /** Why there are no addresses: a c-ares code. */
  readonly code: string
  /** Resolves when all queries have ended, with whether one got no answer. Never rejects. */
  readonly ended: Promise<boolean>
}

export interface NameServers {
  /** As `address` or `address:port`; without those that can only be used through `ask`. */
  readonly endpoints: readonly string[]
  /** Never rejects, and takes at most limits.dnsTimeoutMsMax. */
  ask(host: string, family: IpFamily): Promise<NameServerAnswer>
}

export interface NameServersOptions {
  readonly clock: Clock
  /** Opens a channel to them. */
  readonly open: (options: ChannelOptions) => CaresResolver
  /** Called each time one of them proved that it works. */
  readonly onAnswer: () => void
}

interface FamilyAnswer {
  readonly addresses: readonly string[]
  readonly keepMs: number
  readonly code?: string
}

/** Node checks once a second whether a try is over, so it ends shortly before a full one. */
const tryMs = limits.dnsTryMsMax - limits.dnsGraceMs
/** For each of the servers, one after the other. */
const oneTry = { timeout: tryMs, maxTimeout: tryMs, tries: 1 }
/** Needs a zone, which Node neither reports nor sets: only the system's channels have it. */
const linkLocal = /^\[?fe[89ab][0-9a-f]:/i
const answeredCodes = new Set(['ENOTFOUND', 'ENODATA'])

/** Whether a c-ares code says that no server answered in time. */
export function isSilence(code: string | undefined): boolean {
  return code === 'ETIMEOUT' || code === 'ECANCELLED'
}

export function createNameServers({ clock, open, onAnswer }: NameServersOptions): NameServers {
  const channel = open(oneTry)
  const servers = channel.getServers()
  let fresh: { readonly channel: CaresResolver; readonly untilMs: number } | undefined

  /** A fresh channel waits the whole time: c-ares gives a formerly fast server only 250 ms. */
  function freshChannel(): CaresResolver {
    const nowMs = clock.monoMs()
    if (!fresh || fresh.untilMs <= nowMs) {
      const next = open(oneTry)
      // Without a free file descriptor c-ares reads no configuration, and would query this machine.
      // The servers are set only then, because setting them loses the zones of link-local ones.
      if (String(next.getServers()) !== String(servers)) next.setServers(servers)
      fresh = { channel: next, untilMs: nowMs + limits.dnsFreshChannelMs }
    }
    return fresh.channel
  }

  async function question(
    channelOf: () => CaresResolver,
    host: string,
    version: 4 | 6,
  ): Promise<FamilyAnswer> {
    const ttl = { ttl: true } as const
    try {
      const asked = channelOf()
      const found = await (version === 4 ? asked.resolve4(host, ttl) : asked.resolve6(host, ttl))
      onAnswer()
      const seconds = Math.min(...found.map((record) => record.ttl))
      const keepMs = Math.min(Math.max(seconds, 1) * 1_000, limits.dnsCacheMsMax)
      const some = found.slice(0, limits.dnsAddressesMax)
      return { addresses: some.map((record) => record.address), keepMs }
    } catch (cause) {
      const code = codeOf(cause)
      // c-ares rejects .onion names by itself, so this answer does not show that a server answered.
      if (answeredCodes.has(code) && !host.endsWith('.onion')) onAnswer()
      return failed(code)
    }
  }

  async function askRepeatedly(host: string, version: 4 | 6): Promise<FamilyAnswer> {
    const endMs = clock.monoMs() + limits.dnsTimeoutMsMax - limits.dnsGraceMs
    let found = await question(() => channel, host, version)
    for (let again = 0; again < limits.dnsTriesAgainMax; again++) {
      if (found.code !== 'ETIMEOUT' || clock.monoMs() >= endMs) return found
      found = await question(freshChannel, host, version)
    }
    return found
  }

  /** A name server that drops AAAA queries must not delay its A answer. */
  async function firstAnswers(
    first: Promise<FamilyAnswer>,
    second?: Promise<FamilyAnswer>,
  ): Promise<readonly FamilyAnswer[]> {
    const one = await first
    if (second === undefined) return [one]
    const isFound = one.addresses.length > 0
    const other = isFound ? await within(clock, second, limits.dnsGraceMs) : await second
    return other === undefined ? [one] : [one, other]
  }

  async function ask(host: string, family: IpFamily): Promise<NameServerAnswer> {
    // c-ares would query a too long name.
    if (host.length > nameCharsMax) return answerOf([failed('EBADNAME')])
    const first = askRepeatedly(host, family === 'ipv6' ? 6 : 4)
    const second = family === 'any' ? askRepeatedly(host, 6) : undefined
    const found = await within(clock, firstAnswers(first, second), limits.dnsTimeoutMsMax)
    // With several silent servers c-ares takes longer.
    if (found === undefined) return answerOf([failed('ETIMEOUT')])
    const ended = Promise.all([first, second]).then((all) =>
      all.some((one) => isSilence(one?.code)),
    )
    return { ...answerOf(found), ended }
  }

  return { ask, endpoints: servers.filter((server) => !linkLocal.test(server)) }
}

function failed(code: string): FamilyAnswer {
  return { addresses: [], keepMs: limits.dnsNegativeCacheMs, code }
}

/** The answer, with IPv4 first if both families were queried. */
function answerOf(found: readonly FamilyAnswer[]): NameServerAnswer {
  const [first = [], second = []] = found.map(({ addresses }) => addresses)
  const codes = found.map(({ code = 'ENODATA' }) => code)
  return {
    addresses: alternating(second, first),
    keepMs: Math.min(...found.map(({ keepMs }) => keepMs)),
    // A missing record of one family says nothing if the other could not be queried.
    code: codes.find((code) => code !== 'ENODATA') ?? 'ENODATA',
    ended: Promise.resolve(codes.some(isSilence)),
  }
}

function alternating(first: readonly string[], second: readonly string[]): readonly string[] {
  const longest = first.length > second.length ? first : second
  return longest.flatMap((_, i) => [first[i], second[i]].filter((one) => one !== undefined))
}
