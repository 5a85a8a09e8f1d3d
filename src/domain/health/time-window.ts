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

/** The start of the UTC month that contains a time. */
export function floorToMonth(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/** The start of the UTC month after it. */
export function monthAfter(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

export function ceilTo(unitMs: number, ms: number): number {
  return Math.ceil(ms / unitMs) * unitMs
}

/** A window as callers ask for it: by a name, a month, or two times, the second of them now if absent. */
export interface AskedWindow {
  readonly window?: WindowName | undefined
  readonly month?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

/** A parameter of the question, and the rule that it breaks. */
export interface WindowProblem {
  readonly parameter: 'month' | 'from' | 'to'
  readonly rule: string
}

export function isWindow(found: TimeWindow | WindowProblem): found is TimeWindow {
  return 'fromMs' in found
}

/** The window that a caller asks for, by default the newest 30 days. */
export function askedWindow(asked: AskedWindow, nowMs: number): TimeWindow | WindowProblem {
  const { window, month, fromMs, toMs } = asked
  const hasTimes = fromMs !== undefined || toMs !== undefined
  if ([window !== undefined, month !== undefined, hasTimes].filter(Boolean).length > 1) {
    const parameter = month !== undefined ? 'month' : fromMs !== undefined ? 'from' : 'to'
    return { parameter, rule: 'must stand alone: give `window`, `month`, or `from` and `to`' }
  }
  if (month !== undefined) {
    const found = monthWindow(month, nowMs)
    if (!found) return { parameter: 'month', rule: 'must be a month as YYYY-MM' }
    if (found.fromMs < nowMs) return found
    return { parameter: 'month', rule: 'must not be in the future' }
  }
  if (!hasTimes) return namedWindow(window ?? '30d', nowMs)
  if (fromMs === undefined) return { parameter: 'from', rule: 'is required with `to`' }
  const times = { fromMs, toMs: toMs ?? nowMs }
  return timesProblem(times, nowMs) ?? wholeHours(times, nowMs)
}

/** The longest time that one question about uptime or response times covers. */
const historyWindowDaysMax = 3_660

/** What is wrong with two times that a person names; null if nothing is. */
export function timesProblem({ fromMs, toMs }: TimeWindow, nowMs: number): WindowProblem | null {
  if (fromMs >= toMs || fromMs >= nowMs) {
    return { parameter: 'from', rule: 'must be before `to` and in the past' }
  }
  const daysMax = historyWindowDaysMax
  if (toMs - fromMs <= daysMax * dayMs) return null
  return { parameter: 'from', rule: `must be at most ${daysMax} days before \`to\`` }
}
