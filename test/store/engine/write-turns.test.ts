// Writes that take long: no turn of the event loop belongs to them, and no owner to another.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { onBehalfOf } from '../../../src/base/waiting/behalf.ts'
import { openEnv } from '../../../src/store/engine/env.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter, type Tx, writeTurnMsMax } from '../../../src/store/engine/write.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const workMs = writeTurnMsMax / 2

/** A store whose writes take time on its clock; `turns` has what ran in each turn of the loop. */
function open(t: Test) {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const time = { monoMs: 0 }
  const clock = Object.assign(new FakeClock(), { monoMs: () => time.monoMs })
  const fail = (error: unknown) => t.fail(String(error))
  const writer = createWriter(env, { clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  const table = openTable<number>(env, { name: 'numbers', version: 1 })
  const turns: string[][] = []
  let turn: string[] | undefined
  const work =
    (name: string, ms = workMs) =>
    (tx: Tx) => {
      if (!turn) {
        turn = []
        turns.push(turn)
        // Bodies of one transaction run without any of these between them.
        queueMicrotask(() => {
          turn = undefined
        })
      }
      turn.push(name)
      time.monoMs += ms
      table.put(tx, [name], 1)
      return name
    }
  const names = () => table.keys({ prefix: [], limit: 1_000 }).map(([name]) => name)
  return { ...writer, table, work, turns, names }
}

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}${String(at).padStart(3, '0')}`)

t.test(
  'a turn has no more writes than there is time for, and all are written in order',
  async (t) => {
    const { write, work, turns, names } = open(t)
    const all = numbered('a', 20)
    t.same(await Promise.all(all.map((name) => write(work(name)))), all)
    t.ok(Math.max(...turns.map(({ length }) => length)) <= 2, 'as many as there is time for')
    t.same(turns.flat(), all)
    t.same(names(), all)
  },
)

t.test('a write that takes longer than a turn runs alone, and once', async (t) => {
  const { write, work, turns } = open(t)
  const all = numbered('a', 5)
  await Promise.all(all.map((name) => write(work(name, 10 * writeTurnMsMax))))
  t.same(
    turns,
    all.map((name) => [name]),
  )
})

t.test('writes that take no time share a transaction, however many', async (t) => {
  const { write, work, turns } = open(t)
  const all = numbered('a', 500)
  await Promise.all(all.map((name) => write(work(name, 0))))
  t.same(turns, [all])
})

t.test('what throws in the middle is undone, and what is postponed is not', async (t) => {
  const { write, work, names, table } = open(t)
  const all = numbered('a', 9)
  const bang = new Error('bang')
  const results = await Promise.allSettled(
    all.map((name, at) =>
      write((tx) => {
        const result = work(name)(tx)
        table.put(tx, [`${name} too`], 1)
        if (at % 3 === 1) throw bang
        return result
      }),
    ),
  )
  t.same(
    results.map(({ status }) => status === 'fulfilled'),
    all.map((_, at) => at % 3 !== 1),
  )
  t.same(
    names(),
    all.filter((_, at) => at % 3 !== 1).flatMap((name) => [name, `${name} too`]),
  )
})

t.test('an owner of many writes delays those of others by one each', async (t) => {
  const { write, work, turns } = open(t)
  const slowMs = 2 * writeTurnMsMax
  const many = numbered('a', 50).map((name) => onBehalfOf('a', () => write(work(name, slowMs))))
  // One has begun, and the others wait.
  await many[0]
  const others = ['b', 'c', 'd'].map((name) => onBehalfOf(name, () => write(work(name, slowMs))))
  const own = write(work('own', slowMs))
  await Promise.all([...others, own])
  const order = turns.flat()
  for (const name of ['b', 'c', 'd', 'own']) t.ok(order.indexOf(name) <= 12, name)
  await Promise.all(many)
  t.same(
    turns.flat().filter((name) => name.startsWith('a')),
    numbered('a', 50),
    'its own keep their order',
  )
})

t.test("the service's own work is not behind any number of owners", async (t) => {
  const { write, work, turns } = open(t)
  const slowMs = 2 * writeTurnMsMax
  const many = numbered('a', 50).map((name) => onBehalfOf(name, () => write(work(name, slowMs))))
  await many[0]
  const own = numbered('own', 5).map((name) => write(work(name, slowMs)))
  await Promise.all(own)
  t.ok(turns.flat().indexOf('own004') <= 16, 'every other turn is its own')
  await Promise.all(many)
})

t.test(
  'small writes of one group are spread over turns, and none is lost or repeated',
  async (t) => {
    const { writeTogether, writeSoon, flush, work, turns } = open(t)
    const all = numbered('a', 9)
    const written = Promise.all(all.map((name) => writeTogether(work(name))))
    await flush()
    t.same(await written, all)
    const soon = numbered('b', 9)
    const later = Promise.all(soon.map((name) => writeSoon(work(name))))
    await flush()
    t.same(await later, soon, 'a flush waits for all of them')
    t.same(turns.flat(), [...all, ...soon])
    t.ok(Math.max(...turns.map(({ length }) => length)) <= 2)
  },
)

t.test(
  'what an owner left behind is no longer its own, nor is what follows another write',
  async (t) => {
    const { write, work, turns, writeJoined } = open(t)
    const slowMs = 2 * writeTurnMsMax
    // Both wait for the first; the end of `other` starts `mine`, and must not join it.
    const first = write(work('first', slowMs))
    const joined: unknown[] = []
    const mine = writeJoined(
      () => onBehalfOf('a', () => write(work('mine', slowMs))),
      (_, result) => void joined.push(result),
    )
    const other = onBehalfOf('b', () =>
      write((tx) => {
        tx.afterCommit(() => void write(work('follows other', slowMs)))
        return work('other', slowMs)(tx)
      }),
    )
    await Promise.all([first, mine, other])
    await write(work('last'))
    t.same(joined, ['mine'])
    t.same(turns.flat().toSorted(), ['first', 'follows other', 'last', 'mine', 'other'])
  },
)

t.test('what follows the writes of one transaction does not follow in one turn', async (t) => {
  const { write, work, turns } = open(t)
  let inTurn = 0
  let most = 0
  const all = numbered('a', 50).map((name) =>
    onBehalfOf(name, async () => {
      await write(work(name, 0))
      inTurn += 1
      most = Math.max(most, inTurn)
      setImmediate(() => {
        inTurn = 0
      })
    }),
  )
  await Promise.all(all)
  t.equal(turns.length, 1)
  t.ok(most <= 2, 'two turns at most are counted as one')
})
