// People and what lets them in: users, sessions, memberships and API keys.
import type { KeyId, OrgId, SessionId, UserId } from '../base/ids.ts'
import type { KeyRole, Role } from './access.ts'

export interface User {
  readonly id: UserId
  /** As typed, for display; looked up by the hash of its lower-case form. */
  readonly email: string
  readonly emailVerifiedAtMs: number | null
  readonly name: string | null
  /** PHC string (argon2id). */
  readonly passwordHash: string | null
  readonly isSystemAdmin: boolean
  readonly isDisabled: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  /** SHA-256 of the cookie's random part; the plain value is never stored. */
  readonly tokenHash: string
  readonly createdAtMs: number
  readonly authenticatedAtMs: number
  readonly lastSeenAtMs: number
  readonly expiresAtMs: number
  readonly address: string
  readonly userAgent: string
}

export interface Membership {
  readonly orgId: OrgId
  readonly userId: UserId
  readonly role: Role
  readonly joinedAtMs: number
}

export interface ApiKey {
  readonly id: KeyId
  readonly orgId: OrgId
  readonly name: string
  readonly role: KeyRole
  /** SHA-256 of the whole key. */
  readonly keyHash: string
  /** The first characters, so that a person can tell keys apart. */
  readonly prefix: string
  readonly createdBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
  readonly revision: number
}

/** One spelling for look-ups and comparisons: trimmed and lower-case. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase()
}
