// Keys that the disk changed: none is taken for another, none ends anything, and each keeps its place.
import { join } from 'node:path'
import { bufferToKeyValue } from 'lmdb'
import t, { type Test } from 'tap'
import type { DamagedRecord, TableKey } from '../../../src/store/engine/damage.ts'
import { openEnv } from '../../../src/store/engine/env.ts'
import { isDamagedKey, keyOf, mentions } from '../../../src/store/engine/keys.ts'
import { namedRecords } from '../../../src/store/engine/named-records.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { unreadableIn } from '../../../src/store/engine/unreadable.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import { rawTable } from '../../support/damaged-keys.ts'
import { amount } from '../../support/depth.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { createDice } from '../../support/fuzz.ts'
import { testFolder } from '../../support/test-folder.ts'

const orgId = 'org_01kdvdna007g2rvqyny79vfpya'

function open(t: Test) {
  const env = openEnv(join(testFolder(t), 'db'))
  t.teardown(() => env.close())
  const onFatal = (error: unknown) => t.fail(String(error))
  const clock = new FakeClock()
  const { write } = createWriter(env, { clock, commitDelayMs: 0, onFatal, onError: onFatal })
  return { env, write, table: openTable<string>(env, { name: 'notes' }) }
}

t.test('the library itself makes symbols and big numbers of such bytes', (t) => {
  const bytes = Buffer.from(`?${orgId.slice(1)}`)
  bytes[0] = 2
  t.type(bufferToKeyValue(bytes), 'symbol')
  t.same(isDamagedKey(keyOf(bytes)), true)
  t.same(keyOf(bytes), [`damaged key: %02${orgId.slice(1)}`])
  t.ok(mentions(keyOf(Buffer.from(`\x02${orgId}`)), orgId))
  t.notOk(mentions(keyOf(bytes), orgId))
  t.end()
})

t.test('whatever byte of a key changes, it is read as what is there, or as damaged', async (t) => {
  const { env, write, table } = open(t)
  const dice = createDice()
  const raw = rawTable(env, 'notes')
  const whole: TableKey[] = [[orgId, 'mon_1', 5], [orgId, 'mon_1', 1_790_000_000_000], [orgId], [7]]
  await write((tx) => {
    for (const key of whole) table.put(tx, key, 'whole')
  })
  const originals = [...raw.getRange({})].map(({ key, value }) => ({
    key: Buffer.from(key),
    value: Buffer.from(value),
  }))
  const changed = new Map<string, Buffer>()
  const add = (key: Buffer, value: Buffer) => {
    if (originals.some((one) => one.key.equals(key))) return
    if (key.length > 0) changed.set(key.toString('hex'), value)
  }
  for (const { key, value } of originals) {
    for (let byte = 0; byte < 256; byte += 1) {
      const first = Buffer.from(key)
      first[0] = byte
      add(first, value)
    }
    for (let count = amount(300, 20_000); count > 0; count -= 1) {
      const other = Buffer.from(key)
      for (let bytes = 1 + dice.below(3); bytes > 0; bytes -= 1) {
        other[dice.below(key.length)] = dice.below(256)
      }
      add(dice.chance(0.1) ? other.subarray(0, 1 + dice.below(key.length)) : other, value)
    }
  }
  for (let count = amount(100, 5_000); count > 0; count -= 1) {
    add(dice.bytes(1 + dice.below(200)), Buffer.from('anything'))
  }
  await raw.transaction(() => {
    for (const [hex, value] of changed) void raw.put(Buffer.from(hex, 'hex'), value)
  })
  const found: DamagedRecord[] = []
  env.damage.listen((one) => found.push(one))

  t.strictSame(
    new Set(table.entries({ prefix: [], limit: 9_999 }).map(({ key }) => String(key))),
    new Set(whole.map(String)),
    'only what was written is believed',
  )
  t.ok(found.length >= Math.min(changed.size, 1_000), 'everything else is told')
  const told = found.filter(
    ({ key }) => JSON.parse(JSON.stringify(key)).join(' ') === key.join(' '),
  )
  t.equal(told.length, found.length, 'in words that can be logged')
  // A walk in slices comes to its end, forwards and back: a key is the place where it goes on.
  for (const reverse of [false, true]) {
    let seen = 0
    let after: TableKey | undefined
    for (;;) {
      const slice: readonly TableKey[] = table.keys({ prefix: [], limit: 7, after, reverse })
      seen += slice.length
      if (seen > 30_000) return t.fail('the walk goes round')
      if (slice.length < 7) break
      after = slice.at(-1)
    }
    t.equal(seen, table.keys({ prefix: [], limit: 99_999 }).length)
  }
  t.same(namedRecords(table, { prefix: [orgId], limit: 5 }, table.readable).length, 3)
  await write((tx) => {
    while (table.removeAll(tx, [], 100) === 100);
  })
  t.equal([...raw.getKeys({})].length, 0, 'each can be deleted')
})

t.test('every key that tables write is read as it was written', (t) => {
  const keys: TableKey[] = [
    ...[[orgId], ['ä€😀', ''], [0], [-1, 2 ** 53 - 1], ['a', 1, 'b', -7]],
    ...[
      ['x'.repeat(300), 1],
      [orgId, 'mon_1', 1_790_000_000_000],
    ],
  ]
  const { tableOptions } = open(t).env
  const buffer = Buffer.alloc(4_096)
  for (const key of keys) {
    const end = tableOptions.keyEncoder.writeKey(key, buffer, 32)
    t.same(tableOptions.keyEncoder.readKey(buffer, 32, end), key)
    t.same(keyOf(Buffer.from(buffer.subarray(32, end))), key)
  }
  t.end()
})

t.test('a table is read from its very first key to its last', async (t) => {
  const { env, write, table } = open(t)
  const raw = rawTable(env, 'notes')
  await write((tx) => table.put(tx, [orgId], 'whole'))
  await raw.transaction(() => {
    for (const byte of Array(256).keys()) void raw.put(Buffer.of(byte), Buffer.of(byte))
  })
  for (const reverse of [true, false]) {
    const found: string[] = []
    env.damage.listen(({ key }) => found.push(String(key)))
    t.equal(table.entries({ prefix: [], limit: 9, reverse }).length, 1)
    t.equal(new Set(found).size, 256)
  }
  t.equal(unreadableIn(env).length, 256)
  t.equal(
    table.hasStray(([first]) => first === orgId || first === 'damaged key: %02'),
    true,
  )
  t.equal(table.count([], 999), 257)
})
