// Changes of a case: decisions, expiry and erasure, each with its audit entry and letter.
import type { AuditAction } from '../../domain/audit/audit.ts'
import { dayMs } from '../../domain/health/span.ts'
import {
  erased,
  isOpen,
  movedTo,
  openKycStates,
  type Verification,
} from '../../domain/identity-verification/kyc.ts'
import { verificationEnded } from '../../mail/letters/verification.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { KycVault } from './kyc-vault.ts'

export interface KycMove {
  readonly state: 'in_review' | 'approved' | 'rejected' | 'expired'
  readonly reason: string | null
}

/** Who did it: a caller, or the daemon for the given reason. */
export type KycMover = Caller | { readonly because: 'provider' | 'retention' }

export interface KycCasesDeps {
  readonly vault: KycVault
}

export type KycCases = ReturnType<typeof createKycCases>

type VerificationAction = Extract<AuditAction, `verification.${string}`>

export function createKycCases(
  { store, clock, audit, mailer, baseUrl }: Core,
  { vault }: KycCasesDeps,
) {
  function note(tx: Tx, { id }: Verification, action: VerificationAction, by: KycMover) {
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
      const user = store.users.readable(before.userId)
      if (user && state !== 'in_review') {
        const service = new URL(baseUrl).host
        const language = languageOf(store, user)
        mailer.enqueue(tx, user.email, verificationEnded({ state, reason, service, language }))
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

export interface KycKeepingDeps {
  readonly cases: KycCases
  readonly keptDays: number
}

export type KycKeeping = ReturnType<typeof createKycKeeping>

/** An undecided case expires after this. */
const kycOpenMsMax = 30 * 86_400_000

export function createKycKeeping(core: Core, deps: KycKeepingDeps) {
  const { store, clock } = core
  const { cases } = deps
  const by = { because: 'retention' } as const

  return {
    /**
     * Expires undecided cases and erases submissions `keptDays` after the decision, at most `limit`
     * of each at once. Returns how many; 0 means nothing is left.
     */
    async expireOld(limit: number): Promise<number> {
      const nowMs = clock.nowMs()
      const openedBeforeMs = nowMs - kycOpenMsMax
      const decidedBeforeMs = nowMs - deps.keptDays * dayMs
      return store.write((tx) => {
        const undecided = openKycStates
          .flatMap((state) => store.verifications.oldest(state, limit))
          .filter(({ submittedAtMs }) => submittedAtMs <= openedBeforeMs)
        const expiredCases = store.verifications
          .longestHeld(limit)
          .filter(({ decidedAtMs }) => decidedAtMs !== null && decidedAtMs <= decidedBeforeMs)
        for (const one of undecided) cases.move(tx, one, { state: 'expired', reason: null }, by)
        for (const one of expiredCases) cases.erase(tx, one, by)
        const callbacks = store.kycCallbacks.removeExpired(tx, nowMs, limit)
        return undecided.length + expiredCases.length + callbacks
      })
    },
  }
}
