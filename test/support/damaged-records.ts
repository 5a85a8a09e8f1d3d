// Damages records in an open store, as a failing disk would.
import type { TableKey } from '../../src/store/engine/damage.ts'
import type { Store } from '../../src/store/store.ts'

/** Flips a bit of the newest byte of every record whose key contains `part`. Returns how many. */
export async function damageRecords(
  { lmdb }: Pick<Store, 'lmdb'>,
  table: string,
  part: string,
): Promise<number> {
  const db = lmdb.openDB<Buffer, TableKey>({ name: table, encoding: 'binary', cache: false })
  const rows = [...db.getRange()].map(({ key, value }) => ({ key, bytes: Buffer.from(value) }))
  const meant = rows.filter(({ key }) => [key].flat().includes(part))
  for (const { key, bytes } of meant) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await db.put(key, bytes)
  }
  return meant.length
}
