// The uptime of a monitor within any window of whole hours, from its days and hours.
import type { Clock } from '../base/clock.ts'
import { accrueAll, dayMs, hourMs, type Tally } from '../domain/health/span.ts'
import { ceilTo, floorTo, type TimeWindow } from '../domain/health/time-window.ts'
import { type UptimeTimes, uptimeIn } from '../domain/health/uptime.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { MonitorState } from '../domain/monitors/monitor-state.ts'
import { type LeftOut, leftOutOf, spansSinceResult } from './left-out.ts'
import type { Store } from './store.ts'
import type { TalliesTable } from './tables/checks/tallies.ts'

export interface UptimeReaderDeps {
  readonly store: Pick<Store, 'days' | 'hours' | 'meta' | 'windows'>
  readonly clock: Pick<Clock, 'nowMs'>
}

export function createUptimeReader({ store, clock }: UptimeReaderDeps) {
  const leftOut = leftOutOf(store)

  /** The tallies of a table within the window, with the ones that are still being counted. */
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
    /** The hours of a window, oldest first, with the one that is not over; hours without data are missing. */
    hours(monitor: Monitor, monitorState: MonitorState, window: TimeWindow): readonly Tally[] {
      const counting = countingTallies(monitor, monitorState, window.fromMs, clock.nowMs(), leftOut)
      return talliesIn(store.hours, monitor, counting.hours, window)
    },

    /** Both ends of the window are whole hours (see `wholeHours`), or the second is now. */
    of(monitor: Monitor, monitorState: MonitorState, window: TimeWindow): UptimeTimes {
      const nowMs = clock.nowMs()
      const { fromMs } = window
      const toMs = Math.min(window.toMs, nowMs)
      const counting = countingTallies(monitor, monitorState, fromMs, nowMs, leftOut)
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

/**
 * The day and the hour that are being counted, and later ones from a time on, until now in the current
 * state.
 */
function countingTallies(
  monitor: Monitor,
  monitorState: MonitorState,
  fromMs: number,
  nowMs: number,
  leftOut: LeftOut,
): { readonly days: readonly Tally[]; readonly hours: readonly Tally[] } {
  const window = { fromMs: floorTo(dayMs, fromMs), toMs: nowMs }
  const spans = spansSinceResult(leftOut, monitor, monitorState, window)
  return {
    days: accrueAll(monitorState.tally, spans, dayMs),
    hours: accrueAll(monitorState.hour, spans, hourMs),
  }
}
