// The past of the monitors in a database of Uptime Kuma, in parts that fit into memory.
import {
  type ForeignFields,
  type ForeignHistory,
  flagOf,
  numberOf,
} from '../../../domain/imports/foreign.ts'
import { originOf } from '../../../domain/imports/kuma/kuma-columns.ts'
import {
  beatPeriods,
  dayMs,
  hourMs,
  type KumaPace,
  outagesOf,
  statPeriods,
  timeOf,
  withTimesOfHours,
} from '../../../domain/imports/kuma/kuma-history.ts'
import type { KumaReader } from './kuma-database.ts'

/** The past of one monitor, its newest: what an import takes. */
const daysMax = 800
const hoursMax = 24 * 92
const changesMax = 2_000
const outagesMax = 1_000
/** The days and hours of a part, about 200 kB: the daemon reads it in one turn. */
const partPeriodsMax = 1_000

export interface KumaPastPart {
  readonly history: readonly ForeignHistory[]
  /** The number of the last monitor; null if it was the last of all. */
  readonly afterId: number | null
}

/** The past of the monitors after one, by their numbers; `afterId` is -1 for the first part. */
export function pastAfter(reader: KumaReader, afterId: number, nowMs: number): KumaPastPart {
  const history: ForeignHistory[] = []
  let periods = 0
  const made = reader.has('monitor', 'created_date') ? ', created_date' : ''
  for (const row of reader.rows(
    `SELECT id, interval, active${made} FROM monitor WHERE id > ? ORDER BY id LIMIT ?`,
    afterId,
    partPeriodsMax,
  )) {
    const id = numberOf(row.id)
    const { origin } = originOf('monitor', row)
    if (id === undefined || origin === undefined) continue
    const past = pastOf(reader, id, row, nowMs)
    const length = past.days.length + past.hours.length + past.outages.length
    if (length > 0) history.push({ origin, ...past })
    periods += length
    if (periods >= partPeriodsMax) return { history, afterId: id }
  }
  return { history, afterId: null }
}

type Past = Omit<ForeignHistory, 'origin'>

function pastOf(reader: KumaReader, id: number, monitor: ForeignFields, nowMs: number): Past {
  const intervalMs = (numberOf(monitor.interval) || 60) * 1_000
  const lastMs = lastBeatMs(reader, id)
  const pace = {
    intervalMs,
    nowMs,
    madeAtMs: timeOf(monitor.created_date),
    untilMs: lastMs === undefined ? undefined : lastMs + intervalMs,
  }
  const days = statsOf(reader, 'stat_daily', id, daysMax, dayMs, pace)
  const hours = statsOf(reader, 'stat_hourly', id, hoursMax, hourMs, pace)
  return {
    // Kuma 1 counts nothing, and Kuma 2 only once it has counted all of version 1.
    days: days.length > 0 ? withTimesOfHours(days, hours) : beatsByDay(reader, id, pace),
    hours,
    outages: outages(reader, id, flagOf(monitor.active) ? null : (lastMs ?? 0)),
  }
}

/** Newer versions of Kuma 2 have the extremes and the extras. */
const extremes = ['ping_min', 'ping_max', 'extras'] as const

function statsOf(
  reader: KumaReader,
  table: 'stat_daily' | 'stat_hourly',
  id: number,
  rowsMax: number,
  lengthMs: number,
  pace: KumaPace,
) {
  if (!reader.has(table, 'monitor_id', 'timestamp', 'ping', 'up', 'down')) return []
  const more = extremes.filter((one) => reader.has(table, one)).map((one) => `, ${one}`)
  const rows = reader.rows(
    `SELECT timestamp, ping, up, down${more.join('')} FROM ${table}
     WHERE monitor_id = ? ORDER BY timestamp DESC LIMIT ?`,
    id,
    rowsMax,
  )
  return statPeriods(rows, lengthMs, pace)
}

/** A check that waits to be confirmed counts as down, as Kuma 2 counts it. */
function beatsByDay(reader: KumaReader, id: number, pace: KumaPace) {
  if (!reader.has('heartbeat', 'monitor_id', 'status', 'time', 'ping')) return []
  const rows = reader.rows(
    `SELECT substr(time, 1, 10) AS day, sum(status = 1) AS up, sum(status IN (0, 2)) AS down,
       sum(status = 3) AS maintenance, avg(CASE WHEN status = 1 THEN ping END) AS mean,
       min(CASE WHEN status = 1 THEN ping END) AS min, max(CASE WHEN status = 1 THEN ping END) AS max,
       min(time) AS first, max(time) AS last
     FROM heartbeat WHERE monitor_id = ? GROUP BY day ORDER BY day DESC LIMIT ?`,
    id,
    daysMax,
  )
  return beatPeriods(rows, pace)
}

/** `endMs`: when an outage that is not over ended; null if it goes on. */
function outages(reader: KumaReader, id: number, endMs: number | null) {
  if (!reader.has('heartbeat', 'monitor_id', 'status', 'time', 'msg', 'important')) return []
  const changes = reader.rows(
    `SELECT status, time, substr(msg, 1, 1000) AS msg FROM heartbeat
     WHERE monitor_id = ? AND important = 1 ORDER BY time DESC LIMIT ?`,
    id,
    changesMax,
  )
  return outagesOf(changes.toReversed(), endMs).slice(-outagesMax)
}

/** A monitor that was paused is not down any more than its last check says. */
function lastBeatMs(reader: KumaReader, id: number): number | undefined {
  if (!reader.has('heartbeat', 'monitor_id', 'time')) return undefined
  const [last] = reader.rows('SELECT max(time) AS time FROM heartbeat WHERE monitor_id = ?', id)
  return timeOf(last?.time)
}
