// What this machine says when it cannot look, told apart from what was heard of the network.
import type { Socket } from 'node:net'

/** Errors that only this machine itself makes, in words. */
const ownTrouble: Readonly<Record<string, string>> = {
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

/** Why this machine could not look; undefined where the code may speak of the target. */
export function ownWords(code: string): string | undefined {
  return ownTrouble[code]
}

const noRoute = 'this machine has no route to the target'

/**
 * What routers on the way say as well (ICMP): ours or the target's. Said by this machine before a
 * packet left, it is about its own routes and its own firewall.
 */
const wayWords: Readonly<Record<string, string>> = {
  ENETUNREACH: noRoute,
  EHOSTUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENONET: noRoute,
  EACCES: 'this machine does not permit it',
}

/** What the other side may have said, even at once: on loopback an answer is there by then. */
const peerCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'])

/** Why this machine did not even begin to look; undefined where the target may have said so. */
export function ownWordsAtOnce(code: string): string | undefined {
  if (peerCodes.has(code)) return undefined
  // What a route says that drops everything.
  if (code === 'EINVAL') return noRoute
  return ownTrouble[code] ?? wayWords[code] ?? `this machine cannot connect (${code})`
}

/** Whether the code may be what a router said, so that it may be our own way that is lost. */
export function isOfTheWay(code: string): boolean {
  return code in wayWords
}

/**
 * Watches a connection that is just being begun. Once it has failed: was that at once, so that
 * nothing can have been heard of the network?
 */
export function watchStart(socket: Socket): () => boolean {
  let isAtOnce = false
  // Node connects to an address in the next tick, and tells of an error in the one after this.
  process.nextTick(() => {
    isAtOnce = socket.errored !== null
  })
  return () => isAtOnce
}
