// Windows of time that people ask about: the newest hours or days, a month, or any from and to.
import { limits } from '../limits/limits.ts'
import { dayMs, hourMs } from './span.ts'

/** From the first of them on, before the second. */
export interface TimeWindow {
  readonly fromMs: number
  readonly toMs: number
}

export const windowNames = ['24h', '7d', '30d', '90d', '365d'] as const
export type WindowName = (typeof windowNames)[number]

const daysIn: Readonly<Record<Exclude<WindowName, '24h'>, number>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
  '365d': 365,
}

/**
 * What a monitor's own uptime covers: the current hour and the 24 before it, or whole UTC days
 * including today so far.
 */
export function namedWindow(name: WindowName, nowMs: number): TimeWindow {
  if (name === '24h') return { fromMs: floorTo(hourMs, nowMs) - dayMs, toMs: nowMs }
  return { fromMs: floorTo(dayMs, nowMs) - (daysIn[name] - 1) * dayMs, toMs: nowMs }
}

/** A month as `YYYY-MM`, in UTC; the current one so far. Null if there is no such month. */
export function monthWindow(month: string, nowMs: number): TimeWindow | null {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? []
  if (year === undefined || Number(number) < 1 || Number(number) > 12) return null
  const fromMs = Date.UTC(Number(year), Number(number) - 1)
  const toMs = Math.min(Date.UTC(Number(year), Number(number)), nowMs)
  return { fromMs, toMs: Math.max(fromMs, toMs) }
}

/**
 * The window in whole hours, or in whole UTC days where it is older than the hours that are kept. It
 * ends now at the latest.
 */
export function wholeHours({ fromMs, toMs }: TimeWindow, nowMs: number): TimeWindow {
  const hoursFromMs = nowMs - limits.hoursKept * hourMs
  const unitOf = (ms: number) => (ms < hoursFromMs ? dayMs : hourMs)
  return {
    fromMs: floorTo(unitOf(fromMs), fromMs),
    toMs: Math.min(nowMs, ceilTo(unitOf(toMs), toMs)),
  }
}

export function floorTo(unitMs: number, ms: number): number {
  return Math.floor(ms / unitMs) * unitMs
}

export function ceilTo(unitMs: number, ms: number): number {
  return Math.ceil(ms / unitMs) * unitMs
}
