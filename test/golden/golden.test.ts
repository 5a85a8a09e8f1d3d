// Data directories of every version of the data: today's code opens each, knows every record, and
// answers as the version that made it (README.md).

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import { silentLog } from '../../src/base/log/log.ts'
import { listBackups } from '../../src/store/backup/folder.ts'
import { checkFile } from '../../src/store/data-file/check.ts'
import { inspectDataFile } from '../../src/store/data-file/inspect.ts'
import { openTable } from '../../src/store/engine/table.ts'
import { currentSchema, migrate } from '../../src/store/migrate.ts'
import { openStore } from '../../src/store/store.ts'
import { bareNode } from '../support/bare-node.ts'
import { startDaemon } from '../support/daemon.ts'
import { amount } from '../support/depth.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { tamper } from '../support/tamper.ts'
import { until } from '../support/until.ts'

interface GoldenWorld {
  readonly endedAt: string
  readonly systemToken: string
  readonly cookie: string
}

type Answers = Readonly<Record<string, { readonly status: number; readonly data: unknown }>>

class StoppableClock extends FakeClock {
  readonly stop = (): void => {}
}

const upgrader = join(import.meta.dirname, '../support/upgrade-process.ts')
const versions = readdirSync(import.meta.dirname).filter((name) => /^\d+-/.test(name))

function golden(version: string) {
  const dir = join(import.meta.dirname, version)
  const unpacked = (name: string) => brotliDecompressSync(readFileSync(join(dir, name)))
  const world: GoldenWorld = JSON.parse(readFileSync(join(dir, 'world.json'), 'utf8'))
  const answers: Answers = JSON.parse(unpacked('answers.json.br').toString())
  return {
    world,
    answers,
    /** A copy of the directory. */
    unpack(t: Test): string {
      // Not t.testdir(): that is gone before the daemon's last look for secrets.
      const copy = mkdtempSync(join(tmpdir(), 'stillup-'))
      t.teardown(() => rmSync(copy, { recursive: true }))
      writeFileSync(join(copy, 'data.mdb'), unpacked('data.mdb.br'))
      writeFileSync(join(copy, 'master.key'), readFileSync(join(dir, 'master.key')), {
        mode: 0o600,
      })
      return copy
    },
  }
}

/** Today's daemon at the moment when the former one stopped. */
async function start(t: Test, dir: string, { endedAt, systemToken }: GoldenWorld) {
  const clock = new StoppableClock(Date.parse(endedAt))
  const env = {
    SYSTEM_TOKEN: systemToken,
    HTTP_BASE_URL: 'http://stillup.test',
    HTTP_STATUS_DOMAIN: 'status.test',
    HTTP_RATE_AUTH_PER_MINUTE: '1000',
    MAIL_SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'stillup <up@stillup.test>',
  }
  const daemon = await startDaemon(t, { dir, clock, env })
  return {
    daemon,
    async stop() {
      let isOver = false
      const stopping = daemon.stop().finally(() => {
        isOver = true
      })
      await until(async () => {
        await clock.advance(100)
        return isOver
      })
      return stopping
    },
  }
}

function tablesIn(dir: string): Record<string, number> {
  const root = open<Buffer>({ path: dir, maxDbs: 256, encoding: 'binary', readOnly: true })
  const counts = [...root.getKeys()].map(String).map((name) => {
    return [name, root.openDB<Buffer>({ name, encoding: 'binary' }).getCount()] as const
  })
  void root.close()
  return Object.fromEntries(counts)
}

/** An answer without what the questions themselves, the machine or the tasks of a version change. */
function steady(path: string, data: unknown, { endedAt }: GoldenWorld): unknown {
  if (path.endsWith('/audit-log') && Array.isArray(data)) {
    return data.filter(({ at }) => at !== endedAt)
  }
  if (path.endsWith('/audit-log/verify')) return { ...Object(data), headHash: null }
  if (path === '/system/info') {
    const { disk, data: stored, ...rest } = Object(data)
    return rest
  }
  if (path === '/system/tasks' && Array.isArray(data)) {
    // The task `data` has become `integrity`.
    const kept = data.filter(({ name }) => name !== 'data')
    return Object.fromEntries(kept.map((task) => [task.name, task]))
  }
  if (path.endsWith('/explain')) {
    const { channels, ...rest } = Object(data)
    return { ...rest, channels: Array.from(channels, steadyWaits) }
  }
  return data
}

/**
 * A message behind one that failed waits for the next attempt now, no longer for its turn. Whether a
 * channel is told has its `reason`; the sentence about it may be said better.
 */
function steadyWaits(channel: unknown) {
  const { events, now, ...others } = Object(channel)
  const { explanation, ...rest } = Object(now)
  const steadied = Array.from(events, (event) => {
    const { explanation, ...told } = Object(event)
    return ['turn', 'retry'].includes(told.reason)
      ? { ...told, reason: null, waitsUntil: null, error: null }
      : told
  })
  return { ...others, now: rest, events: steadied }
}

/** Data of an earlier version has a backup of that version. */
async function backedUp(t: Test, dir: string, version: number): Promise<void> {
  const { backups } = listBackups(join(dir, 'backups/before-upgrade'))
  const isUpgraded = version < currentSchema().version
  t.same(
    backups.map(({ schema }) => schema.version),
    isUpgraded ? [version] : [],
  )
  let told: string | null | undefined
  await tamper(dir, (store) => {
    told = store.meta.schema()?.upgrade?.backup
  })
  t.equal(told, backups[0]?.path)
}

/** Emptied in the course of things, or made anew at each start. */
const cleaned = ['alive', 'auditEnds', 'garbage', 'garbageOrgs', 'replays', 'replayExpiries']

async function mustBeSound(t: Test, dir: string, before: Readonly<Record<string, number>>) {
  const file = inspectDataFile(dir)
  t.same(file && checkFile(file).damaged, [], 'every checksum is right')
  const clock = new FakeClock()
  const fail = (error: unknown) => {
    throw error
  }
  const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  t.same(store.unreadable(), [], 'every record is understood')
  t.match(store.meta.schema(), currentSchema())
  await store.close()
  const after = tablesIn(dir)
  const fewer = Object.entries(before).filter(
    ([name, count]) => !cleaned.includes(name) && (after[name] ?? 0) < count,
  )
  t.same(fewer, [], 'no record got lost')
  return after
}

t.ok(versions.length >= 4)

/** Everything that is stored, but for when an upgrade took place. */
function contentOf(dir: string): Record<string, string> {
  const root = open<Buffer>({ path: dir, maxDbs: 256, encoding: 'binary', readOnly: true })
  const hashes = [...root.getKeys()]
    .map(String)
    .filter((name) => name !== 'meta')
    .map((name) => {
      const sum = createHash('sha256')
      const table = root.openDB<Buffer>({ name, encoding: 'binary' })
      for (const { key, value } of table.getRange({})) sum.update(JSON.stringify(key)).update(value)
      return [name, sum.digest('hex')] as const
    })
  void root.close()
  return Object.fromEntries(hashes)
}

async function finish(dir: string): Promise<void> {
  const clock = new FakeClock()
  const fail = (error: unknown) => {
    throw error
  }
  const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  await migrate(store, { log: silentLog, clock, program: '1.0.0' })
  await store.close()
}

t.test('an upgrade that is killed at any commit is finished by the next start', async (t) => {
  const { unpack } = golden('4-0.1.0')
  const run = (dir: string, ...args: string[]) =>
    spawnSync(...bareNode([upgrader, dir, ...args]), { encoding: 'utf8' })
  const whole = unpack(t)
  const commits = Number(run(whole).stdout)
  t.ok(commits >= 5, `${commits} commits`)
  const wanted = contentOf(whole)
  let kills = 0
  for (let killAt = 1; killAt <= commits; killAt += amount(4, 1)) {
    const dir = unpack(t)
    const moment = kills % 2 === 0 ? 'after' : 'before'
    kills += 1
    t.equal(run(dir, String(killAt), moment).signal, 'SIGKILL')
    await finish(dir)
    t.same(contentOf(dir), wanted, `killed ${moment} commit ${killAt}`)
  }
})

/** As the program of a later version would leave today's data. */
async function asLater(dir: string, schema: { version: number; minReader: number }) {
  await tamper(dir, (store, tx) => {
    store.meta.putSchema(tx, {
      ...schema,
      program: '9.9.9',
      upgrade: {
        fromVersion: 7,
        fromProgram: '0.1.0',
        program: '9.9.9',
        begunAtMs: 0,
        doneAtMs: 1,
        backup: '/backups/before-upgrade/20261123T030000Z',
      },
    })
    const env = { ...store, close: async () => {} }
    openTable<string>(env, { name: 'ofTheFuture' }).put(tx, ['one'], 'record')
  })
}

t.test('data that a later version only added to is read, and what it added stays', async (t) => {
  const { version } = currentSchema()
  const { world, unpack, answers } = golden(versions.at(-1) ?? '')
  const dir = unpack(t)
  await asLater(dir, { version: version + 1, minReader: version })
  const { daemon, stop } = await start(t, dir, world)
  const [path = ''] = Object.keys(answers).filter((one) => one.endsWith('/monitors'))
  t.equal((await daemon.ask('GET', `/api/v1${path}`, { cookie: world.cookie })).status, 200)
  await stop()
  t.equal(tablesIn(dir).ofTheFuture, 1)
})

t.test('data that a later version changed is refused in a line that says what to do', async (t) => {
  const { version } = currentSchema()
  const { world, unpack } = golden(versions.at(-1) ?? '')
  const dir = unpack(t)
  await asLater(dir, { version: version + 1, minReader: version + 1 })
  const before = contentOf(dir)
  await t.rejects(start(t, dir, world), {
    exitCode: 78,
    message: new RegExp(
      `written by stillup 9\\.9\\.9.*needs a stillup that reads version ${version + 1}`,
    ),
    hint: /^Start stillup 9\.9\.9 or a newer one\. To go back, restore \/backups\/before-upgrade\/\S+, /,
  })
  t.same(contentOf(dir), before, 'and nothing was written')
})

for (const version of versions) {
  t.test(`data of version ${version} opens whole, and is answered from as it was`, async (t) => {
    const { world, answers, unpack } = golden(version)
    const dir = unpack(t)
    const first = await start(t, dir, world)
    t.ok(Object.keys(answers).length > 40)
    for (const [path, { status, data }] of Object.entries(answers)) {
      const who = path.startsWith('/system/')
        ? { bearer: world.systemToken }
        : { cookie: world.cookie }
      const headers = { 'auth-token': world.cookie }
      const answer = await first.daemon.ask('GET', `/api/v1${path}`, { ...who, headers })
      t.equal(answer.status, status, path)
      // What a newer version says besides is no matter.
      const now = answer.json.data ?? answer.json
      t.has(steady(path, now, world), steady(path, data, world), path)
    }
    await first.stop()
    await backedUp(t, dir, Number(version.split('-')[0]))
    const tables = await mustBeSound(t, dir, tablesIn(unpack(t)))
    const second = await start(t, dir, world)
    await second.stop()
    await mustBeSound(t, dir, tables)
  })
}
