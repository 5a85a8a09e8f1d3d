// What is in use of the data file: it falls when records go, although the file stays as large.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { openTempStore } from '../../support/temp-store.ts'

const MiB = 1024 ** 2

t.test('what is deleted counts as free, and is used again', async (t) => {
  const { store, dir } = openTempStore(t)
  const fileBytes = () => statSync(join(dir, 'data.mdb')).size
  const beat = async (times: number) => {
    for (let atMs = 1; atMs <= times; atMs += 1) {
      await store.write((tx) => store.meta.putLastAlive(tx, atMs))
      await nextTurn()
    }
  }
  // Leaves single free pages, as in every file that is in use: else small records would take large gaps.
  await beat(20)
  const empty = store.usage()
  t.ok(empty.usedBytes < MiB)
  const fill = () =>
    store.write((tx) => {
      for (let piece = 1; piece <= 5; piece += 1) store.reserve.put(tx, piece)
    })
  await fill()
  const full = store.usage()
  t.ok(full.usedBytes - empty.usedBytes > 4 * MiB, 'large records lie in pages of their own')
  t.ok(full.usedBytes + full.freeBytes <= fileBytes())
  await store.write((tx) => store.reserve.clear(tx, 100))
  // Deleted pages are free once no snapshot needs them.
  const after = store.usage()
  t.ok(after.usedBytes - empty.usedBytes < MiB / 4, `${after.usedBytes} bytes are in use`)
  t.ok(after.freeBytes > 4 * MiB)
  const largest = fileBytes()
  // LMDB takes pages of the newest transactions last.
  await beat(3)
  await fill()
  t.ok(fileBytes() - largest < MiB / 2, 'the file does not grow again')
})
