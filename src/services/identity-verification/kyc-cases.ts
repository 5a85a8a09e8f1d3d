// Changes of a case: the record, its reason, the audit entry and the letter.
import {
  erased,
  isOpen,
  movedTo,
  type Verification,
} from '../../domain/identity-verification/kyc.ts'
import { verificationEnded } from '../../mail/letters/verification.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { AuditedDeps } from '../audit/audit.ts'
import type { Caller } from '../context.ts'
import type { Mailer } from '../letters/mailer.ts'
import type { KycVault } from './kyc-vault.ts'

export interface KycMove {
  readonly state: 'in_review' | 'approved' | 'rejected' | 'expired'
  readonly reason: string | null
}

/** Who did it: a caller, or the daemon for the given reason. */
export type KycMover = Caller | { readonly because: 'provider' | 'retention' }

export interface KycCasesDeps extends AuditedDeps {
  readonly mailer: Mailer
  readonly vault: KycVault
  readonly baseUrl: string
}

export type KycCases = ReturnType<typeof createKycCases>

export function createKycCases({ store, clock, audit, mailer, vault, baseUrl }: KycCasesDeps) {
  function note(tx: Tx, { id }: Verification, action: `verification.${string}`, by: KycMover) {
    if ('because' in by) audit.noteOwn(tx, 'system', { action, objectId: id, detail: by.because })
    else audit.noteIn(tx, 'system', by, { action, objectId: id })
  }

  return {
    /** Writes to the person if it ends. Throws conflict if decided, unavailable without a key. */
    move(tx: Tx, before: Verification, { state, reason }: KycMove, by: KycMover): Verification {
      const verification = movedTo(before, state, clock.nowMs())
      if (reason !== null) {
        const content = vault.open(before)
        if (content) vault.keep(tx, before, { ...content, reason })
      }
      store.verifications.put(tx, verification)
      note(tx, verification, `verification.${state}`, by)
      const user = store.users.get(before.userId)
      if (user && state !== 'in_review') {
        const service = new URL(baseUrl).host
        mailer.enqueue(tx, user.email, verificationEnded({ state, reason, service }))
      }
      return verification
    },
    /** Erases the submission. Only the fact remains; an open case expires. */
    erase(tx: Tx, before: Verification, by: KycMover): Verification {
      const verification = erased(before, clock.nowMs())
      vault.erase(tx, before)
      store.verifications.put(tx, verification)
      note(tx, verification, isOpen(before) ? 'verification.withdrawn' : 'verification.erased', by)
      return verification
    },
  }
}
