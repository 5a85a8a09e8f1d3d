// Types of a monitor's actor: its events, its memory, and the results of its steps.
import type { Health } from '../../domain/health/health.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'

/** A monitor that this daemon checks itself. */
export interface CheckContext {
  readonly monitor: Monitor
  /** When the next check is due, wall clock. */
  readonly dueAtMs: number
  /** The newest committed health: only for the pace and the urgency of commits. */
  readonly health: Health | undefined
}

export interface CheckInput {
  readonly monitor: Monitor
  readonly dueAtMs: number
}

export type CheckEvent = { readonly type: 'check.requested'; readonly atMs: number }

/** A push monitor: waits for reports and notices a missing one. */
export interface PushContext {
  readonly monitor: Monitor
  readonly lastReportAtMs: number | null
  /** When the next report becomes overdue; null while none is expected. */
  readonly deadlineAtMs: number | null
}

export type PushInput = PushContext

/** A report came in, or this process was suspended, which must not raise alarms. */
export interface PushEvent {
  readonly type: 'deadline.changed'
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number | null
}
