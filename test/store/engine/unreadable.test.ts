// Reading every record: what is damaged or not understood is named, and nothing else.
import t from 'tap'
import { openTable } from '../../../src/store/engine/table.ts'
import { unreadableIn } from '../../../src/store/engine/unreadable.ts'
import { openTempStore } from '../../support/temp-store.ts'

t.test('damaged records and those of a newer version are found in every table', async (t) => {
  const { store } = openTempStore(t)
  const env = { ...store, close: async () => {} }
  const newer = openTable<number>(env, { name: 'fruits', version: 2 })
  const other = openTable<number>(env, { name: 'trees' })
  await store.write((tx) => {
    newer.put(tx, ['apple', 1], 1)
    other.put(tx, ['oak'], 1)
    other.put(tx, ['elm'], 2)
  })
  openTable<number>(env, { name: 'fruits', version: 1 })
  t.same(unreadableIn(env), [{ table: 'fruits', key: ['apple', 1] }])
  const bytes = store.databases.get('trees')?.get(['oak']) ?? Buffer.alloc(0)
  bytes[bytes.length - 1] = 99
  await store.databases.get('trees')?.put(['oak'], bytes)
  t.same(unreadableIn(env), [
    { table: 'fruits', key: ['apple', 1] },
    { table: 'trees', key: ['oak'] },
  ])
})
