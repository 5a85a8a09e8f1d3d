// Retry-After (RFC 9110 10.2.3): seconds, or a date.
import { limits } from '../domain/limits/limits.ts'

/** How long the receiver asks to be left alone, at most a day; undefined where it does not say. */
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
