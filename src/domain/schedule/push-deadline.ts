// Push monitors: when a report is due, and the meaning of a report or a missing one.
import { clip } from '../../base/clip.ts'
import { secondText } from '../../base/time-text.ts'
import type { Reading } from '../checks/reading.ts'
import type { HealthPolicy } from '../health/health.ts'
import { limits } from '../limits/limits.ts'

export interface PushReport {
  readonly status: 'ok' | 'error'
  readonly message?: string
  /** How long the sender's own work took. */
  readonly durationMs?: number
}

/** When a report counts as missing: after the period and the grace. */
export function deadlineAtMs(lastReportAtMs: number, intervalMs: number, graceMs: number): number {
  return lastReportAtMs + intervalMs + graceMs
}

interface Pace {
  readonly intervalSeconds: number
  readonly graceSeconds: number
}

interface ReportSchedule {
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number | null
}

/**
 * The deadline after the monitor was changed: the new period counts from the last report, or from
 * now if it would already be over.
 */
export function changedDeadlineAtMs(
  before: Pace,
  after: Pace,
  { lastReportAtMs, deadlineAtMs: standingMs }: ReportSchedule,
  nowMs: number,
): number | null {
  const { intervalSeconds, graceSeconds } = after
  const isSame = intervalSeconds === before.intervalSeconds && graceSeconds === before.graceSeconds
  if (isSame || standingMs === null) return standingMs
  const from = (atMs: number) => deadlineAtMs(atMs, intervalSeconds * 1_000, graceSeconds * 1_000)
  const countedMs = from(lastReportAtMs ?? nowMs)
  return countedMs > nowMs ? countedMs : from(nowMs)
}

/** Whether the report is due, although its grace may not be over. */
export function isReportDue(
  { graceSeconds }: Pick<Pace, 'graceSeconds'>,
  deadlineMs: number,
  nowMs: number,
): boolean {
  return deadlineMs - graceSeconds * 1_000 <= nowMs
}

/** When a report becomes overdue, and the whole periods that were granted since the last one. */
export interface MovableDeadline {
  readonly deadlineAtMs: number
  readonly excuses: number
}

/**
 * The deadline after a time in which no report could arrive. A report due by then may have been
 * lost, so the next one gets a whole period, but only a few times, so that a dead sender is found.
 * After a short time the report only waited, and arrives soon.
 */
export function movedDeadline(
  pace: Pace,
  { deadlineAtMs: standingMs, excuses }: MovableDeadline,
  byMs: number,
  nowMs: number,
): MovableDeadline {
  const movedMs = standingMs + byMs
  const mayBeLost = byMs >= limits.reportLostMs && isReportDue(pace, standingMs, nowMs)
  if (!mayBeLost || excuses >= limits.reportExcusesMax) return { deadlineAtMs: movedMs, excuses }
  const { intervalSeconds, graceSeconds } = pace
  const wholeMs = deadlineAtMs(nowMs, intervalSeconds * 1_000, graceSeconds * 1_000)
  return { deadlineAtMs: Math.max(movedMs, wholeMs), excuses: excuses + 1 }
}

/** The reading of a report. */
export function reportedReading(report: PushReport, atMs: number): Reading {
  const reportFields = {
    atMs,
    durationMs: report.durationMs ?? 0,
    ...(report.message === undefined ? {} : { message: report.message }),
  }
  if (report.status === 'ok') return { ...reportFields, result: 'good' }
  const sentence = report.message
    ? `the sender reported an error: ${report.message}`
    : 'the sender reported an error'
  return {
    ...reportFields,
    result: 'failed',
    error: { kind: 'reported', message: bounded(sentence) },
  }
}

/** The reading of a missed deadline. It counts from the deadline, whenever it was noticed. */
export function missedReading(missed: {
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number
  readonly intervalMs: number
  readonly graceMs: number
}): Reading {
  const grace = missed.graceMs > 0 ? ` and ${durationText(missed.graceMs)} of grace` : ''
  const last =
    missed.lastReportAtMs === null
      ? 'no report has ever come'
      : `the last one came at ${secondText(missed.lastReportAtMs)}`
  const message = bounded(`no report within ${durationText(missed.intervalMs)}${grace}; ${last}`)
  return {
    atMs: missed.deadlineAtMs,
    durationMs: 0,
    result: 'failed',
    error: { kind: 'missed', message },
  }
}

/** The message of a manual run of a push monitor: the last report and the next one due. */
export function reportsSentence({ lastReportAtMs, deadlineAtMs }: ReportSchedule): string {
  const last =
    lastReportAtMs === null
      ? 'no report has come yet'
      : `the last report came at ${secondText(lastReportAtMs)}`
  if (deadlineAtMs !== null) {
    return `${last}; the next one is due by ${secondText(deadlineAtMs)}`
  }
  const next = lastReportAtMs === null ? 'the first report' : 'the next report'
  return `${last}; nothing is due until ${next} comes`
}

/**
 * A push monitor confirms nothing: the grace already confirms a missing report, and after a nightly
 * job the next report would be a day away.
 */
export function pushPolicy(policy: HealthPolicy): HealthPolicy {
  const { degradedThreshold, degradedOpensIncident } = policy
  return { failureThreshold: 1, recoveryThreshold: 1, degradedThreshold, degradedOpensIncident }
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** Such as "5 min" or "1 d 6 h": the units that are not zero. */
function durationText(spanMs: number): string {
  const parts: string[] = []
  let restMs = spanMs
  for (const [unit, unitMs] of units) {
    const count = Math.floor(restMs / unitMs)
    if (count > 0) parts.push(`${count} ${unit}`)
    restMs -= count * unitMs
  }
  return parts.join(' ') || '0 s'
}

function bounded(sentence: string): string {
  return clip(sentence, limits.errorMessageCharsMax)
}
