// Records that have expired are deleted by their index, oldest first.
import { join } from 'node:path'
import t from 'tap'
import { openEnv } from '../../../src/store/engine/env.ts'
import { expiryOf } from '../../../src/store/engine/expiry.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import { FakeClock } from '../../support/fake-clock.ts'

t.test('the oldest go first, as many as are asked for, and nothing before its time', async (t) => {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const fail = (error: unknown) => t.fail(String(error))
  const clock = new FakeClock()
  const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const records = openTable<string>(env, { name: 'records' })
  const byExpiry = openTable<null>(env, { name: 'expiries' })
  await write((tx) => {
    for (const [name, atMs] of [
      ['b', 20],
      ['a', 10],
      ['c', 30],
      ['d', 40],
    ] as const) {
      records.put(tx, ['mine', name], name)
      byExpiry.put(tx, [atMs, 'mine', name], null)
    }
  })
  const remove = expiryOf(records, byExpiry)
  const left = () => records.range({ prefix: ['mine'], limit: 9 }).join('')
  t.equal(await write((tx) => remove(tx, 31, 2)), 2)
  t.equal(left(), 'cd')
  t.equal(await write((tx) => remove(tx, 31, 2)), 1)
  t.equal(left(), 'd')
  t.equal(await write((tx) => remove(tx, 31, 2)), 0)
  t.equal(byExpiry.keys({ prefix: [], limit: 9 }).length, 1, 'the index has no more than the table')
})
