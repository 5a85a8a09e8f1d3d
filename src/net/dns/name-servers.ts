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
  /** Resolves when all queries have ended: true if at least one got no answer. Never rejects. */
  readonly ended: Promise<boolean>
}

export type NameServers = ReturnType<typeof createNameServers>

export interface NameServersOptions {
  readonly clock: Clock
  /** Opens a channel to them. */
  readonly open: (options: ChannelOptions) => CaresResolver
  /** Hears whenever one of the servers has proved that it works. */
  readonly onAnswer: () => void
}

interface FamilyAnswer {
  readonly addresses: readonly string[]
  readonly keepMs: number
  readonly code?: string
}

/** How long a name server's IPv4 answer waits for the IPv6 one (RFC 8305 resolution delay). */
const dnsGraceMs = 100

/**
 * Node checks for timeouts once a second, so a try is a little shorter than a full number of
 * seconds.
 */
const tryMs = limits.dnsTryMsMax - dnsGraceMs
/** Each server is tried once, one after the other. */
const oneTry = { timeout: tryMs, maxTimeout: tryMs, tries: 1 }
/**
 * A link-local address needs a zone. Node neither reports nor sets zones, so only the system's own
 * channels can use it.
 */
const linkLocal = /^\[?fe[89ab][0-9a-f]:/i
const answeredCodes = new Set(['ENOTFOUND', 'ENODATA'])

/** Whether a c-ares code says that no server answered in time. */
export function isSilence(code: string | undefined): boolean {
  return code === 'ETIMEOUT' || code === 'ECANCELLED'
}

/** The time of a look-up, which has two tries. */
export const dnsTimeoutMsMax = 4_000
export const dnsCacheMsMax = 60_000
export const dnsNegativeCacheMs = 5_000
/** The number of further tries if the first one, with a formerly fast server, had little time. */
const dnsTriesAgainMax = 2
/** How long late queries share a channel without history. */
const dnsFreshChannelMs = 1_000

export function createNameServers({ clock, open, onAnswer }: NameServersOptions) {
  const channel = open(oneTry)
  const servers = channel.getServers()
  let fresh: { readonly channel: CaresResolver; readonly untilMs: number } | undefined

  /**
   * Opens a new channel for each look-up. An old channel has measured its servers, and gives a fast
   * one as little as 250 ms per try, whatever its options say; a new one waits the whole time.
   */
  function freshChannel(): CaresResolver {
    const nowMs = clock.monoMs()
    if (!fresh || fresh.untilMs <= nowMs) {
      const next = open(oneTry)
      // Without a free file descriptor, c-ares cannot read its configuration and queries this
      // machine instead. Only then are the servers set: setting them loses the zones of link-local
      // ones.
      if (String(next.getServers()) !== String(servers)) next.setServers(servers)
      fresh = { channel: next, untilMs: nowMs + dnsFreshChannelMs }
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
      const addresses = found.map((record) => record.address)
      // All of them, because the egress policy forbids a name for any of its addresses.
      if (found.length > limits.dnsKeptAddressesMax) return { addresses, keepMs: 0 }
      const seconds = Math.min(...found.map((record) => record.ttl))
      const keepMs = Math.min(Math.max(seconds, 1) * 1_000, dnsCacheMsMax)
      return { addresses, keepMs }
    } catch (cause) {
      const code = codeOf(cause)
      // c-ares itself refuses .onion names, so such an answer does not prove that a server works.
      if (answeredCodes.has(code) && !host.endsWith('.onion')) onAnswer()
      return failed(code)
    }
  }

  async function askRepeatedly(host: string, version: 4 | 6): Promise<FamilyAnswer> {
    const endMs = clock.monoMs() + dnsTimeoutMsMax - dnsGraceMs
    let found = await question(() => channel, host, version)
    for (let again = 0; again < dnsTriesAgainMax; again++) {
      if (found.code !== 'ETIMEOUT' || clock.monoMs() >= endMs) return found
      found = await question(freshChannel, host, version)
    }
    return found
  }

  /**
   * Returns soon after the first answer, because some name servers ignore AAAA queries, and the A
   * answer must not wait for that.
   */
  async function firstAnswers(
    first: Promise<FamilyAnswer>,
    second?: Promise<FamilyAnswer>,
  ): Promise<readonly FamilyAnswer[]> {
    const one = await first
    if (second === undefined) return [one]
    const isFound = one.addresses.length > 0
    const other = isFound ? await within(clock, second, dnsGraceMs) : await second
    return other === undefined ? [one] : [one, other]
  }

  /** Never rejects, and takes at most dnsTimeoutMsMax. */
  async function ask(host: string, family: IpFamily): Promise<NameServerAnswer> {
    // c-ares would send a query even for a name that is too long.
    if (host.length > nameCharsMax) return answerOf([failed('EBADNAME')])
    const first = askRepeatedly(host, family === 'ipv6' ? 6 : 4)
    const second = family === 'any' ? askRepeatedly(host, 6) : undefined
    const found = await within(clock, firstAnswers(first, second), dnsTimeoutMsMax)
    // c-ares tries one server after the other, so with several silent ones it takes longer than
    // this.
    if (found === undefined) return answerOf([failed('ETIMEOUT')])
    const ended = Promise.all([first, second]).then((all) =>
      all.some((one) => isSilence(one?.code)),
    )
    return { ...answerOf(found), ended }
  }

  // Only `ask` can reach link-local servers.
  return { ask, endpoints: servers.filter((server) => !linkLocal.test(server)) }
}

function failed(code: string): FamilyAnswer {
  return { addresses: [], keepMs: dnsNegativeCacheMs, code }
}

/** The answer, with IPv4 first if both families were queried. */
function answerOf(found: readonly FamilyAnswer[]): NameServerAnswer {
  const [first = [], second = []] = found.map(({ addresses }) => addresses)
  const codes = found.map(({ code = 'ENODATA' }) => code)
  return {
    addresses: alternating(second, first),
    keepMs: Math.min(...found.map(({ keepMs }) => keepMs)),
    // If one query failed, its code is reported rather than ENODATA of the other: that name may
    // still have addresses.
    code: codes.find((code) => code !== 'ENODATA') ?? 'ENODATA',
    ended: Promise.resolve(codes.some(isSilence)),
  }
}

function alternating(first: readonly string[], second: readonly string[]): readonly string[] {
  const longest = first.length > second.length ? first : second
  return longest.flatMap((_, i) => [first[i], second[i]].filter((one) => one !== undefined))
}
