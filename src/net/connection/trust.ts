// Whom connections trust: the authorities of Node and others, and one TLS context for connections that
// trust the same ones.
import tls from 'node:tls'
import { certificatesIn } from '../../domain/monitors/ca-certificates.ts'
import type { ClientIdentity } from './client-identity.ts'
import type { ClockTrustDeps } from './clock-trust.ts'

export interface TrustDeps extends ClockTrustDeps {
  /** Certificate authorities in PEM, in place of Node's. */
  readonly ca?: readonly string[]
  /** Authorities besides these; the same array as long as they are the same. */
  readonly addedCa?: () => readonly string[] | undefined
}

/** The contexts by their authorities; connections that take Node's have one of their own. */
type Contexts = WeakMap<readonly string[] | TrustDeps, tls.SecureContext>

const contexts: Contexts = new WeakMap()
const lenientContexts: Contexts = new WeakMap()
/**
 * Security level 0 also accepts what browsers refuse, because the connection is inspected and not
 * trusted.
 */
const lenient = { ciphers: `${tls.DEFAULT_CIPHERS}:@SECLEVEL=0`, minVersion: 'TLSv1' } as const

/**
 * Making one takes up to milliseconds, so all connections with the same authorities share it, unless they prove
 * themselves: such a connection has a context of its own, which nobody else can get. Throws an error of
 * OpenSSL for an identity that TLS cannot use.
 */
export function secureContext(
  deps: TrustDeps,
  isLenient: boolean,
  identity?: ClientIdentity,
): tls.SecureContext {
  if (identity !== undefined) return newContext(deps, isLenient, identity)
  const contextsOfKind = isLenient ? lenientContexts : contexts
  const key = keyOf(deps)
  const known = contextsOfKind.get(key)
  if (known !== undefined) return known
  const context = newContext(deps, isLenient)
  contextsOfKind.set(key, context)
  return context
}

function newContext(
  deps: TrustDeps,
  isLenient: boolean,
  identity?: ClientIdentity,
): tls.SecureContext {
  const { ca } = deps
  const added = deps.addedCa?.() ?? []
  const context = tls.createSecureContext({
    ...(ca ? { ca: [...ca] } : {}),
    ...(isLenient ? lenient : {}),
    ...(identity && { cert: identity.cert, key: identity.key }),
    // An intermediate authority is enough, without the root above it.
    ...(added.length > 0 ? { allowPartialTrustChain: true } : {}),
  })
  for (const pem of added) addAuthority(context, pem)
  return context
}

function keyOf(deps: TrustDeps): readonly string[] | TrustDeps {
  return deps.addedCa?.() ?? deps.ca ?? deps
}

/**
 * The option `ca` takes the place of Node's authorities, and parsing these again for each context takes
 * 8 ms and a megabyte. With this method the context shares them.
 */
function addAuthority({ context }: tls.SecureContext, pem: string): void {
  context.addCACert(pem)
}

interface OwnTrust {
  /** What all trust, when these were made. */
  readonly base: object
  /** The key is the text; the entry that was used longest ago comes first. */
  readonly byText: Map<string, TrustDeps>
}

const ownTrusts = new WeakMap<TrustDeps, OwnTrust>()

/** Different sets of authorities of monitors that are ready for use, about 100 KiB each. */
export const trustContextsMax = 64

/**
 * The same dependencies, where connections also trust the certificates in the text. Their owner can date
 * them at will, so what they tell of our clock counts for this text alone.
 */
export function trusting<Deps extends TrustDeps>(deps: Deps, text: string | null): Deps {
  if (text === null) return deps
  const base = keyOf(deps)
  let trusts = ownTrusts.get(deps)
  if (trusts?.base !== base) {
    trusts = { base, byText: new Map() }
    ownTrusts.set(deps, trusts)
  }
  const { byText } = trusts
  // The entry was made from these dependencies, because the map belongs to them.
  const own = (byText.get(text) as Deps | undefined) ?? withAdded(deps, certificatesIn(text))
  byText.delete(text)
  byText.set(text, own)
  const [oldest] = byText.keys()
  if (byText.size > trustContextsMax && oldest !== undefined) byText.delete(oldest)
  return own
}

function withAdded<Deps extends TrustDeps>(deps: Deps, pems: readonly string[]): Deps {
  const { clockWatch: _ofAll, ...rest } = deps
  const added = [...(deps.addedCa?.() ?? []), ...pems]
  // Leaves out only what is optional.
  return { ...rest, addedCa: () => added, clockBesides: deps } as unknown as Deps
}
