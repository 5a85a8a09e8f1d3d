// Backups are made when they are due, and the operator hears when there are none.
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import { backupFirstMs, startBackupWatch } from '../../../src/services/backups/backup-watch.ts'
import type { StoredBackup } from '../../../src/store/backup/folder.ts'
import { openAccess } from '../../support/access.ts'
import { settle } from '../../support/temp-store.ts'

const hourMs = 3_600_000

async function open(t: Test, everyHours = 24) {
  const { store, clock, enrol } = openAccess(t)
  await enrol('alice')
  const { user } = await enrol('bob')
  await store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true }))
  const told: string[] = []
  const letters: string[] = []
  const world = {
    ...{ failure: null as string | null, takenAtMs: null as number | null },
    ...{ runs: 0, copiesAgain: 0, isOfCopy: false },
  }
  const watch = startBackupWatch({
    store,
    clock,
    log: silentLog,
    everyHours,
    baseUrl: 'https://up.example.com',
    backups: {
      newest: () =>
        // Nothing else of it is read here.
        world.takenAtMs === null ? undefined : ({ takenAtMs: world.takenAtMs } as StoredBackup),
      lastFailure() {
        const atMs = clock.nowMs()
        const { failure: reason } = world
        const { isOfCopy } = world
        return reason === null ? null : { atMs, sinceMs: atMs, isOfCopy, reason }
      },
      isRunning: () => false,
    },
    async run() {
      world.runs += 1
      if (world.failure === null) world.takenAtMs = clock.nowMs()
    },
    async copyAgain() {
      world.copiesAgain += 1
    },
    mailer: { enqueue: (_tx, to, { subject }) => void letters.push(`${to}: ${subject}`) },
    systemNotices: { tell: (_tx, { title, text }) => void told.push(`${title}. ${text}`) },
  })
  t.teardown(() => watch.stop())
  const pass = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += hourMs) {
      await clock.advance(Math.min(hourMs, ms - gone))
      await settle()
    }
  }
  return { world, told, letters, pass, clock, watch }
}

t.test('the first backup is made soon after the first start, and one each day', async (t) => {
  const { world, told, pass } = await open(t)
  await pass(backupFirstMs)
  t.equal(world.runs, 1)
  await pass(23 * hourMs)
  t.equal(world.runs, 1)
  t.equal(world.copiesAgain, 23, 'a copy that failed does not wait for the next day')
  await pass(2 * hourMs)
  t.equal(world.runs, 2)
  t.same(told, [])
})

t.test('a failure is told once, tried again every hour, and its end is told', async (t) => {
  const { world, told, letters, pass } = await open(t)
  world.failure = 'the disk is full'
  await pass(backupFirstMs)
  t.match(told, [/^Backups are not made\. .* has no backup\. .*the disk is full\./])
  t.ok(letters.some((line) => line.startsWith('bob@')))
  await pass(5 * hourMs)
  t.equal(world.runs, 6)
  t.equal(told.length, 1)
  world.failure = null
  await pass(hourMs)
  t.match(told.at(-1), /^Backups are made again\. The newest backup of .* is of /)
  await pass(5 * hourMs)
  t.equal(told.length, 2)
})

t.test('several who asked for a backup that failed make one notice of it', async (t) => {
  const { world, told, letters, watch } = await open(t)
  world.failure = 'the disk is full'
  await Promise.all([watch.tell(), watch.tell(), watch.tell()])
  t.equal(told.length, 1)
  t.equal(letters.length, new Set(letters).size)
})

t.test('a backup that was made and not copied is told as that', async (t) => {
  const { world, told, watch } = await open(t)
  Object.assign(world, { failure: 'the bucket is gone', isOfCopy: true })
  await watch.tell()
  t.match(told, [/^Backups are not copied to the bucket\. .*the bucket is gone\./])
})

t.test('without a schedule none is made or missed, but a failed one is told', async (t) => {
  const { world, told, pass } = await open(t, 0)
  await pass(100 * hourMs)
  t.equal(world.runs, 0)
  t.same(told, [])
  world.failure = 'no'
  await pass(hourMs)
  t.equal(told.length, 1)
})
