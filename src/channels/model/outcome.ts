// The meaning of an HTTP response for a delivery, for platforms without their own rules.
import type { FailedOutcome, Outcome } from '../../domain/alerts/attempt.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { WebAnswer, WebRequest } from '../../net/http-client/guarded-client.ts'
import { retryAfterMs } from '../../net/http-client/retry-after.ts'
import type { Redact } from '../../redaction/redaction.ts'
import type { PlatformAnswer } from './definition.ts'

/**
 * 2xx means delivered, 410 ends the channel, and everything else is retried: also what the receiver
 * calls a mistake of ours, because its owner may have just changed its settings.
 */
export function httpOutcome(answer: PlatformAnswer, nowMs: number): Outcome {
  const { status, body: response, headers } = answer
  if (status >= 200 && status <= 299) return { ok: true, status, response }
  const failed = { ok: false as const, mayRetry: true, status, response }
  if (status === 410) {
    const reason = 'The receiver is gone for good (410).'
    return { ...failed, mayRetry: false, reason, disablesChannel: true }
  }
  if (status >= 300 && status <= 399) {
    return { ...failed, reason: `The receiver redirects (${status}), which is not followed.` }
  }
  const reason = `The receiver answered ${status}.`
  if (!mayAskForPause.has(status)) return { ...failed, reason }
  const waitMs = retryAfterMs(headers['retry-after'], nowMs, limits.deliveryAgeMsMax)
  return { ...failed, reason, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) }
}

/** The statuses of too many requests, and of what a proxy or an overloaded service answers for a time. */
const mayAskForPause: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The result of a request that no platform answered. */
export function unansweredOutcome(
  answer: Exclude<WebAnswer, PlatformAnswer>,
  redact: Redact = (text) => text,
): FailedOutcome {
  const reason = redact(answer.reason)
  // A policy may be corrected and a certificate renewed, so that these are tried again, but not long.
  const cause = answer.kind === 'refused' ? 'not_allowed' : answer.cause
  return { ok: false, mayRetry: true, class: cause, reason }
}

const deliveryResponseCharsMax = 1_024

/**
 * What a type makes of an answer, without the channel's secrets, which a receiver may repeat. They are
 * masked before anything is cut: half a secret would not be recognized.
 */
export function shownOutcome(
  judge: (answer: PlatformAnswer) => Outcome,
  answer: PlatformAnswer,
  redact: Redact,
): Outcome {
  const outcome = judge(answer)
  const body = redact(answer.body)
  const { response } = outcome
  const shown = response === undefined ? {} : { response: body.slice(0, deliveryResponseCharsMax) }
  if (outcome.ok) return { ...outcome, ...shown }
  // The decision follows from the answer as it is: a secret may be a usual word.
  const masked = body === answer.body ? outcome : judge({ ...answer, body })
  const { reason } = masked.ok ? outcome : masked
  return { ...outcome, ...shown, reason: redact(reason) }
}

/** The method and the host: paths may contain secrets, such as the token of a webhook. */
export function requestSummary({ method, url }: Pick<WebRequest, 'method' | 'url'>): string {
  return `${method} ${URL.parse(url)?.host ?? 'an invalid URL'}`
}
