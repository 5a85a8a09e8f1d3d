// The end of an organization and of an account, a switch by the operator, and a move elsewhere.
import t, { type Test } from 'tap'
import { mintKey, type Owner, password, register } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { amount } from '../support/depth.ts'
import { readEvents } from '../support/event-stream.ts'
import { startReceiver } from '../support/receiver.ts'
import { fairMs } from '../support/starvation.ts'
import { tracesOf } from '../support/traces.ts'
import { until } from '../support/until.ts'

const systemToken = 'the-token-of-the-operator'
const operator = { bearer: systemToken }

async function open(t: Test) {
  const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: systemToken } })
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  return { daemon, receiver, alice: await register(daemon, 'alice') }
}

/** A job that failed, a page that shows it, a channel that was told. */
async function furnish(daemon: Daemon, { org, cookie }: Owner, hookUrl: string) {
  const make = (path: string, json: object) =>
    daemon.need('POST', `${org}${path}`, { cookie, json })
  const channel = await make('/alert-channels', {
    name: 'Hook',
    type: 'webhook',
    config: { url: hookUrl },
  })
  const job = await make('/monitors', { name: 'Job', checkType: 'push', isPublic: true })
  // It fails, and opens no incident in the time of a test.
  const site = await make('/monitors', {
    ...{ name: 'Site', url: 'http://127.0.0.1:9/' },
    ...{ intervalMinutes: 1_440, retryIntervalSeconds: 3_600 },
  })
  await make('/status-pages', { name: 'Acme', slug: 'acme', publicMonitorIds: [job.id] })
  await daemon.need('GET', `/push/${job.pushToken}/error`)
  await daemon.ask('POST', '/status/acme/subscribe', {
    body: 'kind=webhook&address=http://127.0.0.1:9/',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: daemon.url },
  })
  return { channel, job, site }
}

t.test('a deleted organization is gone for everybody, and then from the disk', async (t) => {
  const { daemon, receiver, alice } = await open(t)
  const { job } = await furnish(daemon, alice, receiver.url)
  const { org, cookie, orgId } = alice
  const key = await mintKey(daemon, alice)
  await until(() => receiver.requests.length === 1)
  const stream = await readEvents(`${daemon.url}/api/v1${org}/events`, { 'x-api-key': key })
  t.teardown(stream.stop)
  const { headers } = await daemon.ask('GET', `/api/v1${org}`, { cookie })
  const stale = { cookie, headers: { 'if-match': '"7"' } }
  t.equal((await daemon.ask('DELETE', `/api/v1${org}`, stale)).status, 412)
  t.equal((await daemon.ask('DELETE', `/api/v1${org}`, { key })).status, 403)
  const seen = { cookie, headers: { 'if-match': headers.get('etag') ?? '' } }
  t.equal((await daemon.ask('DELETE', `/api/v1${org}`, seen)).status, 200)

  for (const path of ['', '/monitors', '/summary', `/monitors/${job.id}`]) {
    t.equal((await daemon.ask('GET', `/api/v1${org}${path}`, { cookie })).status, 404, path)
  }
  t.equal((await daemon.ask('GET', `/api/v1${org}`, { key })).status, 401)
  t.equal((await daemon.ask('GET', `/api/v1/push/${job.pushToken}`)).status, 404)
  t.equal((await daemon.ask('GET', '/status/acme')).status, 404)
  t.same(await daemon.need('GET', '/orgs', { cookie }), [])
  await until(stream.hasEnded)
  const [entry] = await daemon.need(
    'GET',
    '/system/audit-log?action=organization.deleted',
    operator,
  )
  t.match(entry, { action: 'organization.deleted', objectId: orgId })

  // It goes by itself; the task joins in, so that the test knows when.
  await daemon.need('POST', '/system/tasks/retention/run', operator)
  await daemon.stop()
  t.same(await tracesOf(daemon.dir, orgId), {}, 'no table knows it')
  t.equal(receiver.requests.length, 1, 'nobody is told of a recovery')
})

t.test('an account goes once nothing hangs on it, and the cookie with it', async (t) => {
  const { daemon, alice } = await open(t)
  const bob = await register(daemon, 'bob')
  const ask = (path: string, { cookie }: Owner) =>
    daemon.ask('DELETE', `/api/v1${path}`, { cookie })
  const refused = await ask('/user', alice)
  t.match(refused, { status: 409, json: { code: 'conflict', detail: new RegExp(alice.orgId) } })
  t.equal((await ask(alice.org, alice)).status, 200)
  const gone = await ask('/user', alice)
  t.match(gone.headers.get('set-cookie'), /^auth-token=;.*Max-Age=0/)
  t.equal((await daemon.ask('GET', '/api/v1/user', { cookie: alice.cookie })).status, 401)
  const json = { email: alice.email, password }
  t.equal((await daemon.ask('POST', '/api/v1/auth/login', { json })).status, 401)
  t.ok(await register(daemon, 'alice'), 'the address is free')
  t.equal((await daemon.ask('GET', '/api/v1/user', { cookie: bob.cookie })).status, 200)
  await daemon.stop()
  t.same(await tracesOf(daemon.dir, alice.userId), {})
})

t.test('an organization that the operator switches off pauses, and continues later', async (t) => {
  const { daemon, receiver, alice } = await open(t)
  const { job, site } = await furnish(daemon, alice, receiver.url)
  const { org, orgId, cookie } = alice
  await receiver.received(1)
  const set = (json: object) => daemon.need('PATCH', `/system/orgs/${orgId}`, { ...operator, json })
  t.match(await set({ isDisabled: true }), { isDisabled: true, monitors: 2, members: 1 })
  const closed = await daemon.ask('GET', `/api/v1${org}`, { cookie })
  t.match(closed, { status: 403, json: { detail: /switched off by the operator/ } })
  t.equal((await daemon.ask('GET', '/status/acme')).status, 404)
  t.equal((await daemon.ask('GET', `/api/v1/push/${job.pushToken}`)).status, 404)
  t.match(await daemon.need('GET', '/orgs', { cookie }), [{ id: orgId, isDisabled: true }])

  await set({ isDisabled: false })
  t.equal((await daemon.ask('GET', '/status/acme')).status, 200)
  t.equal((await daemon.ask('GET', `/api/v1/push/${job.pushToken}`)).status, 200)
  await receiver.received(2)
  const run = await daemon.need('POST', `${org}/monitors/${site.id}`, { cookie })
  t.equal(run.monitorId, site.id, 'it is checked again')

  t.match(await set({ quotas: { monitors: 2 } }), { quotas: { monitors: 2, pages: 20 } })
  const json = { name: 'Third', url: 'http://127.0.0.1:9/' }
  const third = await daemon.ask('POST', `/api/v1${org}/monitors`, { cookie, json })
  t.match(third, { status: 409, json: { detail: /at most 2 monitors/ } })
  t.match(await daemon.need('GET', `${org}/summary`, { cookie }), {
    monitors: { total: 2, down: 0 },
    openIncidents: { count: 0 },
    usage: { monitors: 2, channels: 1, pages: 1, members: 1 },
    quotas: { monitors: 2 },
  })
  const bad = { ...operator, json: { quotas: { pages: -1, oops: 1 } } }
  const refused = await daemon.ask('PATCH', `/api/v1/system/orgs/${orgId}`, bad)
  t.match(refused, { status: 422, json: { errors: [{ pointer: '/quotas/pages' }, {}] } })
})

t.test('an organization is off also after a restart', async (t) => {
  const first = await startDaemon(t, { env: { SYSTEM_TOKEN: systemToken } })
  const alice = await register(first, 'alice')
  const json = { name: 'Job', checkType: 'push' }
  const { pushToken } = await first.need('POST', `${alice.org}/monitors`, {
    cookie: alice.cookie,
    json,
  })
  const path = `/system/orgs/${alice.orgId}`
  await first.need('PATCH', path, { ...operator, json: { isDisabled: true } })
  await first.stop()
  const env = { SYSTEM_TOKEN: systemToken }
  const second = await startDaemon(t, { dir: first.dir, env })
  for (const secret of first.secrets) second.secrets.add(secret)
  const push = () => second.ask('GET', `/api/v1/push/${pushToken}`)
  t.equal((await push()).status, 404)
  await second.need('PATCH', path, { ...operator, json: { isDisabled: false } })
  t.equal((await push()).status, 200)
})

t.test('a document goes from one organization to another', async (t) => {
  const { daemon, receiver, alice } = await open(t)
  const bob = await register(daemon, 'bob')
  await furnish(daemon, alice, receiver.url)
  const headers = { Authorization: 'Bearer a-header-that-is-secret' }
  const json = { name: 'Secret', url: 'http://127.0.0.1:9/', headers, body: 'hello' }
  await daemon.need('POST', `${alice.org}/monitors`, { cookie: alice.cookie, json })
  const exported = await daemon.ask('GET', `/api/v1${alice.org}/export`, { cookie: alice.cookie })
  t.match(
    exported.headers.get('content-disposition'),
    /^attachment; filename="stillup-org_.*json"$/,
  )
  const { data: document } = exported.json
  t.match(document, { format: 'stillup/1', organization: { name: "alice's" } })
  t.notMatch(exported.text, /a-header-that-is-secret|whsec_|spp_|Box|Hash|AtMs/)
  t.ok(document.secretsOmitted.includes('/monitors/2/headers/Authorization'))

  const into = (body: object) =>
    daemon.ask('POST', `/api/v1${bob.org}/import`, { cookie: bob.cookie, json: body })
  t.match(await into(document), {
    status: 409,
    json: { code: 'slug_taken', errors: [{ pointer: '/statusPages/0/slug' }] },
  })
  document.statusPages[0].slug = 'moved'
  const imported = await into(document)
  t.match(imported.json.data, { channels: 1, monitors: 3, statusPages: 1 })
  t.equal((await daemon.ask('GET', '/status/moved')).status, 200)
  const again = await daemon.need('GET', `${bob.org}/export`, { cookie: bob.cookie })
  const { ids, paused } = imported.json.data
  t.same(paused, [{ id: ids[document.monitors[2].id], secrets: ['/headers/Authorization'] }])
  document.monitors[2].isActive = false
  const same = ({ channels, monitors, statusPages }: typeof document) =>
    JSON.stringify({ channels, monitors, statusPages })
  const renamed = same(document).replace(/(mon|chn|pag)_\w{26}/g, (id) => ids[id])
  t.same(JSON.parse(same(again)), JSON.parse(renamed))

  for (const [body, pointer] of [
    [{}, '/format'],
    [{ format: 'stillup/2' }, '/format'],
    [{ format: 'stillup/1', oops: 1 }, '/oops'],
    [{ format: 'stillup/1', monitors: [{ name: 'x', url: 7 }] }, '/monitors/0/url'],
    [{ format: 'stillup/1', monitors: [{ name: 'x', id: 'mine' }] }, '/monitors/0/id'],
    [{ format: 'stillup/1', channels: [{ name: 'x', type: 'pigeon' }] }, '/channels/0/type'],
    [{ format: 'stillup/1', statusPages: [{ name: 'x', slug: 'NO' }] }, '/statusPages/0/slug'],
  ] as const) {
    const refused = await into(body)
    t.equal(refused.status, 422, pointer)
    t.ok(
      refused.json.errors.some((one: { pointer: string }) => one.pointer === pointer),
      refused.text,
    )
  }
})

t.test('a large document is imported completely while others are served', async (t) => {
  const { daemon, alice } = await open(t)
  const { org, cookie } = alice
  const documentOf = (count: number) => ({
    format: 'stillup/1',
    monitors: Array.from({ length: count }, (_, n) => ({
      name: `Monitor ${n}`,
      url: `http://127.0.0.1:9/${n}`,
      intervalMinutes: 60,
    })),
  })
  const count = amount(1_200, 10_000)
  let longestMs = 0
  let isOver = false
  const others = async () => {
    while (!isOver) {
      const startedMs = fairMs()
      await daemon.ask('GET', '/healthz')
      longestMs = Math.max(longestMs, fairMs() - startedMs)
    }
  }
  const serving = others()
  const startedMs = performance.now()
  const json = documentOf(count)
  const made = await daemon.need('POST', `${org}/import`, { cookie, json })
  const importedMs = performance.now()
  const out = await daemon.need('GET', `${org}/export`, { cookie })
  const exportedMs = performance.now()
  t.equal((await daemon.ask('DELETE', `/api/v1${org}`, { cookie })).status, 200)
  const deletedMs = performance.now()
  isOver = true
  await serving
  t.equal(made.monitors, count)
  t.equal(out.monitors.length, count)
  const took = [importedMs - startedMs, exportedMs - importedMs, deletedMs - exportedMs]
  t.comment(`in ${took.map(Math.round)} ms; others waited ${Math.round(longestMs)} ms at most`)
  t.ok(longestMs < 5_000)
  const bob = await register(daemon, 'bob')
  const refused = await daemon.ask('POST', `/api/v1${bob.org}/import`, {
    cookie: bob.cookie,
    json: documentOf(10_001),
  })
  t.match(refused, { status: 422, json: { errors: [{ pointer: '/monitors' }] } })
})
