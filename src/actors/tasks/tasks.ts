// Recurring tasks by name: one run at a time, with the last result.

import { clip } from '../../base/clip.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { redacted } from '../../base/log/redact.ts'
import type { TaskName } from '../../domain/system/task-names.ts'
import type { BytesDone } from '../../store/data-file/byte-count.ts'
import type { Store } from '../../store/store.ts'
import type { TaskRecord } from '../../store/tables/system/tasks.ts'

export interface Task {
  readonly name: string
  /** The time from the start of one run to the start of the next. */
  readonly intervalMs: number
  /** Resolves with a few words about the result; quickly once the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<string | undefined>
  /** How far the present run is; null where that is not known. */
  readonly progress?: () => BytesDone | null
}

/** One that the daemon has, and that the console has words for. */
export interface DaemonTask extends Task {
  readonly name: TaskName
}

/** A task as the operator sees it. */
export interface TaskState extends TaskRecord {
  readonly intervalMs: number
  readonly isRunning: boolean
  /** When the present run began; null without one. */
  readonly runningSinceMs: number | null
  readonly progress: BytesDone | null
}

export type Tasks = ReturnType<typeof startTasks>

export interface TasksDeps {
  readonly store: Pick<Store, 'tasks' | 'writeSoon'>
  readonly clock: Clock
  readonly log: Log
}

interface ScheduledTask {
  readonly task: Task
  record: TaskRecord
  timer?: unknown
  running?: Promise<void> | undefined
  runningSinceMs?: number | undefined
}

/** No task runs earlier after the start, when the daemon is busy. */
export const taskAfterStartMs = 60_000
const taskErrorCharsMax = 500

/** Starts the tasks: each when it was due, but not in the first moments after the start. */
export function startTasks({ store, clock, log }: TasksDeps, tasks: readonly Task[]) {
  const stopping = new AbortController()
  const entries = new Map<string, ScheduledTask>()

  function keep(entry: ScheduledTask, changes: Partial<TaskRecord>): void {
    const record = { ...entry.record, ...changes }
    entry.record = record
    // If a write fails, the store ends the process, so there is nothing to handle here.
    store.writeSoon((tx) => store.tasks.put(tx, record)).catch(() => {})
  }

  function arm(entry: ScheduledTask): void {
    if (stopping.signal.aborted) return
    const waitMs = entry.record.nextRunAtMs - clock.nowMs()
    entry.timer = clock.setTimeout(() => void run(entry), waitMs)
  }

  function run(entry: ScheduledTask): Promise<void> {
    entry.running ??= runOnce(entry).finally(() => {
      entry.running = undefined
      entry.runningSinceMs = undefined
      arm(entry)
    })
    return entry.running
  }

  async function runOnce(entry: ScheduledTask): Promise<void> {
    const { name, intervalMs } = entry.task
    clock.clearTimeout(entry.timer)
    const startedAtMs = clock.nowMs()
    entry.runningSinceMs = startedAtMs
    const startedMs = clock.monoMs()
    const result = await outcomeOf(entry.task)
    const lastDurationMs = Math.round(clock.monoMs() - startedMs)
    const isCutOff = stopping.signal.aborted
    keep(entry, {
      lastStartedAtMs: startedAtMs,
      lastDurationMs,
      ...result,
      // An aborted run is due at once. A run that took longer than its interval is followed by a
      // pause.
      nextRunAtMs: isCutOff
        ? startedAtMs
        : Math.max(startedAtMs + intervalMs, clock.nowMs() + taskAfterStartMs),
    })
    const { lastOutcome: outcome, lastDetail: detail } = result
    log.debug('task ended', { task: name, outcome, detail, durationMs: lastDurationMs })
  }

  async function outcomeOf(task: Task): Promise<Pick<TaskRecord, 'lastOutcome' | 'lastDetail'>> {
    try {
      const detail = await task.run(stopping.signal)
      return { lastOutcome: 'done', lastDetail: detail ?? null }
    } catch (error) {
      log.error('a task failed', { task: task.name, error })
      const { message } = redacted({ message: error instanceof Error ? error.message : error })
      return { lastOutcome: 'failed', lastDetail: clip(String(message), taskErrorCharsMax) }
    }
  }

  for (const task of tasks) {
    const nowMs = clock.nowMs()
    const { name, intervalMs } = task
    const stored = store.tasks.get(name)
    const latestMs = nowMs + intervalMs
    const dueAtMs = Math.max(stored?.nextRunAtMs ?? latestMs, nowMs + taskAfterStartMs)
    const entry: ScheduledTask = {
      task,
      record: stored ?? { ...neverRun, name, nextRunAtMs: latestMs },
    }
    entries.set(name, entry)
    // Stored at once: otherwise a daemon that restarts often would postpone the task each time.
    keep(entry, { nextRunAtMs: Math.min(dueAtMs, latestMs) })
    arm(entry)
  }

  return {
    /** The tasks in the order of their registration. */
    list: (): TaskState[] =>
      [...entries.values()].map(({ task, record, running, runningSinceMs }) => ({
        ...record,
        intervalMs: task.intervalMs,
        isRunning: running !== undefined,
        runningSinceMs: runningSinceMs ?? null,
        progress: (running && task.progress?.()) ?? null,
      })),
    has: (name: string) => entries.has(name),
    /** Runs it now, or joins the current run; resolves at its end, whatever the result. */
    async run(name: string): Promise<void> {
      const entry = entries.get(name)
      if (entry && !stopping.signal.aborted) await run(entry)
    },
    /** Starts no more runs; resolves when the current ones have ended. */
    async stop(): Promise<void> {
      stopping.abort()
      for (const { timer } of entries.values()) clock.clearTimeout(timer)
      await Promise.all([...entries.values()].map(({ running }) => running))
    },
  }
}

const neverRun = {
  lastStartedAtMs: null,
  lastDurationMs: null,
  lastOutcome: null,
  lastDetail: null,
}
