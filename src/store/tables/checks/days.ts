// Finished days: a record of each with its latencies, and all of a month in one small record, because
// bars and uptime need many days and no latencies.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { createByteReader, createByteWriter } from '../../../domain/checks/varints.ts'
import { dayMs, type Tally } from '../../../domain/health/span.ts'
import { floorToMonth, monthAfter, type TimeWindow } from '../../../domain/health/time-window.ts'
import type { Env } from '../../engine/env.ts'
import { type Codec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'
import { openTallies, putOne, type RollupRun, talliesOf } from './tallies.ts'

const writer = createByteWriter(4 * 1024)

// For each day: the number of days since the one before, a bit for each value that is not 0, these
// values. Most days of most monitors take 9 bytes.
const monthCodec: Codec<readonly Tally[]> = {
  encode(days) {
    let before = 0
    for (const day of days) {
      const number = day.startMs / dayMs
      writer.varint(number - before)
      before = number
      const values = valuesOf(day)
      writer.byte(values.reduce((bits, value, at) => (value > 0 ? bits | (1 << at) : bits), 0))
      for (const value of values) if (value > 0) writer.varint(value)
    }
    return writer.taken()
  },
  decode(bytes) {
    const reader = createByteReader(bytes)
    const days: Tally[] = []
    let number = 0
    while (reader.hasMore) {
      number += reader.varint()
      const bits = reader.byte()
      // In the order of `valuesOf`.
      days.push({
        startMs: number * dayMs,
        upMs: bits & 1 ? reader.varint() : 0,
        degradedMs: bits & 2 ? reader.varint() : 0,
        downMs: bits & 4 ? reader.varint() : 0,
        excludedMs: bits & 8 ? reader.varint() : 0,
        pausedMs: bits & 16 ? reader.varint() : 0,
        maintenanceMs: bits & 32 ? reader.varint() : 0,
        checks: bits & 64 ? reader.varint() : 0,
        failures: bits & 128 ? reader.varint() : 0,
      })
    }
    return days
  },
}

function valuesOf(day: Tally): readonly number[] {
  return [
    day.upMs,
    day.degradedMs,
    day.downMs,
    day.excludedMs,
    day.pausedMs,
    day.maintenanceMs,
    day.checks,
    day.failures,
  ]
}

/** Months whose records are read at once: as many as `historyWindowDaysMax` covers. */
const monthsReadMax = 122

/**
 * The record of a month, if there is one, has each day of the month that has a record, because every
 * write and removal of a day keeps it so. Where there is none (a month that ended before there were
 * any, or a damaged one) the records of the days answer; the next day that is finished makes it anew
 * from them.
 */
export function openDays(env: Env, names = { days: 'days', months: 'months' }) {
  const days = openTallies(env, 'days', names.days)
  const months = openTable<readonly Tally[]>(env, { name: names.months, codec: monthCodec })

  /** `all` are of one month, oldest first. */
  function putInMonth(tx: Tx, orgId: OrgId, monitorId: MonitorId, all: readonly Tally[]): void {
    const fromMs = floorToMonth(all[0]?.startMs ?? 0)
    const key = [orgId, monitorId, fromMs]
    const before =
      months.readable(key) ?? days.within(orgId, monitorId, { fromMs, toMs: monthAfter(fromMs) })
    const starts = new Set(all.map(({ startMs }) => startMs))
    const others = before.filter(({ startMs }) => !starts.has(startMs))
    months.put(
      tx,
      key,
      [...others, ...all].sort((a, b) => a.startMs - b.startMs),
    )
  }

  function putAll(tx: Tx, orgId: OrgId, monitorId: MonitorId, rollups: readonly RollupRun[]): void {
    days.putAll(tx, orgId, monitorId, rollups)
    const all = rollups.flatMap((run) => talliesOf(run, dayMs))
    const byMonth = Map.groupBy(all, ({ startMs }) => floorToMonth(startMs))
    for (const some of byMonth.values()) putInMonth(tx, orgId, monitorId, some)
  }

  return {
    ...days,

    putAll,

    put: putOne(putAll),

    /** Finished ones that begin within a window, oldest first. */
    within(orgId: OrgId, monitorId: MonitorId, { fromMs, toMs }: TimeWindow): Tally[] {
      if (toMs <= fromMs) return []
      const found: Tally[] = []
      let readToMs = fromMs
      const addRecords = (untilMs: number) => {
        if (readToMs >= untilMs) return
        const window = { fromMs: readToMs, toMs: untilMs }
        for (const day of days.within(orgId, monitorId, window)) found.push(day)
      }
      const known = months.entries({
        prefix: [orgId, monitorId],
        from: floorToMonth(fromMs),
        until: toMs - 1,
        // Behind these the records of the days answer.
        limit: monthsReadMax,
      })
      for (const { key, record } of known) {
        const monthMs = Number(key[2])
        addRecords(monthMs)
        for (const day of record) {
          if (day.startMs >= fromMs && day.startMs < toMs) found.push(day)
        }
        readToMs = monthAfter(monthMs)
      }
      addRecords(toMs)
      return found
    },

    /** Deletes up to `limit` that began before a time; returns how many. */
    trim(tx: Tx, orgId: OrgId, monitorId: MonitorId, beforeMs: number, limit: number): number {
      // First the months. A month that began before the time goes as a whole, because the rest of its
      // days has records.
      const old = months
        .keys({ prefix: [orgId, monitorId], limit })
        .filter((key) => Number(key[2]) < beforeMs)
      for (const key of old) months.remove(tx, key)
      const left = limit - old.length
      return old.length + (left > 0 ? days.trim(tx, orgId, monitorId, beforeMs, left) : 0)
    },

    /** Deletes the days of a whole organization, at most `limit` at once; returns how many. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const removed = months.removeAll(tx, [orgId], limit)
      return removed < limit ? removed + days.forget(tx, orgId, limit - removed) : removed
    },
  }
}
