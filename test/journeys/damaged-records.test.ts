// Damaged records: everybody is told, nothing else stops, and nothing is lost without a word.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import type { TableKey } from '../../src/store/engine/damage.ts'
import { openEnv } from '../../src/store/engine/env.ts'
import { openStore } from '../../src/store/store.ts'
import { mintKey, register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { amount } from '../support/depth.ts'
import { startTarget } from '../support/target.ts'

/** Flips a bit of the newest byte of these records, as a failing disk would. */
async function damageRecords(
  dir: string,
  isMeant: (table: string, key: TableKey, place: number) => boolean,
): Promise<string[]> {
  const env = openEnv(dir)
  const damaged: string[] = []
  for (const name of [...env.lmdb.getKeys()].map(String)) {
    const db = env.lmdb.openDB<Buffer, TableKey>({ name, encoding: 'binary', cache: false })
    const rows = [...db.getRange()].map(({ key, value }) => ({ key, bytes: Buffer.from(value) }))
    for (const [place, { key, bytes }] of rows.entries()) {
      if (!isMeant(name, Array.isArray(key) ? key : [key], place)) continue
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      await db.put(key, bytes)
      damaged.push(name)
    }
  }
  await env.close()
  return damaged
}

function directory(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-damaged-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const token = 'operator-0123456789abcdef0123456789abcdef'
const env = { SYSTEM_TOKEN: token }

t.test(
  'one flipped bit: told to everybody, 500 instead of 404, and the rest goes on',
  async (t) => {
    const dir = directory(t)
    const target = await startTarget()
    t.teardown(() => target.close())
    const first = await startDaemon(t, { dir, env })
    const owner = await register(first, 'alice', first.setupToken)
    const key = await mintKey(first, owner)
    const path = owner.org
    const make = (name: string) =>
      first.need('POST', `${path}/monitors`, {
        key,
        // A check would write the damaged standing anew.
        json: { name, url: target.url, intervalMinutes: 1_440 },
      })
    const [hurt, whole, unsure] = [await make('hurt'), await make('whole'), await make('unsure')]
    const page = await first.need('POST', `${path}/status-pages`, {
      key,
      json: { name: 'P', slug: 'p' },
    })
    const config = { url: target.url }
    const channel = await first.need('POST', `${path}/alert-channels`, {
      key,
      json: { name: 'Pager', type: 'webhook', config },
    })
    const second = await first.need('POST', `${path}/api-keys`, {
      ...owner,
      json: { name: 'second' },
    })
    await first.stop()
    await damageRecords(dir, (table, key) => {
      return (
        (table === 'channels' && key.includes(channel.id)) ||
        (table === 'orgApiKeys' && key.includes(second.id)) ||
        (table === 'monitors' && key.includes(hurt.id)) ||
        (table === 'standings' && key.includes(unsure.id)) ||
        (table === 'pages' && key.includes(page.id))
      )
    })

    const daemon = await startDaemon(t, { dir, env })
    const told = daemon.lines.filter((line) => line.includes('a stored record is damaged'))
    t.equal(told.length, 5, 'once each, at the start')
    t.match(told.join(), hurt.id)
    const got = await daemon.ask('GET', `/api/v1${path}/monitors/${hurt.id}`, { key })
    t.match(got, { status: 500, json: { code: 'damaged_record', title: 'Damaged record' } })
    const listed = await daemon.need('GET', `${path}/monitors`, { key })
    t.strictSame(
      listed.map(({ id }: { id: string }) => id).toSorted(),
      [whole.id, unsure.id].toSorted(),
    )
    const operator = { bearer: token }
    t.match(await daemon.need('GET', '/system/info', operator), { data: { damagedRecords: 5 } })
    t.match(await daemon.need('GET', '/system/errors', operator), [
      { message: /table \w+ is damaged/, context: { record: String } },
      {},
      {},
      {},
      {},
    ])
    const metrics = await daemon.ask('GET', '/metrics', operator)
    t.match(String(metrics.text), /^stillup_damaged_records [1-5]$/m)

    // What its checks found begins anew, because nobody would watch it else.
    for (const { id } of [unsure, whole]) {
      await daemon.need('POST', `${path}/monitors/${id}`, { key })
      t.match(await daemon.need('GET', `${path}/monitors/${id}`, { key }), { state: 'up' })
    }
    const count = async () => (await daemon.need('GET', `${path}/summary`, { key })).usage.monitors
    t.equal(await count(), 3)
    await daemon.need('DELETE', `${path}/monitors/${hurt.id}`, { key })
    t.equal((await daemon.ask('GET', `/api/v1${path}/monitors/${hurt.id}`, { key })).status, 404)
    t.equal(await count(), 2)
    t.equal((await daemon.ask('GET', '/status/p')).status, 500)
    await daemon.need('DELETE', `${path}/status-pages/${page.id}`, { key })
    await daemon.need('POST', `${path}/status-pages`, { key, json: { name: 'P', slug: 'p' } })
    const gone = await daemon.need('DELETE', `${path}/alert-channels/${channel.id}`, { key })
    t.same(gone, { id: channel.id, orgId: owner.orgId, usedByMonitors: 0 })
    t.same(await daemon.need('DELETE', `${path}/api-keys/${second.id}`, owner), { id: second.id })
    t.match(await daemon.need('GET', '/system/info', operator), { data: { damagedRecords: 0 } })
    await daemon.stop()

    const clock = startClock()
    const fail = (error: unknown) => t.fail(String(error))
    const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
    const kept = store.quarantine.list(9)
    t.strictSame(kept.map(({ table }) => table).toSorted(), [
      'channels',
      'monitors',
      'orgApiKeys',
      'pages',
      'standings',
    ])
    const monitor = kept.find(({ table }) => table === 'monitors')
    t.match(Buffer.from(monitor?.bytes ?? []).toString(), '"name":"hurt"')
    await store.close()
    clock.stop()
  },
)

const former = join(import.meta.dirname, '../store/data/former')

function formerDirectory(t: Test): string {
  const dir = directory(t)
  writeFileSync(join(dir, 'data.mdb'), gunzipSync(readFileSync(join(former, 'data.mdb.gz'))))
  writeFileSync(join(dir, 'master.key'), readFileSync(join(former, 'master.key')), { mode: 0o600 })
  return dir
}

const needed = ['meta', 'secrets']

t.test('whatever record is damaged, the daemon starts and answers', async (t) => {
  const everywhere = formerDirectory(t)
  const tables = await damageRecords(everywhere, (table) => !needed.includes(table))
  t.ok(new Set(tables).size > 20)
  const daemon = await startDaemon(t, { dir: everywhere, env })
  t.match(await daemon.need('GET', '/system/info', { bearer: token }), {
    data: { damagedRecords: Number },
  })
  for (const path of ['users', 'orgs', 'tasks', 'errors', 'audit-log']) {
    await daemon.need('GET', `/system/${path}`, { bearer: token })
  }
  for (const task of ['retention', 'audit', 'credentials', 'identity', 'referrals', 'integrity']) {
    const ran = await daemon.need('POST', `/system/tasks/${task}/run`, { bearer: token })
    t.equal(ran.lastOutcome, 'done', `${task}: ${ran.lastDetail}`)
  }
  await daemon.stop()
})

t.test('each table in turn, with all its records damaged', async (t) => {
  const names = ['orgs', 'users', 'monitors', 'standings', 'channels', 'deliveries', 'incidents']
  for (const name of names.slice(0, amount(2, names.length))) {
    const dir = formerDirectory(t)
    await damageRecords(dir, (table) => table === name)
    const daemon = await startDaemon(t, { dir, env })
    t.equal((await daemon.ask('GET', '/readyz')).status, 200, name)
    await daemon.need('POST', '/system/tasks/retention/run', { bearer: token })
    await daemon.stop()
  }
})

t.test('the schema and the proof of the key are not guessed', async (t) => {
  for (const name of needed) {
    const dir = formerDirectory(t)
    await damageRecords(dir, (table) => table === name)
    await t.rejects(startDaemon(t, { dir, env }), { code: 'damaged_record' })
  }
})
