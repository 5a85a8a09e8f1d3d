// Backups: made while the store is written to, read back, kept and removed by their rule.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { required } from '../../../src/base/assert.ts'
import type { OrgId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import { createMetrics } from '../../../src/base/metrics.ts'
import { parseManifest } from '../../../src/domain/backups/backup.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createAudit } from '../../../src/services/audit.ts'
import {
  type BackupsDeps,
  backupSpaceBytesLeft,
  createBackups,
} from '../../../src/services/backups/backups.ts'
import { createOperatorBackups } from '../../../src/services/backups/operator-backups.ts'
import { createCopies } from '../../../src/services/backups/remote-copies.ts'
import { packedName, readBackup, type StoredBackup } from '../../../src/store/backup/folder.ts'
import { unpackFile } from '../../../src/store/backup/pack.ts'
import { noPace, unpackVerified } from '../../../src/store/backup/verify.ts'
import { openStore } from '../../../src/store/store.ts'
import { callerOf } from '../../support/access.ts'
import { makeOrg } from '../../support/make-org.ts'
import { createMemoryRemote } from '../../support/memory-remote.ts'
import { damageRecord, openTempStore } from '../../support/temp-store.ts'
import { until } from '../../support/until.ts'

const dayMs = 86_400_000
const never = new AbortController().signal

async function open(t: Test, more: Partial<BackupsDeps> = {}) {
  const { store, clock, dir: dataDir } = openTempStore(t)
  const dir = join(dataDir, 'backups')
  await store.write((tx) => {
    store.meta.putSchema(tx, { version: 7, minReader: 7 })
    store.backupNotes.putInstance(tx, 'abc')
    const sealed = '01234567.sealed'
    store.secrets.put(tx, 'key-proof', { sealed, hash: 'x', createdAtMs: 1 })
  })
  /** As another process has them, over the same data. */
  const again = () =>
    createBackups({
      store,
      clock,
      log: silentLog,
      version: '1.2.3',
      dataDir,
      settings: { dir, keepDaily: 2, keepWeekly: 0 },
      proveKey: () => {},
      ...more,
    })
  return { store, clock, dataDir, dir, backups: again(), again }
}

const readBack = (backup: StoredBackup) =>
  unpackVerified(join(backup.path, packedName), join(backup.path, 'scratch'), backup, noPace)

t.test('a backup has what was acknowledged before, and opens as a data directory', async (t) => {
  const { store, clock, dir, dataDir, backups } = await open(t)
  const org = makeOrg()
  await store.write((tx) => store.orgs.put(tx, org))
  t.equal(backups.progress(), null)
  const making = backups.make()
  const progress = backups.progress()
  t.ok(progress && progress.totalBytes > 0 && progress.doneBytes <= progress.totalBytes)
  const made = await making
  t.equal(backups.progress(), null)
  t.match(made, {
    format: 1,
    instance: 'abc',
    version: '1.2.3',
    schema: { version: 7, minReader: 7 },
    takenAtMs: clock.nowMs(),
    damagedRecords: 0,
    keyId: '01234567',
  })
  t.same(readdirSync(dir), [made.name])
  t.same(readdirSync(made.path).sort(), [packedName, 'manifest.json'])
  t.equal(statSync(made.path).mode & 0o777, 0o700)
  t.equal(statSync(join(made.path, packedName)).mode & 0o777, 0o600)
  const manifest = parseManifest(readFileSync(join(made.path, 'manifest.json'), 'utf8'))
  t.equal(manifest?.records, made.records)
  t.same(await readBack(made), {
    records: made.records,
    damagedRecords: 0,
    schema: { version: 7, minReader: 7 },
    keyProof: '01234567.sealed',
  })

  const restored = join(dataDir, 'restored')
  mkdirSync(restored)
  await unpackFile(join(made.path, packedName), join(restored, 'data.mdb'), noPace, made)
  const fail = (error: unknown) => t.fail(String(error))
  const copy = openStore({ dir: restored, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  t.same(copy.orgs.get(org.id), org)
  const other = makeOrg({ id: 'org_00000000000000000000000009' as OrgId })
  await copy.write((tx) => copy.orgs.put(tx, other))
  t.same(copy.orgs.get(other.id), other, 'and can be written to')
  await copy.close()
})

t.test('writes go on while a backup is made, and what is deleted is not in it', async (t) => {
  const { store, backups, dataDir } = await open(t)
  const filler = (text: string) => makeOrg({ name: text.repeat(1_000) })
  for (let at = 0; at < 200; at += 1) {
    await store.write((tx) => store.orgs.put(tx, filler(`deleted ${at} `)))
  }
  await store.write((tx) => store.orgs.put(tx, makeOrg({ name: 'kept' })))
  for (let at = 0; at < 5; at += 1) await store.write((tx) => store.tasks.put(tx, taskNamed(at)))
  let written = 0
  /** Counts the writes that are acknowledged while it is made. */
  async function makeMeanwhile() {
    const making = backups.make()
    while (backups.isRunning()) {
      await store.write((tx) => store.tasks.put(tx, taskNamed(written)))
      if (backups.isRunning()) written += 1
    }
    return making
  }
  let made = await makeMeanwhile()
  // On a slow disk there is time for a few writes only, but never for none in so many backups.
  for (let more = 0; more < 20 && written <= 5; more += 1) made = await makeMeanwhile()
  t.ok(written > 5, `${written} writes meanwhile`)
  const scratch = join(dataDir, 'unpacked')
  await unpackFile(join(made.path, packedName), scratch, noPace, made)
  t.notOk(readFileSync(scratch).includes('deleted 7 deleted 7'))
  t.ok(readFileSync(join(dataDir, 'data.mdb')).length >= made.dataBytes)
  t.ok(made.bytes < made.dataBytes / 5, `${made.bytes} of ${made.dataBytes} bytes`)
})

const taskNamed = (at: number) => ({
  name: `task ${at % 50}`,
  lastStartedAtMs: null,
  lastDurationMs: null,
  lastOutcome: null,
  lastDetail: 'x'.repeat(2_000),
  nextRunAtMs: at,
})

t.test('a backup from a time when the clock was wrong does not stop those of now', async (t) => {
  const { backups, clock, dir } = await open(t)
  const { name } = await backups.make()
  const file = join(dir, name, 'manifest.json')
  const future = clock.nowMs() + 3_650 * dayMs
  const wrong = { ...JSON.parse(readFileSync(file, 'utf8')), takenAtMs: future }
  writeFileSync(file, JSON.stringify(wrong))
  t.equal(backups.newest(), undefined, 'none of now: one is due')
  const made = await backups.make()
  t.equal(backups.newest()?.name, made.name)
  t.equal(made.takenAtMs, clock.nowMs(), 'also where its name is of a second later')
  t.not(made.name, name)
})

t.test('two that ask at the same time get the same backup', async (t) => {
  const { backups } = await open(t)
  const [one, other] = await Promise.all([backups.make(), backups.make()])
  t.equal(one.name, other.name)
  t.not((await backups.make()).name, one.name, 'a name is used once, even within a second')
  t.equal(backups.list().length, 2)
})

t.test('old backups go when newer ones took their place, and the last one never', async (t) => {
  const { backups, clock } = await open(t)
  for (let day = 0; day < 4; day += 1) {
    await backups.round(never)
    await clock.advance(dayMs)
  }
  const [newest, second] = backups.list()
  t.equal(backups.list().length, 2)
  t.equal((newest?.takenAtMs ?? 0) - (second?.takenAtMs ?? 0), dayMs)
  backups.remove(second?.name ?? '')
  t.throws(() => backups.remove(newest?.name ?? ''), { code: 'conflict' })
  t.throws(() => backups.remove('20200101T000000Z'), { code: 'not_found' })
  t.equal(backups.list().length, 1)
})

t.test('a backup that fails leaves nothing, and the others as they were', async (t) => {
  let free = Number.MAX_SAFE_INTEGER
  const { backups, dir, clock } = await open(t, { freeBytes: () => free })
  const first = await backups.make()
  free = backupSpaceBytesLeft
  await clock.advance(1_000)
  await t.rejects(backups.round(never), /[MG]iB must stay free/)
  t.same(readdirSync(dir), [first.name])
  t.match(backups.lastFailure(), { reason: /must stay free/ })
  free = Number.MAX_SAFE_INTEGER
  await backups.round(never)
  t.equal(backups.lastFailure(), null)
})

t.test('a restart forgets no failure, and the next backup ends it', async (t) => {
  let free = backupSpaceBytesLeft
  const remote = createMemoryRemote()
  const more = { freeBytes: () => free, bucket: () => remote }
  const { backups, again, clock } = await open(t, more)
  await t.rejects(backups.round(never), /must stay free/)
  const sinceMs = clock.nowMs()
  await clock.advance(3_600_000)
  t.match(again().lastFailure(), { reason: /must stay free/, atMs: sinceMs, isOfCopy: false })
  await t.rejects(again().round(never), /must stay free/)
  t.match(again().lastFailure(), { atMs: clock.nowMs(), sinceMs }, 'nor since when it fails')
  free = Number.MAX_SAFE_INTEGER
  await clock.advance(1_000)
  await again().make()
  t.equal(again().lastFailure(), null)

  remote.failure = 'the bucket is gone'
  await t.rejects(again().round(never), /the bucket is gone/)
  t.match(again().lastFailure(), { reason: /not copied/, isOfCopy: true })
  remote.failure = undefined
  const restarted = again()
  await restarted.copyAgain(never)
  t.ok(remote.objects.has(`${restarted.newest()?.name}/manifest.json`), 'its copy is made good')
  t.equal(again().lastFailure(), null)
})

t.test('a copy that a stop cut off is made after the restart', async (t) => {
  const remote = createMemoryRemote()
  const { backups, again } = await open(t, { bucket: () => remote })
  const stop = new AbortController()
  const { put } = remote
  remote.put = async () => {
    stop.abort(new Error('the daemon stops'))
    throw new Error('it was cut off')
  }
  await t.rejects(backups.round(stop.signal), /cut off/)
  t.equal(again().lastFailure(), null, 'it is no failure')
  remote.put = put
  await again().copyAgain(never)
  t.equal(remote.objects.size, 2)
})

t.test('what a process left that ended in the middle is removed by the next backup', async (t) => {
  const { backups, dir } = await open(t)
  for (const name of ['.unfinished-abc', '.unfinished-abc-20260101T000000Z', '.unfinished-other']) {
    mkdirSync(join(dir, name), { recursive: true })
    writeFileSync(join(dir, name, packedName), 'half')
  }
  t.equal(backups.newest(), undefined, 'it never looks like a backup')
  const made = await backups.make()
  t.same(readdirSync(dir).sort(), ['.unfinished-other', made.name], 'but not of another service')

  const other = join(dir, '.unfinished-other')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  utimesSync(other, yesterday, yesterday)
  await backups.make()
  t.ok(existsSync(other), 'one that is written to is in use')
  utimesSync(join(other, packedName), yesterday, yesterday)
  await backups.make()
  t.notOk(existsSync(other), 'one that nobody touched for a day is of a command that was killed')
})

t.test('a stop ends a backup at once, which is no failure', async (t) => {
  const { backups, dir } = await open(t)
  const making = backups.make()
  await backups.stop()
  await t.rejects(making, /stops/)
  t.equal(backups.lastFailure(), null)
  const round = backups.round(never)
  await backups.stop()
  await t.rejects(round, /stops/)
  t.equal(backups.lastFailure(), null, 'nor when a whole round was asked for')
  t.same(readdirSync(dir), [])
})

t.test('a wrong key, and damaged first records, make no backup', async (t) => {
  const wrong = await open(t, {
    proveKey() {
      throw new Error('the key does not fit')
    },
  })
  await t.rejects(wrong.backups.make(), /does not fit/)
  const damaged = await open(t)
  await damageRecord(damaged.store, 'secrets', ['key-proof'])
  await t.rejects(damaged.backups.make(), /records that a restore needs first/)
  t.same(damaged.backups.list(), [])
})

t.test('other damaged records are copied, and counted', async (t) => {
  const { store, backups } = await open(t)
  await store.write((tx) => store.tasks.put(tx, taskNamed(1)))
  await damageRecord(store, 'tasks', ['task 1'])
  t.match(await backups.make(), { damagedRecords: 1 })
})

t.test('a backup that was changed does not pass its verification', async (t) => {
  const { backups } = await open(t)
  const made = await backups.make()
  const path = join(made.path, packedName)
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 4
  writeFileSync(path, bytes)
  await t.rejects(readBack(made), { name: 'BackupDamage' })
  truncateSync(path, bytes.length - 10)
  t.match(backups.broken(), [{ name: made.name, reason: /bytes long, and not/ }])
  t.equal(backups.newest(), undefined)
})

t.test('metrics tell the age of the newest backup, its size and the failures', async (t) => {
  const metrics = createMetrics()
  let free = Number.MAX_SAFE_INTEGER
  const { backups, clock } = await open(t, { metrics, freeBytes: () => free })
  t.match(await metrics.text(), /stillup_backup_age_seconds -1/)
  const made = await backups.make()
  free = 0
  await t.rejects(backups.make())
  await clock.advance(60_000)
  const text = await metrics.text()
  t.match(text, /stillup_backup_age_seconds 60\n/)
  t.match(text, new RegExp(`stillup_backup_bytes ${made.bytes}\n`))
  t.match(text, /stillup_backup_failures_total 1\n/)
})

t.test('a backup is unpacked up to the size that its manifest names, and no further', async (t) => {
  const { backups, dataDir } = await open(t)
  const made = await backups.make()
  const scratch = join(dataDir, 'unpacked')
  const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024))
  const from = join(dataDir, 'bomb')
  writeFileSync(from, bomb)
  let unpackedBytes = 0
  const pace = (bytes: number) => {
    unpackedBytes += bytes
  }
  const claimed = { ...made, bytes: bomb.length, dataBytes: 1024 * 1024 }
  await t.rejects(unpackVerified(from, scratch, claimed, pace), {
    name: 'BackupDamage',
    message: 'it unpacks to more than 1048576 bytes, which its manifest names',
  })
  t.ok(unpackedBytes <= claimed.dataBytes, `${unpackedBytes} bytes of ${bomb.length} packed ones`)
  async function* endless() {
    for (;;) yield bomb
  }
  await t.rejects(unpackVerified(endless(), scratch, claimed, noPace), {
    message: `it is longer than ${bomb.length} bytes, which its manifest names`,
  })
  t.notOk(existsSync(scratch), 'nothing of it stays')

  const manifest = join(made.path, 'manifest.json')
  writeFileSync(manifest, `${readFileSync(manifest, 'utf8')}${' '.repeat(limits.manifestBytesMax)}`)
  t.match(readBackup(made.path), { reason: /manifest\.json is none/ })
})

t.test('while a backup is copied, it is known how far that is', async (t) => {
  const memory = createMemoryRemote()
  const seen: unknown[] = []
  const remote = {
    ...memory,
    async put(name: string, content: AsyncIterable<Uint8Array>, bytes: number) {
      await memory.put(name, content, bytes)
      if (name.endsWith('.zst')) seen.push(backups.copyProgress())
    },
  }
  const { backups } = await open(t, { bucket: () => remote })
  await backups.round(never)
  const totalBytes = backups.newest()?.bytes
  t.same(seen, [{ doneBytes: totalBytes, totalBytes }])
  t.equal(backups.copyProgress(), null)
})

t.test('each backup is copied to the bucket, where old ones go as on the disk', async (t) => {
  const remote = createMemoryRemote()
  const { backups, clock, dataDir } = await open(t, { bucket: () => remote })
  for (let day = 0; day < 3; day += 1) {
    await backups.round(never)
    await clock.advance(dayMs)
  }
  const [newest, second] = backups.list()
  const copies = createCopies(remote, { keepDaily: 2, keepWeekly: 0 })
  t.same(await copies.names(), [second?.name, newest?.name])
  t.equal(remote.objects.size, 4)
  const { path: _path, ...manifest } = required(newest, 'the newest backup')
  t.same(await copies.manifest(newest?.name ?? ''), manifest)
  const scratch = join(dataDir, 'unpacked')
  const found = await unpackFile(await copies.data(manifest.name), scratch, noPace, manifest)
  t.equal(found.sha256, newest?.sha256)
  t.equal(found.dataSha256, newest?.dataSha256)

  remote.failure = 'the bucket is gone'
  await t.rejects(backups.round(never), /made, but not copied to memory: the bucket is gone/)
  const sinceMs = clock.nowMs()
  t.match(backups.lastFailure(), { reason: /not copied/, isOfCopy: true, sinceMs })
  t.equal(backups.list()[0]?.takenAtMs, clock.nowMs(), 'the backup on the disk stays')
  await clock.advance(3_600_000)
  await backups.copyAgain(never)
  t.match(backups.lastFailure(), { reason: /not copied/, atMs: clock.nowMs(), sinceMs })
  remote.failure = undefined
  await backups.copyAgain(never)
  t.equal((await copies.names()).at(-1), backups.list()[0]?.name, 'its copy is made good')
  t.equal(backups.lastFailure(), null)
  const foreign = remote.objects.get(`${newest?.name}/manifest.json`)
  const text = String(foreign).replace('"instance": "abc"', '"instance": "other"')
  remote.objects.set(
    '20200101T000000Z/manifest.json',
    Buffer.from(text.replaceAll(newest?.name ?? '', '20200101T000000Z')),
  )
  await clock.advance(dayMs)
  await backups.round(never)
  t.ok(remote.objects.has('20200101T000000Z/manifest.json'), 'those of another service stay')

  remote.objects.set('20200102T000000Z/manifest.json', Buffer.from('sealed with a former key'))
  await clock.advance(dayMs)
  await backups.round(never)
  t.ok(remote.objects.has('20200102T000000Z/manifest.json'), 'what cannot be read stays')
  t.notOk(remote.objects.has(`${newest?.name}/manifest.json`), 'and holds up nothing')
  t.equal(backups.lastFailure(), null)
})

t.test('a copy that fails after the bucket was corrected goes to the corrected one', async (t) => {
  const wrong = createMemoryRemote()
  const right = createMemoryRemote()
  let present = wrong
  const { backups } = await open(t, { bucket: () => present })
  const begun = Promise.withResolvers<void>()
  const stuck = Promise.withResolvers<void>()
  wrong.put = () => {
    begun.resolve()
    return stuck.promise
  }
  const round = backups.round(never)
  await begun.promise
  present = right
  await backups.copyAgain(never)
  stuck.reject(new Error('it never answered'))
  t.match(await round, /, copied;/)
  t.equal(right.objects.size, 2)
  t.equal(backups.lastFailure(), null)
})

t.test('a copy that is made good hides no newer backup that failed', async (t) => {
  let free = Number.MAX_SAFE_INTEGER
  const remote = createMemoryRemote()
  const { backups, clock } = await open(t, { bucket: () => remote, freeBytes: () => free })
  remote.failure = 'the bucket is gone'
  await t.rejects(backups.round(never), /the bucket is gone/)
  free = backupSpaceBytesLeft
  await clock.advance(dayMs)
  await t.rejects(backups.round(never), /must stay free/)
  remote.failure = undefined
  await backups.copyAgain(never)
  t.equal(remote.objects.size, 2, 'the copy is there')
  t.match(backups.lastFailure(), { reason: /must stay free/, isOfCopy: false })
})

t.test('an administrator makes one, sees why it failed, and deletes one', async (t) => {
  let free = Number.MAX_SAFE_INTEGER
  const { store, clock, backups } = await open(t, { freeBytes: () => free })
  const operator = createOperatorBackups({
    store,
    clock,
    audit: createAudit({ store, clock }),
    backups,
    run: () =>
      backups.round(never).then(
        () => {},
        () => {},
      ),
  })
  const caller = callerOf({ kind: 'system' })
  const first = await operator.make(caller)
  await clock.advance(1_000)
  const second = await operator.make(caller)
  free = 0
  await t.rejects(operator.make(caller), {
    code: 'unavailable',
    message: /^The backup failed: a backup needs up to .* is free\.$/,
  })
  const page = operator.list({ limit: 1 })
  t.same(page.items, [second])
  t.same(operator.list({ limit: 1, after: page.nextAfter ?? '' }).items, [first])
  t.same(await operator.remove(caller, first?.name ?? ''), first)
  t.throws(() => operator.get(first?.name ?? ''), { code: 'not_found' })
  t.match(store.audit.list('system', 1), [{ action: 'backup.deleted', detail: first?.name }])
})

t.test('an administrator gets the backup that was made, although its copy goes on', async (t) => {
  const remote = createMemoryRemote()
  const copied = Promise.withResolvers<void>()
  remote.put = () => copied.promise
  const { store, clock, backups } = await open(t, { bucket: () => remote })
  const round = Promise.withResolvers<void>()
  const audit = createAudit({ store, clock })
  const run = () => {
    void backups.round(never).then(() => round.resolve(), round.reject)
    return round.promise
  }
  const making = createOperatorBackups({ store, clock, audit, backups, run }).make(
    callerOf({ kind: 'system' }),
  )
  await until(() => backups.newest() !== undefined)
  await clock.advance(25_000)
  t.same(await making, backups.newest())
  copied.resolve()
  await round.promise
})

t.test('a directory that cannot be written is a failure with its reason', async (t) => {
  const { store, dataDir, clock } = await open(t)
  const file = join(dataDir, 'a-file')
  writeFileSync(file, '')
  const backups = createBackups({
    store,
    clock,
    log: silentLog,
    version: '1',
    dataDir,
    settings: { dir: file, keepDaily: 1, keepWeekly: 1 },
    proveKey: () => {},
  })
  await t.rejects(backups.make(), { message: /EEXIST|ENOTDIR/ })
  t.match(backups.lastFailure(), { reason: /EEXIST|ENOTDIR/ })
  t.equal(existsSync(file), true)
})
