// The value of the session cookie: `s1.<sid>.<mac>`. Only SHA-256(sid) is stored.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

const sidBytes = 32
const valuePattern = /^s1\.([\w-]{43})\.([\w-]{43})$/
const valueChars = 90

/** A well-formed value. Only looking up its hash shows whether the session exists. */
export interface SessionClaim {
  readonly sid: string
  readonly mac: string
  /** The key of the session in the store. */
  readonly tokenHash: string
}

export type SessionSeal = ReturnType<typeof createSessionSeal>

/**
 * Seals session values with a key derived only for this purpose. Checks run from cheap to
 * expensive, so that garbage costs almost nothing: `read` (length, alphabet, one hash), then the
 * caller's look-up and expiry, then `matches` (the MAC, in constant time).
 */
export function createSessionSeal(key: Buffer) {
  const macOf = (sid: string) => createHmac('sha256', key).update(sid).digest('base64url')
  return {
    mint() {
      const sid = randomBytes(sidBytes).toString('base64url')
      return { token: `s1.${sid}.${macOf(sid)}`, tokenHash: hash('sha256', sid, 'base64url') }
    },
    read(token: string): SessionClaim | undefined {
      if (token.length !== valueChars) return undefined
      const [, sid, mac] = valuePattern.exec(token) ?? []
      if (sid === undefined || mac === undefined) return undefined
      return { sid, mac, tokenHash: hash('sha256', sid, 'base64url') }
    },
    matches: ({ sid, mac }: SessionClaim) =>
      timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(sid))),
  }
}
