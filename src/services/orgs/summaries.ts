// The summary of an organization: the number of monitors in each state, and the worst ones.

import { LRUCache } from 'lru-cache'
import type { ImportId, IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import { type CountedNoun, countedNouns, recordOf } from '../../base/nouns.ts'
import { laterTurn } from '../../base/yielding.ts'
import { dayMs, type Tally } from '../../domain/health/span.ts'
import { floorTo } from '../../domain/health/time-window.ts'
import { sumOfTimes, timesOf } from '../../domain/health/uptime.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isCovered, isOn } from '../../domain/maintenance/coverage.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Quotas } from '../../domain/orgs/org.ts'
import { nounCounts } from '../../store/nouns.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { type MonitorView, stateOf } from '../monitors/monitor-view.ts'

type ViewedState = MonitorView['state']

export interface WorstMonitor {
  readonly monitor: Monitor
  readonly monitorState: MonitorState
  readonly state: ViewedState
}

export interface Summary {
  readonly states: Readonly<Record<ViewedState, number>>
  readonly openIncidents: number
  /** The newest open ones, the worst first. */
  readonly newestIncidents: readonly Incident[]
  /** The monitors that are down, then the degraded ones; the longest lasting first. */
  readonly worstMonitors: readonly WorstMonitor[]
  readonly usage: Readonly<Record<CountedNoun, number>>
  readonly quotas: Quotas
  readonly today: Today
  /** The imports whose monitors are silent, and how many. */
  readonly shadowRuns: readonly { readonly importId: ImportId; readonly monitors: number }[]
}

/** The present UTC day of all monitors, until the newest result of each. */
interface Today {
  readonly checks: number
  /** The share of the counted time that was up or degraded; null if none counts. */
  readonly uptime: number | null
}

interface MonitorOverview {
  readonly states: Record<ViewedState, number>
  /** One of the present UTC day for each monitor with a result today. */
  readonly tallies: Tally[]
  /** Worst first, at most limits.summaryItemsMax. */
  readonly worst: RankedMonitor[]
}

interface RankedMonitor {
  readonly monitorId: MonitorId
  readonly monitorState: MonitorState
  readonly state: ViewedState
}

interface CachedSummary {
  readonly summary: Promise<Summary>
  /**
   * The time by the monotonic clock; while the summary is being computed, all callers share the same
   * promise.
   */
  goodUntilMs: number
}

export type Summaries = ReturnType<typeof createSummaries>

/** How long a summary is reused if computing it took more than one time slice. */
export const summaryFreshMs = 2_000
const summariesRemembered = 1_000

export function createSummaries({ store, clock, quotas }: Core) {
  const cached = new LRUCache<OrgId, CachedSummary>({ max: summariesRemembered })

  /** The state of each monitor now. Records are read only while a window is on. */
  function statesOf(orgId: OrgId) {
    const nowMs = clock.nowMs()
    const on = store.windows.coverings(orgId).filter((one) => isOn(one, nowMs))
    return ({ monitorId, monitorState }: Omit<RankedMonitor, 'state'>): ViewedState => {
      const monitor = on.length > 0 ? store.monitors.readable(orgId, monitorId) : undefined
      const isUnderMaintenance = monitor !== undefined && isCovered(on, monitor, nowMs)
      return stateOf({ isActive: !monitorState.isPaused }, monitorState, isUnderMaintenance)
    }
  }

  async function look(orgId: OrgId): Promise<MonitorOverview> {
    const sight: MonitorOverview = {
      states: { up: 0, degraded: 0, down: 0, unknown: 0, pending: 0, paused: 0, maintenance: 0 },
      tallies: [],
      worst: [],
    }
    const todayMs = floorTo(dayMs, clock.nowMs())
    const stateIn = statesOf(orgId)
    let after: MonitorId | undefined
    do {
      const slice = store.monitorStates.slice(orgId, limits.scanSlice, after)
      for (const seen of slice) {
        const state = stateIn(seen)
        sight.states[state] += 1
        const { tally } = seen.monitorState
        if (tally.startMs === todayMs) sight.tallies.push(tally)
        if (badness[state] > 0) rankIn(sight.worst, { ...seen, state })
      }
      after = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.monitorId
      if (after) await laterTurn()
    } while (after)
    return sight
  }

  async function countOpen(orgId: OrgId): Promise<number> {
    let count = 0
    let after: IncidentId | undefined
    do {
      const slice = store.incidents.openIds(orgId, limits.scanSlice, after)
      count += slice.length
      after = slice.length < limits.scanSlice ? undefined : slice.at(-1)
      if (after) await laterTurn()
    } while (after)
    return count
  }

  async function make(orgId: OrgId): Promise<Summary> {
    const { states, tallies, worst } = await look(orgId)
    return {
      states,
      openIncidents: await countOpen(orgId),
      newestIncidents: store.incidents
        .listOpen(orgId, limits.summaryItemsMax)
        .toSorted((a, b) => severityRank[b.severity] - severityRank[a.severity]),
      worstMonitors: worst.flatMap(({ monitorId, monitorState, state }) => {
        const monitor = store.monitors.readable(orgId, monitorId)
        return monitor ? [{ monitor, monitorState, state }] : []
      }),
      usage: recordOf(countedNouns, (name) => nounCounts[name](store, orgId)),
      quotas: quotas.of(orgId),
      shadowRuns: [...store.monitors.silentCounts(orgId)].map(([importId, monitors]) => ({
        importId,
        monitors,
      })),
      today: {
        checks: tallies.reduce((sum, { checks }) => sum + checks, 0),
        uptime: timesOf(sumOfTimes(tallies)).ratio,
      },
    }
  }

  return {
    /**
     * The summary, up to two seconds old for a very large organization. Computing it yields to other
     * work.
     */
    of({ orgId }: OrgScope): Promise<Summary> {
      // An organization with few monitors gets a fresh summary, so that changes show at once.
      if (store.monitors.count(orgId) <= limits.scanSlice) return make(orgId)
      const before = cached.get(orgId)
      if (before && clock.monoMs() < before.goodUntilMs) return before.summary
      const entry: CachedSummary = { summary: make(orgId), goodUntilMs: Number.POSITIVE_INFINITY }
      cached.set(orgId, entry)
      const expire = () => {
        entry.goodUntilMs = clock.monoMs() + summaryFreshMs
      }
      entry.summary.then(expire, () => cached.delete(orgId))
      return entry.summary
    },
  }
}

/** 0: nothing is wrong with it. */
const badness: Readonly<Record<ViewedState, number>> = {
  down: 2,
  degraded: 1,
  up: 0,
  unknown: 0,
  pending: 0,
  paused: 0,
  maintenance: 0,
}

const severityRank: Readonly<Record<Incident['severity'], number>> = {
  down: 4,
  declared: 3,
  degraded: 2,
  certificate: 1,
  domain: 0,
}

/** Inserts a monitor among the worst, and drops the last one if there are too many. */
function rankIn(worst: RankedMonitor[], seen: RankedMonitor): void {
  const isWorse = (other: RankedMonitor) =>
    badness[seen.state] - badness[other.state] ||
    other.monitorState.health.sinceMs - seen.monitorState.health.sinceMs
  const at = worst.findIndex((other) => isWorse(other) > 0)
  if (at < 0 && worst.length >= limits.summaryItemsMax) return
  worst.splice(at < 0 ? worst.length : at, 0, seen)
  if (worst.length > limits.summaryItemsMax) worst.pop()
}
