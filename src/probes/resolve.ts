// Names to addresses: known ones first, then by the name servers, fair between organizations.

import type { ResolverOptions as ChannelOptions } from 'node:dns'
import { Resolver as CaresResolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { createGate } from '../base/gate.ts'
import { settlesInTime } from '../base/patience.ts'
import { limits } from '../domain/limits.ts'
import { createDnsCache } from './dns-cache.ts'
import { dnsFailure, type Failure, unmade } from './failure.ts'
import { isLocalName } from './guard.ts'
import { followFile, type Hosts, hostsIn } from './hosts-file.ts'
import { createNameServers, type IpFamily, type NamesFound } from './name-servers.ts'

export type { IpFamily }

export type Resolution =
  | { readonly addresses: readonly string[]; readonly failure?: never }
  | { readonly failure: Failure; readonly addresses?: never }

export interface Resolver {
  /**
   * The addresses of a name, IPv6 and IPv4 by turns. Never rejects; ends within the bound of a
   * look-up, and that of waiting where the organization has very many of them under way. Those of
   * the daemon itself have no organization. `patienceMs` is how long it may wait to be asked: whose
   * time ends sooner gives less than that, since the waiting is no fault of the target.
   */
  resolve(host: string, family: IpFamily, orgId?: string, patienceMs?: number): Promise<Resolution>
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
  readonly servers: ReturnType<typeof createNameServers>
  readonly cache: ReturnType<typeof createDnsCache<Resolution>>
  /** Questions under way, which whoever comes later shares. */
  readonly asked: Map<string, Promise<Resolution>>
}

/**
 * Look-ups that wait for an answer at once. Each is two packets, and a socket holds fewer than 280
 * of them while nobody reads: what comes on top is lost.
 */
const bounds = {
  total: limits.dnsAsksMax,
  perKey: limits.dnsAsksMax,
  kept: { places: limits.dnsAsksKept, share: limits.dnsAsksKeptShare },
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
  const gate = createGate(bounds)
  const followHosts = followFile(hostsFile, (text) => {
    hosts = hostsIn(text)
  })
  const followServers = followFile(resolvFile, () => {
    view = openView()
  })
  let hasAnswered = false
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

  /** What is known of a name, or about to be. */
  function known(key: string): Resolution | Promise<Resolution> | undefined {
    return view.cache.get(key) ?? view.asked.get(key)
  }

  /** The caller is inside the gate. */
  function ask(host: string, family: IpFamily, orgId: string, key: string): Promise<Resolution> {
    const { servers, cache, asked } = view
    // The place is kept to the end: a forwarder has few of its own, and silent names keep those.
    const answer = servers.ask(host, family).then((found) => {
      gate.leave(orgId, orgId)
      const resolution = resolutionOf(found, host)
      cache.set(key, orgId, resolution, found.keepMs)
      asked.delete(key)
      return resolution
    })
    asked.set(key, answer)
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
    const answer = known(key)
    if (answer !== undefined) return answer
    const turn = gate.enter(orgId, clock.monoMs(), orgId)
    if (turn === undefined) return ask(host, family, orgId, key)
    if (!(await settlesInTime(clock, turn, Math.min(patienceMs, limits.dnsWaitMsMax)))) {
      // Its turn still comes, and is given back.
      void turn.then(() => gate.leave(orgId, orgId))
      return known(key) ?? { failure: crowded }
    }
    const meanwhile = known(key)
    if (meanwhile === undefined) return ask(host, family, orgId, key)
    gate.leave(orgId, orgId)
    return meanwhile
  }

  return {
    resolve,
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

function fromHosts(known: readonly string[], host: string, family: IpFamily): Resolution {
  const version = family === 'ipv4' ? 4 : 6
  const addresses = family === 'any' ? known : known.filter((one) => isIP(one) === version)
  return addresses.length > 0 ? { addresses } : { failure: dnsFailure('ENODATA', host) }
}
