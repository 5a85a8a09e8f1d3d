// Push monitors: when a report is due, and the meaning of a report or a missing one.
import { clip } from '../../base/clip.ts'
import { secondText } from '../../base/time-text.ts'
import type { Reading, ReadingError } from '../checks/reading.ts'
import type { HealthPolicy } from '../health/health.ts'
import { limits } from '../limits/limits.ts'
import { nextRunAtMs, previousRunAtMs } from './cron.ts'
import {
  firstLimitAtMs,
  type OpenRun,
  type OpenRuns,
  type RunLimit,
  runsAfterGap,
  runsUnderLimit,
} from './push-runs.ts'

export interface PushReport {
  readonly status: 'ok' | 'error'
  readonly message?: string
  /** How long the sender's own work took. */
  readonly durationMs?: number
  /** The exit code of the job that reports. */
  readonly exitCode?: number
}

/** How often reports are expected: each period, or for each run of a cron schedule. */
export interface Pace {
  readonly intervalSeconds: number
  readonly graceSeconds: number
  readonly schedule: string | null
  readonly timezone: string
}

/** When a report counts as missing: after the period, or the next run, and the grace. */
export function deadlineAtMs(pace: Pace, lastReportAtMs: number): number {
  return runAfterReportMs(pace, lastReportAtMs) + pace.graceSeconds * 1_000
}

/** The deadline of a sender that reports nothing from a time on. */
export function wholeDeadlineAtMs(pace: Pace, fromMs: number): number {
  return nextExpectedAtMs(pace, fromMs) + pace.graceSeconds * 1_000
}

/** The end of a period, or the next run of the schedule after a time. */
function nextExpectedAtMs(pace: Pace, afterMs: number): number {
  const { schedule: cron, timezone, intervalSeconds } = pace
  const runAtMs = cron === null ? null : nextRunAtMs({ cron, timezone }, afterMs)
  return runAtMs ?? afterMs + intervalSeconds * 1_000
}

/**
 * A report that comes so long before a run of its schedule belongs to that run, if it is at most
 * one `reportEarlyShare`th of the time to the run after it.
 */
const reportEarlyMs = 5_000
const reportEarlyShare = 10

/**
 * The same after a report. One that comes seconds before a run is the report of that run, because
 * clocks differ; unless runs are so frequent that it can be a late one of the run before.
 */
function runAfterReportMs(pace: Pace, reportAtMs: number): number {
  const nextMs = nextExpectedAtMs(pace, reportAtMs)
  const earlyMs = nextMs - reportAtMs
  if (pace.schedule === null || earlyMs > reportEarlyMs) return nextMs
  const followingMs = nextExpectedAtMs(pace, nextMs)
  return earlyMs * reportEarlyShare <= followingMs - nextMs ? followingMs : nextMs
}

/** How long results may be apart before a gap between them must have another reason. */
export function explainedMs(
  monitor: Pace & RunLimit & { readonly timeoutMs: number },
  fromMs: number,
): number {
  const { intervalSeconds, graceSeconds, timeoutMs, maxRunSeconds, schedule } = monitor
  const twoMs =
    schedule === null
      ? 2 * intervalSeconds * 1_000
      : nextExpectedAtMs(monitor, nextExpectedAtMs(monitor, fromMs)) - fromMs
  return twoMs + timeoutMs + (graceSeconds + maxRunSeconds) * 1_000
}

/** What a push monitor waits for. */
export interface ReportExpectation extends OpenRuns {
  readonly lastReportAtMs: number | null
  /** When the next report becomes overdue; null while none is expected. */
  readonly deadlineAtMs: number | null
  /** When an outage that a sender reported ends by itself; null if it does not. */
  readonly recoversAtMs: number | null
  /** Whole periods that were granted since the last report, because one may be lost. */
  readonly excuses: number
}

/**
 * When the sender is overdue. While a run with a limit is open, its end is awaited, and not the
 * next report: a run that began in time and may still go on is not missing.
 */
export function overdueAtMs({
  deadlineAtMs,
  openRuns,
}: Pick<ReportExpectation, 'deadlineAtMs' | 'openRuns'>): number | null {
  return firstLimitAtMs(openRuns) ?? deadlineAtMs
}

/** When something is due: a report, the end of a run, or a recovery. */
export function wakesAtMs(expectation: ReportExpectation): number | null {
  const overdueMs = overdueAtMs(expectation)
  const { recoversAtMs } = expectation
  if (overdueMs === null || recoversAtMs === null) return overdueMs ?? recoversAtMs
  return Math.min(overdueMs, recoversAtMs)
}

interface AutoRecovery {
  readonly autoRecoveryMinutes: number
}

type PushFields = Pace & RunLimit & AutoRecovery

/** The newest result of the monitor. */
interface NewestResult {
  readonly lastAtMs: number | null
  readonly lastError: Pick<ReadingError, 'kind'> | null
}

/**
 * What is expected after the monitor was changed: a new period counts from the last report, or from
 * now if it would already be over; a new limit from the start of a run, or from now.
 */
export function changedExpectation(
  before: PushFields,
  after: PushFields,
  current: ReportExpectation & NewestResult,
  nowMs: number,
): Pick<ReportExpectation, 'deadlineAtMs' | 'openRuns' | 'recoversAtMs'> {
  return {
    deadlineAtMs: changedDeadlineAtMs(before, after, current, nowMs),
    openRuns: runsUnderLimit(current.openRuns, before, after, nowMs),
    recoversAtMs:
      before.autoRecoveryMinutes === after.autoRecoveryMinutes
        ? current.recoversAtMs
        : recoveryAtMs(after, current),
  }
}

function changedDeadlineAtMs(
  before: Pace,
  after: Pace,
  { lastReportAtMs, deadlineAtMs: standingMs }: ReportExpectation,
  nowMs: number,
): number | null {
  const isSame =
    after.intervalSeconds === before.intervalSeconds &&
    after.graceSeconds === before.graceSeconds &&
    after.schedule === before.schedule &&
    after.timezone === before.timezone
  if (isSame || standingMs === null) return standingMs
  const countedMs = lastReportAtMs === null ? 0 : deadlineAtMs(after, lastReportAtMs)
  return countedMs > nowMs ? countedMs : wholeDeadlineAtMs(after, nowMs)
}

/** When the outage ends by itself that the newest result reported; null if it does not. */
function recoveryAtMs(
  { autoRecoveryMinutes }: AutoRecovery,
  { lastAtMs, lastError }: NewestResult,
): number | null {
  if (autoRecoveryMinutes === 0 || lastAtMs === null || lastError?.kind !== 'reported') return null
  return lastAtMs + autoRecoveryMinutes * 60_000
}

/** What is expected after a report of a result. */
export function expectationAfter(
  monitor: PushFields,
  before: ReportExpectation & Pick<NewestResult, 'lastError'>,
  { status, isEvent = false }: Pick<PushReport, 'status'> & { readonly isEvent?: boolean },
  atMs: number,
): Pick<ReportExpectation, 'lastReportAtMs' | 'deadlineAtMs' | 'recoversAtMs' | 'excuses'> {
  const { autoRecoveryMinutes } = monitor
  const recovers = status === 'error' && autoRecoveryMinutes > 0
  // A sender that only ever reports errors is no job with a period: nothing is expected of it.
  const isEventOnly =
    recovers && before.deadlineAtMs === null && before.lastError?.kind !== 'missed'
  return {
    lastReportAtMs: atMs,
    deadlineAtMs: isEvent || isEventOnly ? null : deadlineAtMs(monitor, atMs),
    recoversAtMs: recovers ? atMs + autoRecoveryMinutes * 60_000 : null,
    excuses: 0,
  }
}

/** Whether the report is due, although its grace may not be over. */
export function isReportDue(
  { graceSeconds }: Pick<Pace, 'graceSeconds'>,
  deadlineMs: number,
  nowMs: number,
): boolean {
  return deadlineMs - graceSeconds * 1_000 <= nowMs
}

/** The part of an expectation that moves while no report can arrive. */
export type MovableExpectation = Pick<
  ReportExpectation,
  'deadlineAtMs' | 'openRuns' | 'recoversAtMs' | 'excuses'
>

/** Whole periods granted for reports that a gap may have lost, until the next one comes. */
export const reportExcusesMax = 3

/**
 * What is expected after a time in which no report could arrive. A report due by then may have been
 * lost, so the next one gets a whole period, but only a few times, so that a dead sender is found.
 * The end of a run may have been lost too, so it has no limit any more. After a short time the
 * report only waited, and arrives soon.
 */
export function movedExpectation(
  pace: Pace,
  { deadlineAtMs: standingMs, openRuns, recoversAtMs, excuses }: MovableExpectation,
  byMs: number,
  nowMs: number,
): MovableExpectation {
  const mayHaveLost = byMs >= limits.reportLostMs
  const moved = {
    openRuns: runsAfterGap(openRuns, mayHaveLost ? null : byMs, nowMs),
    recoversAtMs: recoversAtMs === null ? null : recoversAtMs + byMs,
  }
  if (standingMs === null) return { ...moved, deadlineAtMs: null, excuses }
  const movedMs = standingMs + byMs
  const mayBeLost = mayHaveLost && isReportDue(pace, standingMs, nowMs)
  if (!mayBeLost || excuses >= reportExcusesMax) {
    return { ...moved, deadlineAtMs: movedMs, excuses }
  }
  const wholeMs = wholeDeadlineAtMs(pace, nowMs)
  return { ...moved, deadlineAtMs: Math.max(movedMs, wholeMs), excuses: excuses + 1 }
}

/**
 * The expectation now, after `moved` was computed a moment ago: a run that has ended meanwhile stays
 * ended.
 */
export function asMoved(now: MovableExpectation, moved: MovableExpectation): MovableExpectation {
  return {
    deadlineAtMs: now.deadlineAtMs === null ? null : moved.deadlineAtMs,
    recoversAtMs: now.recoversAtMs === null ? null : moved.recoversAtMs,
    openRuns: now.openRuns.map(
      (run) => moved.openRuns.find(({ number }) => number === run.number) ?? run,
    ),
    excuses: moved.excuses,
  }
}

/** The reading of a report. */
export function reportedReading(report: PushReport, atMs: number): Reading {
  const reportFields = {
    atMs,
    durationMs: report.durationMs ?? 0,
    ...(report.message === undefined ? {} : { message: report.message }),
  }
  if (report.status === 'ok') return { ...reportFields, result: 'good' }
  const what =
    report.exitCode === undefined
      ? 'the sender reported an error'
      : `the job ended with exit code ${report.exitCode}`
  const sentence = report.message ? `${what}: ${report.message}` : what
  return {
    ...reportFields,
    result: 'failed',
    error: { kind: 'reported', message: bounded(sentence) },
  }
}

/** The reading of a missed deadline. It counts from the deadline, whenever it was noticed. */
export function missedReading(
  pace: Pace,
  missed: { readonly lastReportAtMs: number | null; readonly deadlineAtMs: number },
): Reading {
  const last =
    missed.lastReportAtMs === null
      ? 'no report has ever come'
      : `the last one came at ${secondText(missed.lastReportAtMs)}`
  const message = bounded(`${absence(pace, missed.deadlineAtMs)}; ${last}`)
  return failedReading(missed.deadlineAtMs, 'missed', message)
}

function absence({ schedule: cron, timezone, ...pace }: Pace, missedAtMs: number): string {
  const grace = durationText(pace.graceSeconds * 1_000)
  const withGrace = pace.graceSeconds > 0 ? ` and ${grace} of grace` : ''
  const runAtMs =
    cron === null
      ? null
      : previousRunAtMs({ cron, timezone }, missedAtMs - pace.graceSeconds * 1_000)
  if (runAtMs === null) {
    return `no report within ${durationText(pace.intervalSeconds * 1_000)}${withGrace}`
  }
  const within = pace.graceSeconds > 0 ? ` within ${grace}` : ''
  return `no report of the run at ${secondText(runAtMs)}${within}`
}

/** The reading of a run that was started and has not ended in time. */
export function unendedReading(run: OpenRun, limitAtMs: number, maxRunSeconds: number): Reading {
  const name = run.runId === null ? 'the run' : `the run ${clip(run.runId, 40)}`
  const limit = durationText(maxRunSeconds * 1_000)
  const message = `${name} that began at ${secondText(run.startedAtMs)} has not ended within ${limit}`
  return failedReading(limitAtMs, 'missed', bounded(message))
}

/** The reading that ends an outage after which no report came. */
export function silenceReading({ autoRecoveryMinutes }: AutoRecovery, atMs: number): Reading {
  const message = `no further error was reported for ${durationText(autoRecoveryMinutes * 60_000)}`
  return { atMs, durationMs: 0, result: 'good', message, isBySilence: true }
}

function failedReading(atMs: number, kind: 'missed', message: string): Reading {
  return { atMs, durationMs: 0, result: 'failed', error: { kind, message } }
}

/** The message of a manual run of a push monitor: the last report and what is due next. */
export function reportsSentence(
  expectation: Pick<ReportExpectation, 'lastReportAtMs' | 'deadlineAtMs' | 'openRuns'>,
): string {
  const { lastReportAtMs, openRuns } = expectation
  const last =
    lastReportAtMs === null
      ? 'no report has come yet'
      : `the last report came at ${secondText(lastReportAtMs)}`
  const overdueMs = overdueAtMs(expectation)
  if (overdueMs !== null) {
    const awaited = firstLimitAtMs(openRuns) === null ? 'the next one is' : 'the end of a run is'
    return `${last}; ${awaited} due by ${secondText(overdueMs)}`
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
