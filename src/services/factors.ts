// The second factor: what a sign-in must show beside the password or the link.
import type { UserId } from '../base/ids.ts'
import type { Tx } from '../store/write.ts'

export interface Factors {
  isEnrolled(userId: UserId): boolean
  /**
   * Accepts a code or a recovery code, once. Where nothing is enrolled nothing is asked. Throws
   * Fault: totp_required without a code, invalid_credentials for a wrong one, rate_limited.
   */
  demand(tx: Tx, userId: UserId, code: string | undefined): void
}
