// The API of history: uptime over any window, and response times as a chart.
import * as s from '../../../base/schema/schema.ts'
import { type Latencies, latencyFigures } from '../../../domain/checks/latencies.ts'
import { type AskedWindow, windowNames } from '../../../domain/health/time-window.ts'
import type { UptimeTimes } from '../../../domain/health/uptime.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type {
  MonitorUptime,
  ResponseTimes,
  TotalUptime,
} from '../../../services/checks/histories.ts'
import { monthIn, timeIn } from '../../input/times.ts'
import { get, list, resource, wirePage } from '../../routing/route.ts'
import { ofPlace, Phases } from './monitor-schemas.ts'

const viewer = { role: 'viewer' } as const

const windowFields = {
  window: s.optional(
    s.oneOf(windowNames),
    'Default: `30d`. `24h`: the current hour and the 24 before it; the others: whole UTC days, ' +
      'including today so far.',
  ),
  month: s.optional(monthIn('A month in UTC; the current one so far.')),
  from: s.optional(
    timeIn,
    'In place of a window or month. Rounded down to the hour (UTC); to the day, if it is older ' +
      `than ${limits.hoursKept / 24} days.`,
  ),
  to: s.optional(timeIn, 'With `from`; default: now. Rounded up in the same way, to now at most.'),
}

const WindowQuery = s.object({ ...windowFields, ...ofPlace })
const TaggedWindowQuery = s.object({
  tag: s.optional(
    s.text({ charsMax: limits.tagCharsMax, description: 'Only monitors with this tag.' }),
  ),
  ...windowFields,
})

const seconds = (description: string) => s.described(s.anyNumber, description)

const uptimeFields = {
  from: s.described(s.isoTime, 'The exact beginning of what is covered.'),
  to: s.described(s.isoTime, 'Its exact end.'),
  uptime: s.nullable(
    s.anyNumber,
    'The share of the counted time that was up or degraded, from 0 to 1; null if none counts.',
  ),
  coverage: s.described(
    s.anyNumber,
    'The share of the window that counts, from 0 to 1: countedSeconds of its length.',
  ),
  upSeconds: seconds('Up, and not degraded.'),
  degradedSeconds: seconds('Degraded, which counts as up.'),
  downSeconds: seconds('Down, from the first failing result until the first good one.'),
  countedSeconds: seconds('Up, degraded and down together.'),
  pausedSeconds: seconds('Paused; does not count.'),
  maintenanceSeconds: seconds('Under maintenance; does not count.'),
  unknownSeconds: seconds(
    'Without data: before the first result, or while this service or its network was down. Does ' +
      'not count.',
  ),
}

const UptimeOut = s.object({
  monitorId: s.idOf('monitor'),
  name: s.anyText,
  ...uptimeFields,
  outages: s.described(
    s.anyNumber,
    'Incidents of the monitor being down that overlap with it, also with `location`.',
  ),
  meanSecondsToRecover: s.nullable(
    s.anyNumber,
    'downSeconds per outage (MTTR); null without one, and with `location`.',
  ),
  meanSecondsBetweenOutages: s.nullable(
    s.anyNumber,
    'Up and degraded seconds per outage (MTBF); null without one, and with `location`.',
  ),
})

const TotalUptimeOut = s.object({
  monitors: s.described(s.anyNumber, 'How many monitors there are.'),
  ...uptimeFields,
})

function timesToWire({ fromMs, toMs, times }: Pick<TotalUptime, 'fromMs' | 'toMs' | 'times'>) {
  return {
    from: s.toIso(fromMs),
    to: s.toIso(toMs),
    uptime: times.ratio,
    coverage: times.coverage,
    ...secondsOf(times),
  }
}

function secondsOf(times: UptimeTimes) {
  return {
    upSeconds: times.upMs / 1_000,
    degradedSeconds: times.degradedMs / 1_000,
    downSeconds: times.downMs / 1_000,
    countedSeconds: times.countedMs / 1_000,
    pausedSeconds: times.pausedMs / 1_000,
    maintenanceSeconds: times.maintenanceMs / 1_000,
    unknownSeconds: times.unknownMs / 1_000,
  }
}

function uptimeToWire({ monitor, outages, place, ...window }: MonitorUptime) {
  const { upMs, degradedMs, downMs } = window.times
  // Incidents are of the monitor: what a single place saw is not divided by them.
  const isDivided = outages > 0 && place === undefined
  const perOutage = (ms: number) => (isDivided ? ms / 1_000 / outages : null)
  return {
    monitorId: monitor.id,
    name: monitor.name,
    ...timesToWire(window),
    outages,
    meanSecondsToRecover: perOutage(downMs),
    meanSecondsBetweenOutages: perOutage(upMs + degradedMs),
  }
}

interface WindowParameters extends Pick<AskedWindow, 'window' | 'month'> {
  readonly from?: string
  readonly to?: string
}

function askedOf({ window, month, from, to }: WindowParameters): AskedWindow {
  return { window, month, ...timesOf({ from, to }) }
}

function timesOf({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}) {
  return {
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  }
}

const ms = s.nullable(s.anyNumber)
const latencyFields = {
  results: s.described(
    s.object({ up: s.anyNumber, degraded: s.anyNumber, down: s.anyNumber, unknown: s.anyNumber }),
    'How many results there are of each outcome.',
  ),
  count: s.described(
    s.anyNumber,
    'How many of them have a response time: those that are up or degraded; of push reports those ' +
      'that state a duration.',
  ),
  minMs: s.described(ms, 'The fastest, exactly. Null without a response time, as the others are.'),
  avgMs: s.described(ms, 'The mean, exactly.'),
  p50Ms: s.described(ms, 'Half of them did not take longer; at most 2 % off.'),
  p95Ms: s.described(ms, '95 % of them did not take longer; at most 2 % off.'),
  p99Ms: s.described(ms, '99 % of them did not take longer; at most 2 % off.'),
  maxMs: s.described(ms, 'The slowest, exactly.'),
  phases: s.described(Phases, 'The mean milliseconds of each phase, where it happened.'),
}

const ResponseTimesOut = s.object({
  from: s.described(s.isoTime, 'The beginning of the first point.'),
  to: s.described(s.isoTime, 'The end of the last point, now at most.'),
  pointSeconds: s.described(s.anyNumber, 'The time that each point covers, aligned to UTC.'),
  total: s.described(s.object(latencyFields), 'All points together.'),
  points: s.described(
    s.listOf(s.object({ at: s.isoTime, ...latencyFields }), limits.chartPointsMax),
    'Oldest first, also those without results.',
  ),
  maintenance: s.described(
    s.listOf(s.object({ from: s.isoTime, to: s.isoTime }), limits.chartPointsMax),
    `When the monitor was under maintenance, oldest first: the newest ${limits.chartPointsMax}, of ` +
      `the last ${limits.spanDaysMax} days at most.`,
  ),
})

const none = { up: 0, degraded: 0, down: 0, unknown: 0 }

function latenciesToWire(latencies: Latencies | null) {
  const { count, phasesMs, ...figures } = latencyFigures(latencies)
  return { results: latencies?.results ?? none, count, ...figures, phases: phasesMs }
}

function responseTimesToWire({ fromMs, toMs, bucketMs, total, buckets, ...left }: ResponseTimes) {
  return {
    from: s.toIso(fromMs),
    to: s.toIso(toMs),
    pointSeconds: bucketMs / 1_000,
    total: latenciesToWire(total),
    points: buckets.map(({ fromMs, latencies }) => {
      return { at: s.toIso(fromMs), ...latenciesToWire(latencies) }
    }),
    maintenance: left.maintenance.map(({ fromMs, toMs }) => {
      return { from: s.toIso(fromMs), to: s.toIso(toMs) }
    }),
  }
}

export const chartPointsDefault = 100

const ofMonitor = resource('/orgs/:orgId/monitors', {
  uptime: get('/:monitorId/uptime', {
    who: viewer,
    query: WindowQuery,
    out: UptimeOut,
    summary: 'Uptime of a monitor over any window, to the second',
    description:
      'By time, not by results. Of a result that is still being confirmed, the time counts to the ' +
      'state before it. Give one of `window`, `month`, or `from` and `to`.',
  }).handledBy((call, { histories }) => {
    const asked = { ...askedOf(call.query), place: call.query.location }
    return uptimeToWire(histories.uptime(call.scope, call.params.monitorId, asked))
  }),
  responseTimes: get('/:monitorId/response-times', {
    who: viewer,
    query: s.object({
      from: s.optional(timeIn, 'Default: 24 hours before `to`.'),
      to: s.optional(timeIn, 'Default, and the latest: now.'),
      points: s.preset(
        s.integer(2, limits.chartPointsMax),
        chartPointsDefault,
        'At most so many points.',
      ),
      ...ofPlace,
    }),
    out: ResponseTimesOut,
    summary: 'Response times of a monitor as the points of a chart',
    description:
      'Points are as short as `points` allows: minutes where single results are kept ' +
      `(${limits.checksKeptDays} days) and not too many, then hours, then days.`,
  }).handledBy((call, { histories }) => {
    const { from, to, points, location: place } = call.query
    const asked = { ...timesOf({ from, to }), points, place }
    return responseTimesToWire(histories.responseTimes(call.scope, call.params.monitorId, asked))
  }),
})

const ofAll = resource('/orgs/:orgId/uptime', {
  about: 'The uptime of all monitors of an organization, or of a tag: each of them, and together.',
  list: list('/', {
    who: viewer,
    query: TaggedWindowQuery,
    out: UptimeOut,
    summary: 'Uptime of each monitor, or of each with a tag, newest monitor first',
  }).handledBy(async (call, { histories }) => {
    const asked = { ...askedOf(call.query), tag: call.query.tag, ...call.page }
    return wirePage(await histories.uptimes(call.scope, asked), uptimeToWire)
  }),
  total: get('/total', {
    who: viewer,
    query: TaggedWindowQuery,
    out: TotalUptimeOut,
    summary: 'Uptime of all monitors, or of all with a tag, together',
    description:
      'Seconds are summed over the monitors; coverage is the share of all their time. At most ' +
      `${limits.uptimeTotalFreshMs / 1_000} seconds old.`,
  }).handledBy(async (call, { histories }) => {
    const asked = { ...askedOf(call.query), tag: call.query.tag }
    const total = await histories.totalUptime(call.scope, asked)
    return { monitors: total.monitors, ...timesToWire(total) }
  }),
})

export const history = [...ofMonitor, ...ofAll]
