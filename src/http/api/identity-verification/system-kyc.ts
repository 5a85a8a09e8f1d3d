// The API of identity verification for the operator: the queue, single cases, decisions.

import * as s from '../../../base/schema/schema.ts'
import {
  kycDecisions,
  kycProviders,
  kycStates,
  type Verification,
} from '../../../domain/identity-verification/kyc.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ReviewedCase } from '../../../services/identity-verification/kyc-review.ts'
import { withTimes } from '../../output/times.ts'
import { answer, get, list, patch, resource, wirePage } from '../../routing/route.ts'
import { StoredFieldsOut } from './identity-kyc.ts'

const who = { system: true } as const

const caseFields = {
  id: s.idOf('verification'),
  userId: s.idOf('user'),
  status: s.oneOf(kycStates),
  provider: s.oneOf(kycProviders),
  submittedAt: s.isoTime,
  decidedAt: s.nullable(s.isoTime),
  erasedAt: s.nullable(s.isoTime),
  /** The progress of sending; null: the provider answered, or does not take part. */
  sending: s.nullable(
    s.object({
      attempts: s.anyNumber,
      nextAttemptAt: s.nullable(s.isoTime),
      problem: s.nullable(s.anyText),
    }),
  ),
}
const CaseOut = s.revised(caseFields)
const ReviewedOut = s.revised({
  ...caseFields,
  reason: s.nullable(s.anyText),
  fields: StoredFieldsOut,
})

const DecisionIn = s.object({
  decision: s.described(s.oneOf(kycDecisions), '`review`: it is looked at; a decision follows.'),
  reason: s.optionalOrNull(
    s.text({ charsMin: 1, charsMax: limits.kycReasonCharsMax }),
    'Why, for the person.',
  ),
})

const caseTimes = withTimes('submittedAt', 'decidedAt', 'erasedAt')

function caseToWire({ state, sending, ...verification }: Verification) {
  return {
    ...caseTimes(verification),
    status: state,
    sending: sending && {
      attempts: sending.attempts,
      nextAttemptAt: s.toIsoOrNull(sending.dueAtMs),
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
  list: list('/', {
    who,
    summary: 'Verifications, newest first, without personal details',
    query: s.object({
      status: s.optional(s.oneOf(kycStates), 'Only verifications in this state.'),
    }),
    out: CaseOut,
  }).handledBy(({ page, query }, { kycReview }) =>
    wirePage(kycReview.list({ ...page, state: query.status }), caseToWire),
  ),
  get: get('/:verificationId', {
    who,
    summary:
      'One verification with masked values; reveal=true unmasks them for a signed-in administrator',
    query: s.object({
      reveal: s.optional(
        s.flag,
        'True: the values in full; an administrator in person, signed in lately.',
      ),
    }),
    out: ReviewedOut,
  }).handledBy(async ({ caller, params, query }, { kycReview }) => {
    const { reveal = false } = query
    return reviewedToWire(await kycReview.look(caller, params.verificationId, { reveal }))
  }),
  decide: patch('/:verificationId', {
    who,
    summary: 'Approve a verification, reject it, or take it for review',
    description: 'You cannot decide your own. The person is told of the decision by letter.',
    example: { decision: 'approve', reason: 'The passport and the person match.' },
    body: DecisionIn,
    out: CaseOut,
    message: 'Verification decided',
  }).handledBy(async ({ caller, params, body, expectedRevision }, { kycReview }) => {
    const id = params.verificationId
    const decided = caseToWire(await kycReview.decide(caller, id, body, expectedRevision))
    const isReview = body.decision === 'review'
    return answer(decided, isReview ? { message: 'Verification in review' } : {})
  }),
})
