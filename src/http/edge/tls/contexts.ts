// The certificates in the form that a handshake needs, made when they are first asked for.
import type { SecureContext } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { limits } from '../../../domain/limits/limits.ts'
import { type KeyPair, secureContextOf } from './tls-front.ts'

/** Where the certificates come from. */
export interface CertificateSource {
  /** The certificate for a host; the same object until it is replaced. */
  pairOf(host: string): KeyPair | undefined
  /** For callers that name no host, or one without a certificate; without it they are refused. */
  defaultPair(): KeyPair | undefined
  /** Calls the listener when the default may have changed. */
  onDefaultChanged(listener: () => void): void
}

interface KnownContext {
  readonly pair: KeyPair
  readonly context: SecureContext
}

export function createContexts({ pairOf }: Pick<CertificateSource, 'pairOf'>) {
  const known = new LRUCache<string, KnownContext>({ max: limits.tlsContextsMax })

  /** The context for a host; undefined if there is no certificate for it. */
  return function contextOf(host: string): SecureContext | undefined {
    const pair = pairOf(host)
    if (pair === undefined) return undefined
    const before = known.get(host)
    if (before?.pair === pair) return before.context
    const context = secureContextOf(pair)
    known.set(host, { pair, context })
    return context
  }
}
