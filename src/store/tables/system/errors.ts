// Kinds of errors by [fingerprint]. There are few: they are read once, at the start.
import type { ErrorRecord } from '../../../domain/system/error-report.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openErrors(env: Env) {
  const errors = openTable<ErrorRecord>(env, { name: 'errors' })

  return {
    all: (limit: number) => errors.range({ prefix: [], limit }),

    put: (tx: Tx, record: ErrorRecord) => errors.put(tx, [record.fingerprint], record),

    remove: (tx: Tx, fingerprint: string) => errors.remove(tx, [fingerprint]),
  }
}
