// A provider behind HTTP: a signed POST of the case (Standard Webhooks) to the operator's address.
import type { Static } from 'typebox'
import type { Clock } from '../base/clock.ts'
import { idOf, nullable, object, oneOf, optional, text, toIso } from '../base/schema/schema.ts'
import { createCheck } from '../base/schema/validate.ts'
import { limits } from '../domain/limits/limits.ts'
import type { CaseToVerify, KycProvider, ProviderAnswer } from './provider.ts'

/** The way out: one guarded HTTP exchange, redirects not followed. Never rejects. */
export type CaseClient = (request: {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}) => Promise<
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** Nobody was called, or nobody answered. */
  | { readonly kind: 'refused' | 'failed'; readonly reason: string }
>

export interface HttpProviderDeps {
  readonly clock: Clock
  readonly url: string
  readonly secret: string
  /** Where the decision is to be sent. */
  readonly callbackUrl: string
  readonly request: CaseClient
  /** The `webhook-signature` value of a body (Standard Webhooks). */
  readonly sign: (secret: string, id: string, timestampSeconds: number, body: string) => string
}

const verdictFields = {
  status: oneOf(['approved', 'rejected', 'in_review']),
  reason: optional(nullable(text({ charsMax: limits.kycReasonCharsMax }))),
}

/** What a callback says: the case, and what became of it. */
export const CallbackIn = object({ verificationId: idOf('verification'), ...verdictFields })
export type CallbackIn = Static<typeof CallbackIn>

const AnswerIn = object(verdictFields)
const check = createCheck(AnswerIn, 1)

export function createHttpProvider(deps: HttpProviderDeps): KycProvider {
  const { clock, url, secret, callbackUrl, request, sign } = deps

  function bodyOf({ verification, fields }: CaseToVerify): string {
    const { id: verificationId, submittedAtMs } = verification
    const submittedAt = toIso(submittedAtMs)
    return JSON.stringify({ verificationId, submittedAt, callbackUrl, person: fields })
  }

  return {
    name: 'http',
    async send(one, signal) {
      const body = bodyOf(one)
      const { id } = one.verification
      // Of this attempt: a receiver refuses what claims to be older than a few minutes.
      const timestampSeconds = Math.floor(clock.nowMs() / 1_000)
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

/** An answer without a body only says that the case was taken. */
function verdictOf(status: number, body: string): ProviderAnswer {
  if (status < 200 || status > 299) {
    return { kind: 'failed', reason: `The provider answered ${status}.` }
  }
  if (body.trim() === '')
    return { kind: 'answered', verdict: { status: 'in_review', reason: null } }
  const said = parsed(body)
  const [problem] = check(said)
  if (problem) {
    // What it said instead stays out of the record: it may repeat what was sent.
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
