// The uptime of a monitor within any window of whole hours, from its days and hours.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import { atMostEntries } from '../base/memory/bounds.ts'
import { accrueAll, dayMs, hourMs, type Tally } from '../domain/health/span.ts'
import { ceilTo, floorTo, type TimeWindow } from '../domain/health/time-window.ts'
import { type StateTimes, sumOfTimes, type UptimeTimes, uptimeIn } from '../domain/health/uptime.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { MonitorState } from '../domain/monitors/monitor-state.ts'
import { type LeftOut, leftOutOf, spansSinceResult } from './left-out.ts'
import type { Store } from './store.ts'

export interface UptimeReaderDeps {
  readonly store: Pick<Store, 'days' | 'hours' | 'meta' | 'windows'>
  readonly clock: Pick<Clock, 'nowMs'>
  /** What the uptime leaves out; default: that of monitors by their own ids. */
  readonly leftOut?: LeftOut
}

/** The sum of a monitor's finished days from a day on. */
interface DaysSum {
  /** The day that was being counted: another one means that this one is finished, too. */
  readonly countedMs: number
  readonly past: number
  readonly times: StateTimes
}

/** Sums that are remembered: finished days never change, and uptime is asked for again and again. */
const daysSumsKept = 10_000

export function createUptimeReader({ store, clock, leftOut = leftOutOf(store) }: UptimeReaderDeps) {
  const sums = new LRUCache<string, DaysSum>(atMostEntries(daysSumsKept))

  /** The time since the last result, until now in the current state. */
  function spansFrom(fromMs: number, monitor: Monitor, monitorState: MonitorState, nowMs: number) {
    const window = { fromMs: floorTo(dayMs, fromMs), toMs: nowMs }
    return spansSinceResult(leftOut, monitor, monitorState, window)
  }

  /** The hours within the window, with those of the ones that are being counted. */
  function hoursIn(
    { orgId, id }: Monitor,
    counting: () => readonly Tally[],
    window: TimeWindow,
  ): readonly Tally[] {
    if (window.fromMs >= window.toMs) return []
    // A stored one is never also being counted.
    return [...store.hours.within(orgId, id, window), ...startingIn(window, counting())]
  }

  function finishedDays(
    { orgId, id }: Monitor,
    { tally: { startMs: countedMs } }: MonitorState,
    window: TimeWindow,
  ): StateTimes {
    const name = `${id} ${window.fromMs} ${window.toMs}`
    const before = sums.get(name)
    const past = store.days.pastVersion(id)
    if (before?.countedMs === countedMs && before.past === past) return before.times
    const times = sumOfTimes(store.days.within(orgId, id, window))
    sums.set(name, { countedMs, past, times })
    return times
  }

  return {
    /** The hours of a window, oldest first, with the one that is not over; hours without data are missing. */
    hours(monitor: Monitor, monitorState: MonitorState, window: TimeWindow): readonly Tally[] {
      const spans = spansFrom(window.fromMs, monitor, monitorState, clock.nowMs())
      return hoursIn(monitor, () => accrueAll(monitorState.hour, spans, hourMs), window)
    },

    /** Both ends of the window are whole hours (see `wholeHours`), or the second is now. */
    of(monitor: Monitor, monitorState: MonitorState, window: TimeWindow): UptimeTimes {
      const nowMs = clock.nowMs()
      const { fromMs } = window
      const toMs = Math.min(window.toMs, nowMs)
      const spans = spansFrom(fromMs, monitor, monitorState, nowMs)
      const countedHours = () => accrueAll(monitorState.hour, spans, hourMs)
      const hours = (fromMs: number, toMs: number) => {
        return hoursIn(monitor, countedHours, { fromMs, toMs })
      }
      // Days are read whole, which is much less; today so far is one if the window has the present hour.
      const endsNow = toMs > floorTo(hourMs, nowMs)
      const days = {
        fromMs: ceilTo(dayMs, fromMs),
        toMs: endsNow ? ceilTo(dayMs, toMs) : floorTo(dayMs, toMs),
      }
      if (days.fromMs >= days.toMs) return uptimeIn({ fromMs, toMs }, hours(fromMs, toMs))
      return uptimeIn({ fromMs, toMs }, [
        ...hours(fromMs, days.fromMs),
        finishedDays(monitor, monitorState, days),
        ...startingIn(days, accrueAll(monitorState.tally, spans, dayMs)),
        ...hours(days.toMs, toMs),
      ])
    },
  }
}

function startingIn({ fromMs, toMs }: TimeWindow, tallies: readonly Tally[]): readonly Tally[] {
  return tallies.filter(({ startMs }) => startMs >= fromMs && startMs < toMs)
}
