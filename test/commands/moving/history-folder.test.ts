// stillup export --history: what happened in an organization, as files on the machine of the daemon.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { historyTables } from '../../../src/domain/orgs/history-tables.ts'
import { movingWorld } from '../../support/moving-world.ts'
import { until } from '../../support/until.ts'

t.test('a folder has a file for each table, which the API would answer as well', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const { cookie } = alice
  const monitors: readonly { readonly pushUrl?: string }[] = await daemon.need(
    'GET',
    `${alice.org}/monitors`,
    { cookie },
  )
  const pushUrl = monitors.flatMap((one) => one.pushUrl ?? []).at(0) ?? ''
  for (const message of ['first', 'second']) {
    const body = JSON.stringify({ message })
    const headers = { 'content-type': 'application/json' }
    t.equal((await fetch(pushUrl, { method: 'POST', headers, body })).status, 200)
  }
  const [channel] = await daemon.need('GET', `${alice.org}/alert-channels`, { cookie })
  const test = `/api/v1${alice.org}/alert-channels/${channel.id}/test`
  await daemon.ask('POST', test, { cookie })
  const results = `${alice.org}/history?table=results`
  const shown = async () => (await daemon.ask('GET', `/api/v1${results}`, { cookie })).text
  await until(async () => /second/.test(await shown()))

  const made = await cli('export', "alice's", 'past', '--history')
  t.match(made, { code: 0, out: /past\/results\.jsonl: / })
  const names = historyTables.map((table) => `${table}.jsonl`)
  t.same(readdirSync(join(cwd, 'past')).sort(), names.toSorted())
  t.equal(statSync(join(cwd, 'past', 'days.jsonl')).mode & 0o777, 0o600)
  const rows = readFileSync(join(cwd, 'past', 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
  t.ok(rows.some((row) => JSON.parse(row).message === 'first'))

  const sent = await daemon.need('GET', `${alice.org}/alert-deliveries`, { cookie })
  const deliveries = readFileSync(join(cwd, 'past', 'deliveries.jsonl'), 'utf8').trim()
  const { id, channelId, event, state, createdAt, lastError } = JSON.parse(deliveries)
  t.match(sent, [{ id, channelId, event, state, createdAt, lastError }])

  t.match(await cli('export', alice.orgId, 'past', '--history'), { code: 1, err: /jsonl exists/ })
  const csv = await cli(
    'export',
    alice.orgId,
    'past',
    '--history',
    '--as',
    'csv',
    '--to',
    '2020-01-01',
  )
  t.match(csv, { code: 0 })
  t.match(readFileSync(join(cwd, 'past', 'hours.csv'), 'utf8'), /^monitorId,[^\n]*\n$/)
})

t.test('what is asked for wrongly is said, and nothing is written', async (t) => {
  const { alice, cwd, cli } = await movingWorld(t)
  const ask = (...more: string[]) => cli('export', alice.orgId, ...more)
  t.match(await ask('--history'), { code: 64, err: /name the directory/ })
  t.match(await ask('past', '--history', '--as', 'xlsx'), {
    code: 64,
    err: /jsonl, csv.*not as xlsx/,
  })
  t.match(await ask('past', '--history', '--from', 'soon'), { code: 64, err: /--from is a time/ })
  t.match(await ask('past', '--from', '2026-01-01'), { code: 64, err: /belong to --history/ })
  t.match(await cli('export', 'Nobody', 'past', '--history'), { code: 1, err: /no such/i })
  t.same(
    readdirSync(cwd).flatMap((name) => (name === 'past' ? readdirSync(join(cwd, name)) : [])),
    [],
  )
})
