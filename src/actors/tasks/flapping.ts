// Ends flapping in time, even for monitors that are checked rarely or wait for a report.
import type { Clock } from '../../base/clock.ts'
import type { MonitorId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { flappingEndsAtMs, type Health } from '../../domain/health/health.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Commit } from '../monitor/commit.ts'

export interface FlappingDeps {
  readonly clock: Clock
  readonly log: Log
  readonly settle: Commit['settle']
}

export function watchFlapping({ clock, log, settle }: FlappingDeps) {
  const timers = new Map<MonitorId, unknown>()

  function examine(monitor: Monitor): void {
    timers.delete(monitor.id)
    settle(monitor).then(
      // A change meanwhile moves the end: its own commit notes that, or this does.
      (committed) => committed && note(monitor, committed.monitorState.health),
      (error: unknown) => log.error('flapping not settled', { monitorId: monitor.id, error }),
    )
  }

  /** Notes the current health of a monitor; a flapping one is examined again when it should end. */
  function note(monitor: Monitor, health: Health): void {
    const endsAtMs = flappingEndsAtMs(health)
    if (endsAtMs === null && !timers.has(monitor.id)) return
    clock.clearTimeout(timers.get(monitor.id))
    timers.delete(monitor.id)
    if (endsAtMs === null) return
    const delayMs = Math.max(0, endsAtMs - clock.nowMs())
    timers.set(
      monitor.id,
      clock.setTimeout(() => examine(monitor), delayMs),
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
