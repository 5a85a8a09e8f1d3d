// Redo: a copy that is made of the records of transactions equals the data, byte for byte.
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { type Env, openEnv } from '../../../src/store/engine/env.ts'
import {
  createRedo,
  decodeRedo,
  encodeRedo,
  type RedoEntry,
  type RedoLog,
} from '../../../src/store/engine/redo.ts'
import { createReplica, ForeignRedo, openPositions } from '../../../src/store/engine/replica.ts'
import { openTable } from '../../../src/store/engine/table.ts'
import { createWriter, type Tx, writeTurnMsMax } from '../../../src/store/engine/write.ts'
import { openStore } from '../../../src/store/store.ts'
import { amount } from '../../support/depth.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { storedRecords } from '../../support/stored-records.ts'
import { testFolder } from '../../support/test-folder.ts'

/** What a log holds that keeps everything at once. */
function memoryLog() {
  const entries: RedoEntry[] = []
  const log: RedoLog = {
    sequenceAfter: (after) => after + 1,
    async append(entry) {
      entries.push(entry)
    },
  }
  return { entries, log }
}

let opened = 0
/** Before the first record. */
const nowhere = { epoch: 0, sequence: 0, hash: '', origin: '' }

function openCopy(t: Test): Env {
  const env = openEnv(join(testFolder(t), `copy-${++opened}`))
  t.teardown(() => env.close())
  return env
}

function openLeader(t: Test, log: RedoLog) {
  const env = openCopy(t)
  const clock = new FakeClock()
  const fatal: unknown[] = []
  const positions = openPositions(env)
  const redo = createRedo({
    log,
    position: nowhere,
    nowMs: clock.nowMs,
    keep: (position) => positions.put({ afterCommit() {} }, position),
  })
  const writer = createWriter(env, {
    clock,
    commitDelayMs: 0,
    onFatal: (error) => void fatal.push(error),
    onError: (error) => t.fail(String(error)),
    redo,
  })
  const one = openTable<unknown>(env, { name: 'one' })
  const two = openTable<unknown>(env, { name: 'two', version: 3 })
  const local = openTable<number>(env, { name: 'mine', isLocal: true })
  return { env, clock, fatal, positions, ...writer, one, two, local }
}

const bang = new Error('bang')
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A step of a transaction. */
const change = fc.record({
  table: fc.constantFrom('one' as const, 'two' as const, 'local' as const),
  key: fc.array(fc.oneof(fc.constantFrom('a', 'b', 'org_x'), fc.nat(3)), {
    minLength: 1,
    maxLength: 2,
  }),
  value: fc.option(fc.oneof(fc.nat(), fc.string({ maxLength: 200 })), { nil: undefined }),
})
const transaction = fc.record({
  way: fc.constantFrom('write', 'together', 'soon', 'joined'),
  changes: fc.array(change, { maxLength: 5 }),
  throws: fc.boolean(),
  /** Whether its body takes so long that the others of its turn are postponed. */
  isLong: fc.boolean(),
  /** Whether the next one comes in a later turn. */
  isLast: fc.boolean(),
})

t.test('a copy equals the data byte for byte, whatever was written in which way', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { maxLength: 20 }), async (transactions) => {
      const { entries, log } = memoryLog()
      const leader = openLeader(t, log)
      const writes: Promise<unknown>[] = []
      const begun = (write: Promise<unknown>) =>
        writes.push(write.catch((error) => t.equal(error, bang)))
      for (const { way, changes, throws, isLong, isLast } of transactions) {
        const body = (tx: Tx) => {
          for (const { table, key, value } of changes) {
            if (table === 'local') leader.local.put(tx, key, 1)
            else if (value === undefined) leader[table].remove(tx, key)
            else leader[table].put(tx, key, value)
          }
          if (isLong) void leader.clock.advance(writeTurnMsMax)
          if (throws) throw bang
        }
        const join = (tx: Tx) => leader.two.put(tx, ['joined'], changes.length)
        if (way === 'write') begun(leader.write(body))
        if (way === 'together') begun(leader.writeTogether(body))
        if (way === 'soon') begun(leader.writeSoon(body))
        if (way === 'joined') begun(leader.writeJoined(() => leader.write(body), join))
        if (isLast) await turn()
      }
      await leader.flush()
      await Promise.all(writes)
      const copy = openCopy(t)
      const replica = createReplica(copy)
      for (const entry of entries) await replica.apply([entry])
      t.strictSame(storedRecords(copy), storedRecords(leader.env))
      t.strictSame(replica.position(), leader.positions.readable() ?? nowhere)
      // All at once comes to the same.
      const late = openCopy(t)
      await createReplica(late).apply(entries)
      t.strictSame(storedRecords(late), storedRecords(leader.env))
      t.strictSame(openPositions(late).readable() ?? nowhere, replica.position())
      t.same(leader.fatal, [])
    }),
    { numRuns: amount(40, 1_000) },
  )
})

t.test('nobody hears of a transaction before the log has it', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leader = openLeader(t, { sequenceAfter: (after) => after + 1, append: () => promise })
  const heard: string[] = []
  const writing = leader
    .write((tx) => {
      leader.one.put(tx, ['a'], 1)
      tx.afterCommit(() => heard.push('followed'))
    })
    .then(() => heard.push('answered'))
  const next = leader.write((tx) => leader.one.put(tx, ['b'], 1))
  while (!leader.one.has(['a'])) await turn()
  for (let at = 0; at < 20; at += 1) await turn()
  t.same(heard, [])
  resolve()
  await Promise.all([writing, next])
  t.same(heard, ['followed', 'answered'])
})

t.test('a transaction that the log refuses ends the writer, and nobody hears of it', async (t) => {
  const refused = new Error('somebody else leads')
  const append = async () => {
    throw refused
  }
  const leader = openLeader(t, { sequenceAfter: (after) => after + 1, append })
  let hasFollowed = false
  const writing = leader.write((tx) => {
    leader.one.put(tx, ['a'], 1)
    tx.afterCommit(() => {
      hasFollowed = true
    })
  })
  const other = leader.write((tx) => leader.one.put(tx, ['b'], 1))
  t.same(await Promise.allSettled([writing, other]), [
    { status: 'rejected', reason: refused },
    { status: 'rejected', reason: refused },
  ])
  await t.rejects(leader.write((tx) => leader.one.put(tx, ['c'], 1)))
  t.same(leader.fatal, [refused], 'told once')
  t.notOk(hasFollowed)
})

t.test('what only this machine needs makes no record', async (t) => {
  const { entries, log } = memoryLog()
  const leader = openLeader(t, log)
  await leader.write((tx) => leader.local.put(tx, ['a'], 1))
  await leader.write(() => {})
  t.same(entries, [])
  t.equal(leader.positions.readable(), undefined)
})

t.test('a copy refuses what does not follow, and stays as it was', async (t) => {
  const { entries, log } = memoryLog()
  const leader = openLeader(t, log)
  for (const name of ['a', 'b', 'c']) await leader.write((tx) => leader.one.put(tx, [name], 1))
  const [first, second, third] = entries as [RedoEntry, RedoEntry, RedoEntry]
  const copy = openCopy(t)
  const replica = createReplica(copy)
  await replica.apply([first])
  const before = storedRecords(copy)
  await t.rejects(replica.apply([third]), ForeignRedo, 'a hole')
  await t.rejects(replica.apply([second, second]), ForeignRedo, 'one twice')
  const foreign = encodeRedo({
    ...decodeRedo(second.bytes),
    before: decodeRedo(third.bytes).before,
  })
  await t.rejects(replica.apply([{ ...second, bytes: foreign }]), ForeignRedo, 'another history')
  t.same(storedRecords(copy), before)
  t.equal(replica.position().sequence, first.sequence)
  await replica.apply([second, third])
  t.same(storedRecords(copy), storedRecords(leader.env))
})

t.test('the mark of a leader whose clock is behind turns back no time', async (t) => {
  const replica = createReplica(openCopy(t))
  for (const atMs of [9_000, 2_000]) {
    const { sequence, bytes } = replica.mark(atMs)
    await replica.apply([{ sequence, bytes }])
  }
  t.equal(replica.newestAtMs(), 9_000)
})

t.test('a copy continues where it was after it was closed', async (t) => {
  const { entries, log } = memoryLog()
  const leader = openLeader(t, log)
  for (const name of ['a', 'b']) await leader.write((tx) => leader.one.put(tx, [name], 1))
  const dir = join(testFolder(t), 'closed')
  const first = openEnv(dir)
  await createReplica(first).apply(entries.slice(0, 1))
  await first.close()
  const again = openEnv(dir)
  t.teardown(() => again.close())
  const replica = createReplica(again)
  t.equal(replica.position().sequence, 1)
  await replica.apply(entries.slice(1))
  t.same(storedRecords(again), storedRecords(leader.env))
})

t.test(
  'what is written without the log takes the data out of it, unless it is local',
  async (t) => {
    const { entries, log } = memoryLog()
    const options = {
      dir: join(testFolder(t), 'data'),
      clock: new FakeClock(),
      commitDelayMs: 0,
      onFatal: (error: unknown) => t.fail(String(error)),
      onError: (error: unknown) => t.fail(String(error)),
    }
    const leader = openStore({ ...options, redoLog: log })
    await leader.write((tx) => leader.backupNotes.putInstance(tx, 'here'))
    const position = leader.logPosition()
    await leader.close()
    t.equal(position?.sequence, entries.length)
    const alone = openStore(options)
    const trouble = { failure: null, uncopied: 'newest' }
    await alone.write((tx) => alone.backupNotes.putTrouble(tx, trouble))
    t.same(alone.logPosition(), position, 'a note of this machine changes no copy')
    await t.rejects(
      alone.write((tx) => {
        alone.backupNotes.putTold(tx, true)
        throw new Error('rolled back')
      }),
    )
    t.same(alone.logPosition(), position)
    await alone.write((tx) => alone.backupNotes.putTold(tx, true))
    t.equal(alone.logPosition(), undefined)
    await alone.close()
  },
)
