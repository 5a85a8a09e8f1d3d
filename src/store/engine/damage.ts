// The records that were found damaged: each is reported once, and counted until it is written again.
import { limits } from '../../domain/limits/limits.ts'

/** Parts are ids and integers from the server; user text must be hashed first. */
export type TableKey = (string | number)[]

/** A stored record that is not what was written. */
export interface DamagedRecord {
  readonly table: string
  readonly key: TableKey
  readonly bytes: Buffer
  readonly reason: string
}

export type Damage = ReturnType<typeof createDamage>

export function createDamage() {
  const known = new Map<string, DamagedRecord>()
  const listeners: ((found: DamagedRecord) => void)[] = []
  const nameOf = (table: string, key: TableKey) => JSON.stringify([table, ...key])

  return {
    /** Tells the listeners, unless they know of it. `bytes` may be lent. */
    note(found: DamagedRecord): void {
      const name = nameOf(found.table, found.key)
      if (known.has(name) || known.size >= limits.damagedRecordsMax) return
      const { bytes } = found
      const kept = { ...found, bytes: Buffer.copyBytesFrom(bytes, 0, bytes.length) }
      known.set(name, kept)
      for (const listener of listeners) listener(kept)
    },

    /** The record under this key is written or deleted. Called before each change: cheap. */
    settle(table: string, key: TableKey): void {
      if (known.size > 0) known.delete(nameOf(table, key))
    },

    /** How many are known, up to a bound. */
    count: (): number => known.size,

    /** Calls the listener for each damaged record, also for the ones that were found before. */
    listen(listener: (found: DamagedRecord) => void): void {
      listeners.push(listener)
      for (const found of [...known.values()]) listener(found)
    },
  }
}
