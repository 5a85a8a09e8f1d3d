// Results by [org, monitor, time of the first]: closed blocks of compact rows, and the evidence of
// the newest failure. The newest rows are in the monitor's state until they fill a block.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
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

const bytesCodec: Codec<Uint8Array> = {
  encode: (rows) => rows,
  decode: (bytes) => Uint8Array.from(bytes),
}

export type ChecksTable = ReturnType<typeof openChecks>

export function openChecks(env: Env) {
  const blocks = openTable<Uint8Array>(env, { name: 'checks', codec: bytesCodec })
  const evidence = openTable<FailureEvidence>(env, { name: 'evidence' })
  const reports = openTable<ReportRecord>(env, { name: 'reports' })

  return {
    putBlock: (tx: Tx, orgId: OrgId, monitorId: MonitorId, fromMs: number, rows: Uint8Array) =>
      blocks.put(tx, [orgId, monitorId, fromMs], rows),

    /** Closed blocks that began at a time or before, newest first. */
    *newestFirst(orgId: OrgId, monitorId: MonitorId, throughMs: number): Generator<CheckBlock> {
      let after = throughMs + 1
      for (;;) {
        const [entry] = blocks.entries({
          prefix: [orgId, monitorId],
          after,
          reverse: true,
          limit: 1,
        })
        if (!entry) return
        after = Number(entry.key[2])
        yield { fromMs: after, rows: entry.record }
      }
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

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => blocks.removeAll(tx, [orgId], limit),

    removeEvidence(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
      evidence.remove(tx, [orgId, monitorId])
      reports.remove(tx, [orgId, monitorId])
    },
  }
}
