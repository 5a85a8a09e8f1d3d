// Tables: ranges in every direction, records of other versions, and records that were damaged.
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import t, { type Test } from 'tap'
import type { TableKey } from '../../../src/store/engine/damage.ts'
import { type Env, openEnv } from '../../../src/store/engine/env.ts'
import {
  openTable,
  packCodec,
  type Table,
  type TableSpec,
} from '../../../src/store/engine/table.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { testFolder } from '../../support/test-folder.ts'

interface Note {
  readonly text: string
}

function open(t: Test) {
  const env = openEnv(join(testFolder(t), 'db'))
  t.teardown(() => env.close())
  const onFatal = (error: unknown) => t.fail(String(error))
  const { write } = createWriter(env, {
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal,
    onError: onFatal,
  })
  const notes = (more: Partial<TableSpec<Note>> = {}) =>
    openTable<Note>(env, { name: 'notes', version: 1, ...more })
  const put = (table: Table<Note>, keys: readonly TableKey[]) =>
    write((tx) => {
      for (const key of keys) table.put(tx, key, { text: key.join('/') })
    })
  return { env, write, notes, put }
}

/** Changes what lies on the disk under a key, as a failing disk would. */
async function damage(env: Env, key: TableKey, change: (bytes: Buffer) => Buffer): Promise<void> {
  const db = env.lmdb.openDB<Buffer, TableKey>({ name: 'notes', encoding: 'binary', cache: false })
  const bytes = Buffer.from(db.get(key) ?? [])
  await db.put(key, change(bytes))
}

const flipped = (bytes: Buffer): Buffer => {
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return bytes
}

t.test('a record is read as it was written, bytes included', async (t) => {
  const { env, write } = open(t)
  const table = openTable<object>(env, { name: 'things', version: 1 })
  const record = {
    text: 'ä€😀',
    none: null,
    yes: true,
    list: [1, 'two', { three: 3 }],
    deep: { a: {} },
    big: 31_536_000_000,
    small: -0.25,
    atMs: Date.UTC(2026, 0, 1),
    bytes: Buffer.from([1]),
  }
  await write((tx) => table.put(tx, ['a', 1], record))
  t.same(table.get(['a', 1]), record)
  t.ok(table.has(['a', 1]))
  t.equal(table.get(['a', 2]), undefined)
  t.notOk(table.has(['a']))
  await write((tx) => table.remove(tx, ['a', 1]))
  t.equal(table.get(['a', 1]), undefined)
})

t.test('a prefix matches its own keys only, even if one id begins another', async (t) => {
  const { write, notes, put } = open(t)
  const table = notes()
  await put(table, [
    ...[
      ['org_1', 1],
      ['org_1', 2],
      ['org_1', 'mon_1'],
      ['org_1', 'mon_1', 5],
    ],
    ...[
      ['org_10', 1],
      ['org_1a', 1],
      ['org_', 1],
      ['org_2', 1],
    ],
  ] as TableKey[])
  const texts = (prefix: TableKey, reverse = false) =>
    table.range({ prefix, reverse, limit: 100 }).map(({ text }) => text)
  const ofOne = ['org_1/1', 'org_1/2', 'org_1/mon_1', 'org_1/mon_1/5']
  t.same(texts(['org_1']), ofOne)
  t.same(texts(['org_1'], true), ofOne.toReversed())
  t.same(texts(['org_10']), ['org_10/1'])
  t.same(texts(['org_3']), [])
  t.equal(texts([]).length, 8)
  t.equal(table.count(['org_1'], 100), 4)
  t.equal(table.count(['org_1'], 3), 3, 'counting ends at the limit')
  t.equal(table.total(), 8)
  await write((tx) => {
    table.put(tx, ['org_3', 1], { text: 'new' })
    table.remove(tx, ['org_2', 1])
    table.remove(tx, ['org_', 1])
    t.equal(table.total(), 7, 'a transaction sees what it has done')
  })
})

t.test('a range begins after a key or from one, forwards and backwards', async (t) => {
  const { notes, put } = open(t)
  const table = notes()
  const keys: TableKey[] = Array.from({ length: 10 }, (_, number) => ['o', 'm', number * 10])
  await put(table, [...keys, ['n', 'm', 5], ['p', 'm', 5]])
  const prefix = ['o', 'm']
  const numbers = (options: object) =>
    table.keys({ prefix, limit: 3, ...options }).map((key) => key[2])
  const records = (options: object) =>
    table.entries({ prefix, limit: 3, ...options }).map(({ key }) => key[2])
  const cases: [object, number[]][] = [
    [{}, [0, 10, 20]],
    [{ reverse: true }, [90, 80, 70]],
    [{ after: 20 }, [30, 40, 50]],
    [{ after: 25 }, [30, 40, 50]],
    [{ from: 20 }, [20, 30, 40]],
    [{ from: 25 }, [30, 40, 50]],
    [{ after: 20, reverse: true }, [10, 0]],
    [{ after: 25, reverse: true }, [20, 10, 0]],
    [{ from: 20, reverse: true }, [20, 10, 0]],
    [{ after: 20, from: 70 }, [30, 40, 50]],
    [{ after: 90 }, []],
    [{ after: 0, reverse: true }, []],
    [{ until: 15 }, [0, 10]],
    [{ until: 10, reverse: true }, [10, 0]],
    [{ after: 0, until: 20 }, [10, 20]],
    [{ limit: 0 }, []],
  ]
  for (const [options, expected] of cases) {
    t.same(numbers(options), expected, JSON.stringify(options))
    t.same(records(options), expected, `${JSON.stringify(options)}, with records`)
  }
})

t.test('keys of one part are ranges like others', async (t) => {
  const { notes, put } = open(t)
  const table = notes()
  await put(table, [['org_1'], ['org_2'], ['org_3']])
  t.same(table.keys({ prefix: [], after: 'org_1', limit: 9 }), [['org_2'], ['org_3']])
  const before = table.entries({ prefix: [], after: ['org_3'], reverse: true, limit: 1 })
  t.same(before, [{ key: ['org_2'], record: { text: 'org_2' } }])
})

t.test('inside a write, ranges and reads see its own changes', async (t) => {
  const { notes, put, write } = open(t)
  const table = notes()
  await put(table, [['a', 1]])
  await write((tx) => {
    table.put(tx, ['a', 2], { text: 'new' })
    table.remove(tx, ['a', 1])
    t.same(table.range({ prefix: ['a'], limit: 9 }), [{ text: 'new' }])
    t.equal(table.get(['a', 1]), undefined)
    t.equal(table.has(['a', 2]), true)
  })
})

t.test('the checksum is the CRC-32 of version, key and content', async (t) => {
  const { env, notes, put } = open(t)
  const key = ['org_01kdvdna007g2rvqyny79vfpya', 1_790_000_000_000, 'a-_Z', 0]
  await put(notes(), [key])
  await damage(env, key, (bytes) => {
    const sum = crc32(bytes.subarray(5), crc32(`${bytes[0]} ${key.join(' ')}`))
    t.equal(bytes.readUInt32LE(1), sum)
    return bytes
  })
})

t.test('a damaged record is told once, is no absent one, and hides no other', async (t) => {
  const { env, notes, put, write } = open(t)
  const reported: [TableKey, string][] = []
  env.damage.listen(({ key, reason }) => reported.push([key, reason]))
  const table = notes()
  const keys: TableKey[] = Array.from({ length: 6 }, (_, number) => ['a', number])
  await put(table, keys)
  await damage(env, ['a', 2], flipped)
  await damage(env, ['a', 3], (bytes) => bytes.subarray(0, 3))
  t.throws(() => table.get(['a', 2]), { code: 'damaged_record', status: 500 })
  t.throws(() => table.recall(['a', 2]), { code: 'damaged_record' })
  t.equal(table.readable(['a', 2]), undefined)
  t.equal(table.isDamaged(['a', 2]), true)
  t.equal(table.isDamaged(['a', 1]), false)
  t.equal(table.isDamaged(['a', 9]), false)
  t.match(reported, [[['a', 2], /checksum/]])
  t.equal(reported.length, 1)
  const page = table.range({ prefix: ['a'], limit: 3 })
  t.same(page, [{ text: 'a/0' }, { text: 'a/1' }, { text: 'a/4' }], 'a full page, so not the last')
  t.equal(reported.length, 2)
  t.same(table.range({ prefix: ['a'], after: 1, limit: 9 }).length, 2)
  t.equal(env.damage.count(), 2)
  await write((tx) => {
    table.put(tx, ['a', 2], { text: 'again' })
    table.remove(tx, ['a', 3])
  })
  t.equal(env.damage.count(), 0, 'what is written anew or deleted is damaged no more')
  t.same(table.get(['a', 2]), { text: 'again' })
})

t.test('a record under a key that is not its own is damaged', async (t) => {
  const { env, notes, put } = open(t)
  const table = notes()
  await put(table, [['a', 2]])
  const db = env.lmdb.openDB<Buffer, TableKey>({ name: 'notes', encoding: 'binary', cache: false })
  await db.put(['b', 2], Buffer.from(db.get(['a', 2]) ?? []))
  t.throws(() => table.get(['b', 2]), { code: 'damaged_record' })
  await damage(env, ['a', 2], (bytes) => {
    bytes[0] = (bytes[0] ?? 0) ^ 2
    return bytes
  })
  t.throws(() => table.get(['a', 2]), { code: 'damaged_record' }, 'nor is its version changed')
})

t.test('a record of a former version has a checksum without its key', async (t) => {
  const { env, notes } = open(t)
  const table = notes()
  const payload = packCodec<Note>().encode({ text: 'former' })
  const head = Buffer.alloc(5, 1)
  head.writeUInt32LE(crc32(payload), 1)
  const db = env.lmdb.openDB<Buffer, TableKey>({ name: 'notes', encoding: 'binary', cache: false })
  await db.put(['a', 1], Buffer.concat([head, payload]))
  t.same(table.get(['a', 1]), { text: 'former' })
})

t.test('a record of an older version is upgraded, a newer one is not guessed', async (t) => {
  const { env, notes, put, write } = open(t)
  await put(notes(), [['a', 1]])
  const upgrade = (record: unknown, version: number) => ({
    text: `${(record as Note).text} from version ${version}`,
  })
  const newer = notes({ version: 3, upgrade })
  t.same(newer.get(['a', 1]), { text: 'a/1 from version 1' })
  await write((tx) => newer.put(tx, ['a', 2], { text: 'new' }))
  t.same(newer.get(['a', 2]), { text: 'new' })
  const reasons: string[] = []
  env.damage.listen(({ reason }) => reasons.push(reason))
  t.throws(() => notes().get(['a', 2]), { code: 'damaged_record' })
  t.match(reasons, [/version 3/])
})

t.test('a recalled record is the same object until its bytes change', async (t) => {
  const { env, write, notes } = open(t)
  const table = notes()
  const key = ['org', 1]
  t.equal(table.recall(key), undefined)
  await write((tx) => table.put(tx, key, { text: 'first' }))
  const first = table.recall(key)
  t.same(first, { text: 'first' })
  t.equal(table.recall(key), first)
  t.equal(table.range({ prefix: ['org'], limit: 9, recalls: true })[0], first)
  t.not(table.get(key), first, 'others get a record of their own')
  await write((tx) => {
    table.put(tx, key, { text: 'other' })
    t.same(table.recall(key), { text: 'other' }, 'a write sees its own')
  })
  t.same(table.recall(key), { text: 'other' })
  const failing = write((tx) => {
    table.put(tx, key, { text: 'never' })
    t.same(table.recall(key), { text: 'never' })
    throw new Error('undone')
  })
  await t.rejects(failing, /undone/)
  t.same(table.recall(key), { text: 'other' }, 'what was undone is forgotten')
  await damage(env, key, flipped)
  t.throws(() => table.recall(key), { code: 'damaged_record' })
  await write((tx) => table.remove(tx, key))
  t.equal(table.recall(key), undefined)
})

t.test(
  'what is recalled while a write is in progress is what is stored once it has ended',
  async (t) => {
    const { write, notes, put } = open(t)
    const table = notes()
    const key = ['org', 1]
    const range = () => table.range({ prefix: ['org'], limit: 9, recalls: true })
    await put(table, [key])
    for (let number = 1; number <= 50; number += 1) {
      const text = String(number)
      let isDone = false
      const writing = write((tx) => table.put(tx, key, { text })).then(() => {
        isDone = true
      })
      while (!isDone) {
        t.ok(['org/1', text, String(number - 1)].includes(String(table.recall(key)?.text)))
        range()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await writing
      t.same([table.recall(key), range()], [{ text }, [{ text }]])
    }
  },
)

t.test('a range that is read again has what was added and deleted meanwhile', async (t) => {
  const { write, notes, put } = open(t)
  const table = notes()
  const newest = (limit: number, prefix = 'a') =>
    table
      .range({ prefix: [prefix], reverse: true, limit, recalls: true })
      .map((record) => record.text)
  await put(table, [
    ['a', 1],
    ['a', 2],
    ['b', 1],
  ])
  t.same(
    [newest(9), newest(9), newest(1), newest(9, 'b')],
    [['a/2', 'a/1'], ['a/2', 'a/1'], ['a/2'], ['b/1']],
  )
  await put(table, [['a', 3]])
  t.same([newest(9), newest(1)], [['a/3', 'a/2', 'a/1'], ['a/3']])
  await write((tx) => table.remove(tx, ['a', 2]))
  t.same(newest(9), ['a/3', 'a/1'])
  const undone = write((tx) => {
    table.remove(tx, ['a', 3])
    t.same(newest(9), ['a/1'], 'a write sees its own')
    throw new Error('undone')
  })
  await t.rejects(undone, /undone/)
  t.same(newest(9), ['a/3', 'a/1'])
})

t.test('records of two organizations under the same last part are kept apart', async (t) => {
  const { notes, put } = open(t)
  const table = notes()
  await put(table, [
    ['a', 1],
    ['b', 1],
  ])
  for (let round = 0; round < 3; round += 1) {
    t.same([table.recall(['a', 1]), table.recall(['b', 1])], [{ text: 'a/1' }, { text: 'b/1' }])
  }
})
