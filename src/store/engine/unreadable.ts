// Reads every record of every table, as its users do.
import type { TableKey } from './damage.ts'
import type { Env } from './env.ts'

interface UnreadableRecord {
  readonly table: string
  readonly key: TableKey
}

export function unreadableIn({ databases, readers }: Pick<Env, 'databases' | 'readers'>) {
  const found: UnreadableRecord[] = []
  for (const [table, database] of databases) {
    const isReadable = readers.get(table)
    // Without a start the library passes over keys that begin with a low byte.
    for (const { key, value } of database.getRange({ start: [] })) {
      if (isReadable && !isReadable(key, value)) found.push({ table, key })
    }
  }
  return found
}
