// meta: ['schema'] → the version of all other data. Read before any other table is trusted.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface Schema {
  /** The version that all records have, or are being upgraded to. */
  readonly version: number
  /** The oldest daemon that can still read them, given by the version it writes. */
  readonly minReader: number
}

export interface MetaTable {
  schema(): Schema | undefined
  putSchema(tx: Tx, schema: Schema): void
  /** When the daemon was last known to run. */
  lastAliveMs(): number | undefined
  putLastAlive(tx: Tx, atMs: number): void
  /** The sentinels that have ever answered. */
  sentinels(): readonly string[]
  putSentinels(tx: Tx, proven: readonly string[]): void
}

export function openMeta(env: Env): MetaTable {
  const table = openTable<Schema>(env, { name: 'meta', version: 1 })
  const alive = openTable<{ readonly atMs: number }>(env, { name: 'alive', version: 1 })
  const sentinels = openTable<{ readonly proven: readonly string[] }>(env, {
    name: 'sentinels',
    version: 1,
  })
  const schemaKey = ['schema']
  const aliveKey = ['alive']
  const sentinelsKey = ['sentinels']
  return {
    schema: () => table.get(schemaKey),
    putSchema: (tx, schema) => table.put(tx, schemaKey, schema),
    lastAliveMs: () => alive.get(aliveKey)?.atMs,
    putLastAlive: (tx, atMs) => alive.put(tx, aliveKey, { atMs }),
    sentinels: () => sentinels.get(sentinelsKey)?.proven ?? [],
    putSentinels: (tx, proven) => sentinels.put(tx, sentinelsKey, { proven }),
  }
}
