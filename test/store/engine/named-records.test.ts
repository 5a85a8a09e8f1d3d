// Records that an index names, also if some of them cannot be read.
import { join } from 'node:path'
import t from 'tap'
import { openEnv } from '../../../src/store/engine/env.ts'
import { namedRecords } from '../../../src/store/engine/named-records.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import { FakeClock } from '../../support/fake-clock.ts'

t.test('what cannot be read is passed over, in both directions and on every page', async (t) => {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const fail = (error: unknown) => t.fail(String(error))
  const clock = new FakeClock()
  const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const index = openTable<null>(env, { name: 'index' })
  await write((tx) => {
    for (const name of 'abcdefgh') index.put(tx, ['mine', name], null)
    index.put(tx, ['other', 'a'], null)
  })
  const looked: string[] = []
  const list = (damaged: string, range: { limit: number; reverse?: boolean; after?: string }) => {
    looked.length = 0
    return namedRecords(index, { prefix: ['mine'], ...range }, ([, name = '']) => {
      looked.push(String(name))
      return damaged.includes(String(name)) ? undefined : String(name)
    }).join('')
  }
  t.equal(list('', { limit: 3 }), 'abc')
  t.equal(list('abc', { limit: 3 }), 'def')
  t.equal(list('bd', { limit: 4 }), 'acef')
  t.equal(list('bd', { limit: 3, reverse: true, after: 'f' }), 'eca')
  t.equal(list('gh', { limit: 9 }), 'abcdef', 'fewer than requested: there are no more')
  t.equal(list('abcdefgh', { limit: 2 }), '')
  t.equal(list('abc', { limit: Number.MAX_SAFE_INTEGER }), 'defgh')
  t.same(looked, [...'abcdefgh'], 'each is read once')
  list('', { limit: 3 })
  t.same(looked, ['a', 'b', 'c'], 'no more than requested is read')
})
