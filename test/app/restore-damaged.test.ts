// Safe mode: damaged data is replaced by the newest good backup, and kept; nothing else is a reason.
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { canRestoreDamaged } from '../../src/app/restore-damaged.ts'
import { once } from '../../src/base/per-object.ts'
import { noteStart, suspectData } from '../../src/store/data-file/starts.ts'
import { openEnv } from '../../src/store/engine/env.ts'
import { register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { fileDamages } from '../support/damaged-files.ts'
import { rawTable } from '../support/damaged-keys.ts'
import { createDice } from '../support/fuzz.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const token = 'the-token-of-the-operator'
const operator = { bearer: token }
const env = { SYSTEM_TOKEN: token, AUTH_REGISTRATION: 'first-user' }

/** What a stopped daemon left, with an account and two backups: made once. */
const left = once(async () => {
  const daemon = await startDaemon(t, { env })
  await register(daemon, 'ada', daemon.setupToken)
  await daemon.need('POST', '/system/backups', operator)
  await daemon.need('POST', '/system/backups', operator)
  await daemon.stop()
  return daemon.dir
})

async function stopped(t: Test): Promise<{ readonly dir: string }> {
  const dir = join(testFolder(t), 'data')
  cpSync(await left(), dir, { recursive: true })
  return { dir }
}

function damage(dir: string): Buffer {
  const file = join(dir, 'data.mdb')
  const before = readFileSync(file)
  const after = fileDamages['zeros alone']?.(before, createDice(1)) ?? before
  writeFileSync(file, after)
  return after
}

t.test(
  'a damaged file is kept, the newest backup takes its place, and people hear of it',
  async (t) => {
    const { dir } = await stopped(t)
    const damaged = damage(dir)
    const daemon = await startDaemon(t, { dir, env })
    const lines = daemon.lines.join('\n')
    t.match(lines, /THE DATA IS DAMAGED/)
    t.match(lines, /A BACKUP WAS PUT BACK/)
    const [kept] = readdirSync(dir).filter((name) => name.startsWith('damaged-'))
    t.same(readFileSync(join(dir, kept ?? '', 'data.mdb')), damaged)
    const { restored } = await daemon.need('GET', '/system/info', operator)
    t.match(restored, { isAutomatic: true, reason: /is damaged/, keptIn: join(dir, kept ?? '') })
    const [noted] = await daemon.need('GET', '/system/audit-log?limit=1', operator)
    t.equal(noted.action, 'backup.restored')
    const json = { email: 'ada@example.com', password: 'nine lives of a cat' }
    t.equal((await daemon.ask('POST', '/api/v1/auth/login', { json })).status, 200)
    const letters = () =>
      readdirSync(join(dir, 'outbox')).map((name) =>
        readFileSync(join(dir, 'outbox', name), 'utf8'),
      )
    await until(() =>
      letters().some((one) => one.includes('Damaged data was replaced by a backup')),
    )
    await daemon.stop()

    const second = damage(dir)
    await t.rejects(startDaemon(t, { dir, env }), { name: 'StartFailure' }, 'not twice in a day')
    t.same(readFileSync(join(dir, 'data.mdb')), second)
  },
)

t.test('a record that every start needs, under a damaged key, is a reason as well', async (t) => {
  const { dir } = await stopped(t)
  const data = openEnv(dir)
  const raw = rawTable(data, 'secrets')
  const key = Buffer.from('key-proof')
  const bytes = Buffer.from(raw.get(key) ?? [])
  await raw.remove(key)
  await raw.put(Buffer.from('\x02ey-proof'), bytes)
  await data.close()
  const daemon = await startDaemon(t, { dir, env })
  t.match(daemon.lines.join('\n'), /A BACKUP WAS PUT BACK/)
  await daemon.stop()
})

t.test('a backup that is damaged too is passed over for an older one', async (t) => {
  const { dir } = await stopped(t)
  damage(dir)
  const [, newest = ''] = readdirSync(join(dir, 'backups')).sort()
  const file = join(dir, 'backups', newest, 'data.mdb.zst')
  const bytes = readFileSync(file)
  bytes.fill(7, bytes.length >> 1)
  writeFileSync(file, bytes)
  const daemon = await startDaemon(t, { dir, env })
  t.match(daemon.lines.join('\n'), /this backup cannot be put back/)
  const { restored } = await daemon.need('GET', '/system/info', operator)
  t.not(restored.backup, newest)
  await daemon.stop()
})

t.test(
  'a newest backup that is good, but cannot be put back now, hides no older one',
  async (t) => {
    const { dir } = await stopped(t)
    const damaged = damage(dir)
    const [, newest = ''] = readdirSync(join(dir, 'backups')).sort()
    const file = join(dir, 'backups', newest, 'manifest.json')
    const text = readFileSync(file, 'utf8')
    const changed = (change: object) =>
      writeFileSync(file, JSON.stringify({ ...JSON.parse(text), ...change }))
    for (const change of [
      { dataBytes: Number.MAX_SAFE_INTEGER },
      { schema: { version: 999, minReader: 999 } },
    ]) {
      changed(change)
      await t.rejects(startDaemon(t, { dir, env }), { name: 'StartFailure' })
      t.same(readFileSync(join(dir, 'data.mdb')), damaged)
      t.notOk(existsSync(join(dir, '.restoring')))
    }
    writeFileSync(file, text)
    const daemon = await startDaemon(t, { dir, env })
    t.equal((await daemon.need('GET', '/system/info', operator)).restored.backup, newest)
    await daemon.stop()
  },
)

t.test(
  'without a backup, with another key, or where it is switched off it ends as before',
  async (t) => {
    const { dir } = await stopped(t)
    const damaged = damage(dir)
    const refuses = async (more: object, why: string) => {
      await t.rejects(
        startDaemon(t, { dir, env: { ...env, ...more } }),
        { name: 'StartFailure' },
        why,
      )
      t.same(readFileSync(join(dir, 'data.mdb')), damaged, why)
    }
    await refuses({ BACKUP_RESTORES_DAMAGED_DATA: 'false' }, 'switched off')
    await refuses({ CLUSTER_STANDBY: 'true' }, 'a standby may have what no backup has')
    const key = join(dir, 'master.key')
    copyFileSync(key, `${key}.mine`)
    writeFileSync(key, `${'ab'.repeat(32)}\n`)
    await refuses({}, 'another key')
    copyFileSync(`${key}.mine`, key)
    await refuses({ BACKUP_DIR: join(dir, 'none') }, 'no backup')
  },
)

t.test('a missing key, a missing file and a newer schema are no reasons', async (t) => {
  const { dir } = await stopped(t)
  rmSync(join(dir, 'data.mdb'))
  writeFileSync(join(dir, 'lock.mdb'), '')
  await t.rejects(startDaemon(t, { dir, env }), { message: /missing/ })
  t.notOk(existsSync(join(dir, 'data.mdb')))
})

t.test('after three starts in a minute the whole file is read, however large it is', async (t) => {
  const dir = testFolder(t)
  t.equal(noteStart(dir, 0), false)
  t.equal(noteStart(dir, 10_000), false)
  t.equal(noteStart(dir, 20_000), true)
  t.equal(noteStart(dir, 200_000), false)
  suspectData(dir)
  t.equal(noteStart(dir, 900_000), true, 'damage was found while it ran')
  t.equal(noteStart(dir, 1_900_000), false)
  writeFileSync(join(dir, 'starts.json'), 'half a li')
  t.equal(noteStart(dir, 2_900_000), false)
  const backup = { dir: join(dir, 'b'), restoresDamagedData: true }
  const settings = { data: { dir }, backup, cluster: { standby: false, servers: [] } }
  t.equal(canRestoreDamaged(settings as never, { wallMs: () => 0 }), false, 'there is no backup')
})
