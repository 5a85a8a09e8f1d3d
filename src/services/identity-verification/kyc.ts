// Identity verification (KYC) for the person: submit, see the state, erase.
import { Fault, rateLimited, refuseInvalid } from '../../base/fault.ts'
import { newId, type OrgId, type UserId, type VerificationId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import {
  isOpen,
  type KycProviderName,
  maskedFields,
  newVerification,
  normalizedFields,
  type StoredPersonalField,
  type SubmittedFields,
  submissionProblems,
  type Verification,
} from '../../domain/identity-verification/kyc.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { KycCases } from './kyc-cases.ts'
import type { KycVault } from './kyc-vault.ts'

/** A case as its person sees it: the stored fields with masked values. */
export interface KycStatus {
  readonly verification: Verification
  readonly fields: readonly StoredPersonalField[]
  readonly reason: string | null
}

export interface KycDeps {
  readonly vault: KycVault
  readonly cases: KycCases
  readonly provider: KycProviderName
  readonly isRequired: boolean
  readonly submissionLimiter: Limiter
  readonly wake: (id: VerificationId) => void
}

export type Kyc = ReturnType<typeof createKyc>

/** Cases of one person; beyond that the oldest are deleted. */
export const kycCasesPerUserMax = 20

export function createKyc(core: Core, deps: KycDeps) {
  const { store, clock, audit } = core
  const { vault, cases } = deps

  const ofUser = (userId: UserId) => store.verifications.listOfUser(userId, kycCasesPerUserMax)

  function refuseWhileOpen(userId: UserId): void {
    if (!ofUser(userId).some(isOpen)) return
    throw new Fault('conflict', 'Your previous verification is not decided yet.')
  }

  function refuseTooMany(userId: UserId, nowMs: number): void {
    const verdict = deps.submissionLimiter.take(userId, nowMs)
    if (verdict.isAllowed) return
    throw rateLimited(verdict.retryMs, () => 'You submitted too often; try again later.')
  }

  function isApproved(userId: UserId): boolean {
    return newestDecision(ofUser(userId))?.state === 'approved'
  }

  return {
    /** Throws validation_failed, conflict while another is undecided, rate_limited. */
    async submit(caller: SignedInCaller, given: SubmittedFields): Promise<Verification> {
      const { userId } = caller.principal
      const nowMs = clock.nowMs()
      refuseInvalid(submissionProblems(given, nowMs))
      refuseWhileOpen(userId)
      refuseTooMany(userId, nowMs)
      const fields = normalizedFields(given)
      return store.write((tx) => {
        // Nothing is stored for a person who has just left, because it could never be erased.
        if (!store.users.get(userId)) throw new Fault('unauthenticated')
        refuseWhileOpen(userId)
        const surplus = surplusCase(ofUser(userId))
        if (surplus) store.verifications.remove(tx, surplus)
        const ids = { id: newId('verification', nowMs), userId }
        const verification = newVerification(ids, deps.provider, nowMs)
        store.verifications.put(tx, verification)
        vault.keep(tx, verification, { fields, reason: null })
        audit.noteIn(tx, 'system', caller, {
          action: 'verification.submitted',
          objectId: verification.id,
          fields: Object.keys(fields),
        })
        tx.afterCommit(() => deps.wake(verification.id))
        return verification
      })
    },
    /** The newest case; undefined if there is none. Throws unavailable. */
    status({ principal }: SignedInCaller): KycStatus | undefined {
      const [verification] = ofUser(principal.userId)
      if (!verification) return undefined
      const content = vault.open(verification)
      const fields = content ? maskedFields(content.fields) : []
      return { verification, fields, reason: content?.reason ?? null }
    },
    /** Erases everything the person submitted; returns the number of cases. An open one ends. */
    erase(caller: SignedInCaller): Promise<number> {
      return store.write((tx) => {
        const storedCases = ofUser(caller.principal.userId).filter((one) => one.erasedAtMs === null)
        for (const verification of storedCases) cases.erase(tx, verification, caller)
        return storedCases.length
      })
    },
    forget: (tx: Tx, userId: UserId) => store.verifications.forgetUser(tx, userId),
    /**
     * Throws kyc_required if no owner is approved. The newest decision of each counts, because a
     * later one may revoke an approval.
     */
    mustBeApproved(orgId: OrgId): void {
      if (!deps.isRequired) return
      const members = store.memberships.list(orgId, limits.quotaMax)
      if (members.some(({ role, userId }) => role === 'owner' && isApproved(userId))) return
      const detail = 'An owner of this organization must verify their identity first.'
      throw new Fault('kyc_required', detail)
    },
  }
}

function newestDecision(newestFirst: readonly Verification[]): Verification | undefined {
  return newestFirst.find(({ state }) => state === 'approved' || state === 'rejected')
}

/** The case to delete before adding one more; the newest decision stays. */
function surplusCase(newestFirst: readonly Verification[]): Verification | undefined {
  if (newestFirst.length < kycCasesPerUserMax) return undefined
  const decision = newestDecision(newestFirst)
  return newestFirst.findLast((one) => one !== decision)
}
