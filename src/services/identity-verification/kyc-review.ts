// Identity verification for the operator: the queue, single cases, decisions.
import { Fault, notFound } from '../../base/fault.ts'
import { asId, type VerificationId } from '../../base/ids.ts'
import {
  decisionStates,
  type KycDecision,
  type KycState,
  maskedFields,
  type StoredPersonalField,
  storedFieldsOf,
  type Verification,
} from '../../domain/identity-verification/kyc.ts'
import { type Caller, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'
import { needRecentSignIn } from '../sudo.ts'
import type { KycCases } from './kyc-cases.ts'
import type { KycVault } from './kyc-vault.ts'

export interface ReviewedCase {
  readonly verification: Verification
  readonly fields: readonly StoredPersonalField[]
  readonly reason: string | null
  readonly isRevealed: boolean
}

export interface KycReviewDeps {
  readonly vault: KycVault
  readonly cases: KycCases
}

/** The review, only for the system administrator and the system token, which the route enforces. */
export function createKycReview({ store, clock, audit }: Core, { vault, cases }: KycReviewDeps) {
  function found(id: VerificationId): Verification {
    const verification = store.verifications.find(id)
    if (!verification) throw notFound('verification')
    return verification
  }

  function needPerson({ principal }: Caller): void {
    if (principal.kind !== 'session' || !principal.isSystemAdmin) {
      const detail = 'Only a signed-in system administrator may see the unmasked values.'
      throw new Fault('forbidden', detail)
    }
    needRecentSignIn(principal, clock.nowMs())
  }

  function refuseOwn({ principal }: Caller, { userId }: Verification): void {
    if (principal.kind !== 'session' || principal.userId !== userId) return
    const detail =
      'You cannot decide your own verification. Another administrator or the system token can.'
    throw new Fault('forbidden', detail)
  }

  return {
    /** Newest first, without personal data. */
    list({
      state,
      limit,
      after,
    }: PageRequest & { readonly state?: KycState | undefined }): PageOf<Verification> {
      const afterId = after === undefined ? undefined : asId('verification', after)
      const range = { state, limit: limit + 1, after: afterId }
      return pageOf(store.verifications.list(range), limit)
    },
    /**
     * Recorded in the audit log. `reveal` shows unmasked values to an administrator with a recent
     * sign-in. Throws not_found, forbidden, reauthentication_required.
     */
    async look(
      caller: Caller,
      id: VerificationId,
      { reveal }: { readonly reveal: boolean },
    ): Promise<ReviewedCase> {
      if (reveal) needPerson(caller)
      return store.write((tx) => {
        const verification = found(id)
        const content = vault.open(verification)
        const { fields, reason } = content ?? { fields: null, reason: null }
        audit.noteIn(tx, 'system', caller, {
          action: 'verification.read',
          objectId: id,
          detail: reveal ? 'in full' : 'masked',
          fields: Object.keys(fields ?? {}),
        })
        const shown = fields === null ? [] : reveal ? storedFieldsOf(fields) : maskedFields(fields)
        return { verification, fields: shown, reason, isRevealed: reveal }
      })
    },
    /** Throws not_found, forbidden, precondition_failed, conflict for a decided case. */
    async decide(
      caller: Caller,
      id: VerificationId,
      {
        decision,
        reason = null,
      }: { readonly decision: KycDecision; readonly reason?: string | null | undefined },
      expectedRevision?: number,
    ): Promise<Verification> {
      return store.write((tx) => {
        const before = found(id)
        refuseOwn(caller, before)
        mustBeAt(expectedRevision, before, 'The verification')
        return cases.move(tx, before, { state: decisionStates[decision], reason }, caller)
      })
    },
  }
}
