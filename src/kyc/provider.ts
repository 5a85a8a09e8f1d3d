// The contract of whoever verifies identities: told of a case, it answers now, later, or never.
import type {
  KycProviderName,
  PersonalFields,
  Verification,
} from '../domain/identity-verification/kyc.ts'

/** What a provider makes of a case. `in_review`: it was taken, the decision comes later. */
export interface ProviderVerdict {
  readonly status: 'approved' | 'rejected' | 'in_review'
  readonly reason: string | null
}

export type ProviderAnswer =
  | { readonly kind: 'answered'; readonly verdict: ProviderVerdict }
  /** `reason` is one sentence for the operator, without anything of the person. */
  | { readonly kind: 'failed'; readonly reason: string }

export interface CaseToVerify {
  readonly verification: Verification
  readonly fields: PersonalFields
}

export interface KycProvider {
  readonly name: KycProviderName
  /**
   * Tells it of a case, once. Never rejects. The case's id goes along, so that a repetition can be
   * told. Undefined: nobody is told, the operator decides.
   */
  readonly send: ((one: CaseToVerify, signal: AbortSignal) => Promise<ProviderAnswer>) | undefined
}

/** The operator decides: a case waits in the queue until somebody looks at it. */
export const manualProvider: KycProvider = { name: 'manual', send: undefined }
