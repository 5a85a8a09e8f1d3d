// The provider's later answer: a signed callback (Standard Webhooks) that decides a case.
import { Fault, notFound } from '../../base/fault.ts'
import type { Verification } from '../../domain/identity-verification/kyc.ts'
import type { CallbackIn } from '../../kyc/http-provider.ts'
import { isWebhookSigned } from '../../seal/sign.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import type { KycCases } from './kyc-cases.ts'

export interface SignedCallback {
  readonly id: string
  /** Seconds since 1970, as text. */
  readonly timestamp: string
  readonly signature: string
  readonly body: string
}

export interface KycCallbacksDeps {
  readonly cases: KycCases
  /** Null: no callbacks are accepted. */
  readonly secret: string | null
}

/** The largest difference between the clocks of a signed callback and of the daemon. */
const kycCallbackSkewMs = 5 * 60_000
const kycCallbackIdCharsMax = 256
const kycSlice = 200

export function createKycCallbacks({ store, clock }: Core, { cases, secret }: KycCallbacksDeps) {
  return {
    /** Throws not_found without a provider, unauthenticated for a wrong or old signature. */
    verify({ id, timestamp, signature, body }: SignedCallback): void {
      if (secret === null) throw notFound('address')
      const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
      const isTimely = Math.abs(clock.wallMs() - seconds * 1_000) <= kycCallbackSkewMs
      const isNamed = id !== '' && id.length <= kycCallbackIdCharsMax
      // The same response for every defect, so that a forger learns nothing.
      if (isNamed && isTimely && isWebhookSigned(secret, { id, seconds, signature, body })) return
      throw new Fault('unauthenticated', 'The signature is wrong, missing or too old.')
    },
    /** Throws conflict if it was already processed or decided, not_found if never sent out. */
    async take(
      caller: Caller,
      callbackId: string,
      { verificationId, status, reason = null }: CallbackIn,
    ): Promise<Verification> {
      const nowMs = clock.nowMs()
      return store.write((tx) => {
        if (store.kycCallbacks.has(callbackId)) {
          throw new Fault('conflict', 'This callback was already processed.')
        }
        const before = store.verifications.find(verificationId)
        if (before?.provider !== 'http') {
          throw notFound('verification')
        }
        // A timestamp may be ahead by as much as it may be old.
        store.kycCallbacks.put(tx, callbackId, nowMs + 2 * kycCallbackSkewMs)
        store.kycCallbacks.removeExpired(tx, nowMs, kycSlice)
        // It is already in review, by the provider's first answer or by the operator.
        if (status === 'in_review' && before.state === 'in_review') return before
        return cases.move(tx, before, { state: status, reason }, caller)
      })
    },
  }
}
