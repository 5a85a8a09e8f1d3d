// Where the daemon can be opened: addresses for people, and what is still a guess.
import { isIPv4 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { ProxySettings } from '../net/daemon-wire.ts'
import type { Host } from './model/host.ts'

type Interfaces = NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, 'address' | 'internal'>[]>

const wildcards: ReadonlySet<string> = new Set(['0.0.0.0', '[::]'])

/**
 * The addresses that a browser can open, the one for this machine first. `0.0.0.0` stands for every
 * address of the machine and cannot be opened itself.
 */
export function openAddresses(
  bound: string,
  interfaces: Interfaces = networkInterfaces(),
): [string, ...string[]] {
  const { hostname } = new URL(bound)
  if (!wildcards.has(hostname)) return [bound]
  const outside = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ address, internal }) => !internal && isIPv4(address))
  const at = (host: string) => bound.replace(hostname, host)
  return [at('localhost'), ...outside.map(({ address }) => at(address))]
}

/** Whether only this machine can open the address. */
export function isLocal(bound: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(bound).hostname)
}

/** The proxies of the environment, as curl reads them. */
export function proxyOf(env: Host['env']): ProxySettings {
  return {
    httpProxy: env.http_proxy || env.HTTP_PROXY || '',
    httpsProxy: env.https_proxy || env.HTTPS_PROXY || '',
    noProxy: env.no_proxy || env.NO_PROXY || '',
  }
}
