// Periodic tasks by [name]: the last run, its result, and when the next is due.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface TaskRecord {
  readonly name: string
  readonly lastStartedAtMs: number | null
  readonly lastDurationMs: number | null
  readonly lastOutcome: 'done' | 'failed' | null
  /** A few words: the result, or why it failed. */
  readonly lastDetail: string | null
  readonly nextRunAtMs: number
}

export function openTasks(env: Env) {
  const tasks = openTable<TaskRecord>(env, { name: 'tasks' })

  return {
    get: (name: string) => tasks.readable([name]),

    put: (tx: Tx, record: TaskRecord) => tasks.put(tx, [record.name], record),
  }
}
