// Simulations: the stored results of a monitor under other thresholds, beside the thresholds of today and
// what really happened.

import { Fault, notFound, rateLimited, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { createYielder } from '../../base/yielding.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { chosenChannels } from '../../domain/alerts/route.ts'
import { type SimulatedAlerts, simulateAlerts } from '../../domain/alerts/simulated-alerts.ts'
import { type CheckRow, readRows } from '../../domain/checks/check-row.ts'
import { isChecked, isTold } from '../../domain/checks/check-type.ts'
import {
  type SimulationResult,
  type SimulationRules,
  startSimulation,
} from '../../domain/health/simulation.ts'
import { dayMs } from '../../domain/health/span.ts'
import { type Incident, isOfHealth } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { hasVote } from '../../domain/locations/place.ts'
import { contains, type Interval, merged } from '../../domain/maintenance/interval.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { hasField } from '../../domain/monitors/monitor-fields.ts'
import { pushPolicy } from '../../domain/schedule/push-deadline.ts'
import { createReportReplay } from '../../domain/schedule/simulated-reports.ts'
import { kindOf } from '../../probes/registry.ts'
import { leftOutOf } from '../../store/left-out.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { tooBusy } from './run-limits.ts'

/** The fields of a monitor that a simulation may change. */
export type Thresholds = Pick<
  Monitor,
  | 'failureThreshold'
  | 'recoveryThreshold'
  | 'degradedThresholdMs'
  | 'degradedThreshold'
  | 'degradedOpensIncident'
  | 'graceSeconds'
  | 'reminderMinutes'
>

export type ChangedThresholds = {
  readonly [Name in keyof Thresholds]?: Thresholds[Name] | undefined
}

export interface SimulationRequest {
  readonly fromMs?: number
  readonly toMs?: number
  readonly changes: ChangedThresholds
}

/** What some thresholds lead to. */
export interface SimulatedOutcome extends SimulationResult {
  readonly thresholds: Thresholds
  readonly alerts: SimulatedAlerts
}

export interface SimulationView {
  readonly monitor: Monitor
  readonly fromMs: number
  readonly toMs: number
  /** The number of results, and the times of the first and the last. */
  readonly results: number
  readonly firstAtMs: number | null
  readonly lastAtMs: number | null
  readonly current: SimulatedOutcome
  readonly changed: SimulatedOutcome
  /** The incidents of this monitor that overlap with the time, newest first. */
  readonly realIncidents: readonly Incident[]
  /** The channels that the monitor alerts today. */
  readonly channels: readonly Channel[]
}

export interface SimulationsDeps {
  /** False if the operator switched the API's limits off. */
  readonly isLimited: () => boolean
}

/** Simulations that wait for others. */
export const simulationsWaiting = 8
/** How long a simulation runs before other work has its turn: short, because checks run meanwhile. */
const simulationSliceMs = 5

export function createSimulations({ store, clock }: Core, { isLimited }: SimulationsDeps) {
  const ofOrg = createLimiter(limits.simulationsOfOrg, limits.rateKeysMax)
  const leftOut = leftOutOf(store)
  let waiting = 0
  let running: Promise<unknown> = Promise.resolve()

  function mustBeRare(orgId: OrgId): void {
    if (!isLimited()) return
    const { isAllowed, retryMs } = ofOrg.take(orgId, clock.nowMs())
    if (isAllowed) return
    const { quota } = limits.simulationsOfOrg
    throw rateLimited(
      retryMs,
      (seconds) => `At most ${quota} simulations a minute; again in ${seconds} s.`,
    )
  }

  /** One after the other, because each takes a good part of the processor. */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= simulationsWaiting) throw tooBusy()
    waiting += 1
    const before = running
    const mine = before.catch(() => undefined).then(work)
    running = mine
    try {
      return await mine
    } finally {
      waiting -= 1
    }
  }

  /** The blocks of results that may lie in the time, oldest first. */
  async function blocksOf(
    monitor: Monitor,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    yielder: ReturnType<typeof createYielder>,
  ): Promise<readonly Uint8Array[]> {
    const { orgId, id } = monitor
    const blocks: Uint8Array[] = []
    const state = store.monitorStates.get(orgId, id)
    const isOpen = state !== undefined && state.recentRowCount > 0
    if (isOpen) blocks.push(state.recentRows)
    for (const { fromMs: startMs, rows } of store.checks.newestFirst(orgId, id, toMs)) {
      // Meanwhile the newest rows may have become a block.
      if (isOpen && startMs === state.recentFromMs) continue
      blocks.push(rows)
      if (startMs < fromMs) break
      if (yielder.isDue()) await yielder.pause()
    }
    return blocks.reverse()
  }

  function outcomeOf(
    monitor: Monitor,
    thresholds: Thresholds,
    fromMs: number,
    channels: readonly Channel[],
    gaps: readonly Interval[],
  ) {
    const isPush = !isChecked(monitor)
    const pace = monitor.schedule === null ? monitor.intervalSeconds : schedulePaceSeconds
    const { graceSeconds } = thresholds
    const rules: SimulationRules = {
      ...(isPush ? pushPolicy({ ...monitor, ...thresholds }) : thresholds),
      degradedThresholdMs: monitor.isUpsideDown ? null : thresholds.degradedThresholdMs,
      isPush,
      // What was said holds until something else is said.
      explainedMs: isTold(monitor)
        ? Number.POSITIVE_INFINITY
        : (2 * pace + (isPush ? graceSeconds : 0)) * 1_000 + monitor.timeoutMs,
    }
    const alerts = simulateAlerts(channels, thresholds.reminderMinutes)
    const simulation = startSimulation({ rules, fromMs, gaps, onNews: alerts.tell })
    // With the grace of today the stored misses are the most exact.
    const reports =
      graceSeconds === monitor.graceSeconds
        ? null
        : createReportReplay({ ...monitor, graceSeconds }, gaps)
    return {
      add(row: CheckRow): void {
        for (const one of reports?.add(row) ?? [row]) simulation.add(one)
      },
      end(toMs: number): SimulatedOutcome {
        for (const one of reports?.end(toMs) ?? []) simulation.add(one)
        return { thresholds, ...simulation.end(toMs), alerts: alerts.end(toMs) }
      },
    }
  }

  function channelsOf(monitor: Monitor): readonly Channel[] {
    const { orgId, notifyChannelIds } = monitor
    if (isOrgOff(store, orgId)) return []
    const named = notifyChannelIds.flatMap((id) => store.channels.readable(orgId, id) ?? [])
    return chosenChannels([monitor], named, () => store.channels.defaults(orgId))
  }

  function realIncidents({ orgId, id }: Monitor, fromMs: number, toMs: number): Incident[] {
    const found: Incident[] = []
    let scanned = 0
    const filter = { monitorId: id, limit: limits.pageItemsMax }
    for (const incident of store.incidents.newestFirst(orgId, filter)) {
      if (++scanned > limits.listScanMax) break
      const isBefore = (incident.resolvedAtMs ?? toMs) < fromMs
      if (isBefore || incident.startedAtMs > toMs || !isOfHealth(incident)) continue
      found.push(incident)
    }
    return found
  }

  /** Until then also other places checked it, and its results are mixed. */
  function aloneFromMs({ orgId, id }: Monitor): number {
    const { idsOf, monitorStates } = store.placed
    const lastMs = idsOf(orgId, id).map(
      (one) => monitorStates.recall(orgId, one)?.accountedToMs ?? 0,
    )
    return Math.max(0, ...lastMs) + 1
  }

  async function simulated(
    monitor: Monitor,
    span: { readonly fromMs: number; readonly toMs: number },
    changes: ChangedThresholds,
    signal: AbortSignal | undefined,
  ): Promise<SimulationView> {
    const { fromMs, toMs } = span
    const yielder = createYielder(clock, simulationSliceMs)
    const channels = channelsOf(monitor)
    const maintained = leftOut.maintenance(monitor, fromMs, toMs)
    const gaps = merged([...leftOut.gaps(), ...maintained])
    const current = outcomeOf(monitor, thresholdsOf(monitor), fromMs, channels, gaps)
    const changed = outcomeOf(monitor, thresholdsOf(monitor, changes), fromMs, channels, gaps)
    let results = 0
    let firstAtMs: number | null = null
    let lastAtMs: number | null = null
    for (const block of await blocksOf(monitor, span, yielder)) {
      for (const row of readRows(block)) {
        if (row.atMs < fromMs || row.atMs > toMs) continue
        // Under maintenance nothing opens, and the time does not count.
        if (maintained.some((one) => contains(one, row.atMs))) continue
        results += 1
        firstAtMs ??= row.atMs
        lastAtMs = row.atMs
        current.add(row)
        changed.add(row)
      }
      if (yielder.isDue()) {
        await yielder.pause()
        if (signal?.aborted) throw tooBusy()
      }
    }
    return {
      monitor,
      ...span,
      results,
      firstAtMs,
      lastAtMs,
      current: current.end(toMs),
      changed: changed.end(toMs),
      realIncidents: realIncidents(monitor, fromMs, toMs),
      channels,
    }
  }

  return {
    /** Changes nothing. Throws not_found, conflict, validation_failed, rate_limited, unavailable. */
    async run(
      scope: OrgScope,
      monitorId: MonitorId,
      request: SimulationRequest,
      signal?: AbortSignal,
    ): Promise<SimulationView> {
      const monitor = store.monitors.get(scope.orgId, monitorId)
      if (!monitor) throw notFound('monitor')
      if (hasVote(monitor)) throw new Fault('conflict', noVotes)
      const nowMs = clock.nowMs()
      const earliestMs = Math.max(nowMs - limits.checksKeptDays * dayMs, aloneFromMs(monitor))
      const fromMs = Math.max(request.fromMs ?? earliestMs, earliestMs)
      const toMs = Math.min(request.toMs ?? nowMs, nowMs)
      refuseInvalid([
        ...(fromMs < toMs
          ? []
          : [
              {
                pointer: '/from',
                keyword: 'maximum',
                message: 'must be before `to` and in the past',
              },
            ]),
        ...unfitting(monitor, request.changes),
      ])
      mustBeRare(scope.orgId)
      return inTurn(() => simulated(monitor, { fromMs, toMs }, request.changes, signal))
    },
  }
}

/** The thresholds belong to each place, whose results are mixed in those of the monitor. */
const noVotes = 'Several locations check this monitor and vote, which a simulation cannot replay.'

/** A cron schedule has no period: results further apart than a day leave a gap. */
const schedulePaceSeconds = 86_400

/** What the changes leave out is as in the monitor. */
function thresholdsOf(
  monitor: Monitor,
  {
    failureThreshold = monitor.failureThreshold,
    recoveryThreshold = monitor.recoveryThreshold,
    degradedThresholdMs = monitor.degradedThresholdMs,
    degradedThreshold = monitor.degradedThreshold,
    degradedOpensIncident = monitor.degradedOpensIncident,
    graceSeconds = monitor.graceSeconds,
    reminderMinutes = monitor.reminderMinutes,
  }: ChangedThresholds = {},
): Thresholds {
  return {
    failureThreshold,
    recoveryThreshold,
    degradedThresholdMs,
    degradedThreshold,
    degradedOpensIncident,
    graceSeconds,
    reminderMinutes,
  }
}

/** A threshold without an effect is probably a mistake, as in the monitor itself. */
function unfitting(monitor: Monitor, changes: ChangedThresholds) {
  const kind = kindOf(monitor)
  return Object.entries(changes).flatMap(([name, value]) => {
    if (value === undefined || hasField(kind, name)) return []
    const message = `does not apply to checkType ${kind.type}`
    return [{ pointer: `/${name}`, keyword: 'forbidden', message }]
  })
}
