// Histories: the uptime and the response times of monitors over any time, from what is kept of them.
import { LRUCache } from 'lru-cache'
import { invalidParameter } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { createYielder } from '../../base/yielding.ts'
import { createLatencySum, type Latencies, type LatencySum } from '../../domain/checks/latencies.ts'
import { type LatencyBuckets, latencyBuckets } from '../../domain/health/latency-buckets.ts'
import { dayMs, type Gap } from '../../domain/health/span.ts'
import {
  type AskedWindow,
  askedWindow,
  floorTo,
  isWindow,
  type TimeWindow,
  timesProblem,
  type WindowProblem,
} from '../../domain/health/time-window.ts'
import { type UptimeTimes, uptimeOfAll } from '../../domain/health/uptime.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { PlaceId } from '../../domain/locations/place.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createSights, type MonitorSight, type OfPlace, uptimeOfSight } from './sights.ts'

export interface MonitorUptime extends TimeWindow {
  readonly monitor: Monitor
  readonly times: UptimeTimes
  /** Incidents of the monitor being down that overlap with the window. */
  readonly outages: number
  /** Undefined: the uptime is that of the monitor, whose incidents these are. */
  readonly place: PlaceId | undefined
}

export interface TotalUptime extends TimeWindow {
  readonly monitors: number
  readonly times: UptimeTimes
}

export interface UptimesRequest extends AskedWindow {
  readonly tag?: string | undefined
}

export interface ResponseTimesRequest extends OfPlace {
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly points: number
}

export interface ResponseTimes extends LatencyBuckets {
  /** When the monitor was under maintenance, oldest first; the newest of very many. */
  readonly maintenance: readonly Gap[]
  readonly total: Latencies | null
  readonly buckets: readonly { readonly fromMs: number; readonly latencies: Latencies | null }[]
}

interface CachedTotal {
  readonly total: Promise<TotalUptime>
  goodUntilMs: number
}

/** Questions about the uptime of all monitors whose answers are reused. */
const uptimeTotalsCached = 500

export function createHistories({ store, clock }: Pick<Core, 'store' | 'clock'>) {
  const sights = createSights({ store, clock })
  const totals = new LRUCache<string, CachedTotal>({ max: uptimeTotalsCached })

  function windowOf(asked: AskedWindow): TimeWindow {
    const window = askedWindow(asked, clock.nowMs())
    if (!isWindow(window)) throw refused(window)
    return window
  }

  function outagesOf({ orgId, id }: Monitor, { fromMs, toMs }: TimeWindow): number {
    let outages = 0
    let scanned = 0
    const filter = { monitorId: id, limit: limits.pageItemsMax, recalls: true }
    for (const incident of store.incidents.newestFirst(orgId, filter)) {
      if (++scanned > limits.listScanMax) break
      // Declared ones follow no monitor: they overlap with others, and its seconds do not know them.
      if (incident.severity !== 'down' || incident.isDeclared) continue
      // A monitor has one incident at a time: the ones before it ended earlier.
      if ((incident.resolvedAtMs ?? toMs) <= fromMs) break
      if (incident.startedAtMs < toMs) outages += 1
    }
    return outages
  }

  const uptimeOf = (sight: MonitorSight, window: TimeWindow): MonitorUptime => ({
    monitor: sight.monitor,
    ...window,
    times: uptimeOfSight(sight, window),
    outages: outagesOf(sight.monitor, window),
    place: sight.place,
  })

  /** The monitors with a tag, or all, newest first, in slices of a size. */
  function* matching(
    orgId: OrgId,
    tag: string | undefined,
    { size, from }: { readonly size: number; readonly from?: MonitorId | undefined },
  ): Generator<Monitor> {
    let after = from
    for (;;) {
      const slice = store.monitors.list(orgId, size, after)
      for (const monitor of slice) {
        if (tag === undefined || monitor.tags.includes(tag)) yield monitor
      }
      after = slice.at(-1)?.id
      if (slice.length < size) return
    }
  }

  async function totalOf(orgId: OrgId, tag: string | undefined, window: TimeWindow) {
    const yielder = createYielder(clock, limits.historySliceMs)
    const each: UptimeTimes[] = []
    for (const monitor of matching(orgId, tag, { size: limits.scanSlice })) {
      each.push(uptimeOfSight(sights.all(monitor), window))
      if (yielder.isDue()) await yielder.pause()
    }
    return { ...window, monitors: each.length, times: uptimeOfAll(each, window) }
  }

  return {
    /** Throws not_found, invalid_parameter. */
    uptime(
      scope: OrgScope,
      monitorId: MonitorId,
      { place, ...asked }: AskedWindow & OfPlace,
    ): MonitorUptime {
      return uptimeOf(sights.find(scope, monitorId, place), windowOf(asked))
    },

    /** The uptime of each monitor, newest first. Throws invalid_parameter. */
    async uptimes(
      { orgId }: OrgScope,
      { limit, after, tag, ...asked }: UptimesRequest & PageRequest,
    ): Promise<PageOf<MonitorUptime>> {
      const window = windowOf(asked)
      const yielder = createYielder(clock, limits.historySliceMs)
      const items: MonitorUptime[] = []
      // The cursor is the id of the last monitor, which this service signed.
      const from = after as MonitorId | undefined
      // One more than the page tells whether there is another.
      const size = tag === undefined ? limit + 1 : limits.scanSlice
      for (const monitor of matching(orgId, tag, { size, from })) {
        const last = items.at(-1)
        if (last && items.length >= limit) return { items, nextAfter: last.monitor.id }
        items.push(uptimeOf(sights.all(monitor), window))
        if (yielder.isDue()) await yielder.pause()
      }
      return { items }
    },

    /** The uptime of all monitors together, at most a few seconds old. Throws invalid_parameter. */
    async totalUptime(
      { orgId }: OrgScope,
      { tag, ...asked }: UptimesRequest,
    ): Promise<TotalUptime> {
      const window = windowOf(asked)
      const key = JSON.stringify([orgId, tag ?? null, asked])
      const before = totals.get(key)
      if (before && clock.monoMs() < before.goodUntilMs) return before.total
      const total = totalOf(orgId, tag, window)
      const entry: CachedTotal = { total, goodUntilMs: Number.POSITIVE_INFINITY }
      totals.set(key, entry)
      const expire = () => {
        entry.goodUntilMs = clock.monoMs() + limits.uptimeTotalFreshMs
      }
      total.then(expire, () => totals.delete(key))
      return total
    },

    /** The newest 24 hours by default. Throws not_found, invalid_parameter. */
    responseTimes(
      scope: OrgScope,
      monitorId: MonitorId,
      { fromMs, toMs, points, place }: ResponseTimesRequest,
    ): ResponseTimes {
      const { monitor, kept, state, readers } = sights.find(scope, monitorId, place)
      const nowMs = clock.nowMs()
      const endMs = Math.min(toMs ?? nowMs, nowMs)
      const startMs = fromMs ?? endMs - dayMs
      const problem = timesProblem({ fromMs: startMs, toMs: endMs }, nowMs)
      if (problem) throw refused(problem)
      const intervalMs = monitor.intervalSeconds * 1_000
      const asked = { fromMs: startMs, toMs: endMs, pointsMax: points, intervalMs, nowMs }
      const buckets = latencyBuckets(asked)
      const sums = new Map<number, LatencySum>()
      readers.latencies.fill(kept, state, buckets, (atMs) => {
        const bucketFromMs = floorTo(buckets.bucketMs, atMs)
        const sum = sums.get(bucketFromMs) ?? createLatencySum(monitor.checkType)
        sums.set(bucketFromMs, sum)
        return sum
      })
      return {
        ...buckets,
        toMs: Math.min(buckets.toMs, nowMs),
        maintenance: readers.leftOut
          .maintenance(kept, buckets.fromMs, Math.min(buckets.toMs, nowMs))
          .slice(-limits.chartPointsMax),
        ...totalled(buckets, sums, monitor),
      }
    },
  }
}

function refused({ parameter, rule }: WindowProblem) {
  return invalidParameter(parameter, 'window', rule)
}

function totalled(
  { fromMs, toMs, bucketMs }: LatencyBuckets,
  sums: ReadonlyMap<number, LatencySum>,
  { checkType }: Monitor,
): Pick<ResponseTimes, 'total' | 'buckets'> {
  const total = createLatencySum(checkType)
  const buckets = []
  for (let startMs = fromMs; startMs < toMs; startMs += bucketMs) {
    const latencies = sums.get(startMs)?.sum() ?? null
    if (latencies) total.add(latencies)
    buckets.push({ fromMs: startMs, latencies })
  }
  return { total: total.sum(), buckets }
}
