// A restore: what comes back, what does not, and that a refusal changes nothing.
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import { newDelivery } from '../../../src/domain/alerts/delivery.ts'
import { queuedLetter } from '../../../src/domain/letters/queued-letter.ts'
import { createBackups } from '../../../src/services/backups/backups.ts'
import { tellOfRestore } from '../../../src/services/backups/restore-notices.ts'
import { mustBeReplaceable, restoreBackup } from '../../../src/services/backups/restores.ts'
import { restoredQuietMs } from '../../../src/services/backups/settle-restored.ts'
import { packedName, type StoredBackup } from '../../../src/store/backup/folder.ts'
import { beginRestore, endKilledRestore, hasData } from '../../../src/store/backup/restore.ts'
import { giveToOwner } from '../../../src/store/folders.ts'
import { currentSchema } from '../../../src/store/migrate.ts'
import { openStore } from '../../../src/store/store.ts'
import { openAccess } from '../../support/access.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makeOrg } from '../../support/make-org.ts'

async function open(t: Test) {
  const access = openAccess(t)
  const { store, clock, dir: dataDir } = access
  await store.write((tx) => {
    store.meta.putSchema(tx, currentSchema())
    store.backupNotes.putInstance(tx, 'abc')
    store.secrets.put(tx, 'key-proof', { sealed: '01234567.s', hash: 'x', createdAtMs: 1 })
  })
  const backups = createBackups({
    store,
    clock,
    log: silentLog,
    version: '1.2.3',
    dataDir,
    settings: { dir: join(dataDir, 'backups'), keepDaily: 7, keepWeekly: 0 },
    proveKey: () => {},
  })
  const target = join(dataDir, 'target')
  mkdirSync(target)
  const restore = (backup: StoredBackup, more = {}) =>
    restoreBackup({
      manifest: backup,
      content: join(backup.path, packedName),
      dir: target,
      proveKey: () => {},
      clock: Object.assign(clock, { stop() {} }),
      log: silentLog,
      program: '1.2.3',
      damage: null,
      ...more,
    })
  const opened = () => {
    const fail = (error: unknown) => t.fail(String(error))
    const copy = openStore({ dir: target, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
    t.teardown(() => copy.close())
    return copy
  }
  return { ...access, backups, target, restore, opened }
}

t.test('what was stored comes back; who had it is signed out', async (t) => {
  const { store, enrol, backups, restore, target, opened } = await open(t)
  const { user } = await enrol('alice')
  t.ok(store.sessions.listOfUser(user.id, 10).length > 0)
  const org = makeOrg()
  await store.write((tx) => store.orgs.put(tx, org))
  const backup = await backups.make()
  const restored = await restore(backup)
  t.match(restored.note, {
    backup: backup.name,
    takenAtMs: backup.takenAtMs,
    isAutomatic: false,
    keptIn: null,
  })
  t.same(readdirSync(target), ['data.mdb'])
  const copy = opened()
  t.same(copy.orgs.get(org.id), org)
  t.same(copy.users.get(user.id), user)
  t.same(copy.sessions.listOfUser(user.id, 10), [])
  t.same(copy.backupNotes.restored(), restored.note)
  t.equal(copy.backupNotes.instance(), 'abc', 'its backups belong together with those before')
  t.match(copy.audit.list('system', 1), [{ action: 'backup.restored' }])
  const told: string[] = []
  const tell = () =>
    tellOfRestore({
      store: copy,
      mailer: { enqueue() {} },
      systemNotices: { tell: (_tx, { title, text }) => void told.push(`${title}. ${text}`) },
      baseUrl: 'https://up.test',
    })
  await tell()
  await tell()
  t.equal(told.length, 1)
  t.match(told[0], /^A backup was restored\. .* is missing\. Everybody must sign in again\.$/)
})

t.test('what is known of a machine stays behind where a person restores', async (t) => {
  const { store, backups, restore, opened } = await open(t)
  t.same([...store.locals.keys()].toSorted(), [
    'backupTrouble',
    'leadership',
    'logNewest',
    'logPosition',
    'reserve',
    'sentinels',
  ])
  await store.write((tx) => {
    store.meta.putSentinels(tx, ['192.0.2.1 53'])
    store.meta.putLastAlive(tx, 1)
    store.reserve.put(tx, 1)
  })
  const backup = await backups.make()
  await restore(backup)
  const moved = opened()
  t.same(moved.meta.sentinels(), [], 'their silence in another network can mute alerts')
  t.equal(await moved.write((tx) => moved.reserve.clear(tx, 9)), 0)
  t.equal(moved.meta.lastAliveMs(), 1)
  await moved.close()
  await restore(backup, { damage: 'a page is damaged' })
  t.same(opened().meta.sentinels(), ['192.0.2.1 53'], 'the daemon restores where it runs')
})

t.test('alerts and letters that waited in the backup are not sent as new', async (t) => {
  const { store, clock, backups, restore, opened } = await open(t)
  const nowMs = clock.nowMs()
  const isOpen = makeIncident()
  const isOver = makeIncident({ id: 'inc_00000000000000000000000009', state: 'resolved' } as never)
  const { orgId } = isOpen
  const channelId = 'chn_00000000000000000000000001' as never
  const deliveryOf = (at: number, incidentId: typeof isOpen.id | null) =>
    newDelivery({
      id: `dlv_0000000000000000000000000${at}` as never,
      orgId,
      channelId,
      incidentId,
      event: incidentId === null ? 'system.notice' : 'incident.opened',
      payloadJson: '{}',
      nowMs,
      sequence: 0,
    })
  const promised = { announced: 'open', delivered: 'none', delayedId: null } as const
  await store.write((tx) => {
    store.incidents.put(tx, isOpen)
    store.incidents.put(tx, isOver)
    store.deliveries.put(tx, deliveryOf(1, isOpen.id))
    store.deliveries.put(tx, deliveryOf(2, isOver.id))
    store.deliveries.put(tx, deliveryOf(3, null))
    store.announcements.put(tx, orgId, isOpen.id, channelId, promised)
    store.announcements.put(tx, orgId, isOver.id, channelId, promised)
    const letter = { id: 'ltr_1' as never, recipientHash: 'h', sealed: 's', messageId: 'm' }
    store.letters.put(tx, queuedLetter(letter, nowMs))
  })
  const backup = await backups.make()
  const restored = await restore(backup)
  t.match(restored, { deliveries: 3, letters: 1 })
  const copy = opened()
  const states = copy.deliveries.list(orgId, channelId, { limit: 9 }).map(({ state }) => state)
  t.same(states, ['dead', 'dead', 'pending'])
  t.equal(copy.letters.countPending(), 0)
  const [waiting] = copy.deliveries.pending(orgId, channelId, 9)
  t.equal(waiting?.incidentId, isOpen.id, 'of an outage that may go on, checks decide first')
  t.equal(waiting?.dueAtMs, nowMs + restoredQuietMs)
  const delayed = { ...promised, delayedId: waiting?.id }
  t.same(copy.announcements.get(orgId, isOpen.id, channelId), delayed, 'its end takes it back')
  t.match(copy.announcements.get(orgId, isOver.id, channelId), { announced: 'none' })
})

t.test('data in the place is not overwritten, and kept when it is replaced', async (t) => {
  const { store, backups, restore, target, opened } = await open(t)
  const backup = await backups.make()
  mustBeReplaceable(target, false)
  await restore(backup)
  t.ok(hasData(target))
  t.throws(() => mustBeReplaceable(target, false), { message: /not overwritten/ })
  mustBeReplaceable(target, true)
  const before = readFileSync(join(target, 'data.mdb'))
  writeFileSync(join(target, 'lock.mdb'), 'locks')
  await store.write((tx) => store.orgs.put(tx, makeOrg()))
  const { note } = await restore(await backups.make())
  t.same(readFileSync(join(note.keptIn ?? '', 'data.mdb')), before)
  t.ok(opened().orgs.get(makeOrg().id))
  t.notOk(existsSync(join(target, '.restoring')))
})

t.test('a damaged backup, a wrong key or a newer schema change nothing', async (t) => {
  const { backups, restore, target } = await open(t)
  const backup = await backups.make()
  const refused = async (more: object, expected: { message: string | RegExp; hint?: RegExp }) => {
    await t.rejects(
      restore({ ...backup, ...(more as { manifest?: object }).manifest }, more),
      expected,
    )
    t.same(readdirSync(target), [])
  }
  const newer = { schema: { version: 999, minReader: 999 } }
  await refused(
    { manifest: { ...backup, ...newer } },
    // An older program may have copied data that it cannot read.
    {
      message: /needs a daemon that knows version 999/,
      hint: /the stillup that wrote this data\. stillup 1\.2\.3 made/,
    },
  )
  await refused(
    {
      proveKey() {
        throw new Error('not the key')
      },
    },
    { message: 'not the key' },
  )
  await refused(
    { manifest: { ...backup, records: backup.records + 1 } },
    { message: /is damaged: it has \d+ records, and not/ },
  )
  const path = join(backup.path, packedName)
  const bytes = readFileSync(path)
  for (const at of [0, 10, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x10
    writeFileSync(path, changed)
    await refused({}, { message: /is damaged/ })
  }
  writeFileSync(path, bytes.subarray(0, bytes.length - 5))
  await refused({}, { message: /is damaged/ })
})

t.test('a restore that was killed in the middle is begun again', async (t) => {
  const { backups, restore, target, opened } = await open(t)
  const backup = await backups.make()
  mkdirSync(join(target, '.restoring'))
  writeFileSync(join(target, '.restoring', 'data.mdb'), 'half')
  const free = [10 ** 12, 0]
  const measure = async () => ({ freeBytes: free.shift() ?? 0, totalBytes: 10 ** 12 })
  await t.rejects(restore(backup, { measure }), { exitCode: 74, message: /is full/ })
  t.same(readdirSync(target), [], 'nor does one that others fill the disk under change anything')
  mkdirSync(join(target, '.restoring'))
  writeFileSync(join(target, '.restoring', 'data.mdb'), 'half')
  t.throws(() => endKilledRestore(target), { exitCode: 78, message: /was not finished/ })
  await restore(backup)
  giveToOwner(target)
  t.same(readdirSync(target), ['data.mdb'])
  t.notOk(endKilledRestore(target), 'a start finds nothing of it')
  const making = beginRestore(target)
  t.notOk(endKilledRestore(target), 'nor of one that had only begun')
  mkdirSync(making)
  writeFileSync(join(making, 'data.mdb'), 'half')
  t.ok(endKilledRestore(target), 'a start beside the old data removes the half')
  t.same(readdirSync(target), ['data.mdb'])
  t.equal(opened().backupNotes.instance(), 'abc')
})

t.test(
  'where a file has one name only, a failure leaves what the next start asks for',
  async (t) => {
    const { backups, restore, target, opened } = await open(t)
    const backup = await backups.make()
    await restore(backup)
    const { linkSync, renameSync } = fs
    const put = (changed: Partial<typeof fs>) => {
      Object.assign(fs, changed)
      syncBuiltinESMExports()
    }
    t.teardown(() => put({ linkSync, renameSync }))
    const refuse = () => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
    }
    let renames = 0
    put({
      linkSync: refuse,
      renameSync: (from, to) => (++renames === 2 ? refuse() : renameSync(from, to)),
    })
    await t.rejects(restore(backup), { code: 'EPERM' })
    put({ linkSync, renameSync })
    t.notOk(hasData(target), 'the old data is beside it')
    t.throws(() => endKilledRestore(target), { exitCode: 78, message: /was not finished/ })
    await restore(backup)
    t.equal(opened().backupNotes.instance(), 'abc')
  },
)
