// Damaged records as they were found, by [hash of table, key and bytes]: nothing is lost when the
// record itself is written anew or deleted.
import { createHash } from 'node:crypto'
import { limits } from '../../../domain/limits/limits.ts'
import type { DamagedRecord } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { mentions } from '../../engine/keys.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface QuarantinedRecord extends DamagedRecord {
  readonly foundAtMs: number
}

export function openQuarantine(env: Env) {
  const table = openTable<QuarantinedRecord>(env, { name: 'quarantine' })
  const all = limits.damagedRecordsMax

  return {
    list: (limit: number): QuarantinedRecord[] => table.range({ prefix: [], limit }),

    /** Keeps it, unless it is kept already or there is no more room. */
    add(tx: Tx, found: DamagedRecord, foundAtMs: number): void {
      const name = JSON.stringify([found.table, found.key])
      const key = [createHash('sha256').update(name).update(found.bytes).digest('base64url')]
      if (table.has(key) || table.total() >= all) return
      table.put(tx, key, { ...found, foundAtMs })
    },

    /** Deletes what belonged to an organization or a person. Returns how many records. */
    forget(tx: Tx, ownerId: string): number {
      const owned = table
        .entries({ prefix: [], limit: all })
        .filter(({ record }) => mentions(record.key, ownerId))
      for (const { key } of owned) table.remove(tx, key)
      return owned.length
    },

    /** Deletes at most `limit` that were found before `beforeMs`; returns how many. */
    trim(tx: Tx, beforeMs: number, limit: number): number {
      const old = table
        .entries({ prefix: [], limit: all })
        .filter(({ record }) => record.foundAtMs < beforeMs)
        .slice(0, limit)
      for (const { key } of old) table.remove(tx, key)
      return old.length
    },
  }
}
