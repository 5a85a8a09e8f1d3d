// The runs of a job that a push sender has started and not yet ended.

export interface OpenRun {
  /** Counts the runs of its monitor. */
  readonly number: number
  /** What the sender calls it; null if it gave no name. */
  readonly runId: string | null
  readonly startedAtMs: number
  /** When it has taken too long. Null: there is no limit, or it was passed. */
  readonly endsByAtMs: number | null
}

export interface OpenRuns {
  /** Oldest first. */
  readonly openRuns: readonly OpenRun[]
}

/** The earliest time at which an open run has taken too long. */
export function firstLimitAtMs(openRuns: readonly OpenRun[]): number | null {
  let firstMs: number | null = null
  for (const { endsByAtMs } of openRuns) {
    if (endsByAtMs !== null && (firstMs === null || endsByAtMs < firstMs)) firstMs = endsByAtMs
  }
  return firstMs
}

/** How long a run may take; 0: as long as it likes. */
export interface RunLimit {
  readonly maxRunSeconds: number
}

function limitAtMs({ maxRunSeconds }: RunLimit, startedAtMs: number): number | null {
  return maxRunSeconds === 0 ? null : startedAtMs + maxRunSeconds * 1_000
}

/** A second start without a name within this time is the first one, repeated. */
export const runStartRepeatedMs = 30_000

/**
 * The run that a start means if it is only repeated, because its sender heard no answer: the same
 * name, or none and moments after the first.
 */
export function repeatedStart(
  openRuns: readonly OpenRun[],
  runId: string | null,
  nowMs: number,
): OpenRun | undefined {
  const newest = openRuns.findLast((run) => run.runId === runId)
  if (!newest || runId !== null) return newest
  return nowMs - newest.startedAtMs < runStartRepeatedMs ? newest : undefined
}

/** Runs of one job that were started and not ended; for one more the oldest is given up. */
export const openRunsMax = 10
/** A run that has not ended after so long is given up, unless it may take longer. */
export const runOpenMsMax = 3 * 86_400_000

/** The open runs with one more, and the runs that are given up for it. */
export function withStarted(
  openRuns: readonly OpenRun[],
  limit: RunLimit,
  run: Pick<OpenRun, 'number' | 'runId' | 'startedAtMs'>,
): OpenRuns & { readonly givenUp: readonly OpenRun[] } {
  const forgottenMs = run.startedAtMs - Math.max(runOpenMsMax, limit.maxRunSeconds * 1_000)
  const isKept = ({ startedAtMs }: OpenRun, at: number, { length }: { readonly length: number }) =>
    startedAtMs > forgottenMs && at >= length - (openRunsMax - 1)
  const kept = openRuns.filter(isKept)
  const givenUp = openRuns.filter((one) => !kept.includes(one))
  const started = { ...run, endsByAtMs: limitAtMs(limit, run.startedAtMs) }
  return { openRuns: [...kept, started], givenUp }
}

/**
 * The run that a report ends: the one with its name; for a report without a name the newest without
 * one, else the newest.
 */
export function endedRun(openRuns: readonly OpenRun[], runId: string | null): OpenRun | undefined {
  const named = openRuns.findLast((run) => run.runId === runId)
  return named ?? (runId === null ? openRuns.at(-1) : undefined)
}

/** The open runs whose limit has passed, in the order of their limits, and all runs after that. */
export function runsPastLimit(openRuns: readonly OpenRun[], nowMs: number) {
  const isLate = ({ endsByAtMs }: OpenRun) => endsByAtMs !== null && endsByAtMs <= nowMs
  const late = openRuns.flatMap((run) => {
    const { endsByAtMs } = run
    return endsByAtMs === null || endsByAtMs > nowMs ? [] : { run, limitAtMs: endsByAtMs }
  })
  late.sort((a, b) => a.limitAtMs - b.limitAtMs)
  // They stay open: an end that comes late still has a duration.
  return { late, after: openRuns.map((run) => (isLate(run) ? { ...run, endsByAtMs: null } : run)) }
}

/** The runs under a changed limit; a limit that was passed, or lifted, stays so. */
export function runsUnderLimit(
  openRuns: readonly OpenRun[],
  before: RunLimit,
  after: RunLimit,
  nowMs: number,
): readonly OpenRun[] {
  if (before.maxRunSeconds === after.maxRunSeconds) return openRuns
  return openRuns.map((run) => {
    if (before.maxRunSeconds > 0 && run.endsByAtMs === null) return run
    const countedMs = limitAtMs(after, run.startedAtMs)
    const isOver = countedMs !== null && countedMs <= nowMs
    return { ...run, endsByAtMs: isOver ? limitAtMs(after, nowMs) : countedMs }
  })
}

/**
 * The runs after a time that ended at `nowMs` in which no report could arrive. Their limits move by
 * it; null: their ends may have been lost, so the limits are lifted.
 */
export function runsAfterGap(
  openRuns: readonly OpenRun[],
  byMs: number | null,
  nowMs: number,
): readonly OpenRun[] {
  if (firstLimitAtMs(openRuns) === null) return openRuns
  return openRuns.map((run) => {
    if (run.endsByAtMs === null || run.startedAtMs >= nowMs) return run
    return { ...run, endsByAtMs: byMs === null ? null : run.endsByAtMs + byMs }
  })
}
