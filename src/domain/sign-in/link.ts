// A link that was mailed to somebody: what it may be used for, by whom, until when, once.
import type { UserId } from '../../base/ids.ts'

export const linkPurposes = ['sign-in', 'password-reset', 'email-verify', 'email-change'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

export interface Link {
  readonly purpose: LinkPurpose
  /** SHA-256 of the token; the token itself is only in the letter. */
  readonly tokenHash: string
  /** Whose newest link this is: a normalized address, or a user's id. */
  readonly subject: string
  /** Null where the address has no account yet. */
  readonly userId: UserId | null
  readonly email: string
  /** Where a sign-in leads afterwards. */
  readonly redirectUri: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** From where it was asked for, so that the page can say so. */
  readonly address: string
  readonly userAgent: string
}
