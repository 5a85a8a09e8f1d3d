// The audit log over the API: every change has its entry; it is found, proven, and taken home.
import t from 'tap'
import { mintKey, password, register, registerWithKey } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { startReceiver } from '../../../support/receiver.ts'
import { until } from '../../../support/until.ts'

const token = 'the-token-of-the-operator'
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: token } })
const receiver = await startReceiver()
t.teardown(() => receiver.close())
const alice = await registerWithKey(daemon)
const { org, cookie, key, userId } = alice
const operator = { bearer: token }

interface Entry {
  readonly action: string
  readonly objectId: string | null
  readonly fields: readonly string[]
  readonly detail: string | null
}

const newest = async (limit = 1): Promise<Entry[]> =>
  daemon.need('GET', `${org}/audit-log?limit=${limit}`, { cookie })

t.test('monitors, channels, pages and incidents leave an entry for each change', async (t) => {
  const noted = async (action: string, objectId: string, fields: string[] = []) => {
    const [entry] = await newest()
    t.match(entry, { action, objectId, outcome: 'done' })
    t.same(entry?.fields, fields, action)
  }
  const send = (method: string, path: string, json?: object) =>
    daemon.need(method, `${org}${path}`, { key, ...(json ? { json } : {}) })

  const job = await send('POST', '/monitors', { name: 'Job', checkType: 'push' })
  await noted('monitor.created', job.id)
  const at = `/monitors/${job.id}`
  await send('PATCH', at, { name: 'Jobs', graceSeconds: 30, isPublic: false })
  await noted('monitor.changed', job.id, ['graceSeconds', 'name'])
  await send('POST', `${at}/pause`)
  await noted('monitor.paused', job.id)
  await send('POST', `${at}/pause`)
  t.equal((await newest(2))[1]?.action, 'monitor.changed', 'pausing twice is one change')
  await send('POST', `${at}/resume`)
  await noted('monitor.resumed', job.id)

  const config = { url: receiver.url, secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` }
  const hook = await send('POST', '/alert-channels', { name: 'Hook', type: 'webhook', config })
  await noted('channel.created', hook.id)
  await send('PATCH', `/alert-channels/${hook.id}`, { minSeverity: 'down', config })
  await noted('channel.changed', hook.id, ['config', 'minSeverity'])
  await send('PATCH', `/alert-channels/${hook.id}`, { name: 'Hooks' })
  await noted('channel.changed', hook.id, ['name'])
  await send('POST', `/alert-channels/${hook.id}/test`)
  await noted('channel.tested', hook.id)

  const { pushToken } = await send('GET', at)
  await daemon.need('GET', `/push/${pushToken}/error`)
  const { openIncidentId: incident } = await send('GET', at)
  await send('POST', `/incidents/${incident}/acknowledge`)
  await noted('incident.acknowledged', incident)
  await send('POST', `/incidents/${incident}/updates`, { message: 'we look' })
  await noted('incident.updated', incident)
  await send('POST', `/incidents/${incident}/resolve`)
  await noted('incident.resolved', incident)
  const deliveries = `/alert-channels/${hook.id}/deliveries`
  const delivered = await until(async () => (await send('GET', `${deliveries}?state=delivered`))[0])
  await send('POST', `${deliveries}/${delivered.id}/redeliver`)
  await noted('delivery.repeated', delivered.id)

  const page = await send('POST', '/status-pages', { name: 'P', slug: 'p' })
  await noted('page.created', page.id)
  await send('PATCH', `/status-pages/${page.id}`, { title: 'T', showUptime: false })
  await noted('page.changed', page.id, ['showUptime', 'title'])
  await send('PATCH', `/status-pages/${page.id}/subdomain`, { subdomain: 'acme' })
  await noted('page.subdomain_changed', page.id, ['subdomain'])

  await send('DELETE', `/status-pages/${page.id}`)
  await noted('page.deleted', page.id)
  await send('DELETE', `/alert-channels/${hook.id}`)
  await noted('channel.deleted', hook.id)
  await send('DELETE', at)
  await noted('monitor.deleted', job.id)
})

t.test('a failed operation leaves no entry of a change', async (t) => {
  const [before] = await newest()
  const tries = [
    ['POST', '/monitors', { name: 'x', checkType: 'odd' }],
    ['PATCH', '/status-pages/pag_01jd0000000000000000000000', { title: 'x' }],
    ['DELETE', '/monitors/mon_01jd0000000000000000000000', undefined],
  ] as const
  for (const [method, path, json] of tries) {
    const { status } = await daemon.ask(method, `/api/v1${org}${path}`, { key, json })
    t.ok(status >= 400)
  }
  t.same((await newest())[0], before)
})

t.test('refused requests and failed sign-ins are there as well', async (t) => {
  const viewer = await mintKey(daemon, alice, 'viewer')
  const paths = [
    ['POST', '/monitors'],
    ['GET', '/audit-log'],
    ['POST', '/api-keys'],
  ] as const
  for (const [method, path] of paths) {
    t.equal((await daemon.ask(method, `/api/v1${org}${path}`, { key: viewer })).status, 403)
  }
  const refused = await until(async () => {
    const path = `${org}/audit-log?outcome=refused`
    const found = await daemon.need('GET', path, { cookie })
    return found.length === 3 && found
  })
  t.same(
    refused.map(({ detail }: Entry) => detail).toReversed(),
    ['monitors.create', 'audit-log.list', 'api-keys.create'].map((name) => `${name}: forbidden`),
  )
  t.match(refused[0].actor, { kind: 'key', name: 'viewer key', email: null })

  const stranger = await register(daemon, 'charlie')
  await daemon.ask('GET', `/api/v1${org}/audit-log`, { cookie: stranger.cookie })
  await daemon.ask('GET', '/api/v1/system/info', { cookie: stranger.cookie })
  const wrong = 'a wrong password here'
  for (const email of [alice.email, 'nobody@example.com']) {
    await daemon.ask('POST', '/api/v1/auth/login', { json: { email, password: wrong } })
  }
  const entries = await until(async () => {
    const found = await daemon.need('GET', '/system/audit-log?limit=100', operator)
    const bad = found.filter(({ outcome }: { outcome: string }) => outcome !== 'done')
    return bad.length >= 3 && bad
  })
  const told = entries.map(({ action, objectId, detail }: Entry) => [action, objectId, detail])
  t.match(told.toReversed(), [
    ['access.refused', null, 'system.info: forbidden'],
    ['session.refused', userId, 'auth.login: invalid_credentials'],
    ['session.refused', null, /^auth\.login: invalid_credentials; address [0-9a-f]{8}$/],
  ])
  t.equal((await daemon.need('GET', `${org}/audit-log?outcome=refused`, { cookie })).length, 3)
  const begun = await daemon.need('GET', '/system/audit-log?action=session.started', operator)
  t.match(begun[0], { detail: 'registration', actor: { email: null } })
})

t.test('the log is valid, and a file of it contains the proof', async (t) => {
  const report = await daemon.need('GET', `${org}/audit-log/verify`, { cookie })
  t.match(report, { ok: true, firstSequence: 1 })
  const file = await daemon.ask('GET', `/api/v1${org}/audit-log/export`, { cookie })
  t.equal(file.headers.get('content-type'), 'application/x-ndjson')
  t.match(file.headers.get('content-disposition'), /^attachment; filename="audit-org_\w+\.ndjson"$/)
  t.equal(file.headers.get('link'), null)
  const lines = file.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.equal(lines.length, report.entries)
  t.equal(lines.at(-1).hash, report.headHash)
  for (const [at, line] of lines.entries()) {
    t.equal(line.previousHash, at === 0 ? '' : lines[at - 1].hash)
  }
  t.notMatch(file.text, new RegExp(`${key}|${cookie}|${password}|whsec_`))
  t.match(await daemon.need('GET', '/system/audit-log/verify', operator), { ok: true })
  const system = await daemon.ask('GET', '/api/v1/system/audit-log/export?format=csv', operator)
  t.match(system.text, /user\.registered/)
})

t.test('a name that is a formula is text in the CSV file', async (t) => {
  const json = { name: '=HYPERLINK("http://evil.example")', role: 'admin' }
  const made = await daemon.need('POST', `${org}/api-keys`, { cookie, json })
  const path = `${org}/monitors`
  await daemon.need('POST', path, { key: made.key, json: { name: '+x', checkType: 'push' } })
  const file = await daemon.ask('GET', `/api/v1${org}/audit-log/export?format=csv`, { cookie })
  t.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  const [head, ...rows] = file.text.trimEnd().split('\r\n')
  t.match(head, /^sequence,id,at,actorKind,/)
  t.match(rows.at(-1), /,key,key_\w+,"'=HYPERLINK\(""http:\/\/evil\.example""\)",/)
  t.same(
    // A hash may begin with a minus: it is no formula, and has to stay what it is.
    rows.filter((row) => /(^|,)"?[=+\-@](?![\w-]{42}(,|$))/.test(row)),
    [],
  )
})

t.test('wrong filters are named, and cursors are of one list', async (t) => {
  const ask = (query: string) => daemon.ask('GET', `/api/v1${org}/audit-log${query}`, { cookie })
  for (const query of ['?outcome=bad', '?from=yesterday', '?limit=0', '?actor=x', '?cursor=x']) {
    t.equal((await ask(query)).status, 400, query)
  }
  t.equal((await ask('/export?format=xml')).status, 400)
  t.equal((await ask('/export?after=-1')).status, 400)
  const first = await ask('?limit=2')
  const { nextCursor } = first.json.meta
  const second = await ask(`?limit=2&cursor=${nextCursor}`)
  const sequences = [...first.json.data, ...second.json.data].map(
    ({ sequence }: { sequence: number }) => sequence,
  )
  const newestSequence = sequences[0] ?? 0
  t.same(
    sequences,
    [0, 1, 2, 3].map((n) => newestSequence - n),
  )
  t.equal((await ask(`?limit=2&action=page.created&cursor=${nextCursor}`)).status, 400)
  const foreign = await register(daemon, 'dora')
  const path = `/api/v1${foreign.org}/audit-log?limit=2&cursor=${nextCursor}`
  t.equal((await daemon.ask('GET', path, { cookie: foreign.cookie })).status, 400)
})
