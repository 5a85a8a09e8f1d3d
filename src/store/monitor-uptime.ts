// The uptime of a monitor within any window of whole hours, from its days and hours.
import type { Clock } from '../base/clock.ts'
import {
  accrue,
  dayMs,
  hourMs,
  type Tally,
  withGaps,
  withMaintenance,
} from '../domain/health/span.ts'
import { ceilTo, floorTo, type TimeWindow } from '../domain/health/time-window.ts'
import { type UptimeTimes, uptimeIn } from '../domain/health/uptime.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../domain/monitors/monitor-state.ts'
import { type LeftOut, leftOutOf } from './left-out.ts'
import type { Store } from './store.ts'
import type { TalliesTable } from './tables/checks/tallies.ts'

export type UptimeReader = ReturnType<typeof createUptimeReader>

export interface UptimeReaderDeps {
  readonly store: Pick<Store, 'days' | 'hours' | 'meta' | 'windows'>
  readonly clock: Pick<Clock, 'nowMs'>
}

export function createUptimeReader({ store, clock }: UptimeReaderDeps) {
  const leftOut = leftOutOf(store)

  /** The tallies of a table within the window, with those that are still being counted. */
  function talliesIn(
    table: Pick<TalliesTable, 'within'>,
    { orgId, id }: Monitor,
    counting: readonly Tally[],
    window: TimeWindow,
  ): Tally[] {
    const { fromMs, toMs } = window
    // A stored one is never also being counted.
    return [
      ...table.within(orgId, id, window),
      ...counting.filter(({ startMs }) => startMs >= fromMs && startMs < toMs),
    ]
  }

  return {
    /** Both ends of the window are whole hours (see `wholeHours`), or the second is now. */
    of(monitor: Monitor, monitorState: MonitorState, window: TimeWindow): UptimeTimes {
      const nowMs = clock.nowMs()
      const { fromMs } = window
      const toMs = Math.min(window.toMs, nowMs)
      const counting = countingTallies(monitor, monitorState, nowMs, leftOut)
      // Days are read whole, which is much less; today so far is one if the window ends now.
      const daysFromMs = ceilTo(dayMs, fromMs)
      const daysToMs = toMs === nowMs ? ceilTo(dayMs, toMs) : floorTo(dayMs, toMs)
      const hasDays = daysFromMs < daysToMs
      const days = { fromMs: daysFromMs, toMs: hasDays ? daysToMs : daysFromMs }
      const hoursOf = (hours: TimeWindow) => talliesIn(store.hours, monitor, counting.hours, hours)
      return uptimeIn({ fromMs, toMs }, [
        ...hoursOf({ fromMs, toMs: hasDays ? daysFromMs : toMs }),
        ...talliesIn(store.days, monitor, counting.days, days),
        ...(hasDays ? hoursOf({ fromMs: daysToMs, toMs }) : []),
      ])
    },
  }
}

/** The day and the hour that are being counted, and later ones, until now in the current state. */
function countingTallies(
  monitor: Monitor,
  monitorState: MonitorState,
  nowMs: number,
  leftOut: LeftOut,
): { readonly days: readonly Tally[]; readonly hours: readonly Tally[] } {
  const state = monitor.isActive ? shownMonitorState(monitorState) : 'paused'
  const rest = { state, fromMs: monitorState.accountedToMs, toMs: nowMs } as const
  const covered = leftOut.maintenance(monitor, rest.fromMs, nowMs)
  const spans = withMaintenance(withGaps([rest], leftOut.gaps()), covered)
  const until = (tally: Tally, bucketMs: number) => {
    const tallies = [tally]
    for (const { state, fromMs, toMs } of spans) {
      const last = tallies.pop() ?? tally
      tallies.push(...accrue(last, state, fromMs, toMs, bucketMs))
    }
    return tallies
  }
  return { days: until(monitorState.tally, dayMs), hours: until(monitorState.hour, hourMs) }
}
