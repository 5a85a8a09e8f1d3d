// Writes: all of it or nothing, on disk before anybody hears of it, over when the disk fails.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Env, openEnv } from '../../../src/store/engine/env.ts'
import { createEpochs } from '../../../src/store/engine/epochs.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter, type Tx } from '../../../src/store/engine/write.ts'
import { FakeClock } from '../../support/fake-clock.ts'

function open(t: Test, commitDelayMs = 0) {
  const env = openEnv(join(t.testdir(), 'db'))
  t.teardown(() => env.close())
  const clock = new FakeClock()
  const onFatal = (error: unknown) => t.fail(String(error))
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const writer = createWriter(env, { clock, commitDelayMs, onFatal, onError })
  const table = openTable<number>(env, { name: 'numbers', version: 1 })
  const put =
    (name: string, value = 1) =>
    (tx: Tx) =>
      table.put(tx, [name], value)
  const names = () => table.keys({ prefix: [], limit: 100 }).map(([name]) => name)
  const bytes = () =>
    [...env.lmdb.openDB<Buffer, string[]>({ name: 'numbers', encoding: 'binary' }).getRange()].map(
      ({ key, value }) => [key, value.toString('hex')],
    )
  return { env, clock, ...writer, table, put, names, bytes, errors }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const bang = new Error('bang')

t.test('a write that throws leaves the table as it was, byte for byte', async (t) => {
  const { write, table, put, bytes } = open(t)
  await write(put('a', 1))
  const before = bytes()
  const failing = write((tx) => {
    table.put(tx, ['a'], 2)
    table.put(tx, ['b'], 2)
    table.remove(tx, ['a'])
    throw bang
  })
  await t.rejects(failing, bang)
  t.same(bytes(), before)
})

t.test('of the writes of one turn only the one that throws is undone', async (t) => {
  const { write, put, names, table } = open(t)
  const results = await Promise.allSettled([
    write(put('a')),
    write((tx) => {
      table.put(tx, ['b'], 1)
      throw bang
    }),
    write(put('c')),
  ])
  t.same(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.same(names(), ['a', 'c'])
})

t.test('a group is one transaction; if one throws, the others run alone', async (t) => {
  const { writeTogether, put, names, table } = open(t)
  t.same(await Promise.all([writeTogether(() => 1), writeTogether(() => 2)]), [1, 2])
  let runs = 0
  const counted = writeTogether((tx) => {
    runs++
    table.put(tx, ['a'], 1)
    return 'a'
  })
  const failing = writeTogether((tx) => {
    table.put(tx, ['b'], 1)
    throw bang
  })
  const last = writeTogether(put('c'))
  await t.rejects(failing, bang)
  t.equal(await counted, 'a')
  await last
  t.equal(runs, 2)
  t.same(names(), ['a', 'c'])
})

// That it is on disk before anybody sees it needs a slow disk: durability.test.ts has one.
t.test('a reader sees a value once its promise has resolved, and not in its turn', async (t) => {
  const { write, writeTogether, put, table } = open(t)
  for (const [name, door] of Object.entries({ write, writeTogether })) {
    const writing = door(put(name))
    t.equal(table.get([name]), undefined, name)
    await writing
    t.equal(table.get([name]), 1, name)
  }
})

t.test('a write that nobody waits for is delayed and joined by others', async (t) => {
  const { write, writeSoon, put, names, clock } = open(t, 20)
  const early = writeSoon(put('a'))
  await clock.advance(10)
  const late = writeSoon(put('b'))
  await write(put('urgent'))
  t.same(names(), ['urgent'], 'an urgent one does not wait for it')
  await clock.advance(9)
  await turn()
  t.same(names(), ['urgent'])
  await clock.advance(1)
  await Promise.all([early, late])
  t.same(names(), ['a', 'b', 'urgent'])
  t.equal(clock.pending, 0)
})

t.test('a flush starts delayed writes and ends when all of them are on disk', async (t) => {
  const { write, writeTogether, writeSoon, put, names, flush, clock } = open(t, 1_000)
  void write(put('a'))
  void writeTogether(put('b'))
  void writeSoon(put('c'))
  await flush()
  t.same(names(), ['a', 'b', 'c'])
  t.equal(clock.pending, 0)
  await flush()
})

t.test('a flush also waits for those that are repeated because a neighbour threw', async (t) => {
  const { writeTogether, put, names, flush } = open(t)
  const failing = writeTogether(() => {
    throw bang
  })
  failing.catch(() => {})
  for (const name of ['a', 'b']) void writeTogether(put(name))
  await flush()
  t.same(names(), ['a', 'b'])
  await t.rejects(failing, bang)
})

t.test('afterCommit work runs after the write is on disk, in order', async (t) => {
  const { write, writeTogether, writeSoon, table, put, clock } = open(t)
  for (const door of [write, writeTogether, writeSoon]) {
    const happened: string[] = []
    const seen = (what: string) => () => void happened.push(`${what} ${table.get(['a'])}`)
    const again = seen('again')
    const writing = door((tx) => {
      tx.afterCommit(seen('first'))
      tx.afterCommit(again)
      put('a', 2)(tx)
      tx.afterCommit(again)
      tx.afterCommit(seen('last'))
      return 'result'
    })
    const answered = writing.then((result) => happened.push(result))
    await clock.advance(0)
    await answered
    t.same(happened, ['first 2', 'again 2', 'last 2', 'result'], 'the same function runs once')
    await write(put('a', 1))
  }
})

t.test('a rolled-back write runs no afterCommit work', async (t) => {
  const { write, names, table } = open(t)
  let runs = 0
  const failing = write((tx) => {
    table.put(tx, ['a'], 1)
    tx.afterCommit(() => {
      runs++
    })
    throw bang
  })
  await t.rejects(failing, bang)
  t.same([runs, names()], [0, []])
})

t.test('if a group is repeated one by one, each afterCommit runs once', async (t) => {
  const { write, writeTogether, put } = open(t)
  const followed: string[] = []
  const following = (name: string) => (tx: Tx) => {
    tx.afterCommit(() => void followed.push(name))
    put(name)(tx)
  }
  const before = writeTogether(following('a'))
  const failing = writeTogether((tx) => {
    following('b')(tx)
    throw bang
  })
  const after = writeTogether(following('c'))
  await t.rejects(failing, bang)
  await Promise.all([before, after])
  t.same(followed.toSorted(), ['a', 'c'])
  await Promise.all([writeTogether(following('d')), writeTogether(following('e'))])
  t.same(followed.slice(2), ['d', 'e'])
  await write(() => {})
  t.equal(followed.length, 4)
})

t.test('afterCommit work that throws leaves the write and the others as they are', async (t) => {
  const { write, put, names, errors } = open(t)
  const followed: string[] = []
  const result = await write((tx) => {
    put('a')(tx)
    tx.afterCommit(() => void followed.push('before'))
    tx.afterCommit(() => {
      throw bang
    })
    tx.afterCommit(() => void followed.push('after'))
    return 'on disk'
  })
  t.same([result, names(), followed, errors], ['on disk', ['a'], ['before', 'after'], [bang]])
})

t.test('afterCommit work may write, and is too late for its own transaction', async (t) => {
  const { write, put, names, errors } = open(t)
  let ended: Tx | undefined
  let second: Promise<void> | undefined
  await write((tx) => {
    ended = tx
    put('a')(tx)
    tx.afterCommit(() => {
      second = write(put('b'))
    })
  })
  await second
  t.same([names(), errors], [['a', 'b'], []])
  t.throws(() => ended?.afterCommit(() => {}), /still open/)
})

t.test(
  'what joins some work is in the transaction of its first write, and in no other',
  async (t) => {
    const { write, writeJoined, writeTogether, put, table, names } = open(t)
    const joined: unknown[] = []
    const join = (tx: Tx, result: unknown) => {
      joined.push(result)
      put(`joined ${joined.length}`)(tx)
    }
    let later: Promise<void> | undefined
    const made = await writeJoined(async () => {
      await writeTogether(put('noted on the way'))
      t.same(joined, [], 'a write that nobody waits for is not the work')
      await t.rejects(
        write(() => {
          throw bang
        }),
        bang,
      )
      const result = await write((tx) => {
        put('work')(tx)
        tx.afterCommit(() => {
          t.equal(table.get(['joined 1']), 1, 'both are on disk before anything follows')
          later = write(put('later'))
        })
        return { name: 'work' }
      })
      await write(put('second'))
      return result
    }, join)
    await later
    t.same([made, joined], [{ name: 'work' }, [{ name: 'work' }]])
    t.same(names(), ['joined 1', 'later', 'noted on the way', 'second', 'work'])

    t.equal(await writeJoined(async () => 'nothing written', join), 'nothing written')
    t.same(joined.slice(1), ['nothing written'])
  },
)

t.test('work is undone with what joins it, and must return what it wrote', async (t) => {
  const { write, writeJoined, put, names } = open(t)
  const failing = writeJoined(
    () => write(put('a')),
    () => {
      throw bang
    },
  )
  await t.rejects(failing, bang)
  t.same(names(), [])
  const other = writeJoined(
    async () => {
      await write(() => ({}))
      return {}
    },
    () => {},
  )
  await t.rejects(other, /returns what its write returned/)
})

t.test('when the disk fails all writes are refused, which is reported once', async (t) => {
  const eio = Object.assign(new Error('Commit failed'), {
    // lmdb gives the reason as a second promise, which would end the process on its own.
    commitError: Promise.reject(new Error('EIO')),
  })
  // The bodies run, and then the commit fails.
  const childTransaction = async (body: () => unknown) => {
    body()
    throw eio
  }
  const env = { lmdb: { childTransaction }, epochs: createEpochs() } as unknown as Env
  const fatal: unknown[] = []
  const { write, writeTogether, writeSoon, flush } = createWriter(env, {
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal: (error) => fatal.push(error),
    onError: (error) => t.fail(String(error)),
  })
  const doors = [write, write, writeTogether, writeTogether, writeSoon]
  const body = (tx: Tx) => tx.afterCommit(() => t.fail('nothing follows what is not on disk'))
  const all = Promise.allSettled(doors.map((door) => door(body)))
  await flush()
  for (const one of await all) t.match(one, { status: 'rejected', reason: eio })
  t.same(fatal, [eio])
})
