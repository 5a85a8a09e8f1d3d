// Names to addresses: known ones first, then by the name servers, fair between organizations.

import type { ResolverOptions as ChannelOptions } from 'node:dns'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { codeOf, dnsFailure, type Failure, unmade } from '../failure.ts'
import { isLocalName } from '../guard.ts'
import { createDnsCache, type DnsCache, doubled } from './dns-cache.ts'
import { createNameTurns, type Outcome, type Turn } from './dns-concurrency.ts'
import { followFile, type Hosts, hostsIn } from './hosts-file.ts'
import {
  createNameServers,
  type IpFamily,
  isSilence,
  type NameServers,
  type NamesFound,
} from './name-servers.ts'

export type { IpFamily }

export type Resolution =
  | { readonly addresses: readonly string[]; readonly failure?: never }
  | { readonly failure: Failure; readonly addresses?: never }

/** Records of a name, asked for by other means than `resolve`. */
export interface RecordsQuestion<Found> {
  /** What is asked, in one word for the same question. */
  readonly key: string
  readonly orgId: string
  readonly patienceMs: number
  /** Rejects with a c-ares code. */
  readonly ask: () => Promise<Found>
}

export interface Resolver {
  /**
   * The addresses of a name, IPv6 and IPv4 by turns. Never rejects; ends within the bound of a
   * look-up, and that of waiting where the organization has very many of them under way. Those of
   * the daemon itself have no organization. `patienceMs` is how long it may wait to be asked: whose
   * time ends sooner gives less than that, since the waiting is no fault of the target.
   */
  resolve(host: string, family: IpFamily, orgId?: string, patienceMs?: number): Promise<Resolution>
  /**
   * Asks the same name servers in its turn among the look-ups; rejects as `ask` does. A failure:
   * its turn did not come in time.
   */
  inTurn<Found>(
    question: RecordsQuestion<Found>,
  ): Promise<{ readonly found: Found } | { readonly failure: Failure }>
  /** The name servers it asks, as `address` or `address:port`. */
  readonly servers: readonly string[]
  /**
   * Whether a name server has proved in this life that it works: by addresses, or by saying that
   * there are none. Neither the hosts file nor a refusal counts.
   */
  hasAnswered(): boolean
}

export interface ResolverOptions {
  readonly clock: Clock
  /** Name servers as `address` or `address:port`; those of the system where absent. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  /** What names the name servers of the system: they are learned anew when it changes. */
  readonly resolvFile?: string
  /** Opens a channel to the name servers of the system. */
  readonly openSystem?: (options: ChannelOptions) => CaresResolver
}

/** Name servers, and what came from them. */
interface View {
  readonly servers: NameServers
  /** An answer is undefined where the question was not for addresses: that alone is not kept. */
  readonly cache: DnsCache<Resolution | undefined>
  /** Questions of an organization under way, which its later ones share. */
  readonly asked: Map<string, Promise<Resolution>>
}

/** A question of one organization. */
interface Asking {
  readonly orgId: string
  readonly key: string
  readonly turn: Turn
}

/**
 * How long a check that has so much time left may wait to be asked: less, so that it says that it
 * had to wait before it is over.
 */
export function patienceOf(leftMs: number): number {
  return Math.max(0, leftMs * limits.dnsPatienceShare)
}

const crowded = unmade('dns', 'too many name look-ups are under way')

/** The operator's own hosts count like in every other program. */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock, hostsFile = '/etc/hosts', resolvFile = '/etc/resolv.conf' } = options
  const { servers = [], openSystem = (how) => new CaresResolver(how) } = options
  const turns = createNameTurns(clock)
  const followHosts = followFile(hostsFile, (text) => {
    hosts = hostsIn(text)
  })
  const followServers = followFile(resolvFile, () => {
    view = openView()
  })
  let hasAnswered = false
  let quickAnswers = 0
  let hosts: Hosts = new Map()
  let view = openView()
  lookAtFiles()
  let lookAtFilesAtMs = clock.monoMs() + limits.dnsFilesMs

  function open(how: ChannelOptions): CaresResolver {
    if (servers.length === 0) return openSystem(how)
    const channel = new CaresResolver(how)
    channel.setServers(servers)
    return channel
  }

  function onAnswer(): void {
    hasAnswered = true
  }

  function openView(): View {
    return {
      servers: createNameServers({ clock, open, onAnswer }),
      cache: createDnsCache(clock, limits.dnsCacheEntriesMax),
      asked: new Map(),
    }
  }

  /** A laptop that moves and a VPN bring other name servers, who may say other things. */
  function followFiles(): void {
    const nowMs = clock.monoMs()
    if (nowMs < lookAtFilesAtMs) return
    lookAtFilesAtMs = nowMs + limits.dnsFilesMs
    lookAtFiles()
  }

  function lookAtFiles(): void {
    followHosts()
    if (servers.length === 0) followServers()
  }

  /** What an organization knows of a name, or is about to. */
  function known(orgId: string, key: string): Resolution | Promise<Resolution> | undefined {
    return view.cache.get(orgId, key) ?? view.asked.get(`${orgId} ${key}`)
  }

  async function takeTurn(
    orgId: string,
    key: string,
    patienceMs: number,
  ): Promise<Turn | undefined> {
    const sinceMs = clock.monoMs()
    const prospect = view.cache.prospect(orgId, key)
    const turn = await turns.take(orgId, prospect, patienceMs)
    if (!turn || prospect === 'doubtful') return turn
    // What was learnt while it waited counts as well: names are new until the first is silent.
    if (view.cache.prospect(orgId, key) !== 'doubtful') return turn
    turn.end()
    return turns.take(orgId, 'doubtful', patienceMs - (clock.monoMs() - sinceMs))
  }

  /**
   * Follows a question that is asked now. What it gives is called at the end, after the answer was
   * set: it ends the turn, notes what came, and tells how often there was silence (see `note`).
   */
  function startNoting({ orgId, key, turn }: Asking): (outcome: Outcome) => number {
    const { cache } = view
    const quickBefore = quickAnswers
    const lateAtMs = clock.monoMs() + limits.dnsLateMs
    return (outcome) => {
      turn.end(outcome)
      if (outcome === 'silent' || clock.monoMs() >= lateAtMs) {
        // Where nobody was answered in time the name is not to blame.
        return quickAnswers > quickBefore ? cache.note(orgId, key, 'silent') : 0
      }
      quickAnswers++
      return cache.note(orgId, key, 'answered')
    }
  }

  function ask(host: string, family: IpFamily, asking: Asking): Promise<Resolution> {
    const { servers, cache, asked } = view
    const { orgId, key, turn } = asking
    const flight = `${orgId} ${key}`
    const note = startNoting(asking)
    const answer = servers.ask(host, family).then((found) => {
      const resolution = resolutionOf(found, host)
      // That we could not even ask may be over in a moment.
      const isOurs = resolution.failure?.outcome === 'unknown'
      cache.set(orgId, key, resolution, isOurs ? 0 : found.keepMs)
      asked.delete(flight)
      void found.ended.then((isSilent) => {
        const outcome = isSilent ? 'silent' : outcomeOf(found.code)
        if (isOurs) {
          turn.end(outcome)
          return
        }
        const silences = note(outcome)
        if (silences === 0 || !isSilence(found.code)) return
        const keepMs = doubled(found.keepMs, silences, limits.dnsSilenceCacheMsMax)
        cache.set(orgId, key, resolution, keepMs)
      })
      return resolution
    })
    asked.set(flight, answer)
    return answer
  }

  async function resolve(
    host: string,
    family: IpFamily,
    orgId = '',
    patienceMs: number = limits.dnsWaitMsMax,
  ): Promise<Resolution> {
    followFiles()
    const own = isLocalName(host) ? ['127.0.0.1', '::1'] : hosts.get(host)
    if (own !== undefined) return fromHosts(own, host, family)
    const key = `${family} ${host}`
    const answer = known(orgId, key)
    if (answer !== undefined) return answer
    const turn = await takeTurn(orgId, key, patienceMs)
    const meanwhile = known(orgId, key)
    if (meanwhile === undefined && turn) return ask(host, family, { orgId, key, turn })
    turn?.end()
    return meanwhile ?? { failure: crowded }
  }

  async function inTurn<Found>({ orgId, key, patienceMs, ask }: RecordsQuestion<Found>) {
    const turn = await takeTurn(orgId, key, patienceMs)
    if (!turn) return { failure: crowded }
    // No answer to give again, but something to note the outcome with.
    view.cache.set(orgId, key, undefined, 0)
    const note = startNoting({ orgId, key, turn })
    try {
      const found = await ask()
      note('answered')
      onAnswer()
      return { found }
    } catch (cause) {
      const code = codeOf(cause)
      if (dnsFailure(code, key).outcome === 'unknown') turn.end(outcomeOf(code))
      else note(outcomeOf(code))
      throw cause
    }
  }

  return {
    resolve,
    inTurn,
    hasAnswered: () => hasAnswered,
    get servers() {
      followFiles()
      return view.servers.places
    },
  }
}

function resolutionOf({ addresses, code }: NamesFound, host: string): Resolution {
  return addresses.length > 0 ? { addresses } : { failure: dnsFailure(code, host) }
}

function outcomeOf(code: string): Outcome {
  if (isSilence(code)) return 'silent'
  return code === 'EREFUSED' || code === 'ESERVFAIL' ? 'refused' : 'answered'
}

function fromHosts(known: readonly string[], host: string, family: IpFamily): Resolution {
  const version = family === 'ipv4' ? 4 : 6
  const addresses = family === 'any' ? known : known.filter((one) => isIP(one) === version)
  return addresses.length > 0 ? { addresses } : { failure: dnsFailure('ENODATA', host) }
}
