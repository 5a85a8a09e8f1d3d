// The life of an API key: when its people are warned of its end, and when a replaced one goes.

import { dayMs } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import type { ApiKey } from '../people/person.ts'

const warnings = limits.keyWarningDays

/** When something is due for the key by itself; null: never. */
export function keyDueAtMs(key: ApiKey): number | null {
  const { expiresAtMs, replacedBy, warnedDays } = key
  if (expiresAtMs === null) return null
  if (replacedBy !== null) return expiresAtMs
  const next = warnings.find((days) => warnedDays === null || days < warnedDays)
  return next === undefined ? null : expiresAtMs - next * dayMs
}

/** The last warning whose time has come; null where all are still ahead. */
export function warnedDaysAt(expiresAtMs: number | null, nowMs: number): number | null {
  if (expiresAtMs === null) return null
  return warnings.findLast((days) => expiresAtMs - days * dayMs <= nowMs) ?? null
}

/** How many days are left, the begun one included. */
export function daysLeft(expiresAtMs: number, nowMs: number): number {
  return Math.ceil((expiresAtMs - nowMs) / dayMs)
}

export function isEnded({ expiresAtMs }: ApiKey, nowMs: number): boolean {
  return expiresAtMs !== null && nowMs >= expiresAtMs
}

/** When a key ends that nobody gave an end: a forgotten one should not last for ever. */
export function usualKeyEndMs(nowMs: number): number {
  return nowMs + limits.keyDefaultDays * dayMs
}
