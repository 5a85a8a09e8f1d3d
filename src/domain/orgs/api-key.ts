// The life of an API key: when to warn of its expiry, and when a replaced one ends.

import { dayMs } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import type { ApiKey } from '../people/person.ts'

const warnings = limits.keyWarningDays

/** When something is next due for the key; null: never. */
export function keyDueAtMs(key: ApiKey): number | null {
  const { expiresAtMs, replacedBy, warnedDays } = key
  if (expiresAtMs === null) return null
  if (replacedBy !== null) return expiresAtMs
  const next = warnings.find((days) => warnedDays === null || days < warnedDays)
  return next === undefined ? null : expiresAtMs - next * dayMs
}

/** The last warning that is due; null if all are still ahead. */
export function warnedDaysAt(expiresAtMs: number | null, nowMs: number): number | null {
  if (expiresAtMs === null) return null
  return warnings.findLast((days) => expiresAtMs - days * dayMs <= nowMs) ?? null
}

/** The number of days left, counting the current one. */
export function daysLeft(expiresAtMs: number, nowMs: number): number {
  return Math.ceil((expiresAtMs - nowMs) / dayMs)
}

export function isEnded({ expiresAtMs }: ApiKey, nowMs: number): boolean {
  return expiresAtMs !== null && nowMs >= expiresAtMs
}

/** The default expiry of a key, so that a forgotten one does not work forever. */
export function usualKeyEndMs(nowMs: number): number {
  return nowMs + limits.keyDefaultDays * dayMs
}
