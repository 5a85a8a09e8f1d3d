// A mailed link: its purpose, its recipient, its expiry; it works once.
import type { UserId } from '../../base/ids.ts'

export const linkPurposes = ['sign-in', 'password-reset', 'email-verify', 'email-change'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

export interface MailedLink {
  readonly purpose: LinkPurpose
  /** SHA-256 of the token; the token itself is only in the letter. */
  readonly tokenHash: string
  /** The key under which only the newest link counts: a normalized address, or a user's id. */
  readonly subject: string
  /** Null if the address has no account yet. */
  readonly userId: UserId | null
  readonly email: string
  /** Where a sign-in leads afterwards. */
  readonly redirectUri: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** The network address of the request, to show on the page. */
  readonly address: string
  readonly userAgent: string
}
