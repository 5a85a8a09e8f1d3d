// People and what lets them in: users, sessions, memberships and API keys.
import type { KeyId, OrgId, SessionId, UserId } from '../../base/ids.ts'
import type { KeyRole, Role } from '../access.ts'
import { limits } from '../limits/limits.ts'

export interface User {
  readonly id: UserId
  /** As typed, for display; looked up by the hash of its lower-case form. */
  readonly email: string
  readonly emailVerifiedAtMs: number | null
  readonly name: string | null
  /** Another address that was asked for, until everybody concerned has agreed. */
  readonly wantedEmail?: WantedEmail | null
  /** PHC string (argon2id). */
  readonly passwordHash: string | null
  readonly isSystemAdmin: boolean
  readonly isDisabled: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** A change of address on its way: the new one must be proven, and the old one must agree. */
export interface WantedEmail {
  readonly email: string
  readonly askedAtMs: number
  readonly isNewConfirmed: boolean
  /** Not needed while the old address is not proven itself. */
  readonly isOldConfirmed: boolean
}

export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  /** SHA-256 of the cookie's random part; the plain value is never stored. */
  readonly tokenHash: string
  /** When this value was given out; the session itself may be older. */
  readonly mintedAtMs: number
  /** The rights of the person changed: the next answer carries a new value. */
  readonly mustRenew: boolean
  /** The value before this one, which still works for requests that were under way. */
  readonly former: { readonly tokenHash: string; readonly untilMs: number } | null
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
  /** The network that it was last used from; see domain/network. */
  readonly lastUsedFrom: string | null
  /** The key that was made in its place: this one ends soon. */
  readonly replacedBy: KeyId | null
  /** The last warning that was sent: so many days before its end. */
  readonly warnedDays: number | null
  readonly revision: number
}

/** Whether a session still holds: not past its own end, and not left alone for too long. */
export function isSessionAlive(session: Session, nowMs: number): boolean {
  return nowMs < session.expiresAtMs && nowMs - session.lastSeenAtMs < limits.sessionIdleMsMax
}

/** One spelling for look-ups and comparisons: trimmed and lower-case. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** What a mailbox is counted by: many providers ignore dots and what follows a plus sign. */
export function countedMailbox(email: string): string {
  const at = normalizedEmail(email)
  const cut = at.lastIndexOf('@')
  const local = at.slice(0, cut).replace(/\+.*$/, '').replaceAll('.', '')
  return local + at.slice(cut)
}
