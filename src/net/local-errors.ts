// Distinguishes errors of this machine from those of the network.
import type { Socket } from 'node:net'

/** Errors that only this machine itself causes, in words. */
const localErrors: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files on this machine',
  ENOBUFS: 'no buffer space left',
  ENOMEM: 'out of memory',
  EAGAIN: 'a resource of this machine is exhausted',
  EADDRNOTAVAIL: 'no local address or port is free',
  EADDRINUSE: 'no local address or port is free',
  ENETDOWN: 'the network of this machine is down',
  EAFNOSUPPORT: 'this machine does not support that IP version',
  EPERM: 'this machine does not permit it',
}

/** Why this machine could not connect; undefined if the code may be about the target. */
export function localError(code: string): string | undefined {
  return localErrors[code]
}

const noRoute = 'this machine has no route to the target'

/**
 * Errors that routers also report (ICMP): ours or the target's. Reported by this machine before a
 * packet was sent, they are about its own routes and firewall.
 */
const routeErrors: Readonly<Record<string, string>> = {
  ENETUNREACH: noRoute,
  EHOSTUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENONET: noRoute,
  EACCES: 'this machine does not permit it',
}

/** Errors that the peer may have caused, even at once: on loopback it answers immediately. */
const peerCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])

/** Why this machine did not even start to connect; undefined if the target may have caused it. */
export function localErrorAtConnect(code: string): string | undefined {
  if (peerCodes.has(code)) return undefined
  // Reported by a route that drops everything.
  if (code === 'EINVAL') return noRoute
  return localErrors[code] ?? routeErrors[code] ?? `this machine cannot connect (${code})`
}

/** Whether a router may have sent the error, so that our own route may be lost. */
export function isRouteError(code: string): boolean {
  return code in routeErrors
}

/** The result tells whether a failure came before the network could have answered. */
export function watchStart(socket: Socket): () => boolean {
  let isAtOnce = false
  // Node connects to an address in the next tick, and reports an error in the one after that.
  process.nextTick(() => {
    isAtOnce = socket.errored !== null
  })
  return () => isAtOnce
}
