// What an answer over HTTP means for a delivery, where a platform has no rules of its own.
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { PlatformAnswer } from './definition.ts'

/** 2xx is a delivery, 410 ends the channel, and after anything else it is tried again. */
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
  if (status !== 429 && status !== 503) return { ...failed, reason }
  const waitMs = retryAfterMs(headers['retry-after'], nowMs)
  return { ...failed, reason, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) }
}

/**
 * Retry-After (RFC 9110 10.2.3), seconds or a date: how long the receiver asks for, at most a day;
 * undefined where it does not say.
 */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  const trimmed = value?.trim() ?? ''
  const waitMs = /^\d{1,9}$/.test(trimmed)
    ? Number(trimmed) * 1_000
    : (httpDateMs(trimmed) ?? Number.NaN) - nowMs
  if (Number.isNaN(waitMs)) return undefined
  return Math.min(Math.max(0, waitMs), limits.deliveryAgeMsMax)
}

/** Only the form with a day's name in front: `Date.parse` alone takes far too much for a date. */
function httpDateMs(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : atMs
}
