// The API of identity verification for the operator: the queue, single cases, decisions.
import {
  anyNumber,
  anyText,
  flag,
  idOf,
  isoTime,
  nullable,
  object,
  oneOf,
  optional,
  text,
  toIso,
  toIsoOrNull,
} from '../../../base/schema/schema.ts'
import {
  kycDecisions,
  kycProviders,
  kycStates,
  type Verification,
} from '../../../domain/identity-verification/kyc.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ReviewedCase } from '../../../services/identity-verification/kyc-review.ts'
import { get, list, patch, resource, wirePage } from '../../routing/route.ts'
import { HeldOut } from './identity-kyc.ts'

const who = { system: true } as const

const caseFields = {
  id: idOf('verification'),
  userId: idOf('user'),
  status: oneOf(kycStates),
  provider: oneOf(kycProviders),
  submittedAt: isoTime,
  decidedAt: nullable(isoTime),
  erasedAt: nullable(isoTime),
  /** The progress of sending; null: the provider answered, or does not take part. */
  sending: nullable(
    object({ attempts: anyNumber, nextAttemptAt: nullable(isoTime), problem: nullable(anyText) }),
  ),
}
const CaseOut = object(caseFields)
const ReviewedOut = object({ ...caseFields, reason: nullable(anyText), fields: HeldOut })

const DecisionIn = object({
  decision: oneOf(kycDecisions),
  reason: optional(nullable(text({ charsMin: 1, charsMax: limits.kycReasonCharsMax }))),
})

function caseToWire({ state, sending, ...verification }: Verification) {
  return {
    ...verification,
    status: state,
    submittedAt: toIso(verification.submittedAtMs),
    decidedAt: toIsoOrNull(verification.decidedAtMs),
    erasedAt: toIsoOrNull(verification.erasedAtMs),
    sending: sending && {
      attempts: sending.attempts,
      nextAttemptAt: toIsoOrNull(sending.dueAtMs),
      problem: sending.problem,
    },
  }
}

const reviewedToWire = ({ verification, reason, fields }: ReviewedCase) => ({
  ...caseToWire(verification),
  reason,
  fields,
})

export const systemKyc = resource('/system/kyc', {
  list: list(
    '/',
    {
      who,
      summary: 'Verifications, newest first, without personal details',
      query: object({ status: optional(oneOf(kycStates)) }),
      out: CaseOut,
    },
    ({ page, query }, { kycReview }) =>
      wirePage(kycReview.list({ ...page, state: query.status }), caseToWire),
  ),
  get: get(
    '/:verificationId',
    {
      who,
      summary:
        'One verification with masked values; reveal=true unmasks them for a signed-in administrator',
      query: object({ reveal: optional(flag) }),
      out: ReviewedOut,
    },
    async ({ caller, params, query }, { kycReview }) => {
      const { reveal = false } = query
      return reviewedToWire(await kycReview.look(caller, params.verificationId, { reveal }))
    },
  ),
  decide: patch(
    '/:verificationId',
    {
      who,
      summary:
        'Approve, reject, or take for review; the person is notified of the decision by letter',
      body: DecisionIn,
      out: CaseOut,
      message: 'Verification decided',
    },
    async ({ caller, params, body, expectedRevision }, { kycReview }) =>
      caseToWire(await kycReview.decide(caller, params.verificationId, body, expectedRevision)),
  ),
})
