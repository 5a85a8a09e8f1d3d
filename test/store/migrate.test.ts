// Data of other versions: new, older, newer, and stopped half-way.
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import t from 'tap'
import { type KeyId, madeAtMs, newId, type UserId } from '../../src/base/ids.ts'
import { silentLog } from '../../src/base/log/log.ts'
import type { ApiKey, User } from '../../src/domain/people/person.ts'
import { openEnv } from '../../src/store/engine/env.ts'
import {
  type MigrateOptions,
  type MigrationStep,
  migrate,
  migrationSteps,
} from '../../src/store/migrate.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { channelNo, makeChannel } from '../support/make-channel.ts'
import { makeIncident, orgA } from '../support/make-incident.ts'
import { makeOrg } from '../support/make-org.ts'
import { makeMonitor, monitorNo } from '../support/make-page.ts'
import { openTempStore } from '../support/temp-store.ts'
import { testFolder } from '../support/test-folder.ts'

/** By this program, unless told otherwise. */
const upgrade = (store: Store, options: Partial<MigrateOptions> = {}) =>
  migrate(store, { log: silentLog, clock: new FakeClock(), program: '1.0.0', ...options })

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
  t.match(await upgrade(store, { steps: steps() }), { version: 3, minReader: 2 })
  t.match(store.meta.schema(), { version: 3, minReader: 2 })
  t.same(runs, [])
})

t.test('older data is upgraded in order, and only once', async (t) => {
  const { store } = openTempStore(t)
  t.match(await upgrade(store, { steps: [] }), { version: 1, minReader: 1 })
  const runs: number[] = []
  const steps = fakeSteps(4, runs)
  await upgrade(store, { steps: steps().slice(0, 1) })
  t.same(runs, [2])
  await upgrade(store, { steps: steps() })
  await upgrade(store, { steps: steps() })
  t.same(runs, [2, 3, 4])
  t.match(store.meta.schema(), { version: 4, minReader: 1 })
})

for (const dieAt of [2, 3, 4]) {
  t.test(`a migration that was stopped in step ${dieAt} begins again there`, async (t) => {
    const { store } = openTempStore(t)
    await upgrade(store, { steps: [] })
    const runs: number[] = []
    const steps = fakeSteps(4, runs)
    await t.rejects(upgrade(store, { steps: steps(dieAt) }), /killed/)
    t.equal(store.meta.schema()?.version, dieAt - 1)
    await upgrade(store, { steps: steps() })
    t.same(runs.filter((to) => to === dieAt).length, 2)
    t.equal(store.meta.schema()?.version, 4)
  })
}

t.test('an older daemon opens newer data if that is harmless, and keeps its version', async (t) => {
  const { store } = openTempStore(t)
  const steps = fakeSteps(3, [])
  await upgrade(store, { steps: steps() })
  t.match(await upgrade(store, { steps: [] }), { version: 3, minReader: 1 })
  t.match(store.meta.schema(), { version: 3, minReader: 1 })
})

t.test('data that an older daemon cannot read is refused, even half-upgraded', async (t) => {
  const { store } = openTempStore(t)
  await upgrade(store, { steps: [] })
  const steps = fakeSteps(2, [], { 2: 2 })
  await t.rejects(upgrade(store, { steps: steps(2) }), /killed/)
  t.match(store.meta.schema(), { version: 1, minReader: 2 })
  const older = upgrade(store, { steps: [] })
  const refused = await older.catch((error: unknown) => error)
  t.match(refused, {
    exitCode: 78,
    message:
      'stillup 1.0.0 began to upgrade the data to version 2 and did not finish: it needs a stillup ' +
      'that reads version 2; this is stillup 1.0.0, which reads up to 1',
    hint: /^Start stillup 1\.0\.0 or a newer one\. To go back, restore a backup/,
  })
})

t.test('data is closed to older daemons from the first step on', async (t) => {
  const { store } = openTempStore(t)
  await upgrade(store, { steps: [] })
  const steps = fakeSteps(3, [], { 3: 3 })
  await t.rejects(upgrade(store, { steps: steps(2) }), /killed/)
  t.match(store.meta.schema(), { version: 1, minReader: 3 })
})

t.test('daemons of every version can read which one the data needs', async (t) => {
  const { store } = openTempStore(t)
  await upgrade(store)
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

t.test(
  'daemons that do not know the records of channels, monitors, pages and hours are refused',
  async (t) => {
    const { store } = openTempStore(t)
    await upgrade(store)
    const earlier = migrationSteps.filter(({ to }) => to < 8)
    await t.rejects(upgrade(store, { steps: earlier }), {
      message: /written by stillup 1\.0\.0, and has version 8: .* reads up to 7$/,
    })
  },
)

t.test('people and keys of the first version are found by the newer indexes', async (t) => {
  const dir = join(testFolder(t), 'db')
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
  t.match(await upgrade(store), { version: 8, minReader: 8 })
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
  t.match(await upgrade(store), { version: 8, minReader: 8 })
  t.match(store.monitors.get(orgA, named.id), {
    notifyChannelIds: [channel.id],
    revision: named.revision + 1,
  })
  t.same(store.monitors.get(orgA, sound.id), sound)
})

t.test(
  'incidents of earlier versions that were recorded late are found by their month',
  async (t) => {
    const { store } = openTempStore(t)
    const startedAtMs = Date.UTC(2026, 2, 15)
    const id = newId('incident', startedAtMs + 30 * 86_400_000)
    const incident = makeIncident({ id, startedAtMs, confirmedAtMs: startedAtMs })
    const month = { fromMs: Date.UTC(2026, 2), toMs: Date.UTC(2026, 3) }
    const found = () => store.incidents.beganIn(orgA, month).found.map((one) => one.id)
    await store.write((tx) => {
      store.orgs.put(tx, { ...makeOrg(), id: orgA })
      // First with another beginning: then the index lacks it, as that of an earlier version does.
      store.incidents.put(tx, { ...incident, startedAtMs: madeAtMs(id) })
      store.incidents.put(tx, incident)
      store.meta.putSchema(tx, { version: 6, minReader: 6 })
    })
    t.same(found(), [])
    await upgrade(store)
    t.same(found(), [id])
  },
)

t.test('a backup is made before the first step, and not again after an interruption', async (t) => {
  const { store } = openTempStore(t)
  await upgrade(store, { steps: [], program: '0.9.0' })
  const runs: number[] = []
  const steps = fakeSteps(3, runs, { 2: 2 })
  const asked: unknown[] = []
  const backUp: MigrateOptions['backUp'] = async ({ from, to }) => {
    asked.push([from.version, to, runs.length])
    return '/backups/before'
  }
  await t.rejects(upgrade(store, { steps: steps(3), backUp }), /killed/)
  const upgraded = await upgrade(store, { steps: steps(), backUp, program: '1.0.1' })
  t.same(asked, [[1, 3, 0]])
  t.match(upgraded, {
    version: 3,
    program: '1.0.1',
    upgrade: { fromVersion: 1, fromProgram: '0.9.0', backup: '/backups/before' },
  })
  await t.rejects(upgrade(store, { steps: [], program: '0.9.0' }), {
    message:
      'the data was written by stillup 1.0.1, and has version 3: it needs a stillup that reads ' +
      'version 2; this is stillup 0.9.0, which reads up to 1',
    hint:
      'Start stillup 1.0.1 or a newer one. To go back, restore /backups/before, the backup from ' +
      'before the upgrade from stillup 0.9.0 (docs/upgrading.md).',
  })
})

t.test('without a backup nothing is upgraded', async (t) => {
  const { store } = openTempStore(t)
  await upgrade(store, { steps: [] })
  const runs: number[] = []
  const steps = fakeSteps(2, runs, { 2: 2 })()
  const backUp = async () => {
    throw new Error('no space')
  }
  await t.rejects(upgrade(store, { steps, backUp }), /no space/)
  t.same(runs, [])
  t.match(store.meta.schema(), { version: 1, minReader: 1 })
})

t.test('a long upgrade tells every ten seconds how far it is', async (t) => {
  const { store } = openTempStore(t)
  const clock = new FakeClock()
  await upgrade(store, { steps: [], clock })
  const told: string[] = []
  const step: MigrationStep = {
    to: 2,
    minReader: 1,
    name: 'do much',
    async run(_, progressed) {
      for (let slice = 0; slice < 3; slice += 1) {
        progressed(500)
        await clock.advance(9_000)
      }
    },
  }
  await upgrade(store, { steps: [step], clock, progress: (text) => void told.push(text) })
  t.same(told, [
    'Backing up the data before its upgrade',
    'Upgrading the data to version 2: do much (0 records)',
    'Upgrading the data to version 2: do much (1000 records)',
    'Upgrading the data to version 2: do much (1500 records)',
  ])
  t.equal(clock.pending, 0)
})

t.test('the newest program that wrote a version is remembered', async (t) => {
  const { store } = openTempStore(t)
  await upgrade(store, { steps: [], program: '1.0.0' })
  await upgrade(store, { steps: [], program: '1.0.1' })
  t.match(store.meta.schema(), { version: 1, program: '1.0.1' })
  const steps = fakeSteps(2, [])()
  await upgrade(store, { steps, program: '1.1.0' })
  // Version 2 is harmless for the older program, which does not claim it.
  await upgrade(store, { steps: [], program: '1.0.1' })
  t.match(store.meta.schema(), { version: 2, program: '1.1.0' })
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
