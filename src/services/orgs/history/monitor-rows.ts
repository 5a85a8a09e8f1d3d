// Rows of the history that checks make: results, hours and days of a monitor, oldest first.
import {
  createLatencySum,
  type Latencies,
  latencyFigures,
} from '../../../domain/checks/latencies.ts'
import type { Phases } from '../../../domain/checks/reading.ts'
import { accrueAll, dayMs, hourMs, type Tally } from '../../../domain/health/span.ts'
import { ceilTo, floorTo, type TimeWindow } from '../../../domain/health/time-window.ts'
import { hasVote } from '../../../domain/locations/place.ts'
import type { HistoryRow } from '../../../domain/orgs/history-tables.ts'
import { spansSinceResult } from '../../../store/left-out.ts'
import { oldestRows } from '../../../store/tables/checks/oldest-rows.ts'
import type { Rollup } from '../../../store/tables/checks/tallies.ts'
import { placesOfRows } from '../../checks/row-places.ts'
import { type MonitorSight, type Sights, saidState } from '../../checks/sights.ts'

/** Which monitor a row is about. */
export type MonitorColumns = Pick<
  HistoryRow<'results'>,
  'monitorId' | 'monitorName' | 'monitorProduct' | 'monitorOrigin'
>

/** The length of hours and days, and how many are read at once. */
export const tallySteps = {
  hours: { table: 'hours', bucketMs: hourMs, stepMs: 7 * dayMs },
  days: { table: 'days', bucketMs: dayMs, stepMs: 128 * dayMs },
} as const

type TallyStep = (typeof tallySteps)[keyof typeof tallySteps]

const phaseColumns = (phases: Phases | undefined) => ({
  dnsMs: phases?.dns ?? null,
  connectMs: phases?.connect ?? null,
  tlsMs: phases?.tls ?? null,
  firstByteMs: phases?.firstByte ?? null,
  downloadMs: phases?.download ?? null,
})

/** The single results in blocks; `sight` reads the monitor as it is then. */
export function* resultRows(
  sights: Pick<Sights, 'placed'>,
  sight: () => MonitorSight,
  ofMonitor: MonitorColumns,
  window: TimeWindow,
): Generator<readonly HistoryRow<'results'>[]> {
  const { monitor, kept, readers } = sight()
  for (const rows of oldestRows(readers.checks, kept, () => sight().state, window)) {
    const placeOf = hasVote(monitor) ? placesOfRows(sights, monitor, rows) : () => undefined
    yield rows.map((row) => ({
      ...ofMonitor,
      location: placeOf(row) ?? null,
      at: row.atMs,
      outcome: row.verdict,
      responseTimeMs: row.durationMs,
      status: row.status ?? null,
      errorKind: row.errorKind ?? null,
      message: row.message ?? null,
      ...phaseColumns(row.phases),
    }))
  }
}

/** The hours or days that began in the window and are over, also those that are not stored yet. */
export function* tallyRows(
  sight: () => MonitorSight,
  step: TallyStep,
  ofMonitor: MonitorColumns,
  { fromMs, toMs, nowMs }: TimeWindow & { readonly nowMs: number },
): Generator<readonly HistoryRow<'hours'>[]> {
  const { bucketMs, stepMs, table } = step
  const { kept, readers, state } = sight()
  const oldestMs = Math.min(
    readers[table].oldestMs(kept.orgId, kept.id) ?? Number.POSITIVE_INFINITY,
    countedIn(state, step).startMs,
  )
  const endMs = Math.min(ceilTo(bucketMs, toMs), floorTo(bucketMs, nowMs))
  for (let atMs = Math.max(oldestMs, ceilTo(bucketMs, fromMs)); atMs < endMs; atMs += stepMs) {
    const part = { fromMs: atMs, toMs: Math.min(atMs + stepMs, endMs) }
    // Both in one turn: a tally that is finished meanwhile comes once.
    const now = sight()
    const stored = now.readers[table].rollups(kept.orgId, kept.id, part)
    yield [...stored, ...unstored(now, step, part)].map((one) => tallyRow(one, bucketMs, ofMonitor))
  }
}

const countedIn = (state: MonitorSight['state'], { table }: TallyStep): Tally =>
  table === 'hours' ? state.hour : state.tally

/** What the next result will store: the time since the last one counts until the end of the part. */
function unstored(sight: MonitorSight, step: TallyStep, part: TimeWindow): Rollup[] {
  const { kept, readers } = sight
  const state = saidState(sight)
  const counted = countedIn(state, step)
  if (counted.startMs >= part.toMs) return []
  const since = { fromMs: floorTo(dayMs, part.fromMs), toMs: part.toMs }
  const spans = spansSinceResult(readers.leftOut, kept, state, since)
  return accrueAll(counted, spans, step.bucketMs)
    .filter(({ startMs }) => startMs >= part.fromMs && startMs < part.toMs)
    .map((tally) => {
      const isOfResults = tally.startMs === counted.startMs
      return { tally, latencies: isOfResults ? latenciesIn(sight, tally.startMs, step) : null }
    })
}

function latenciesIn(sight: MonitorSight, fromMs: number, { bucketMs }: TallyStep) {
  const { kept, state, readers, monitor } = sight
  const sum = createLatencySum(monitor.checkType)
  const window = { source: 'hours', fromMs, toMs: fromMs + bucketMs } as const
  readers.latencies.fill(kept, state, window, () => sum)
  return sum.sum()
}

function tallyRow(
  { tally, latencies }: Rollup,
  bucketMs: number,
  ofMonitor: MonitorColumns,
): HistoryRow<'hours'> {
  const { startMs, upMs, degradedMs, downMs, pausedMs, maintenanceMs, checks, failures } = tally
  const figures = latencyFigures(latencies)
  const results: Latencies['results'] | undefined = latencies?.results
  const phases: Phases = figures.phasesMs
  // Field by field: there are millions of them.
  return {
    monitorId: ofMonitor.monitorId,
    monitorName: ofMonitor.monitorName,
    monitorProduct: ofMonitor.monitorProduct,
    monitorOrigin: ofMonitor.monitorOrigin,
    at: startMs,
    upMs,
    degradedMs,
    downMs,
    pausedMs,
    maintenanceMs,
    unknownMs: Math.max(0, bucketMs - upMs - degradedMs - downMs - pausedMs - maintenanceMs),
    checks,
    failures,
    resultsUp: results?.up ?? null,
    resultsDegraded: results?.degraded ?? null,
    resultsDown: results?.down ?? null,
    resultsUnknown: results?.unknown ?? null,
    responses: figures.count,
    minMs: figures.minMs,
    avgMs: figures.avgMs,
    p50Ms: figures.p50Ms,
    p95Ms: figures.p95Ms,
    p99Ms: figures.p99Ms,
    maxMs: figures.maxMs,
    dnsMs: phases.dns ?? null,
    connectMs: phases.connect ?? null,
    tlsMs: phases.tls ?? null,
    firstByteMs: phases.firstByte ?? null,
    downloadMs: phases.download ?? null,
  }
}
