// The months of the history of a status page, on the clocks of its time zone.
import type { Interval } from '../maintenance/interval.ts'
import { instants, wallMs } from '../wall-clock.ts'

/** Whether a text is a month as addresses have it: `2026-11`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)
}

/** The month that clocks of the time zone show. */
export function monthOf(atMs: number, timezone: string): string {
  return new Date(wallMs(atMs, timezone)).toISOString().slice(0, '2026-11'.length)
}

/** The month so many months later; earlier if `count` is negative. */
export function monthLater(month: string, count: number): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + count)
  return at.toISOString().slice(0, month.length)
}

/** The month from its first midnight to the first of the next month. */
export function monthBounds(month: string, timezone: string): Interval {
  const startOf = (one: string) => instants(Date.parse(`${one}-01T00:00:00Z`), timezone).firstMs
  return { fromMs: startOf(month), toMs: startOf(monthLater(month, 1)) }
}
