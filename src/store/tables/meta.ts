// meta: ['schema'] → the version of everything else. Read before any other table is trusted.
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export interface Schema {
  /** The version that all records have, or are being brought to. */
  readonly version: number
  /** The oldest daemon, by the version it writes, that can still read them. */
  readonly minReader: number
}

export interface MetaTable {
  schema(): Schema | undefined
  putSchema(tx: Tx, schema: Schema): void
}

export function openMeta(env: Env): MetaTable {
  const table = openTable<Schema>(env, { name: 'meta', version: 1 })
  const schemaKey = ['schema']
  return {
    schema: () => table.get(schemaKey),
    putSchema: (tx, schema) => table.put(tx, schemaKey, schema),
  }
}
