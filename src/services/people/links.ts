// Links: a random token is mailed, its hash is stored, and it works once.
import { Fault } from '../../base/fault.ts'
import type { UserId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { LinkPurpose, MailedLink } from '../../domain/sign-in/link.ts'
import { hashToken, isLinkTokenShaped, mintLinkToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'

export interface NewLink {
  readonly purpose: LinkPurpose
  readonly subject: string
  readonly userId: UserId | null
  readonly email: string
  readonly redirectUri?: string | null | undefined
}

export type Links = ReturnType<typeof createLinks>

export function createLinks({ store, clock }: Core) {
  function look(purpose: LinkPurpose, token: string): MailedLink {
    const link = isLinkTokenShaped(token) ? store.links.find(hashToken(token)) : undefined
    if (!link || link.purpose !== purpose || clock.nowMs() >= link.expiresAtMs) {
      throw expiredLink()
    }
    return link
  }

  return {
    /** Returns the token. Revokes an older link with the same purpose and subject. */
    make(tx: Tx, { address, userAgent }: Caller, { redirectUri = null, ...link }: NewLink): string {
      const token = mintLinkToken()
      const nowMs = clock.nowMs()
      store.links.put(tx, {
        ...link,
        redirectUri,
        address,
        tokenHash: hashToken(token),
        userAgent: shortAgent(userAgent),
        createdAtMs: nowMs,
        expiresAtMs: nowMs + limits.linkMs[link.purpose],
      })
      return token
    },
    /** Does not use it up. Throws link_expired for every token that does not work. */
    look,
    /** It no longer works once the transaction is on disk. */
    spend(tx: Tx, purpose: LinkPurpose, token: string): MailedLink {
      const link = look(purpose, token)
      store.links.remove(tx, link)
      return link
    },
    revoke(tx: Tx, purpose: LinkPurpose, subject: string): void {
      const link = store.links.newestOf(purpose, subject)
      if (link) store.links.remove(tx, link)
    },
  }
}

/** Cuts a User-Agent to the stored length. */
export function shortAgent(userAgent: string): string {
  return userAgent.slice(0, limits.userAgentCharsMax)
}

/** 410 for every link that does not work, in the same words for every reason. */
export function expiredLink(): Fault {
  return new Fault(
    'link_expired',
    'This link was used, was replaced by a newer one, or has expired.',
  )
}
