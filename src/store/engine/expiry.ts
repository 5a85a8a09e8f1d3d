// Deletes records that have expired, found by an index of [the time, the key of the record].
import type { Table } from './table.ts'
import type { Tx } from './write.ts'

/** Returned: deletes at most `limit` of them, oldest first, and says how many. */
export function expiryOf<Rec, Mark>(table: Table<Rec>, byExpiry: Table<Mark>) {
  return (tx: Tx, nowMs: number, limit: number): number => {
    const expired = byExpiry.keys({ prefix: [], until: nowMs, limit })
    for (const key of expired) {
      table.remove(tx, key.slice(1))
      byExpiry.remove(tx, key)
    }
    return expired.length
  }
}
