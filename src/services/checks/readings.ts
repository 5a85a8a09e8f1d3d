// History: the results of a monitor's checks, and its uptime.
import type { FoundMemory } from '../../actors/monitor/found-memory.ts'
import type { MonitorId } from '../../base/ids.ts'
import { reaches } from '../../domain/access.ts'
import type { CheckRow } from '../../domain/checks/check-row.ts'
import type { ErrorKind, Loose } from '../../domain/checks/reading.ts'
import {
  countedMs,
  hourMs,
  type SpanState,
  uptimeRatio,
  type WorkedTime,
} from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { hasVote, type PlaceId } from '../../domain/locations/place.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  type FailureEvidence,
  type MonitorState,
  shownMonitorState,
} from '../../domain/monitors/monitor-state.ts'
import { leftOutOf } from '../../store/left-out.ts'
import { createUptimeReader } from '../../store/monitor-uptime.ts'
import type { ReportRecord } from '../../store/tables/checks/checks.ts'
import { newestBlocks } from '../../store/tables/checks/newest-rows.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { placesOfRows } from './row-places.ts'
import { createSights, type MonitorSight, type OfPlace } from './sights.ts'
import { createNewestSums, dayBuckets, hourBuckets } from './tally-memory.ts'

/** Each is null while less than an hour of its window counts. */
export interface Uptime {
  /** The current hour and the 24 before it. */
  readonly '24h': number | null
  /** Whole UTC days, including today so far. */
  readonly '7d': number | null
  readonly '30d': number | null
  readonly '90d': number | null
}

/** How long a monitor's uptime stays the same if its state stays the same record. */
interface SteadyUptime {
  readonly uptime: Uptime
  readonly monitorState: MonitorState
  readonly fromMs: number
  readonly untilMs: number
  /** How often an import changed what was before. */
  readonly past: number
}

/**
 * How long more time in the current state leaves the uptime as it is: at most until the hour is over,
 * because then the covered time moves on. Time that does not count leaves every uptime, and time that
 * worked leaves a full uptime, and an uptime of which too little is known until enough is.
 */
function steadyUntilMs(state: SpanState, sums: readonly WorkedTime[], nowMs: number): number {
  if (state === 'down') return nowMs
  const hourEndsMs = (Math.floor(nowMs / hourMs) + 1) * hourMs
  if (state !== 'up' && state !== 'degraded') return hourEndsMs
  if (sums.some(({ downMs }) => downMs > 0)) return nowMs
  const missingMs = sums
    .map((sum) => limits.uptimeCountedMsMin - countedMs(sum))
    .filter((ms) => ms > 0)
  return Math.min(hourEndsMs, ...missingMs.map((ms) => nowMs + ms))
}

export interface CheckFilter extends PageRequest, OfPlace {
  readonly fromMs?: number
  readonly toMs?: number
  readonly outcome?: CheckRow['verdict']
  readonly errorKind?: ErrorKind
  readonly status?: number
}

/** A row, its block, and the number of the block, the newest first. */
interface BlockRow {
  readonly row: CheckRow
  readonly blockMs: number
  readonly block: number
}

/** The last row of a page: its time, and how many rows of that time came until it. */
interface RowPlace {
  readonly blockMs: number
  readonly atMs: number
  readonly same: number
}

function textOf({ blockMs, atMs, same }: RowPlace): string {
  return [blockMs, atMs, same].join('.')
}

function placeOf(text: string): RowPlace {
  const [blockMs = 0, atMs = blockMs, same = 1] = text.split('.').map(Number)
  return { blockMs, atMs, same }
}

/**
 * The rows behind a place. Meanwhile its row may have moved to the block before, or to the one behind
 * that; if it is gone, the earlier ones follow.
 */
function* rowsBehind(place: RowPlace, rows: Iterable<BlockRow>): Generator<BlockRow> {
  const passed: BlockRow[] = []
  let same = 0
  let isFound = false
  const earlier = () => passed.filter(({ row }) => row.atMs < place.atMs)
  for (const placed of rows) {
    if (isFound) {
      yield placed
      continue
    }
    passed.push(placed)
    if (placed.row.atMs === place.atMs) same += 1
    if (same === place.same) isFound = true
    else if (placed.block > 1) {
      isFound = true
      yield* earlier()
    }
  }
  if (!isFound) yield* earlier()
}

function fitsFilter(row: CheckRow, { outcome, errorKind, status }: CheckFilter): boolean {
  if (outcome !== undefined && row.verdict !== outcome) return false
  if (errorKind !== undefined && row.errorKind !== errorKind) return false
  return status === undefined || row.status === status
}

/** The newest result with its findings; only members see the words of the target. */
export interface LatestCheck {
  readonly monitorState: MonitorState
  /** What the newest result says that is no failure; undefined if it says nothing. */
  readonly message?: string | undefined
  readonly failure?: FailureEvidence | undefined
  /** The newest push report with metadata. */
  readonly report?: ReportRecord | undefined
  /** Findings of the newest check, while they are in memory. */
  readonly found?: Loose | null
}

/** The current hour and the 24 before it. */
const uptimeHours = 25

export type Readings = ReturnType<typeof createReadings>

export interface ReadingsDeps {
  readonly found: FoundMemory
}

export function createReadings({ store, clock }: Core, { found }: ReadingsDeps) {
  const sights = createSights({ store, clock })

  function* rowsOf(
    scope: Pick<OrgScope, 'orgId'>,
    monitorId: MonitorId,
    place: PlaceId | undefined,
    throughMs: number,
  ): Generator<BlockRow> {
    const { readers, kept, state } = sights.find(scope, monitorId, place)
    let block = 0
    for (const { fromMs, rows } of newestBlocks(readers.checks, kept, state, throughMs)) {
      for (const row of rows.toReversed()) yield { row, blockMs: fromMs, block }
      block += 1
    }
  }

  function messageOf({ readers, kept, state }: MonitorSight): string | undefined {
    const [newest] = newestBlocks(readers.checks, kept, state, clock.nowMs())
    const row = newest?.rows.at(-1)
    return row?.errorKind === undefined ? row?.message : undefined
  }

  const leftOut = leftOutOf(store)
  const daySums = createNewestSums(store.days, leftOut, dayBuckets, [90, 30, 7])
  const pastOf = ({ id }: Monitor) => store.days.pastVersion(id) + store.hours.pastVersion(id)
  const hourSums = createNewestSums(store.hours, leftOut, hourBuckets, [uptimeHours])
  const steady = new WeakMap<Monitor, SteadyUptime>()

  return {
    /** The time in each state within any window of whole hours. */
    uptimeOf: createUptimeReader({ store, clock }).of,

    /** `isRecalled`: the same records are likely to be shown again. */
    uptime(monitor: Monitor, monitorState: MonitorState, isRecalled = true): Uptime {
      const nowMs = clock.nowMs()
      const before = isRecalled ? steady.get(monitor) : undefined
      // Windows begin, end and change, so while there are some nothing is remembered.
      const isPlain = store.windows.coverings(monitor.orgId).length === 0
      if (before?.monitorState === monitorState && isPlain) {
        const isSteady = nowMs >= before.fromMs && nowMs < before.untilMs
        if (isSteady && before.past === pastOf(monitor)) return before.uptime
      }
      const sums = [
        ...hourSums(monitor, monitorState, nowMs),
        ...daySums(monitor, monitorState, nowMs),
      ]
      const [of24h = null, of90d = null, of30d = null, of7d = null] = sums.map(uptimeRatio)
      const uptime: Uptime = { '24h': of24h, '7d': of7d, '30d': of30d, '90d': of90d }
      const state = monitor.isActive ? shownMonitorState(monitorState) : 'paused'
      const untilMs = isRecalled && isPlain ? steadyUntilMs(state, sums, nowMs) : nowMs
      if (untilMs > nowMs)
        steady.set(monitor, { uptime, monitorState, fromMs: nowMs, untilMs, past: pastOf(monitor) })
      return uptime
    },

    /** The uptime of `24h` alone, where nothing is remembered: a quarter of the work. */
    uptimeOfDay(monitor: Monitor, monitorState: MonitorState): number | null {
      const [sum] = hourSums(monitor, monitorState, clock.nowMs())
      return sum ? uptimeRatio(sum) : null
    },

    /**
     * Results, newest first, in the order in which they were stored. Throws not_found, invalid_parameter.
     */
    checks(
      scope: Pick<OrgScope, 'orgId'>,
      monitorId: MonitorId,
      filter: CheckFilter,
    ): PageOf<CheckRow> {
      const { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.MAX_SAFE_INTEGER } = filter
      const before = filter.after === undefined ? undefined : placeOf(filter.after)
      const throughMs = before ? Math.max(before.blockMs, before.atMs) : toMs
      const all = rowsOf(scope, monitorId, filter.place, throughMs)
      const items: CheckRow[] = []
      let scanned = 0
      let place = before
      for (const { row, blockMs } of before ? rowsBehind(before, all) : all) {
        if (row.atMs > toMs) continue
        if (row.atMs < fromMs) return { items }
        if (items.length >= filter.limit || scanned >= limits.listScanMax) {
          return place ? { items, nextAfter: textOf(place) } : { items }
        }
        scanned++
        const same: number = place?.atMs === row.atMs ? place.same + 1 : 1
        place = { blockMs, atMs: row.atMs, same }
        if (fitsFilter(row, filter)) items.push(row)
      }
      return { items }
    },

    /**
     * From which place each of these results of a page came, which may be of all places together; undefined where
     * none votes, or if the place checks the monitor no more. Throws not_found, invalid_parameter.
     */
    placesOf(
      scope: OrgScope,
      monitorId: MonitorId,
      place: PlaceId | undefined,
      rows: readonly CheckRow[],
    ): (row: CheckRow) => PlaceId | undefined {
      const { monitor } = sights.find(scope, monitorId, place)
      if (place !== undefined) return () => (hasVote(monitor) ? place : undefined)
      return placesOfRows(sights, monitor, rows)
    },

    /** Throws not_found, invalid_parameter. Findings and reports are not kept by place. */
    latest(scope: OrgScope, monitorId: MonitorId, place?: PlaceId): LatestCheck {
      const sight = sights.find(scope, monitorId, place)
      const { kept, state: monitorState, readers } = sight
      const message = messageOf(sight)
      if (!reaches(scope.role, 'member')) return { monitorState, message }
      const failure = readers.checks.evidence(scope.orgId, kept.id)
      if (place !== undefined) return { monitorState, message, failure }
      const report = store.checks.report(scope.orgId, monitorId)
      return { monitorState, message, failure, report, found: found.newest(monitorId) }
    },
  }
}
