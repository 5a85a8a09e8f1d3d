// Damaged data files: each is refused in words or known record by record, and none is believed.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { StartFailure } from '../../../src/base/exit.ts'
import { checkInBackground } from '../../../src/store/data-file/background.ts'
import {
  type CheckedFile,
  checkFile,
  isCheckedAtStart,
} from '../../../src/store/data-file/check.ts'
import { inspectDataFile } from '../../../src/store/data-file/inspect.ts'
import type { DamagedRecord, TableKey } from '../../../src/store/engine/damage.ts'
import { openEnv } from '../../../src/store/engine/env.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter } from '../../../src/store/engine/write.ts'
import { damagedFiles } from '../../support/damaged-files.ts'
import { amount } from '../../support/depth.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { createDice } from '../../support/fuzz.ts'

interface Note {
  readonly text: string
}

const names = ['checks', 'monitors', 'orgs', 'pushTokens']

function openTables(dir: string) {
  const env = openEnv(dir)
  const writer = createWriter(env, {
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal: (error) => t.fail(String(error)),
    onError: (error) => t.fail(String(error)),
  })
  return { env, ...writer, tables: names.map((name) => openTable<Note>(env, { name })) }
}

/** A directory whose tables grew and shrank, with records of every size. */
async function makeData(dir: string, transactions: number): Promise<void> {
  const dice = createDice()
  const { env, tables, write } = openTables(dir)
  for (let round = 0; round < transactions; round += 1) {
    await write((tx) => {
      for (let count = dice.below(60); count > 0; count -= 1) {
        const key: TableKey = [`org_${dice.below(4)}`, `mon_${dice.below(60)}`, dice.below(8)]
        const text = 'x'.repeat(dice.chance(0.03) ? dice.below(20_000) : dice.below(400))
        if (dice.chance(0.7)) dice.pick(tables).put(tx, key, { text })
        else dice.pick(tables).remove(tx, key)
      }
    })
  }
  await env.close()
}

/** Every record by table and key. */
async function dump(dir: string): Promise<Map<string, string>> {
  const { env } = openTables(dir)
  const found = new Map<string, string>()
  for (const name of names) {
    const db = env.lmdb.openDB<Buffer, TableKey>({ name, encoding: 'binary', cache: false })
    for (const { key, value } of db.getRange()) found.set(nameOf(name, key), value.toString('hex'))
  }
  await env.close()
  return found
}

const nameOf = (table: string, key: TableKey) => JSON.stringify([table, ...key])
const nameOfDamaged = ({ table, key }: DamagedRecord) => nameOf(table, key)

function look(dir: string): CheckedFile | StartFailure {
  try {
    const file = inspectDataFile(dir)
    if (!file) throw new Error('there is a file')
    return checkFile(file)
  } catch (error) {
    if (error instanceof StartFailure) return error
    throw error
  }
}

async function directory(t: Test, transactions = 60): Promise<string> {
  const dir = join(t.testdir(), 'data')
  mkdirSync(dir)
  await makeData(dir, transactions)
  return dir
}

t.test('a file that LMDB left is whole after every few transactions', async (t) => {
  const dir = join(t.testdir(), 'data')
  mkdirSync(dir)
  t.equal(inspectDataFile(dir), null, 'a new directory has none')
  for (let round = 0; round < amount(6, 100); round += 1) {
    await makeData(dir, 1 + (round % 7))
    const checked = look(dir)
    if (!('records' in checked)) return t.fail(checked.message)
    t.equal(checked.records, (await dump(dir)).size)
    t.same(checked.damaged, [])
  }
})

t.test('no damaged file is believed, and what is refused says where and what to do', async (t) => {
  const dir = await directory(t)
  const path = join(dir, 'data.mdb')
  const whole = readFileSync(path)
  const truth = await dump(dir)
  const seen = { refused: 0, records: 0, harmless: 0 }
  for (const [what, bytes] of damagedFiles(whole, amount(70, 4_000))) {
    rmSync(join(dir, 'lock.mdb'), { force: true })
    writeFileSync(path, bytes)
    const found = look(dir)
    if (found instanceof StartFailure) {
      seen.refused += 1
      if (found.exitCode !== 78 || !found.message.startsWith(path) || !found.hint) {
        t.fail(`${what}: ${found.message}`)
      }
      continue
    }
    const known = new Set(found.damaged.map(nameOfDamaged))
    const now = await dump(dir)
    const wrong = [...now].filter(([name, hex]) => !known.has(name) && truth.get(name) !== hex)
    const missing = [...truth.keys()].filter((name) => !now.has(name))
    if (wrong.length > 0) t.fail(`${what}: ${wrong.length} records are believed`)
    if (missing.length > known.size) t.fail(`${what}: ${missing.length} records are gone`)
    if (known.size > 0) seen.records += 1
    else seen.harmless += 1
  }
  t.comment(JSON.stringify(seen))
  t.ok(seen.refused > 0 && seen.records > 0 && seen.harmless > 0)
})

t.test('a commit that the disk refused leaves a file that opens', async (t) => {
  const dir = await directory(t)
  const path = join(dir, 'data.mdb')
  const bytes = readFileSync(path)
  const file = inspectDataFile(dir)
  if (!file) return t.fail('there is a file')
  const { pageBytes, transaction } = file.meta
  // As mdb_env_write_meta does then: the old last page and transaction, the roots of the new trees.
  const refused = ((transaction + 1) % 2) * pageBytes + 24
  const beyond = BigInt(bytes.length / pageBytes + 1)
  for (const rootAt of [24 + 40, 72 + 40]) bytes.writeBigUInt64LE(beyond, refused + rootAt)
  const truth = await dump(dir)
  rmSync(join(dir, 'lock.mdb'), { force: true })
  writeFileSync(path, bytes)
  t.match(look(dir), { damaged: [] })
  t.same(await dump(dir), truth)
})

t.test('a check in the background sees one snapshot while others write', async (t) => {
  const dir = await directory(t)
  const { env, write, tables } = openTables(dir)
  t.teardown(() => env.close())
  const file = inspectDataFile(dir)
  const { signal } = new AbortController()
  let isDone = false
  let progress = () => ({ doneBytes: 0, totalBytes: 0 })
  const begun = (read: typeof progress) => {
    progress = read
  }
  const checking = checkInBackground(env.lmdb, file, signal, begun).finally(() => {
    isDone = true
  })
  const { totalBytes } = progress()
  t.ok(totalBytes > 0)
  const [table] = tables
  for (let round = 0; !isDone; round += 1) {
    await write((tx) => table?.put(tx, ['org', round % 50], { text: 'y'.repeat(round % 3_000) }))
  }
  t.match(await checking, { damaged: [], records: Number })
  const { doneBytes } = progress()
  t.ok(doneBytes > 0 && doneBytes <= totalBytes, `${doneBytes} of ${totalBytes} bytes were read`)
  const ended = AbortSignal.abort()
  t.equal(await checkInBackground(env.lmdb, file, ended), undefined)
})

t.test('a damaged file is noticed in the background, too', async (t) => {
  const dir = await directory(t)
  const { env } = openTables(dir)
  t.teardown(() => env.close())
  const copy = join(dir, '../copy')
  mkdirSync(copy)
  cpSync(join(dir, 'data.mdb'), join(copy, 'data.mdb'))
  const bytes = readFileSync(join(copy, 'data.mdb'))
  const file = inspectDataFile(copy)
  writeFileSync(join(copy, 'data.mdb'), bytes.fill(0, 3 * 4_096))
  const { signal } = new AbortController()
  await t.rejects(checkInBackground(env.lmdb, file, signal), {
    name: 'StartFailure',
    exitCode: 78,
    message: /data\.mdb is damaged: /,
  })
})

t.test('a short file is checked before LMDB opens it, however large it is', async (t) => {
  const dir = await directory(t, 3)
  const file = inspectDataFile(dir)
  if (!file) return t.fail('there is a file')
  const huge = { ...file, bytes: 2 ** 40 }
  t.equal(isCheckedAtStart(file), true)
  t.equal(isCheckedAtStart(huge), false)
  t.equal(isCheckedAtStart({ ...huge, meta: { ...file.meta, lastPage: 2 ** 30 } }), true)
})
