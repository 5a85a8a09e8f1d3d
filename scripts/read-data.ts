// Shows what a data directory holds, for debugging: a copy or a backup, because it must not be in use.
//
// node scripts/read-data.ts DIR            every table, with the number of its records
// node scripts/read-data.ts DIR incidents  its records, one a line; sealed values stay sealed
import { open } from 'lmdb'
import { unpack } from 'msgpackr'
import { payloadOf } from '../src/store/engine/table.ts'

const [dir, wanted] = process.argv.slice(2)
if (dir === undefined) throw new Error('usage: node scripts/read-data.ts DIR [TABLE]')
const file = open<Buffer>({ path: dir, maxDbs: 256, encoding: 'binary', readOnly: true })

type TableKey = Parameters<typeof payloadOf>[0]

function shown(key: TableKey, value: Buffer): string {
  const bytes = payloadOf(key, value)
  // Records are JSON, MessagePack, or a form of their own table.
  for (const read of [() => JSON.parse(bytes.toString()), () => unpack(bytes)]) {
    try {
      return JSON.stringify(read())
    } catch {
      // It is in another form.
    }
  }
  return bytes.toString('base64')
}

for (const name of [...file.getKeys()].map(String).sort()) {
  const table = file.openDB<Buffer>({ name, encoding: 'binary' })
  if (wanted === undefined) console.log(`${String(table.getCount()).padStart(9)} ${name}`)
  if (wanted !== name) continue
  for (const { key, value } of table.getRange({})) {
    // lmdb gives a key of one part as that part.
    const parts = [key].flat() as TableKey
    console.log(`${JSON.stringify(parts)} ${shown(parts, value)}`)
  }
}
await file.close()
