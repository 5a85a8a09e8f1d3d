// People and their credentials: users, sessions, memberships and API keys.
import type { KeyId, OrgId, SessionId, UserId } from '../../base/ids.ts'
import type { KeyRole, Role } from '../access.ts'
import type { Preferences } from './preferences.ts'

export interface User {
  readonly id: UserId
  /** As typed, for display; looked up by the hash of its lower-case form. */
  readonly email: string
  readonly emailVerifiedAtMs: number | null
  readonly name: string | null
  /** A requested new address, until all necessary confirmations are given. */
  readonly wantedEmail?: WantedEmail | null
  /** PHC string (argon2id). */
  readonly passwordHash: string | null
  readonly isSystemAdmin: boolean
  readonly isDisabled: boolean
  /** Absent: none were set. */
  readonly preferences?: Preferences
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** A pending change of address: the new one must be verified, and the old one must agree. */
interface WantedEmail {
  readonly email: string
  readonly askedAtMs: number
  readonly isNewConfirmed: boolean
  /** Not needed if the old address itself is not verified. */
  readonly isOldConfirmed: boolean
}

export interface Session {
  readonly id: SessionId
  readonly userId: UserId
  /** SHA-256 of the cookie's random part; the plain value is never stored. */
  readonly tokenHash: string
  /** When this value was issued; the session itself may be older. */
  readonly mintedAtMs: number
  /** The person's rights changed: the next response carries a new value. */
  readonly mustRenew: boolean
  /**
   * The previous value. It works as long as the session, because its caller may take no cookies; once
   * the current value was used, only for requests in progress.
   */
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
  /** When the person last looked at what happened; absent before the first time. */
  readonly seenAtMs?: number
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
  /** Its maker: who answers for it, and whose rights bound its own. */
  readonly createdBy: UserId
  readonly createdAtMs: number
  /** Since when its maker answers for it. Absent: since it was created. */
  readonly backedSinceMs?: number
  /** Whether the audit log has it already that the key ended with its maker. */
  readonly isEndingNoted?: boolean
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
  /** The network of its last use; see domain/network. */
  readonly lastUsedFrom: string | null
  /** The key that replaces this one, which ends soon. */
  readonly replacedBy: KeyId | null
  /** The last warning sent: days before expiry. */
  readonly warnedDays: number | null
  readonly revision: number
}

const sessionIdleMsMax = 7 * 86_400_000

/** Whether a session is still valid: neither expired nor unused for too long. */
export function isSessionAlive(session: Session, nowMs: number): boolean {
  return nowMs < session.expiresAtMs && nowMs - session.lastSeenAtMs < sessionIdleMsMax
}

/** The normalized form for look-ups and comparisons: trimmed and lower-case. */
export function normalizedEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** The key for counting a mailbox: many providers ignore dots and everything after a plus sign. */
export function countedMailbox(email: string): string {
  const at = normalizedEmail(email)
  const cut = at.lastIndexOf('@')
  const local = at.slice(0, cut).replace(/\+.*$/, '').replaceAll('.', '')
  return local + at.slice(cut)
}
