// A run of a job as its push sender reported it, and what a sender may report.
import { limits } from '../limits/limits.ts'
import type { OpenRun } from '../schedule/push-runs.ts'

export const runStatuses = ['running', 'ok', 'error', 'timeout', 'lost', 'log'] as const
type RunStatus = (typeof runStatuses)[number]

export interface Run {
  /** Counts the kept runs of its monitor. */
  readonly number: number
  /** `lost` is never stored: it is a running one that is no longer open. */
  readonly status: RunStatus
  /** Null if the start was not reported and no duration was given. */
  readonly startedAtMs: number | null
  /** When the end was reported; of a `log` when it came. */
  readonly endedAtMs: number | null
  readonly durationMs: number | null
  readonly exitCode: number | null
  /** What the sender calls it. */
  readonly runId: string | null
  readonly message: string | null
  readonly hasLog: boolean
}

/** What a sender reports. */
export interface SentReport {
  /** `log` changes nothing: it is only kept. */
  readonly status: 'ok' | 'error' | 'start' | 'log'
  readonly message?: string
  readonly durationMs?: number
  readonly exitCode?: number
  readonly runId?: string
  readonly metadataJson?: string
  /** After it, no further report is expected. */
  readonly isEvent?: true
  /** Output of the job, already cut. */
  readonly log?: string
}

/** The run of a start, or of a log alone. */
export function begunRun(number: number, report: SentReport, atMs: number): Run {
  const isStart = report.status === 'start'
  return {
    number,
    status: isStart ? 'running' : 'log',
    startedAtMs: isStart ? atMs : null,
    endedAtMs: isStart ? null : atMs,
    durationMs: null,
    exitCode: null,
    ...fieldsOf(report),
  }
}

/** The run that a report of a result ends. `open`: its start was reported. */
export function finishedRun(
  number: number,
  report: SentReport & { readonly status: 'ok' | 'error' },
  open: OpenRun | undefined,
  atMs: number,
): Run {
  const { status, exitCode = null } = report
  const durationMs = runDurationMs(report, open, atMs)
  const countedMs = durationMs === undefined ? null : atMs - durationMs
  return {
    number,
    status,
    startedAtMs: open?.startedAtMs ?? countedMs,
    endedAtMs: atMs,
    durationMs: durationMs ?? null,
    exitCode,
    ...fieldsOf(report),
    runId: report.runId ?? open?.runId ?? null,
  }
}

/** A run that has taken too long. */
export function timedOutRun(open: OpenRun): Run {
  const { number, startedAtMs, runId } = open
  const none = { endedAtMs: null, durationMs: null, exitCode: null, message: null, hasLog: false }
  return { ...none, number, status: 'timeout', startedAtMs, runId }
}

/** How long the run took, as the sender measured it, else since its start was reported. */
export function runDurationMs(
  report: Pick<SentReport, 'durationMs'>,
  open: OpenRun | undefined,
  atMs: number,
): number | undefined {
  if (report.durationMs !== undefined || open === undefined) return report.durationMs
  return Math.min(limits.pushDurationMsMax, Math.max(0, atMs - open.startedAtMs))
}

function fieldsOf({ runId, message, log }: SentReport) {
  return { runId: runId ?? null, message: message ?? null, hasLog: log !== undefined }
}

/** A report that says only that all is well: the history of results has all of it. */
export function isPlain({ status, exitCode, runId, log }: SentReport): boolean {
  return status === 'ok' && exitCode === undefined && runId === undefined && log === undefined
}

/** The run as people see it: one whose end can no longer come is `lost`. */
export function shownRun(run: Run, openRuns: readonly OpenRun[]): Run {
  if (run.status !== 'running' || openRuns.some(({ number }) => number === run.number)) return run
  return { ...run, status: 'lost' }
}

/** The end of a log that is too long, because that is where a job says why it failed. */
export function cutLog(bytes: Buffer): string {
  const { runLogBytesMax } = limits
  if (bytes.length <= runLogBytesMax) return bytes.toString()
  const note = `[the first ${bytes.length - runLogBytesMax} bytes are not kept]\n`
  let from = bytes.length - runLogBytesMax
  // Not in the middle of a character.
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1
  return note + bytes.toString('utf8', from)
}
