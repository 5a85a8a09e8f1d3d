// A provider behind HTTP: sends the case to the operator's URL with a signed POST (Standard
// Webhooks).
import type { Static } from 'typebox'
import type { Clock } from '../base/clock.ts'
import * as s from '../base/schema/schema.ts'
import { createCheck } from '../base/schema/validate.ts'
import { limits } from '../domain/limits/limits.ts'
import type { CaseToVerify, KycProvider, ProviderAnswer } from './provider.ts'

/** Makes one guarded HTTP exchange without following redirects. Never rejects. */
type CaseClient = (request: {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}) => Promise<
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** The request was not sent, or there was no response. */
  | { readonly kind: 'refused' | 'failed'; readonly reason: string }
>

export interface HttpProviderDeps {
  readonly clock: Clock
  readonly url: string
  readonly secret: string
  /** Where to send the decision. */
  readonly callbackUrl: string
  readonly request: CaseClient
  /** Computes the `webhook-signature` of a body (Standard Webhooks). */
  readonly sign: (secret: string, id: string, timestampSeconds: number, body: string) => string
}

const verdictFields = {
  status: s.described(
    s.oneOf(['approved', 'rejected', 'in_review']),
    'The decision; `in_review`: it follows later.',
  ),
  reason: s.optionalOrNull(s.text({ charsMax: limits.kycReasonCharsMax }), 'Why, for the person.'),
}

/** The content of a callback: the case and the decision. */
export const CallbackIn = s.object({
  verificationId: s.described(s.idOf('verification'), 'The case, as the request named it.'),
  ...verdictFields,
})
export type CallbackIn = Static<typeof CallbackIn>

const AnswerIn = s.object(verdictFields)
const check = createCheck(AnswerIn, 1)

export function createHttpProvider(deps: HttpProviderDeps): KycProvider {
  const { clock, url, secret, callbackUrl, request, sign } = deps

  function bodyOf({ verification, fields }: CaseToVerify): string {
    const { id: verificationId, submittedAtMs } = verification
    const submittedAt = s.toIso(submittedAtMs)
    return JSON.stringify({ verificationId, submittedAt, callbackUrl, person: fields })
  }

  return {
    name: 'http',
    async send(one, signal) {
      const body = bodyOf(one)
      const { id } = one.verification
      // The time of this attempt: a receiver compares it with its own clock.
      const timestampSeconds = Math.floor(clock.wallMs() / 1_000)
      const answer = await request({
        url,
        method: 'POST',
        body,
        timeoutMs: limits.deliveryTimeoutMs,
        signal,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'stillup',
          'webhook-id': id,
          'webhook-timestamp': String(timestampSeconds),
          'webhook-signature': sign(secret, id, timestampSeconds, body),
        },
      })
      if (answer.kind !== 'answered') return { kind: 'failed', reason: answer.reason }
      return verdictOf(answer.status, answer.body)
    },
  }
}

/** A response without a body only means that the case was accepted. */
function verdictOf(status: number, body: string): ProviderAnswer {
  if (status < 200 || status > 299) {
    return { kind: 'failed', reason: `The provider answered ${status}.` }
  }
  if (body.trim() === '')
    return { kind: 'answered', verdict: { status: 'in_review', reason: null } }
  const said = parsed(body)
  const [problem] = check(said)
  if (problem) {
    // The rest of the response is not recorded, because it may repeat the personal data.
    return { kind: 'failed', reason: `The provider answered ${status}, but not with a verdict.` }
  }
  const { status: verdict, reason = null } = said as Static<typeof AnswerIn>
  return { kind: 'answered', verdict: { status: verdict, reason } }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
