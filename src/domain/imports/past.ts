// The past that a monitor had in another product, in the form in which ours is kept.
import { clip } from '../../base/clip.ts'
import { type ImportId, idOfPast } from '../../base/ids.ts'
import { bucketOf } from '../checks/histogram.ts'
import type { Latencies } from '../checks/latencies.ts'
import { phasesOf } from '../checks/latencies.ts'
import type { Tally } from '../health/span.ts'
import { type Incident, opened, resolvedIncident } from '../incidents/incident.ts'
import { limits } from '../limits/limits.ts'
import type { Monitor } from '../monitors/monitor.ts'
import type { ForeignOutage, ForeignPeriod } from './foreign.ts'

export interface PastPeriod {
  readonly tally: Tally
  readonly count: 1
  readonly latencies: Latencies | null
}

interface PastBounds {
  readonly bucketMs: number
  readonly sinceMs: number
  /** Exclusive. */
  readonly untilMs: number
}

/**
 * Whole days or hours that begin within the bounds, oldest first, each once. Times that sum up to more than there
 * are, are cut; periods that begin between two days or hours are left out.
 */
export function pastPeriods(
  periods: readonly ForeignPeriod[],
  { bucketMs, sinceMs, untilMs }: PastBounds,
): PastPeriod[] {
  const byStart = new Map<number, ForeignPeriod>()
  for (const period of periods) {
    const { startMs } = period
    const isWhole = startMs % bucketMs === 0
    if (isWhole && startMs >= sinceMs && startMs + bucketMs <= untilMs) byStart.set(startMs, period)
  }
  return [...byStart.values()]
    .toSorted((a, b) => a.startMs - b.startMs)
    .map((period) => pastPeriod(period, bucketMs))
}

function pastPeriod(period: ForeignPeriod, bucketMs: number): PastPeriod {
  const downMs = whole(period.downMs, bucketMs)
  const maintenanceMs = whole(period.maintenanceMs, bucketMs - downMs)
  const upMs = whole(period.upMs, bucketMs - downMs - maintenanceMs)
  const checks = whole(period.checks, countMax)
  const failures = whole(period.failures, checks)
  const none = { degradedMs: 0, pausedMs: 0 }
  const times = { ...none, upMs, downMs, maintenanceMs, excludedMs: maintenanceMs }
  const tally = { startMs: period.startMs, ...times, checks, failures }
  return { tally, count: 1, latencies: latenciesOf(period.latencyMs, checks - failures, failures) }
}

/** More checks than a day has room for. */
const countMax = 1_000_000
const latencyMsMax = 86_400_000

const whole = (value: number, most: number): number =>
  Math.min(Math.max(0, Math.round(value)), most)

/** No product tells how long the parts of a check took. */
const phases = phasesOf(() => ({ count: 0, sumMs: 0 }))

/** A histogram with this mean between these extremes; which latencies there were is not known. */
function latenciesOf(
  latency: ForeignPeriod['latencyMs'],
  good: number,
  failures: number,
): Latencies | null {
  if (good + failures === 0) return null
  const results = { up: good, degraded: 0, down: failures, unknown: 0 }
  if (latency === null || good === 0) {
    return { results, count: 0, minMs: 0, maxMs: 0, sumMs: 0, phases, histogram: [] }
  }
  const meanMs = whole(latency.mean, latencyMsMax)
  const minMs = Math.min(whole(latency.min, latencyMsMax), meanMs)
  const maxMs = Math.max(whole(latency.max, latencyMsMax), meanMs)
  const some = good < 3 ? [meanMs, meanMs].slice(0, good) : [minMs, maxMs]
  const rest = good - some.length
  const sumMs = meanMs * good
  // A mean that does not fit to the extremes must not lead below the least: packing counts from there.
  const restMs = rest === 0 ? meanMs : Math.max(minMs, whole((sumMs - minMs - maxMs) / rest, maxMs))
  const histogram: [bucket: number, count: number][] = []
  const add = (ms: number, count: number) => {
    const bucket = bucketOf(ms)
    const known = histogram.find(([one]) => one === bucket)
    if (known) known[1] += count
    else if (count > 0) histogram.push([bucket, count])
  }
  for (const ms of some) add(ms, 1)
  add(restMs, rest)
  histogram.sort(([a], [b]) => a - b)
  return { results, count: good, minMs, maxMs, sumMs, phases, histogram }
}

/** How the timeline says that an outage was one before the monitor was here. */
const pastMessage = 'Recovered. Imported with the past of the monitor.'

/** The incident with the title that people gave it, if they did. */
function named(incident: Incident, title = ''): Incident {
  const line = clip(title.trim(), limits.titleCharsMax)
  return line === '' ? incident : { ...incident, title: line, hasOwnTitle: true }
}

/** A closed incident; undefined if the outage began when the monitor was here already. */
export function pastIncident(
  { orgId, id: monitorId, name, isPublic, createdAtMs }: Monitor,
  outage: ForeignOutage,
  importId: ImportId,
): Incident | undefined {
  const startedAtMs = Math.round(outage.fromMs)
  const resolvedAtMs = Math.min(Math.round(outage.toMs ?? createdAtMs), createdAtMs)
  if (startedAtMs < 0 || startedAtMs >= createdAtMs || resolvedAtMs <= startedAtMs) return undefined
  const id = idOfPast('incident', startedAtMs, monitorId)
  const cause = outage.text.trim() || 'down'
  const opening = { id, orgId, monitorIds: [monitorId], monitorName: name, isPublic, cause }
  const change = {
    kind: 'opened',
    severity: outage.isDegraded ? 'degraded' : 'down',
    startedAtMs,
    confirmedAtMs: startedAtMs,
    flapping: false,
    reopens: null,
  } as const
  const evidence = outage.isDegraded ? ({ isDegraded: true } as const) : null
  const incident = named(opened({ ...opening, evidence }, change), outage.title)
  const end = { resolution: 'recovered', resolvedAtMs, atMs: resolvedAtMs } as const
  return { ...resolvedIncident(incident, { ...end, message: pastMessage }), importId }
}
