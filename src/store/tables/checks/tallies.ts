// Finished days and hours by [org, monitor, start]: time in each state, counts, and latencies.
import { Packr } from 'msgpackr'
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { type Latencies, packLatencies, unpackLatencies } from '../../../domain/checks/latencies.ts'
import { createByteReader, createByteWriter } from '../../../domain/checks/varints.ts'
import { dayMs, hourMs, type Tally } from '../../../domain/health/span.ts'
import type { TimeWindow } from '../../../domain/health/time-window.ts'
import type { Env } from '../../engine/env.ts'
import { type Codec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type TalliesTable = ReturnType<typeof openTallies>

/** A finished day or hour with what its checks measured; null if there were none. */
export interface Rollup {
  readonly tally: Tally
  readonly latencies: Latencies | null
}

interface StoredRollup {
  readonly tally: Tally
  /** Unpacked only where they are asked for. Empty if there are none. */
  readonly packed: Uint8Array
}

/** What earlier versions stored: no latencies, and one sum of all time that does not count. */
type FormerTally = Omit<Tally, 'pausedMs' | 'maintenanceMs'>

const formerVersion = 1
const packr = new Packr({ useRecords: false, copyBuffers: true })
const writer = createByteWriter(32 * 1024)
const noBytes = new Uint8Array(0)

// Hundreds of thousands of these are kept, so they are numbers by position, and then the packed
// latencies.
const rollupCodec: Codec<StoredRollup> = {
  encode({ tally, packed }) {
    writer.varint(tally.startMs / hourMs)
    writer.varint(tally.upMs)
    writer.varint(tally.degradedMs)
    writer.varint(tally.downMs)
    writer.varint(tally.excludedMs)
    writer.varint(tally.pausedMs)
    writer.varint(tally.maintenanceMs)
    writer.varint(tally.checks)
    writer.varint(tally.failures)
    writer.bytes(packed)
    return writer.taken()
  },
  decode(bytes, version) {
    if (version === formerVersion) {
      const former = packr.unpack(bytes) as FormerTally
      return { tally: { ...former, pausedMs: 0, maintenanceMs: 0 }, packed: noBytes }
    }
    const reader = createByteReader(bytes)
    const tally = {
      startMs: reader.varint() * hourMs,
      upMs: reader.varint(),
      degradedMs: reader.varint(),
      downMs: reader.varint(),
      excludedMs: reader.varint(),
      pausedMs: reader.varint(),
      maintenanceMs: reader.varint(),
      checks: reader.varint(),
      failures: reader.varint(),
    }
    // A copy, because lmdb uses the buffer again.
    const packed = reader.hasMore ? new Uint8Array(bytes.subarray(reader.offset)) : noBytes
    return { tally, packed }
  },
}

/** Days are kept forever, hours for two years, so each has its own table. For days see `openDays`. */
export function openTallies(env: Env, name: 'days' | 'hours') {
  const table = openTable<StoredRollup>(env, {
    name,
    version: 2,
    // The codec reads both.
    upgrade: (record) => record as StoredRollup,
    codec: rollupCodec,
  })
  const bucketMs = name === 'days' ? dayMs : hourMs

  return {
    put(
      tx: Tx,
      orgId: OrgId,
      monitorId: MonitorId,
      tally: Tally,
      latencies: Latencies | null = null,
    ): void {
      const packed = latencies ? packLatencies(latencies) : noBytes
      table.put(tx, [orgId, monitorId, tally.startMs], { tally, packed })
    },

    /** Finished ones that begin within a window, oldest first. */
    within(orgId: OrgId, monitorId: MonitorId, { fromMs, toMs }: TimeWindow): Tally[] {
      if (toMs <= fromMs) return []
      const limit = Math.ceil((toMs - fromMs) / bucketMs)
      const window = { prefix: [orgId, monitorId], from: fromMs, until: toMs - 1, limit }
      return table.range(window).map(({ tally }) => tally)
    },

    /** Those from a time on, with what their checks measured; oldest first, at most `limit`. */
    rollupsSince: (orgId: OrgId, monitorId: MonitorId, fromMs: number, limit: number): Rollup[] =>
      table.range({ prefix: [orgId, monitorId], from: fromMs, limit }).map(({ tally, packed }) => ({
        tally,
        latencies: packed.length > 0 ? unpackLatencies(packed) : null,
      })),

    /** Deletes up to `limit` that began before a time; returns how many. */
    trim(tx: Tx, orgId: OrgId, monitorId: MonitorId, beforeMs: number, limit: number): number {
      const old = table
        .keys({ prefix: [orgId, monitorId], limit })
        .filter((key) => Number(key[2]) < beforeMs)
      for (const key of old) table.remove(tx, key)
      return old.length
    },

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),
  }
}
