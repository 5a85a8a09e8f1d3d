// The newest runs of push monitors by [org, monitor, number], each with its log.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Run } from '../../../domain/monitors/run.ts'
import type { Env } from '../../engine/env.ts'
import { type Codec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

// Names would be most of a record that each report of a job writes.
const fieldsOf = (run: Run) =>
  [
    run.number,
    run.status,
    run.startedAtMs,
    run.endedAtMs,
    run.durationMs,
    run.exitCode,
    run.runId,
    run.message,
    run.hasLog,
  ] as const

const textCodec: Codec<string> = {
  encode: (log) => Buffer.from(log),
  decode: (bytes) => bytes.toString(),
}

export function openRuns(env: Env) {
  const runs = openTable<ReturnType<typeof fieldsOf>>(env, { name: 'runs' })
  const logs = openTable<string>(env, { name: 'runLogs', codec: textCodec })

  return {
    /** The number of the newest one; 0 if there is none. */
    newest: (orgId: OrgId, monitorId: MonitorId): number =>
      Number(runs.keys({ prefix: [orgId, monitorId], reverse: true, limit: 1 })[0]?.[2] ?? 0),

    /** Numbers count up one by one, so the oldest makes room for a new one. */
    put(tx: Tx, orgId: OrgId, monitorId: MonitorId, run: Run, log: string | undefined): void {
      const key = [orgId, monitorId, run.number]
      runs.put(tx, key, fieldsOf(run))
      if (log !== undefined) logs.put(tx, key, log)
      const past = run.number - limits.runsKept
      if (past <= 0) return
      runs.remove(tx, [orgId, monitorId, past])
      logs.remove(tx, [orgId, monitorId, past])
    },

    get(orgId: OrgId, monitorId: MonitorId, number: number): Run | undefined {
      const fields = runs.get([orgId, monitorId, number])
      return fields && runOf(fields)
    },

    /** A run, in a transaction that must not fail: undefined also if it is damaged. */
    readable(orgId: OrgId, monitorId: MonitorId, number: number): Run | undefined {
      const fields = runs.readable([orgId, monitorId, number])
      return fields && runOf(fields)
    },

    log: (orgId: OrgId, monitorId: MonitorId, number: number) =>
      logs.get([orgId, monitorId, number]),

    /** Newest first; `after` is the number of the last one of the previous page. */
    list: (orgId: OrgId, monitorId: MonitorId, limit: number, after?: number): Run[] =>
      runs.range({ prefix: [orgId, monitorId], reverse: true, limit, after }).map(runOf),

    /** Deletes the runs of a deleted monitor, at most `limit` at once; returns how many. */
    trim: (tx: Tx, orgId: OrgId, monitorId: MonitorId, limit: number): number =>
      runs.removeAll(tx, [orgId, monitorId], limit) + logs.removeAll(tx, [orgId, monitorId], limit),

    /** The same for a whole organization. */
    forget: (tx: Tx, orgId: OrgId, limit: number): number =>
      runs.removeAll(tx, [orgId], limit) + logs.removeAll(tx, [orgId], limit),
  }
}

function runOf(fields: ReturnType<typeof fieldsOf>): Run {
  const [number, status, startedAtMs, endedAtMs, durationMs, exitCode, runId, message, hasLog] =
    fields
  const times = { startedAtMs, endedAtMs, durationMs }
  return { number, status, ...times, exitCode, runId, message, hasLog }
}
