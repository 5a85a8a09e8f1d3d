// Data of other versions: new, older, newer, and stopped half-way.
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import t from 'tap'
import type { KeyId, UserId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log/log.ts'
import type { ApiKey, User } from '../../src/domain/people/person.ts'
import { openEnv } from '../../src/store/engine/env.ts'
import { type MigrationStep, migrate, migrationSteps } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { channelNo, makeChannel } from '../support/make-channel.ts'
import { orgA } from '../support/make-incident.ts'
import { makeOrg } from '../support/make-org.ts'
import { makeMonitor, monitorNo } from '../support/make-page.ts'
import { openTempStore } from '../support/temp-store.ts'

/** Steps 2 to `last` that note their runs; `dieAt` fails in the middle of that step. */
function fakeSteps(last: number, runs: number[], minReaders: Record<number, number> = {}) {
  const died = new Set<number>()
  const steps = (dieAt?: number): MigrationStep[] =>
    Array.from({ length: last - 1 }, (_, index) => index + 2).map((to) => ({
      to,
      minReader: minReaders[to] ?? 1,
      name: `to ${to}`,
      async run() {
        runs.push(to)
        if (to !== dieAt || died.has(to)) return
        died.add(to)
        throw new Error('killed')
      },
    }))
  return steps
}

t.test('a new directory gets the version of the daemon and runs no step', async (t) => {
  const { store } = openTempStore(t)
  const runs: number[] = []
  const steps = fakeSteps(3, runs, { 2: 2 })
  t.same(await migrate(store, { log: silentLog, steps: steps() }), { version: 3, minReader: 2 })
  t.same(store.meta.schema(), { version: 3, minReader: 2 })
  t.same(runs, [])
})

t.test('older data is upgraded in order, and only once', async (t) => {
  const { store } = openTempStore(t)
  t.same(await migrate(store, { log: silentLog, steps: [] }), { version: 1, minReader: 1 })
  const runs: number[] = []
  const steps = fakeSteps(4, runs)
  await migrate(store, { log: silentLog, steps: steps().slice(0, 1) })
  t.same(runs, [2])
  await migrate(store, { log: silentLog, steps: steps() })
  await migrate(store, { log: silentLog, steps: steps() })
  t.same(runs, [2, 3, 4])
  t.same(store.meta.schema(), { version: 4, minReader: 1 })
})

for (const dieAt of [2, 3, 4]) {
  t.test(`a migration that was stopped in step ${dieAt} begins again there`, async (t) => {
    const { store } = openTempStore(t)
    await migrate(store, { log: silentLog, steps: [] })
    const runs: number[] = []
    const steps = fakeSteps(4, runs)
    await t.rejects(migrate(store, { log: silentLog, steps: steps(dieAt) }), /killed/)
    t.equal(store.meta.schema()?.version, dieAt - 1)
    await migrate(store, { log: silentLog, steps: steps() })
    t.same(runs.filter((to) => to === dieAt).length, 2)
    t.equal(store.meta.schema()?.version, 4)
  })
}

t.test('an older daemon opens newer data if that is harmless, and keeps its version', async (t) => {
  const { store } = openTempStore(t)
  const steps = fakeSteps(3, [])
  await migrate(store, { log: silentLog, steps: steps() })
  t.same(await migrate(store, { log: silentLog, steps: [] }), { version: 3, minReader: 1 })
  t.same(store.meta.schema(), { version: 3, minReader: 1 })
})

t.test('data that an older daemon cannot read is refused, even half-upgraded', async (t) => {
  const { store } = openTempStore(t)
  await migrate(store, { log: silentLog, steps: [] })
  const steps = fakeSteps(2, [], { 2: 2 })
  await t.rejects(migrate(store, { log: silentLog, steps: steps(2) }), /killed/)
  t.same(store.meta.schema(), { version: 1, minReader: 2 })
  const older = migrate(store, { log: silentLog, steps: [] })
  const refused = await older.catch((error: unknown) => error)
  t.match(refused, {
    exitCode: 78,
    message: /knows version 2 of it; this one knows 1/,
    hint: /newer daemon|backup/,
  })
})

t.test('data is closed to older daemons from the first step on', async (t) => {
  const { store } = openTempStore(t)
  await migrate(store, { log: silentLog, steps: [] })
  const steps = fakeSteps(3, [], { 3: 3 })
  await t.rejects(migrate(store, { log: silentLog, steps: steps(2) }), /killed/)
  t.same(store.meta.schema(), { version: 1, minReader: 3 })
})

t.test('daemons of every version can read which one the data needs', async (t) => {
  const { store } = openTempStore(t)
  await migrate(store, { log: silentLog })
  const records = store.lmdb.openDB<Buffer, string[]>({ name: 'meta', encoding: 'binary' })
  const bytes = records.get(['schema']) ?? Buffer.alloc(0)
  t.equal(bytes[0], 1, 'the version of the first record')
  t.equal(bytes.readUInt32LE(1), crc32(bytes.subarray(5)), 'its checksum, of the content alone')
})

t.test('the steps of this daemon are in order without a gap', async (t) => {
  t.same(
    migrationSteps.map(({ to }) => to),
    migrationSteps.map((_, index) => index + 2),
  )
})

t.test('daemons that do not know the records of channels and monitors are refused', async (t) => {
  const { store } = openTempStore(t)
  await migrate(store, { log: silentLog })
  const earlier = migrationSteps.filter(({ to }) => to < 6)
  await t.rejects(migrate(store, { log: silentLog, steps: earlier }), {
    message: 'the data needs a daemon that knows version 6 of it; this one knows 5',
  })
})

t.test('people and keys of the first version are found by the newer indexes', async (t) => {
  const dir = join(t.testdir(), 'db')
  const options = {
    dir,
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal: () => {},
    onError: () => {},
  }
  const older = openStore(options)
  await older.write((tx) => {
    older.orgs.put(tx, makeOrg({ id: key.orgId }))
    older.users.put(tx, admin)
    older.apiKeys.put(tx, key)
    older.meta.putSchema(tx, { version: 1, minReader: 1 })
  })
  await older.close()
  // As the first version left them: the records alone.
  const env = openEnv(dir)
  for (const name of ['systemAdmins', 'dueApiKeys']) {
    await env.lmdb.openDB({ name, encoding: 'binary' }).clearAsync()
  }
  await env.close()

  const store = openStore(options)
  t.teardown(() => store.close())
  const found = () => [
    store.users.hasOtherAdmin('usr_other' as UserId),
    store.apiKeys.due(Number(key.expiresAtMs), 10).length,
  ]
  t.same(found(), [false, 0])
  t.same(await migrate(store, { log: silentLog }), { version: 6, minReader: 6 })
  t.same(found(), [true, 1])
})

t.test('monitors of earlier versions no longer name channels that were deleted', async (t) => {
  const { store } = openTempStore(t)
  const channel = makeChannel({ id: channelNo(1) })
  const notifyChannelIds = [channelNo(2), channel.id]
  const named = makeMonitor({ id: monitorNo(1), notifyChannelIds })
  const sound = makeMonitor({ id: monitorNo(2), notifyChannelIds: [channel.id] })
  await store.write((tx) => {
    store.channels.put(tx, channel)
    store.monitors.putNew(tx, orgA, [named, sound])
    store.meta.putSchema(tx, { version: 2, minReader: 2 })
  })
  t.same(await migrate(store, { log: silentLog }), { version: 6, minReader: 6 })
  t.match(store.monitors.get(orgA, named.id), {
    notifyChannelIds: [channel.id],
    revision: named.revision + 1,
  })
  t.same(store.monitors.get(orgA, sound.id), sound)
})

const admin: User = {
  id: 'usr_alice' as UserId,
  email: 'alice@example.com',
  name: null,
  passwordHash: null,
  emailVerifiedAtMs: null,
  isSystemAdmin: true,
  isDisabled: false,
  createdAtMs: 0,
  updatedAtMs: 0,
  revision: 1,
}
const key: ApiKey = {
  id: 'key_one' as KeyId,
  orgId: orgA,
  name: 'k',
  role: 'viewer',
  prefix: 'sup_',
  keyHash: 'a hash',
  createdBy: admin.id,
  createdAtMs: 0,
  expiresAtMs: 400 * 86_400_000,
  lastUsedAtMs: null,
  lastUsedFrom: null,
  replacedBy: null,
  warnedDays: null,
  revision: 1,
}
