// The contract of identity verification providers: one receives a case and decides now, later, or
// never.
import type {
  KycProviderName,
  PersonalFields,
  Verification,
} from '../domain/identity-verification/kyc.ts'

/** A provider's answer to a case. `in_review`: the case was accepted, the decision comes later. */
export interface ProviderVerdict {
  readonly status: 'approved' | 'rejected' | 'in_review'
  readonly reason: string | null
}

export type ProviderAnswer =
  | { readonly kind: 'answered'; readonly verdict: ProviderVerdict }
  /** `reason` is one sentence for the operator, without personal data. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface CaseToVerify {
  readonly verification: Verification
  readonly fields: PersonalFields
}

export interface KycProvider {
  readonly name: KycProviderName
  /**
   * Sends a case once. Never rejects. The request carries the case's id, so that the provider can
   * detect a repetition. Undefined: nothing is sent, the operator decides.
   */
  readonly send: ((one: CaseToVerify, signal: AbortSignal) => Promise<ProviderAnswer>) | undefined
}

/** The operator decides: a case waits in the queue for a review. */
export const manualProvider: KycProvider = { name: 'manual', send: undefined }
