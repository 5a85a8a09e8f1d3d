// Names to addresses through c-ares, off the thread pool: cached for their TTL and asked for once.

import { Resolver as Channel } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { limits } from '../domain/limits.ts'
import { codeOf, dnsFailure, type Failure } from './failure.ts'
import { isLocalName } from './guard.ts'

export type IpFamily = 'any' | 'ipv4' | 'ipv6'

export type Resolution =
  | { readonly addresses: readonly string[]; readonly failure?: never }
  | { readonly failure: Failure; readonly addresses?: never }

export interface Resolver {
  /** The addresses of a name, IPv6 and IPv4 by turns. Never rejects; takes at most 5 s. */
  resolve(host: string, family: IpFamily): Promise<Resolution>
  /** The name servers it asks, as `address` or `address:port`; absent where it asks none. */
  readonly servers?: readonly string[]
}

export interface ResolverOptions {
  readonly clock: Clock
  /** Name servers as `address` or `address:port`; those of the system where absent. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
}

interface Found {
  readonly addresses: readonly string[]
  /** Milliseconds for which the answer may be used again. */
  readonly keepMs: number
  /** Why there are none: a c-ares code. */
  readonly code?: string
}

interface Cached {
  readonly resolution: Resolution
  readonly untilMs: number
}

/** Two tries, of which the second waits twice as long, stay below the bound of a look-up. */
const tryMs = Math.floor(limits.dnsTimeoutMsMax / 3) - 100

/** Reads the hosts file once. The operator's own hosts count like in every other program. */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock } = options
  const hosts = readHosts(options.hostsFile ?? '/etc/hosts')
  const channel = new Channel({ timeout: tryMs, tries: 2 })
  if (options.servers !== undefined && options.servers.length > 0) {
    channel.setServers(options.servers)
  }
  const cache = new LRUCache<string, Cached>({ max: limits.dnsCacheEntriesMax })
  const pending = new Map<string, Promise<Resolution>>()

  async function ask(host: string, version: 4 | 6): Promise<Found> {
    try {
      const ttl = { ttl: true } as const
      const records = await (version === 4
        ? channel.resolve4(host, ttl)
        : channel.resolve6(host, ttl))
      const seconds = Math.min(...records.map((record) => record.ttl))
      const keepMs = Math.min(Math.max(seconds, 1) * 1_000, limits.dnsCacheMsMax)
      return { addresses: records.map((record) => record.address), keepMs }
    } catch (cause) {
      return { addresses: [], keepMs: limits.dnsNegativeCacheMs, code: codeOf(cause) }
    }
  }

  async function askBoth(host: string): Promise<readonly Found[]> {
    const four = ask(host, 4)
    const six = ask(host, 6)
    const first = await four
    if (first.addresses.length === 0) return [first, await six]
    // A name server that drops AAAA questions must not hold up what it said about A.
    let timer: unknown
    const grace = new Promise<undefined>((resolve) => {
      timer = clock.setTimeout(() => resolve(undefined), limits.dnsGraceMs)
    })
    const second = await Promise.race([six, grace])
    clock.clearTimeout(timer)
    return second === undefined ? [first] : [first, second]
  }

  async function lookUp(host: string, family: IpFamily, key: string): Promise<Resolution> {
    const found =
      family === 'any' ? await askBoth(host) : [await ask(host, family === 'ipv4' ? 4 : 6)]
    const [four, six] = found
    const addresses = byTurns(six?.addresses ?? [], four?.addresses ?? [])
    const resolution: Resolution =
      addresses.length > 0 ? { addresses } : { failure: dnsFailure(worst(found), host) }
    const keepMs = Math.min(...found.map((one) => one.keepMs))
    cache.set(key, { resolution, untilMs: clock.monoMs() + keepMs })
    return resolution
  }

  async function resolve(host: string, family: IpFamily): Promise<Resolution> {
    const known = isLocalName(host) ? ['127.0.0.1', '::1'] : hosts.get(host)
    if (known !== undefined) return fromHosts(known, host, family)
    const key = `${family} ${host}`
    const cached = cache.get(key)
    if (cached !== undefined && cached.untilMs > clock.monoMs()) return cached.resolution
    let asked = pending.get(key)
    if (asked === undefined) {
      asked = lookUp(host, family, key).finally(() => pending.delete(key))
      pending.set(key, asked)
    }
    return asked
  }

  return { resolve, servers: channel.getServers() }
}

function fromHosts(known: readonly string[], host: string, family: IpFamily): Resolution {
  const version = family === 'ipv4' ? 4 : 6
  const addresses = family === 'any' ? known : known.filter((one) => isIP(one) === version)
  return addresses.length > 0 ? { addresses } : { failure: dnsFailure('ENODATA', host) }
}

/** That one family has no record is no news where the other could not be asked. */
function worst(found: readonly Found[]): string {
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

function readHosts(path: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>()
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return hosts
  }
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      hosts.set(key, [...(hosts.get(key) ?? []), address])
    }
  }
  return hosts
}
