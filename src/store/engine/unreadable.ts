// Reads every record of every table, as those who use it do.
import type { TableKey } from './damage.ts'
import type { Env } from './env.ts'

export interface UnreadableRecord {
  readonly table: string
  readonly key: TableKey
}

export function unreadableIn({ databases, readers }: Pick<Env, 'databases' | 'readers'>) {
  const found: UnreadableRecord[] = []
  for (const [table, database] of databases) {
    const isReadable = readers.get(table)
    for (const { key: stored, value } of database.getRange({})) {
      const key = Array.isArray(stored) ? stored : [stored]
      if (isReadable && !isReadable(key, value)) found.push({ table, key })
    }
  }
  return found
}
