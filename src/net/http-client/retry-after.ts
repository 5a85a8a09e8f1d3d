// How long an answer asks its reader to wait.

/** The wait that Retry-After asks for (RFC 9110 §10.2.3), at most `msMax`; undefined for none. */
export function retryAfterMs(
  value: string | undefined,
  nowMs: number,
  msMax: number,
): number | undefined {
  const trimmed = value?.trim() ?? ''
  const waitMs = /^\d{1,9}$/.test(trimmed)
    ? Number(trimmed) * 1_000
    : (httpDateMs(trimmed) ?? Number.NaN) - nowMs
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), msMax)
}

/** Reads only the form that begins with a weekday: `Date.parse` alone accepts too much. */
function httpDateMs(text: string): number | undefined {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : atMs
}
