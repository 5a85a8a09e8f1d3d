// Finished days and hours by [org, monitor, start of the first]: time in each state, counts, and
// latencies, in blocks.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { errorText } from '../../../base/log/error-text.ts'
import type { Latencies } from '../../../domain/checks/latencies.ts'
import { dayMs, hourMs, type Tally } from '../../../domain/health/span.ts'
import { endOfRun, partOfRun, type TallyRun } from '../../../domain/health/tally-runs.ts'
import { ceilTo, floorTo, type TimeWindow } from '../../../domain/health/time-window.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'
import {
  blocksOf,
  isFormer,
  latenciesOf,
  packedPart,
  type StoredRun,
  type TallyBlock,
  tallyBlockCodec,
  tallyBlockVersion,
  withRuns,
} from './tally-blocks.ts'

export type TalliesTable = ReturnType<typeof openTallies>

/** A finished day or hour with what its checks measured; null if there were none. */
export interface Rollup {
  readonly tally: Tally
  readonly latencies: Latencies | null
}

/** Several of them, if they are alike and had no checks. */
export interface RollupRun extends TallyRun {
  readonly latencies: Latencies | null
}

type PutAll = (tx: Tx, orgId: OrgId, monitorId: MonitorId, runs: readonly RollupRun[]) => void

/** Writes one finished tally. */
export function putOne(putAll: PutAll) {
  return (
    tx: Tx,
    orgId: OrgId,
    monitorId: MonitorId,
    tally: Tally,
    latencies: Latencies | null = null,
  ): void => putAll(tx, orgId, monitorId, [{ tally, count: 1, latencies }])
}

/**
 * Days are kept forever, hours for two years, so each has its own table. Hours fill a page of the file
 * each; a day has a record of its own, unless the days before it were alike. For days see `openDays`.
 */
export function openTallies(env: Env, of: 'days' | 'hours', name: string = of) {
  const isOfDays = of === 'days'
  const bucketMs = isOfDays ? dayMs : hourMs
  const layout = { bucketMs, runsMax: isOfDays ? 1 : Number.POSITIVE_INFINITY }
  const table = openTable<TallyBlock>(env, {
    name,
    version: tallyBlockVersion,
    // The codec reads all.
    upgrade: (record) => record as TallyBlock,
    codec: tallyBlockCodec(bucketMs),
  })

  /** When the newest block begins that began at a time or before. */
  function startAtMost(orgId: OrgId, monitorId: MonitorId, atMs: number): number | undefined {
    const newest = { prefix: [orgId, monitorId], after: atMs + 1, reverse: true, limit: 1 }
    const [key] = table.keys(newest)
    return key && Number(key[2])
  }

  /** The runs, or what of them lies within a window, oldest first. */
  function runsIn(orgId: OrgId, monitorId: MonitorId, window: TimeWindow): StoredRun[] {
    const { fromMs, toMs } = window
    if (toMs <= fromMs) return []
    const from = startAtMost(orgId, monitorId, fromMs) ?? fromMs
    // As many as would be if each were alone, and the one that began before.
    const limit = Math.ceil((toMs - fromMs) / bucketMs) + 1
    const whole = { fromMs: ceilTo(bucketMs, fromMs), toMs: ceilTo(bucketMs, toMs) }
    return table
      .range({ prefix: [orgId, monitorId], from, until: toMs - 1, limit })
      .flatMap(({ runs }) => runs.flatMap((run) => partOfRun(run, whole, bucketMs) ?? []))
  }

  /** Null for damaged ones, which are noted: what else is known of the time stays. */
  function readableLatencies(orgId: OrgId, monitorId: MonitorId, run: StoredRun): Latencies | null {
    try {
      return latenciesOf(run)
    } catch (error) {
      const startMs = startAtMost(orgId, monitorId, run.tally.startMs)
      if (startMs !== undefined) table.noteDamaged([orgId, monitorId, startMs], errorText(error))
      return null
    }
  }

  function putAll(tx: Tx, orgId: OrgId, monitorId: MonitorId, rollups: readonly RollupRun[]): void {
    const added = rollups.map(({ tally, count, latencies }) => {
      return { tally, count, packed: packedPart(latencies), isFormer: false }
    })
    const [first] = added
    const last = added.at(-1)
    if (!first || !last) return
    const prefix = [orgId, monitorId]
    const fromMs = startAtMost(orgId, monitorId, first.tally.startMs) ?? first.tally.startMs
    const until = endOfRun(last, bucketMs) - 1
    // A damaged one is left as it is, and what follows begins anew behind it.
    const before = table.entries({ prefix, from: fromMs, until, limit: limits.spanDaysMax * 24 })
    const runs = withRuns(
      before.flatMap(({ record }) => record.runs),
      added,
      bucketMs,
    )
    const blocks = blocksOf(runs, before[0]?.record, layout)
    const starts = new Set(blocks.map(startOf))
    for (const { key } of before) if (!starts.has(Number(key[2]))) table.remove(tx, key)
    const known = new Map(before.map(({ record }) => [startOf(record), record.bytes]))
    for (const block of blocks) {
      const startMs = startOf(block)
      if (!isSame(known.get(startMs), block.bytes)) table.put(tx, [...prefix, startMs], block)
    }
  }

  /** Whether the record that was the newest at that time is of an earlier version, or damaged. */
  function isFormerAt(orgId: OrgId, monitorId: MonitorId, atMs: number): boolean {
    const startMs = startAtMost(orgId, monitorId, atMs)
    if (startMs === undefined) return false
    const record = table.readable([orgId, monitorId, startMs])
    return record === undefined || isFormer(record)
  }

  function hasFormer(orgId: OrgId, monitorId: MonitorId): boolean {
    const [oldest] = table.keys({ prefix: [orgId, monitorId], limit: 1 })
    return oldest !== undefined && isFormerAt(orgId, monitorId, Number(oldest[2]))
  }

  /** When the newest of them began, at most; found by halves, because there may be very many. */
  function newestFormerMs(orgId: OrgId, monitorId: MonitorId): number {
    let [fromMs, toMs] = [0, startAtMost(orgId, monitorId, Number.MAX_SAFE_INTEGER - 1) ?? 0]
    if (isFormerAt(orgId, monitorId, toMs)) return toMs
    while (toMs - fromMs > bucketMs) {
      const middleMs = floorTo(bucketMs, (fromMs + toMs) / 2)
      const startMs = startAtMost(orgId, monitorId, middleMs)
      if (startMs === undefined || isFormerAt(orgId, monitorId, startMs)) fromMs = middleMs
      else toMs = middleMs
    }
    return fromMs
  }

  const pasts = new Map<MonitorId, number>()

  return {
    /** How often the past of a monitor was changed since the start: who remembers sums of it reads them again. */
    pastVersion: (monitorId: MonitorId): number => pasts.get(monitorId) ?? 0,

    /** Tallies that were finished long ago were written, or deleted. */
    notePast(tx: Tx, monitorId: MonitorId): void {
      tx.afterCommit(() => pasts.set(monitorId, (pasts.get(monitorId) ?? 0) + 1))
    },

    /**
     * Writes finished tallies, given oldest first, in as few records as may be. Replaces the ones that
     * are there.
     */
    putAll,

    put: putOne(putAll),

    /** Finished ones that begin within a window, oldest first. */
    within: (orgId: OrgId, monitorId: MonitorId, window: TimeWindow): Tally[] =>
      runsIn(orgId, monitorId, window).flatMap((run) => talliesOf(run, bucketMs)),

    /** The same with what their checks measured. */
    rollups: (orgId: OrgId, monitorId: MonitorId, window: TimeWindow): Rollup[] =>
      runsIn(orgId, monitorId, window).flatMap((run) => {
        const latencies = readableLatencies(orgId, monitorId, run)
        return talliesOf(run, bucketMs).map((tally) => ({ tally, latencies }))
      }),

    /** When the oldest finished one began; undefined if there is none. */
    oldestMs(orgId: OrgId, monitorId: MonitorId): number | undefined {
      const [key] = table.keys({ prefix: [orgId, monitorId], limit: 1 })
      return key && Number(key[2])
    },

    /** Whether there are records of earlier versions. */
    hasFormer,

    /**
     * Packs the newest records of earlier versions, which are older than all others: at most `limit` at
     * once, and none before a damaged one. Returns how many.
     */
    packFormer(tx: Tx, orgId: OrgId, monitorId: MonitorId, limit: number): number {
      if (!hasFormer(orgId, monitorId)) return 0
      const prefix = [orgId, monitorId]
      const after = newestFormerMs(orgId, monitorId) + 1
      const keys = table.keys({ prefix, after, reverse: true, limit })
      const former: TallyBlock[] = []
      for (const key of keys) {
        const record = table.readable(key)
        if (!record || !isFormer(record)) break
        former.unshift(record)
      }
      const runs = withRuns(
        former.flatMap((record) => record.runs),
        [],
        bucketMs,
      )
      const blocks = blocksOf(runs, undefined, layout)
      const starts = new Set(blocks.map(startOf))
      for (const record of former) {
        if (!starts.has(startOf(record))) table.remove(tx, [...prefix, startOf(record)])
      }
      for (const block of blocks) table.put(tx, [...prefix, startOf(block)], block)
      return former.length
    },

    /**
     * Deletes the tallies that began before a time, from at most `limit` records; returns from how
     * many.
     */
    trim(tx: Tx, orgId: OrgId, monitorId: MonitorId, beforeMs: number, limit: number): number {
      const keys = table
        .keys({ prefix: [orgId, monitorId], limit: limit + 1 })
        .filter((key) => Number(key[2]) < beforeMs)
      const rest = { fromMs: ceilTo(bucketMs, beforeMs), toMs: Number.POSITIVE_INFINITY }
      let removed = 0
      for (const [at, key] of keys.slice(0, limit).entries()) {
        // One ends before the next begins.
        const isWhole = at + 1 < keys.length || rest.fromMs === rest.toMs
        const block = isWhole ? undefined : table.readable(key)
        table.remove(tx, key)
        const left = block?.runs.flatMap((run) => partOfRun(run, rest, bucketMs) ?? []) ?? []
        for (const shorter of blocksOf(withRuns(left, [], bucketMs), undefined, layout)) {
          table.put(tx, [orgId, monitorId, startOf(shorter)], shorter)
        }
        removed += 1
      }
      return removed
    },

    /** Deletes the tallies of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),
  }
}

/** Each of a run. */
export function talliesOf({ tally, count }: TallyRun, bucketMs: number): Tally[] {
  if (count === 1) return [tally]
  return Array.from({ length: count }, (_, number) => {
    return { ...tally, startMs: tally.startMs + number * bucketMs }
  })
}

const startOf = ({ runs }: TallyBlock): number => runs[0]?.tally.startMs ?? 0

function isSame(before: Uint8Array | undefined, after: Uint8Array): boolean {
  return before !== undefined && Buffer.compare(before, after) === 0
}
