// All monitors of an organization at a glance, for screens: little of each, and the newest hours of the
// monitors in view.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { createSharedTurns } from '../../base/waiting/shared-turns.ts'
import { createYielder } from '../../base/yielding.ts'
import { hourMs, type Tally } from '../../domain/health/span.ts'
import { floorTo } from '../../domain/health/time-window.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { FailingFrom } from '../../domain/locations/shown-places.ts'
import { coverageAt, isOn } from '../../domain/maintenance/coverage.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { createUptimeReader } from '../../store/monitor-uptime.ts'
import { createNewestResponseTimes } from '../checks/newest-response-times.ts'
import type { Readings } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { FailingFromOf } from './failing-from.ts'
import { type MonitorView, monitorStateOf, stateOf } from './monitor-view.ts'

export interface MonitorGlance {
  readonly monitor: Monitor
  readonly monitorState: MonitorState
  readonly state: MonitorView['state']
  readonly sinceMs: number
  /** Null unless it is up and some of its locations see it failing. */
  readonly failingFrom: FailingFrom | null
}

export interface HourGlance {
  readonly startMs: number
  readonly tally: Pick<Tally, 'upMs' | 'degradedMs' | 'downMs'> | null
  readonly p50Ms: number | null
}

export interface RecentGlance {
  readonly monitorId: MonitorId
  /** Oldest first; the last one is not over. */
  readonly hours: readonly HourGlance[]
  /** The monitor's own uptime of `24h`: people compare it with the one on its page. */
  readonly uptime: number | null
}

export interface NamedUptime {
  readonly monitorId: MonitorId
  readonly uptime: number
}

/** Monitors that are read together: few, so that most of them are garbage before the collector moves them. */
const sliceMonitors = 100

export type MonitorOverviews = ReturnType<typeof createMonitorOverviews>

export interface MonitorOverviewsDeps {
  readonly readings: Pick<Readings, 'uptime'>
  readonly failingFrom: FailingFromOf
}

export function createMonitorOverviews(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  { readings, failingFrom }: MonitorOverviewsDeps,
) {
  const uptimes = createUptimeReader({ store, clock })
  const responseTimes = createNewestResponseTimes(store)

  const takeUptimesTurn = createSharedTurns((orgId: OrgId) =>
    readAll(orgId, ({ monitor, monitorState }) => {
      const uptime = readings.uptime(monitor, monitorState)['24h']
      return uptime === null ? [] : [{ monitorId: monitor.id, uptime }]
    }),
  )

  function glancer(orgId: OrgId, nowMs: number) {
    const on = store.windows.coverings(orgId).filter((one) => isOn(one, nowMs))
    return (monitor: Monitor): MonitorGlance => {
      const monitorState = monitorStateOf(store, monitor, false)
      const maintenance = on.length > 0 ? coverageAt(on, monitor, nowMs) : null
      const state = stateOf(monitor, monitorState, maintenance !== null)
      const isCovered = state === 'maintenance' && maintenance
      const sinceMs = isCovered ? maintenance.fromMs : monitorState.health.sinceMs
      const outvoted = state === 'up' ? failingFrom(monitor, false) : null
      return { monitor, monitorState, state, sinceMs, failingFrom: outvoted }
    }
  }

  function recentOf(monitor: Monitor): RecentGlance {
    const nowMs = clock.nowMs()
    const monitorState = monitorStateOf(store, monitor)
    const thisHourMs = floorTo(hourMs, nowMs)
    const firstMs = thisHourMs - (limits.publicChartHours - 1) * hourMs
    const tallies = new Map(
      uptimes
        .hours(monitor, monitorState, { fromMs: firstMs, toMs: nowMs })
        .map((tally) => [tally.startMs, tally]),
    )
    const times = new Map(
      responseTimes(monitor, monitorState, nowMs)?.hours.map(({ startMs, p50Ms }) => [
        startMs,
        p50Ms,
      ]),
    )
    const hours: HourGlance[] = []
    for (let startMs = firstMs; startMs <= thisHourMs; startMs += hourMs) {
      hours.push({
        startMs,
        tally: tallies.get(startMs) ?? null,
        p50Ms: times.get(startMs) ?? null,
      })
    }
    return { monitorId: monitor.id, hours, uptime: readings.uptime(monitor, monitorState)['24h'] }
  }

  /** Newest first. Yields to other work. */
  async function readAll<Made>(orgId: OrgId, make: (one: MonitorGlance) => Made): Promise<Made[]> {
    const yielder = createYielder(clock, limits.historySliceMs)
    const glance = glancer(orgId, clock.nowMs())
    const found: Made[] = []
    let after: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, sliceMonitors, after)
      for (const monitor of slice) {
        found.push(make(glance(monitor)))
        if (yielder.isDue()) await yielder.pause()
      }
      after = slice.length < sliceMonitors ? undefined : slice.at(-1)?.id
    } while (after)
    return found
  }

  return {
    /**
     * Reads what `make` makes of every monitor of an organization, newest first. Large organizations
     * are read one at a time, and callers that wait for the same one share the result: a hundred
     * screens that ask at once must not keep checks from running.
     */
    reader<Made>(make: (glance: MonitorGlance) => Made) {
      const takeTurn = createSharedTurns((orgId: OrgId) => readAll(orgId, make))
      return ({ orgId }: OrgScope): Promise<readonly Made[]> =>
        store.monitors.count(orgId) <= limits.scanSlice ? readAll(orgId, make) : takeTurn(orgId)
    },

    /** The uptime of `24h` of every monitor that has one. Callers at the same time share the result. */
    uptimes: async ({ orgId }: OrgScope): Promise<readonly NamedUptime[]> =>
      (await takeUptimesTurn(orgId)).flat(),

    /** The newest hours of some monitors, in their order; monitors that do not exist are left out. */
    async recent(
      { orgId }: OrgScope,
      monitorIds: readonly MonitorId[],
    ): Promise<readonly RecentGlance[]> {
      const yielder = createYielder(clock, limits.historySliceMs)
      const found: RecentGlance[] = []
      for (const monitorId of monitorIds) {
        const monitor = store.monitors.recall(orgId, monitorId)
        if (monitor) found.push(recentOf(monitor))
        if (yielder.isDue()) await yielder.pause()
      }
      return found
    },
  }
}
