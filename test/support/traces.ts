// What a closed store still holds of something: the tables in which a key names it.
import { open } from 'lmdb'

/** How many keys of each table have this id as a part; tables without one are left out. */
export async function tracesOf(dir: string, id: string): Promise<Record<string, number>> {
  const env = open<Buffer>({ path: dir, maxDbs: 256, encoding: 'binary', readOnly: true })
  const found: Record<string, number> = {}
  try {
    for (const name of [...env.getKeys()].map(String)) {
      const table = env.openDB<Buffer>({ name, encoding: 'binary' })
      const parts = [...table.getKeys()].map((key) => (Array.isArray(key) ? key : [key]))
      const count = parts.filter((key) => key.includes(id)).length
      if (count > 0) found[name] = count
    }
  } finally {
    await env.close()
  }
  return found
}
