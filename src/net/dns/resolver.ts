// Resolves names to addresses: hosts file and cache first, then the name servers, fairly between
// organizations.
import type { ResolverOptions as ChannelOptions } from 'node:dns'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isLocalName } from '../egress-policy.ts'
import { codeOf, dnsFailure, type Failure, unknownFailure } from '../failure.ts'
import { createDnsCache, type DnsCache, type LookupOutcome } from './dns-cache.ts'
import { createDnsConcurrency, dnsWaitMsMax, type Permit } from './dns-concurrency.ts'
import { followFile, type Hosts, hostsIn } from './hosts-file.ts'
import {
  createNameServers,
  type IpFamily,
  isSilence,
  type NameServerAnswer,
  type NameServers,
} from './name-servers.ts'

export type { IpFamily }

export type NameResolution =
  | { readonly addresses: readonly string[]; readonly failure?: never }
  | { readonly failure: Failure; readonly addresses?: never }

/** A query that `resolve` does not make: for records other than addresses, or to another server. */
export interface RecordsQuestion<Found> {
  /** Equal queries have equal keys. */
  readonly key: string
  readonly orgId: string
  readonly waitMsMax: number
  /** Rejects with a c-ares code. */
  readonly ask: () => Promise<Found>
}

export type Resolver = ReturnType<typeof createResolver>

export interface ResolverOptions {
  readonly clock: Clock
  /** Name servers as `address` or `address:port`; default: the system's. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  /** The file that configures the system's name servers, which are read again when it changes. */
  readonly resolvFile?: string
  /** Opens a channel to the name servers of the system. */
  readonly openSystem?: (options: ChannelOptions) => CaresResolver
}

/** Name servers, and the names learned from them. */
interface NameServerState {
  readonly servers: NameServers
  /** A query that was not for addresses stores no answer, only its outcome. */
  readonly cache: DnsCache<NameResolution | undefined>
  /** Look-ups in progress. A later one for the same name and organization waits for the same result. */
  readonly asked: Map<string, Promise<NameResolution>>
}

interface PermittedLookup {
  readonly orgId: string
  readonly key: string
  readonly permit: Permit
}

/** The share of its check's remaining time that a look-up waits for its permit. */
const dnsWaitShare = 0.9

/**
 * How long a check with this much time left may wait for a permit. Less than all of it, so that the
 * check can still report that it waited.
 */
export function waitMsMaxFor(leftMs: number): number {
  return Math.max(0, leftMs * dnsWaitShare)
}

const crowded = unknownFailure('dns', 'too many name look-ups are in progress')

/** The longest time that a name without an answer is cached; it grows up to this. */
const dnsSilenceCacheMsMax = 60_000
/** A query that takes this long occupies name servers as much as one without an answer. */
const dnsLateMs = 1_000
/** How often the files that configure name servers and hosts are read. */
export const dnsFilesMs = 5_000

/** Creates a resolver. As in other programs, the operator's hosts file takes precedence. */
export function createResolver(options: ResolverOptions) {
  const { clock, hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' } = options
  const { openSystem = (how) => new CaresResolver(how) } = options
  let { servers = [] } = options
  const concurrency = createDnsConcurrency(clock)
  const followHosts = followFile(hostsFile, (text) => {
    hosts = hostsIn(text)
  })
  const followServers = followFile(resolvFile, () => {
    state = openServers()
  })
  let hasAnswered = false
  let quickAnswers = 0
  let hosts: Hosts = new Map()
  let state = openServers()
  let readFilesAtMs = clock.monoMs()
  readFiles()

  function open(how: ChannelOptions): CaresResolver {
    if (servers.length === 0) return openSystem(how)
    const channel = new CaresResolver(how)
    channel.setServers(servers)
    return channel
  }

  function onAnswer(): void {
    hasAnswered = true
  }

  function openServers(): NameServerState {
    return {
      servers: createNameServers({ clock, open, onAnswer }),
      cache: createDnsCache(clock, limits.dnsCacheEntriesMax),
      asked: new Map(),
    }
  }

  /**
   * Reads the configuration again if it changed: a laptop that moves, or a VPN, changes the name
   * servers, and these may answer differently.
   */
  function readFiles(): void {
    const nowMs = clock.monoMs()
    if (nowMs < readFilesAtMs) return
    readFilesAtMs = nowMs + dnsFilesMs
    followHosts()
    if (servers.length === 0) followServers()
  }

  /** The cached answer of the organization, or its look-up in progress. */
  function known(orgId: string, key: string): NameResolution | Promise<NameResolution> | undefined {
    return state.cache.get(orgId, key) ?? state.asked.get(`${orgId} ${key}`)
  }

  async function acquire(
    orgId: string,
    key: string,
    waitMsMax: number,
  ): Promise<Permit | undefined> {
    const sinceMs = clock.monoMs()
    const confidence = state.cache.confidence(orgId, key)
    const permit = await concurrency.acquire(orgId, confidence, waitMsMax)
    if (!permit || confidence === 'doubtful') return permit
    // The confidence is read again, because other new names of the organization may have been
    // silent during the wait.
    if (state.cache.confidence(orgId, key) !== 'doubtful') return permit
    permit.release()
    return concurrency.acquire(orgId, 'doubtful', waitMsMax - (clock.monoMs() - sinceMs))
  }

  /**
   * Starts to track a look-up. Call the result at its end, after the answer was stored: it releases
   * the permit, notes the outcome, and returns how many times in a row the name was silent.
   */
  function follow({ orgId, key, permit }: PermittedLookup) {
    const { cache } = state
    const quickBefore = quickAnswers
    const sinceMs = clock.monoMs()
    const lateAtMs = sinceMs + dnsLateMs
    return (outcome: LookupOutcome, failure: Failure | undefined): number => {
      permit.release(outcome)
      // The query could not even be sent, which says nothing about the name.
      if (failure?.result === 'unknown') return 0
      // Silence while we ourselves stood still says nothing either.
      if (outcome === 'silent' && clock.stalledMs(sinceMs) > 0) return 0
      if (outcome === 'answered' && clock.monoMs() < lateAtMs) {
        quickAnswers++
        return cache.note(orgId, key, 'answered')
      }
      // Silence says nothing about the name either, unless another name was answered in time
      // meanwhile.
      return quickAnswers > quickBefore ? cache.note(orgId, key, 'silent') : 0
    }
  }

  function ask(host: string, family: IpFamily, lookup: PermittedLookup): Promise<NameResolution> {
    const { servers, cache, asked } = state
    const { orgId, key } = lookup
    const end = follow(lookup)
    const sinceMs = clock.monoMs()
    const answer = servers.ask(host, family).then((found) => {
      const resolution = resolutionOf(found, host)
      const isOurs = resolution.failure?.result === 'unknown' || clock.stalledMs(sinceMs) > 0
      const keepMs = isOurs ? 0 : found.keepMs
      cache.set(orgId, key, keepMs > 0 ? resolution : undefined, keepMs)
      asked.delete(`${orgId} ${key}`)
      void found.ended.then((isSilent) => {
        const silences = end(isSilent ? 'silent' : outcomeOf(found.code), resolution.failure)
        if (silences === 0 || !isSilence(found.code)) return
        // Each further silence doubles the time until the name is queried again.
        const keepMs = found.keepMs * 2 ** (silences - 1)
        cache.set(orgId, key, resolution, Math.min(keepMs, dnsSilenceCacheMsMax))
      })
      return resolution
    })
    asked.set(`${orgId} ${key}`, answer)
    return answer
  }

  /**
   * The addresses of a name, IPv6 and IPv4 alternating. Never rejects. Takes as long as a look-up
   * may, plus the wait for a permit if the organization already has very many look-ups in progress.
   * `waitMsMax` limits that wait: a check with little time left passes less, because the wait is
   * not the target's fault. The daemon's own look-ups have no organization.
   */
  async function resolve(
    host: string,
    family: IpFamily,
    orgId = '',
    waitMsMax: number = dnsWaitMsMax,
  ): Promise<NameResolution> {
    readFiles()
    const own = isLocalName(host) ? ['127.0.0.1', '::1'] : hosts.get(host)
    if (own !== undefined) return fromHosts(own, host, family)
    const key = `${family} ${host}`
    const answer = known(orgId, key)
    if (answer !== undefined) return answer
    const permit = await acquire(orgId, key, waitMsMax)
    const meanwhile = known(orgId, key)
    if (meanwhile === undefined && permit) return ask(host, family, { orgId, key, permit })
    permit?.release()
    return meanwhile ?? { failure: crowded }
  }

  /** Queries with a permit, as look-ups do; rejects as `ask` does. A failure: no permit in time. */
  async function withPermit<Found>({
    orgId,
    key,
    waitMsMax,
    ask,
  }: RecordsQuestion<Found>): Promise<{ readonly found: Found } | { readonly failure: Failure }> {
    const permit = await acquire(orgId, key, waitMsMax)
    if (!permit) return { failure: crowded }
    state.cache.set(orgId, key, undefined, 0)
    const end = follow({ orgId, key, permit })
    try {
      const found = await ask()
      end('answered', undefined)
      onAnswer()
      return { found }
    } catch (cause) {
      const code = codeOf(cause)
      end(outcomeOf(code), dnsFailure(code, key))
      throw cause
    }
  }

  return {
    resolve,
    withPermit,
    /** Whether a name server has answered since the start. The hosts file and refusals do not count. */
    hasAnswered: () => hasAnswered,
    /** Asks these from now on, and forgets what others answered; an empty list: the system's. */
    setServers(next: readonly string[]): void {
      servers = next
      state = openServers()
    },
    /** The name servers in use, as `address` or `address:port`. */
    get servers(): readonly string[] {
      readFiles()
      return state.servers.endpoints
    },
  }
}

function resolutionOf({ addresses, code }: NameServerAnswer, host: string): NameResolution {
  return addresses.length > 0 ? { addresses } : { failure: dnsFailure(code, host) }
}

function outcomeOf(code: string): LookupOutcome {
  return isSilence(code) ? 'silent' : 'answered'
}

function fromHosts(known: readonly string[], host: string, family: IpFamily): NameResolution {
  const version = family === 'ipv4' ? 4 : 6
  const addresses = family === 'any' ? known : known.filter((one) => isIP(one) === version)
  return addresses.length > 0 ? { addresses } : { failure: dnsFailure('ENODATA', host) }
}
