// Damaged keys: a daemon with them starts and answers, and its data can be looked at, backed up and restored.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { catalog } from '../../src/commands/catalog.ts'
import { runCommandLine } from '../../src/commands/command-line.ts'
import { reportFailure } from '../../src/commands/model/failure.ts'
import { openEnv } from '../../src/store/engine/env.ts'
import { startDaemon } from '../support/daemon.ts'
import { rawTable } from '../support/damaged-keys.ts'
import { fakeHost } from '../support/fake-host.ts'
import { createDice } from '../support/fuzz.ts'

const goldens = join(import.meta.dirname, '../golden')
const newest = readdirSync(goldens)
  .filter((name) => /^\d+-/.test(name))
  .sort()
  .at(-1)
const token = 'the-token-of-the-operator'
const operator = { bearer: token }
const env = { SYSTEM_TOKEN: token, DATA_MAX_MIB: '0' }

/** A directory in which every noun has records. */
function goldenDirectory(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-keys-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const from = join(goldens, newest ?? '')
  const data = brotliDecompressSync(readFileSync(join(from, 'data.mdb.br')))
  writeFileSync(join(dir, 'data.mdb'), data)
  writeFileSync(join(dir, 'master.key'), readFileSync(join(from, 'master.key')), { mode: 0o600 })
  return dir
}

/** Gives records of each table keys that the function makes of theirs; the first one is removed. */
async function damageKeys(
  dir: string,
  isMeant: (table: string) => boolean,
  changed: (key: Buffer) => Buffer[],
): Promise<string[]> {
  const env = openEnv(dir)
  const tables = [...env.lmdb.getKeys()].map(String).filter(isMeant)
  for (const name of tables) {
    const raw = rawTable(env, name)
    const rows = [...raw.getRange({ limit: 3 })].map(({ key, value }) => ({
      key: Buffer.from(key),
      value: Buffer.from(value),
    }))
    await raw.transaction(() => {
      for (const { key, value } of rows) {
        void raw.remove(key)
        for (const other of changed(key)) if (!other.equals(key)) void raw.put(other, value)
      }
    })
  }
  await env.close()
  return tables
}

const withFirst = (key: Buffer, byte: number): Buffer =>
  Buffer.concat([Buffer.from([byte]), key.subarray(1)])

async function line(dir: string, ...argv: string[]) {
  const host = { ...fakeHost(dir, { STILLUP_DATA_DIR: dir }), clock: startClock() }
  const code = await runCommandLine(host, catalog, argv)
  return { code, lines: [...host.printed, ...host.complaints] }
}

const needed = ['meta', 'secrets']

t.test(
  'whatever bytes of keys are damaged, the daemon starts, and its data can be backed up',
  { timeout: 120_000 },
  async (t) => {
    const dir = goldenDirectory(t)
    const dice = createDice()
    const tables = await damageKeys(
      dir,
      (name) => !needed.includes(name),
      (key) => [
        ...[2, 22, dice.below(28), dice.below(256)].map((byte) => withFirst(key, byte)),
        Buffer.from(key.fill(dice.below(256), dice.below(key.length))),
      ],
    )
    t.ok(tables.length > 30)
    const before = await line(dir, 'fsck')
    t.equal(before.code, 1, 'fsck reads it to its end')
    t.match(before.lines.join('\n'), /a record of monitors is damaged: damaged key: %02on_|%02rg_/)

    const daemon = await startDaemon(t, { dir, env })
    t.match(daemon.lines.join('\n'), /a stored record is damaged/)
    t.equal((await daemon.ask('GET', '/readyz')).status, 200)
    const { data } = await daemon.need('GET', '/system/info', operator)
    t.ok(data.damagedRecords >= 100, `${data.damagedRecords} are known`)
    for (const path of ['users', 'orgs', 'tasks', 'errors', 'audit-log']) {
      await daemon.need('GET', `/system/${path}`, operator)
    }
    for (const { name } of await daemon.need('GET', '/system/tasks', operator)) {
      if (/certificates|kyc|domains/.test(name)) continue
      const ran = await daemon.need('POST', `/system/tasks/${name}/run`, operator)
      t.equal(ran.lastOutcome, 'done', `${name}: ${ran.lastDetail}`)
    }
    const backup = await daemon.need('POST', '/system/backups', operator)
    t.match(backup, { name: String })
    await daemon.stop()
    t.equal((await line(dir, 'fsck', 'latest')).code, 1)
    t.match(await line(dir, 'restore', 'latest', '--replace'), { code: 0 })
    const again = await startDaemon(t, { dir, env })
    t.equal((await again.ask('GET', '/readyz')).status, 200)
    await again.stop()
  },
)

t.test('data whose schema or proof of the key has another key is not taken for new', async (t) => {
  for (const name of needed) {
    for (const byte of [2, 22, 0xff]) {
      const dir = goldenDirectory(t)
      await damageKeys(
        dir,
        (table) => table === name,
        (key) => [withFirst(key, byte)],
      )
      const host = fakeHost(dir)
      const failed = await startDaemon(t, { dir, env }).catch((error: unknown) => error)
      t.equal(reportFailure(host, failed), 78, `${name} ${byte}: ${failed}`)
      t.match(host.complaints, [/damaged/, /from a backup/])
      t.match(await line(dir, 'fsck'), { code: 1, lines: /is damaged/ })
    }
  }
})
