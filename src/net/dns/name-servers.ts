// Questions to the name servers through c-ares, off the thread pool, each with an end in time.
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
  /** Milliseconds for which the answer may be used again. */
  readonly keepMs: number
  /** Why there are no addresses: a c-ares code. */
  readonly code: string
  /** When all questions have ended: whether one of them got no answer. Never rejects. */
  readonly ended: Promise<boolean>
}

export interface NameServers {
  /** As `address` or `address:port`; without those that can only be asked through `ask`. */
  readonly endpoints: readonly string[]
  /** Never rejects, and takes at most limits.dnsTimeoutMsMax. */
  ask(host: string, family: IpFamily): Promise<NameServerAnswer>
}

export interface NameServersOptions {
  readonly clock: Clock
  /** Opens a channel to them. */
  readonly open: (options: ChannelOptions) => CaresResolver
  /** Called each time that one of them proved that it works. */
  readonly onAnswer: () => void
}

interface FamilyAnswer {
  readonly addresses: readonly string[]
  readonly keepMs: number
  readonly code?: string
}

/** Node looks once a second whether a try is over, so it ends a little before a whole one. */
const tryMs = limits.dnsTryMsMax - limits.dnsGraceMs
/** With each of the servers, one after the other. */
const oneTry = { timeout: tryMs, maxTimeout: tryMs, tries: 1 }
/** Needs a zone, which Node neither reports nor sets: only the channels of the system have it. */
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

  /**
   * A server that was quick so far gets as little as 250 ms from c-ares for a try, whatever its
   * options say; a channel that has measured none yet waits for the whole time.
   */
  function freshChannel(): CaresResolver {
    const nowMs = clock.monoMs()
    if (!fresh || fresh.untilMs <= nowMs) {
      const next = open(oneTry)
      // Without a file to spare c-ares reads nothing, and would ask this machine. The servers are
      // set only then: setting them loses the zones of link-local ones.
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
      // That there is no such name as `x.onion`, c-ares says by itself.
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

  /** A name server that drops AAAA questions must not hold up what it said about A. */
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
    // c-ares would ask for a name that is too long.
    if (host.length > nameCharsMax) return answerOf([failed('EBADNAME')])
    const first = askRepeatedly(host, family === 'ipv6' ? 6 : 4)
    const second = family === 'any' ? askRepeatedly(host, 6) : undefined
    const found = await within(clock, firstAnswers(first, second), limits.dnsTimeoutMsMax)
    // With several silent servers c-ares goes on for longer.
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

/** What was found: IPv4 first, where both were asked for. */
function answerOf(found: readonly FamilyAnswer[]): NameServerAnswer {
  const [first = [], second = []] = found.map(({ addresses }) => addresses)
  const codes = found.map(({ code = 'ENODATA' }) => code)
  return {
    addresses: alternating(second, first),
    keepMs: Math.min(...found.map(({ keepMs }) => keepMs)),
    // That one family has no record is no news where the other could not be asked.
    code: codes.find((code) => code !== 'ENODATA') ?? 'ENODATA',
    ended: Promise.resolve(codes.some(isSilence)),
  }
}

function alternating(first: readonly string[], second: readonly string[]): readonly string[] {
  const longest = first.length > second.length ? first : second
  return longest.flatMap((_, i) => [first[i], second[i]].filter((one) => one !== undefined))
}
