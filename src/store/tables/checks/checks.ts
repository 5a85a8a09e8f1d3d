// Results by [org, monitor, time of the first]: closed blocks of compact rows, and the evidence of
// the newest failure. The newest rows are in the monitor's state until they fill a block.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import {
  appendToBlock,
  type CheckRow,
  lastAtMsOf,
  readRows,
} from '../../../domain/checks/check-row.ts'
import type { FailureEvidence } from '../../../domain/monitors/monitor-state.ts'
import type { Env } from '../../engine/env.ts'
import { type Codec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** Rows of one monitor, oldest first. */
export interface CheckBlock {
  /** The time of the first row, which identifies the block. */
  readonly fromMs: number
  readonly rows: Uint8Array
}

/** The newest push report with metadata: free-form, so stored as the original JSON. */
export interface ReportRecord {
  readonly atMs: number
  readonly metadataJson: string
}

/** The rows of a block that begins earlier get one of their own, so that they expire in time. */
export const checkBlockSpanMs = 7 * 24 * 3_600_000

/** Whether rows go on where the block ends, and soon enough to expire with it. */
function hasRoomFor({ fromMs, rows }: CheckBlock, more: readonly CheckRow[]): boolean {
  const lastAtMs = lastAtMsOf(rows)
  if (lastAtMs === null || lastAtMs > (more.at(0)?.atMs ?? 0)) return false
  return (more.at(-1)?.atMs ?? 0) - fromMs <= checkBlockSpanMs
}

const bytesCodec: Codec<Uint8Array> = {
  encode: (rows) => rows,
  decode: (bytes) => Uint8Array.from(bytes),
}

export type ChecksTable = ReturnType<typeof openChecks>

/** The names of the tables, which results at locations have of their own. */
const ofMonitors = { blocks: 'checks', evidence: 'evidence', reports: 'reports' }

export function openChecks(env: Env, names = ofMonitors) {
  const blocks = openTable<Uint8Array>(env, {
    name: names.blocks,
    version: 2,
    // Blocks of both versions say themselves what they are.
    upgrade: (rows) => rows as Uint8Array,
    codec: bytesCodec,
  })
  const evidence = openTable<FailureEvidence>(env, { name: names.evidence })
  const reports = openTable<ReportRecord>(env, { name: names.reports })

  function blockBefore(orgId: OrgId, monitorId: MonitorId, atMs: number): CheckBlock | undefined {
    const [entry] = blocks.entries({
      prefix: [orgId, monitorId],
      after: atMs + 1,
      reverse: true,
      limit: 1,
    })
    return entry && { fromMs: Number(entry.key[2]), rows: entry.record }
  }

  return {
    /**
     * Stores rows that were appended one by one: behind the rows of the newest block as far as it has
     * room, the others in blocks of their own.
     */
    addRows(tx: Tx, orgId: OrgId, monitorId: MonitorId, appended: Uint8Array): void {
      let rows = readRows(appended)
      const [first] = rows
      if (!first) return
      const newest = blockBefore(orgId, monitorId, first.atMs)
      let fromMs = first.atMs
      let block: Uint8Array | null = null
      if (newest && hasRoomFor(newest, rows)) {
        fromMs = newest.fromMs
        block = newest.rows
      } else if (newest?.fromMs === fromMs) fromMs += 1
      while (rows.length > 0) {
        const { block: grown, taken } = appendToBlock(block, rows)
        if (taken > 0) blocks.put(tx, [orgId, monitorId, fromMs], grown)
        rows = rows.slice(taken)
        block = null
        // Results of one millisecond may not get the key of the block before.
        fromMs = Math.max(fromMs + 1, rows.at(0)?.atMs ?? 0)
      }
    },

    /** Closed blocks that began at a time or before, newest first. */
    *newestFirst(orgId: OrgId, monitorId: MonitorId, throughMs: number): Generator<CheckBlock> {
      let block = blockBefore(orgId, monitorId, throughMs)
      while (block) {
        yield block
        block = blockBefore(orgId, monitorId, block.fromMs - 1)
      }
    },

    /**
     * Closed blocks, oldest first, at most `limit`: from the one on that may have rows of a time, or those behind
     * another block.
     */
    oldestFirst(
      orgId: OrgId,
      monitorId: MonitorId,
      from: { readonly atMs: number } | { readonly behindMs: number },
      limit: number,
    ): CheckBlock[] {
      const range =
        'behindMs' in from
          ? { after: from.behindMs }
          : { from: blockBefore(orgId, monitorId, from.atMs)?.fromMs ?? from.atMs }
      return blocks
        .entries({ prefix: [orgId, monitorId], ...range, limit })
        .map(({ key, record }) => ({ fromMs: Number(key[2]), rows: record }))
    },

    /** The time of the oldest row in a closed block. */
    oldestMs(orgId: OrgId, monitorId: MonitorId): number | undefined {
      const [key] = blocks.keys({ prefix: [orgId, monitorId], limit: 1 })
      return key && Number(key[2])
    },

    evidence: (orgId: OrgId, monitorId: MonitorId) => evidence.get([orgId, monitorId]),
    putEvidence: (tx: Tx, orgId: OrgId, monitorId: MonitorId, record: FailureEvidence) =>
      evidence.put(tx, [orgId, monitorId], record),

    report: (orgId: OrgId, monitorId: MonitorId) => reports.get([orgId, monitorId]),
    putReport: (tx: Tx, orgId: OrgId, monitorId: MonitorId, record: ReportRecord) =>
      reports.put(tx, [orgId, monitorId], record),

    /** Deletes up to `limit` blocks that ended before a time; returns how many. */
    trim(tx: Tx, orgId: OrgId, monitorId: MonitorId, beforeMs: number, limit: number): number {
      const keys = blocks.keys({ prefix: [orgId, monitorId], limit: limit + 1 })
      // A block of a rarely checked monitor spans weeks: it ended when the next one began.
      const endsAtMs = (index: number) => Number(keys[index + 1]?.[2] ?? Number.POSITIVE_INFINITY)
      const old = keys.slice(0, limit).filter((_, index) => endsAtMs(index) <= beforeMs)
      for (const key of old) blocks.remove(tx, key)
      return old.length
    },

    /** Deletes the blocks of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => blocks.removeAll(tx, [orgId], limit),

    removeEvidence(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
      evidence.remove(tx, [orgId, monitorId])
      reports.remove(tx, [orgId, monitorId])
    },
  }
}
