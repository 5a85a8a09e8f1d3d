// The headers of a monitor go only to the server that they were given for, whatever a member changes.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { MonitorFields } from '../../../src/domain/monitors/monitor-fields.ts'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { openRequest, targetOf } from '../../../src/services/monitors/monitor-request.ts'
import { testCertificates } from '../../support/certificates.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const url = 'https://inside.test/health'
const headers = { Authorization: 'Bearer s3cret-value', 'X-Tenant': 'one' }
const masked = { Authorization: secretMask, 'X-Tenant': secretMask }
const simple = { name: 'API', url }
const all = ['validation_failed', '/headers/Authorization', '/headers/X-Tenant']
const signal = new AbortController().signal

/** Each leads to another server, or is treated as if it did. */
const elsewhere = [
  'https://evil.test/health',
  'http://inside.test/health',
  'https://inside.test:8443/health',
  'https://inside.test./health',
  'https://inside.test.evil.test/health',
  'https://evil.test/?https://inside.test/health',
  'https://evil.test#inside.test',
  'https://ínside.test/health',
  'https://xn--nside-psa.test/health',
]

/** The same server, spelled in another way. */
const here = [
  'https://inside.test/another?page=2',
  'https://INSIDE.test/health',
  'https://inside.test:443/health',
  'HTTPS://inside.test',
]

async function refusal(call: () => Promise<unknown>): Promise<string[]> {
  const error = await call().catch((thrown: unknown) => thrown)
  if (!(error instanceof Fault)) throw error ?? new Error('nothing was wrong')
  return [error.code, ...error.errors.map(({ pointer }) => pointer)]
}

t.test('a change of the server asks for the headers again, and changes nothing', async (t) => {
  const { monitors, alice, done, box, store } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, { ...simple, headers }))
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  const now = () => {
    const stored = store.monitors.get(alice.orgId, monitor.id)
    return stored && { url: stored.url, headers: openRequest(box, stored).headers }
  }
  for (const other of elsewhere) {
    for (const more of [{}, { headers: masked }]) {
      t.same(await refusal(() => change({ url: other, ...more })), all, other)
    }
    // Letter case is no other header.
    const some = { authorization: secretMask, 'X-Tenant': 'two' }
    t.same(await refusal(() => change({ url: other, headers: some })), [
      'validation_failed',
      '/headers/authorization',
    ])
  }
  t.same(now(), { url, headers })
  await t.rejects(change({ url: 'https://evil.test/' }), {
    message:
      'headers.Authorization must be given again, because the requests go to another server than before',
  })
  for (const same of here) {
    await change({ url: same })
    t.same(now(), { url: same, headers })
  }
})

t.test('headers that are given again, or removed, allow another server', async (t) => {
  const { monitors, alice, done, box } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, { ...simple, headers }))
  const change = async (patch: MonitorFields) =>
    targetOf(box, (await done(monitors.change(alice, monitor.id, patch))).monitor)
  const again = { Authorization: 'Bearer another' }
  t.match(await change({ url: 'https://evil.test/', headers: again }), {
    url: 'https://evil.test/',
    headers: again,
  })
  t.same((await change({ url: 'https://third.test/', headers: null })).headers, {})
  t.same((await change({ url })).headers, {}, 'there is nothing to give again')
})

t.test('a mistyped address is told as that, without asking for headers', async (t) => {
  const { monitors, trials, alice, done, store } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, { ...simple, headers }))
  for (const wrong of ['inside.test/health', 'https://', 'https://a b.test/', 'wss://evil.test/']) {
    const change = () => monitors.change(alice, monitor.id, { url: wrong })
    t.same(await refusal(change), ['validation_failed', '/url'], wrong)
    const fields = { ...simple, url: wrong, headers: masked }
    const request = { fields, monitorId: monitor.id }
    t.same(await refusal(() => trials.run(alice, request, signal)), ['validation_failed', '/url'])
  }
  t.match(store.monitors.get(alice.orgId, monitor.id), { url })
})

t.test('a trial sends stored headers only to the server that they are for', async (t) => {
  const { monitors, trials, alice, done, world } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, { ...simple, headers }))
  await world.run(0)
  const before = world.checks.length
  const attempt = (fields: MonitorFields) =>
    done(trials.run(alice, { fields: { ...simple, ...fields }, monitorId: monitor.id }, signal))
  for (const other of elsewhere) {
    t.same(await refusal(() => attempt({ url: other, headers: masked })), all, other)
  }
  const asSocket: MonitorFields = { checkType: 'websocket', url: 'wss://inside.test/' }
  t.same(await refusal(() => attempt({ ...asSocket, headers: masked })), all)
  t.equal(world.checks.length, before, 'nothing was sent')
  for (const same of here) t.match(await attempt({ url: same, headers: masked }), { verdict: 'up' })
  t.match(await attempt({ url: 'https://evil.test/', headers }), { verdict: 'up' })
  t.match(await attempt({ url: 'https://evil.test/' }), { verdict: 'up' }, 'without any')
})

t.test('a mask stands for nothing in what is created, one by one or in bulk', async (t) => {
  const { monitors, monitorBulk, alice, done } = startMonitorServices(t)
  await done(monitors.create(alice, { ...simple, headers }))
  // As a copy, by the masks that an answer shows.
  const copy = { ...simple, url: 'https://evil.test/', headers: masked }
  t.same(await refusal(() => monitors.create(alice, copy)), all)
  const pointers = all.slice(1).map((pointer) => `/monitors/0${pointer}`)
  t.same(await refusal(() => monitorBulk.create(alice, [copy])), [all[0], ...pointers])
})

const database = {
  name: 'Database',
  checkType: 'postgres',
  url: 'postgres://db.test/shop',
  username: 'ada',
  password: 's3cret-pass',
  body: 'SELECT 1',
} as const

t.test('a password is stored encrypted, shown as the mask, and kept by it', async (t) => {
  const { monitors, alice, bob, done, box, store } = startMonitorServices(t)
  const { monitor, ...shown } = await done(monitors.create(alice, database))
  t.match(shown, { username: 'ada', password: secretMask, body: 'SELECT 1' })
  t.match(monitors.get(bob, monitor.id), { username: null, password: null, body: null })
  const stored = () => {
    const found = store.monitors.get(alice.orgId, monitor.id)
    if (found === undefined) throw new Error('it is gone')
    return found
  }
  t.notMatch(JSON.stringify(stored()), /s3cret-pass|ada/)
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  await change({ name: 'Shop', password: secretMask })
  await change({ url: 'postgres://db.test/other', username: 'bob' })
  t.match(openRequest(box, stored()), { username: 'bob', password: 's3cret-pass' })
  await change({ password: null })
  t.match(openRequest(box, stored()), { username: 'bob', password: null, body: 'SELECT 1' })
  t.same(await refusal(() => change({ password: secretMask })), ['validation_failed', '/password'])
})

t.test('a password goes only to the server that it was given for', async (t) => {
  const { monitors, trials, alice, done } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, database))
  const elsewhere = { url: 'postgres://evil.test/shop' }
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  const refused = ['validation_failed', '/password']
  t.same(await refusal(() => change(elsewhere)), refused)
  t.same(await refusal(() => change({ url: 'postgres://db.test:5433/shop' })), refused)
  const bare = { url: `${database.url}?tls=off` }
  t.same(await refusal(() => change(bare)), refused, 'nor where TLS does not protect it')
  const fields = { ...database, ...elsewhere, password: secretMask }
  const request = { fields, monitorId: monitor.id }
  t.same(await refusal(() => trials.run(alice, request, signal)), refused)
  t.same(await refusal(() => monitors.create(alice, fields)), refused, 'nor into a copy')
  t.match((await change({ ...elsewhere, password: 'another' })).monitor, elsewhere)
})

t.test(
  'a shared secret is kept as a password is, and required where nothing goes without it',
  async (t) => {
    const { monitors, alice, done, box, store } = startMonitorServices(t)
    const wifi = { name: 'Wi-Fi', checkType: 'radius', url: 'radius://radius.test' } as const
    const wanted = ['validation_failed', '/secret']
    t.same(await refusal(() => monitors.create(alice, wifi)), wanted)
    const { monitor, ...shown } = await done(
      monitors.create(alice, { ...wifi, secret: 'sh4red-by-us' }),
    )
    t.match(shown, { password: null, secret: secretMask })
    const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
    await change({ secret: secretMask, username: 'ada', password: 's3cret-pass' })
    const stored = store.monitors.get(alice.orgId, monitor.id)
    t.ok(stored)
    t.notMatch(JSON.stringify(stored), /sh4red-by-us/)
    if (stored) t.match(openRequest(box, stored), { username: 'ada', secret: 'sh4red-by-us' })
    const elsewhere = ['validation_failed', '/password', '/secret']
    t.same(await refusal(() => change({ url: 'radius://evil.test' })), elsewhere)
    t.same(await refusal(() => change({ secret: null })), wanted)
  },
)

t.test('the key of a client certificate is kept as a password is', async (t) => {
  const { monitors, trials, alice, done, box, store } = startMonitorServices(t)
  const { cert: clientCertificate, key: clientKey } = testCertificates.good
  const fields = { ...simple, clientCertificate, clientKey }
  const { monitor, ...shown } = await done(monitors.create(alice, fields))
  t.match(shown, { clientKey: secretMask })
  t.notMatch(JSON.stringify(store.monitors.get(alice.orgId, monitor.id)), /PRIVATE/)
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  const { monitor: changed } = await change({ name: 'Bank', clientKey: secretMask })
  t.match(targetOf(box, changed), { clientCertificate, clientKey })
  const refused = ['validation_failed', '/clientKey']
  const elsewhere = { url: 'https://evil.test/' }
  t.same(await refusal(() => change(elsewhere)), refused)
  const trial = { ...fields, ...elsewhere, clientKey: secretMask }
  const request = { fields: trial, monitorId: monitor.id }
  t.same(await refusal(() => trials.run(alice, request, signal)), refused)
  t.same(await refusal(() => monitors.create(alice, trial)), refused, 'nor into a copy')
  const { monitor: bare } = await change({ clientCertificate: null, clientKey: null })
  t.match(targetOf(box, bare), { clientCertificate: null, clientKey: null })
})

t.test('another address to connect to, or another proxy, is another server', async (t) => {
  const { monitors, alice, done } = startMonitorServices(t)
  const connectTo = '192.0.2.7:8443'
  const { monitor } = await done(monitors.create(alice, { ...simple, headers, connectTo }))
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  for (const other of [null, '192.0.2.8:8443', '192.0.2.7']) {
    t.same(await refusal(() => change({ connectTo: other })), all, String(other))
  }
  t.same(await refusal(() => change({ proxy: 'office' })), all)
  t.match((await change({ connectTo: null, headers: { A: 'b' } })).monitor, { connectTo: null })
  t.same(await refusal(() => change({ connectTo: 'http://192.0.2.7' })), [
    'validation_failed',
    '/connectTo',
  ])
  t.same(await refusal(() => change({ proxy: 'office', headers: null })), [
    'target_not_allowed',
    '/proxy',
  ])
})

t.test('a login belongs to kinds that sign in', async (t) => {
  const { monitors, alice } = startMonitorServices(t)
  const wrong = { ...simple, checkType: 'ping', username: 'ada', password: 'x' } as const
  const pointers = await refusal(() => monitors.create(alice, wrong))
  t.same(pointers, ['validation_failed', '/username', '/password'])
})

t.test('a client secret goes to the server of tokens that it was given for', async (t) => {
  const { monitors, alice, done, box } = startMonitorServices(t)
  const auth = { type: 'oauth2', tokenUrl: 'https://id.test/token', scope: 'read' } as const
  const fields = { ...simple, username: 'check', password: 's3cret', auth }
  const { monitor } = await done(monitors.create(alice, fields))
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  const refused = ['validation_failed', '/password']
  const elsewhere = { auth: { ...auth, tokenUrl: 'https://evil.test/token' } }
  t.same(await refusal(() => change(elsewhere)), refused)
  t.same(await refusal(() => change({ auth: { type: 'basic' } })), refused, 'nor to the target')
  const inside = { auth: { ...auth, tokenUrl: 'ftp://id.test/token' }, password: 'x' }
  t.same(await refusal(() => change(inside)), ['validation_failed', '/auth/tokenUrl'])
  const { monitor: changed } = await change({ auth: { ...auth, scope: 'all' } })
  t.match(targetOf(box, changed), {
    auth: { scope: 'all', audience: null },
    username: 'check',
    password: 's3cret',
  })
})
