// Distinguishes errors of this machine from errors of the network.
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
 * Errors that routers report too (ICMP), so they may be ours or the target's. If they come before a
 * packet was sent, this machine's own routes or firewall caused them.
 */
const routeErrors: Readonly<Record<string, string>> = {
  ENETUNREACH: noRoute,
  EHOSTUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENONET: noRoute,
  EACCES: 'this machine does not permit it',
}

/** Errors that the peer may cause even immediately, because on loopback it answers at once. */
const peerCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])

/**
 * Why this machine could not even start to connect; undefined if the target may have caused the
 * error.
 */
export function localErrorAtConnect(code: string): string | undefined {
  if (peerCodes.has(code)) return undefined
  // Linux reports EINVAL for a route of the type `blackhole`.
  if (code === 'EINVAL') return noRoute
  return localErrors[code] ?? routeErrors[code] ?? `this machine cannot connect (${code})`
}

/** Whether a router may have sent the error, which can also mean that our own route is broken. */
export function isRouteError(code: string): boolean {
  return code in routeErrors
}

/**
 * Watches a starting connection. The result tells, after a failure, whether it failed immediately:
 * then the network cannot have answered.
 */
export function watchStart(socket: Socket): () => boolean {
  let isAtOnce = false
  // Node connects in the next tick and reports an immediate error in the tick after that.
  process.nextTick(() => {
    isAtOnce = socket.errored !== null
  })
  return () => isAtOnce
}
