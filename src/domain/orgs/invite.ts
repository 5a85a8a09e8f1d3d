// An invitation: one address may join one organization in one role, once, until it expires.
import type { InviteId, OrgId, UserId } from '../../base/ids.ts'
import type { Role } from '../access.ts'

export interface Invite {
  readonly id: InviteId
  readonly orgId: OrgId
  /** As typed; compared in normalized form. */
  readonly email: string
  readonly role: Role
  /** SHA-256 of the token; the token itself is only in the letter and in the first response. */
  readonly tokenHash: string
  /** The invitation is valid only while this person may still grant its role. */
  readonly invitedBy: UserId
  readonly createdAtMs: number
  readonly expiresAtMs: number
}
