// What a monitor's actor is told, what it remembers, and what its steps give back.
import type { Health } from '../../domain/health/health.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'

/** A monitor that this daemon checks itself. */
export interface CheckContext {
  readonly monitor: Monitor
  /** When the next check is due, wall clock. */
  readonly dueAtMs: number
  /** What the newest commit said: only for the pace and for how urgent a commit is. */
  readonly health: Health | undefined
}

export interface CheckInput {
  readonly monitor: Monitor
  readonly dueAtMs: number
}

export type CheckEvent = { readonly type: 'check.requested'; readonly atMs: number }

/** A push monitor: it waits for reports and notices the one that does not come. */
export interface PushContext {
  readonly monitor: Monitor
  readonly lastReportAtMs: number | null
  /** When the next report is missed; null while none is expected. */
  readonly deadlineAtMs: number | null
}

export type PushInput = PushContext

/** A report came in, or this process did not run for a while: nobody is alarmed for our own sleep. */
export interface PushEvent {
  readonly type: 'deadline.changed'
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number | null
}
