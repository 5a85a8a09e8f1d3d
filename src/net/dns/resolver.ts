// Resolves names to addresses: hosts file and cache first, then the name servers, fairly between
// organizations.
import type { ResolverOptions as ChannelOptions } from 'node:dns'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf, dnsFailure, type Failure, unknownFailure } from '../failure.ts'
import { isLocalName } from '../guard.ts'
import { createDnsCache, type DnsCache, type LookupOutcome } from './dns-cache.ts'
import { createDnsConcurrency, type Permit } from './dns-concurrency.ts'
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

/** A query for records of a name, made by other means than `resolve`. */
export interface RecordsQuestion<Found> {
  /** The same for the same query. */
  readonly key: string
  readonly orgId: string
  readonly waitMsMax: number
  /** Rejects with a c-ares code. */
  readonly ask: () => Promise<Found>
}

export interface Resolver {
  /**
   * The addresses of a name, IPv6 and IPv4 alternating. Never rejects; ends within the bound of a
   * look-up, plus the wait for a permit if the organization has very many in progress. Look-ups of
   * the daemon itself have no organization. `waitMsMax` limits the wait for the permit: a check
   * with less time left passes less, because the wait is not the target's fault.
   */
  resolve(
    host: string,
    family: IpFamily,
    orgId?: string,
    waitMsMax?: number,
  ): Promise<NameResolution>
  /** Queries with a permit, as look-ups do; rejects as `ask` does. A failure: no permit in time. */
  withPermit<Found>(
    question: RecordsQuestion<Found>,
  ): Promise<{ readonly found: Found } | { readonly failure: Failure }>
  /** The name servers in use, as `address` or `address:port`. */
  readonly servers: readonly string[]
  /**
   * Whether a name server has proved since the start that it works: with addresses, or by answering
   * that there are none. Neither the hosts file nor a refusal counts.
   */
  hasAnswered(): boolean
}

export interface ResolverOptions {
  readonly clock: Clock
  /** Name servers as `address` or `address:port`; default: those of the system. */
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
  /** Without an answer if the query was not for addresses: only its outcome is noted. */
  readonly cache: DnsCache<NameResolution | undefined>
  /** Queries of an organization in progress, which its later ones share. */
  readonly asked: Map<string, Promise<NameResolution>>
}

interface PermittedLookup {
  readonly orgId: string
  readonly key: string
  readonly permit: Permit
}

/** How long a check may wait for a permit: less than its time left, to report the wait. */
export function waitMsMaxFor(leftMs: number): number {
  return Math.max(0, leftMs * limits.dnsWaitShare)
}

const crowded = unknownFailure('dns', 'too many name look-ups are in progress')

/** The operator's hosts file applies as in every other program. */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock, hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' } = options
  const { servers = [], openSystem = (how) => new CaresResolver(how) } = options
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

  /** A laptop that moves, or a VPN, changes the name servers, which may answer differently. */
  function readFiles(): void {
    const nowMs = clock.monoMs()
    if (nowMs < readFilesAtMs) return
    readFilesAtMs = nowMs + limits.dnsFilesMs
    followHosts()
    if (servers.length === 0) followServers()
  }

  /** What an organization knows of a name, or is about to learn. */
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
    // Look-ups during the wait count as well: other new names may have been silent.
    if (state.cache.confidence(orgId, key) !== 'doubtful') return permit
    permit.release()
    return concurrency.acquire(orgId, 'doubtful', waitMsMax - (clock.monoMs() - sinceMs))
  }

  /**
   * Tracks a look-up that begins now. Call the result at its end, after the answer was stored: it
   * releases the permit, notes the outcome, and returns the silences in a row.
   */
  function follow({ orgId, key, permit }: PermittedLookup) {
    const { cache } = state
    const quickBefore = quickAnswers
    const lateAtMs = clock.monoMs() + limits.dnsLateMs
    return (outcome: LookupOutcome, failure: Failure | undefined): number => {
      permit.release(outcome)
      // If we could not even query, that says nothing about the name.
      if (failure?.result === 'unknown') return 0
      if (outcome === 'answered' && clock.monoMs() < lateAtMs) {
        quickAnswers++
        return cache.note(orgId, key, 'answered')
      }
      // Nor does a silence while no other name was answered in time.
      return quickAnswers > quickBefore ? cache.note(orgId, key, 'silent') : 0
    }
  }

  function ask(host: string, family: IpFamily, lookup: PermittedLookup): Promise<NameResolution> {
    const { servers, cache, asked } = state
    const { orgId, key } = lookup
    const end = follow(lookup)
    const answer = servers.ask(host, family).then((found) => {
      const resolution = resolutionOf(found, host)
      const isOurs = resolution.failure?.result === 'unknown'
      cache.set(orgId, key, resolution, isOurs ? 0 : found.keepMs)
      asked.delete(`${orgId} ${key}`)
      void found.ended.then((isSilent) => {
        const silences = end(isSilent ? 'silent' : outcomeOf(found.code), resolution.failure)
        if (silences === 0 || !isSilence(found.code)) return
        // A silent name is queried ever less often.
        const keepMs = found.keepMs * 2 ** (silences - 1)
        cache.set(orgId, key, resolution, Math.min(keepMs, limits.dnsSilenceCacheMsMax))
      })
      return resolution
    })
    asked.set(`${orgId} ${key}`, answer)
    return answer
  }

  async function resolve(
    host: string,
    family: IpFamily,
    orgId = '',
    waitMsMax: number = limits.dnsWaitMsMax,
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

  async function withPermit<Found>({ orgId, key, waitMsMax, ask }: RecordsQuestion<Found>) {
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
    hasAnswered: () => hasAnswered,
    get servers() {
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
