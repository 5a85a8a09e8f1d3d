// Ends a flapping in time, also for monitors that are seldom checked or wait for a report.
import type { Clock } from '../../base/clock.ts'
import type { MonitorId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { flappingEndsAtMs, type Health } from '../../domain/health/health.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Commit } from '../monitor/commit.ts'

export interface FlappingWatch {
  /** Tells how a monitor stands now; one that flaps is looked at again when that should be over. */
  note(monitor: Monitor, health: Health): void
  stop(): void
}

export interface FlappingDeps {
  readonly clock: Clock
  readonly log: Log
  readonly settle: Commit['settle']
}

export function watchFlapping({ clock, log, settle }: FlappingDeps): FlappingWatch {
  const timers = new Map<MonitorId, unknown>()

  function look(monitor: Monitor): void {
    timers.delete(monitor.id)
    settle(monitor).then(
      // A turn in the meantime has moved the end: it is noted by its own commit, or here.
      (committed) => committed && note(monitor, committed.monitorState.health),
      (error: unknown) => log.error('flapping not settled', { monitorId: monitor.id, error }),
    )
  }

  function note(monitor: Monitor, health: Health): void {
    const endsAtMs = flappingEndsAtMs(health)
    if (endsAtMs === null && !timers.has(monitor.id)) return
    clock.clearTimeout(timers.get(monitor.id))
    timers.delete(monitor.id)
    if (endsAtMs === null) return
    const delayMs = Math.max(0, endsAtMs - clock.nowMs())
    timers.set(
      monitor.id,
      clock.setTimeout(() => look(monitor), delayMs),
    )
  }

  return {
    note,
    stop() {
      for (const timer of timers.values()) clock.clearTimeout(timer)
      timers.clear()
    },
  }
}
