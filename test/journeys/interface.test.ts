// The customer's own interface: its bodies as they stand, its paths, its names, its success codes.
import t from 'tap'
import { credentialsOf, mintKey, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { answerJson, startTarget } from '../support/target.ts'

const daemon = await startDaemon(t)
const target = await startTarget(answerJson({ status: 'ok' }))
t.teardown(() => target.close())
const alice = await registerWithKey(daemon)
const { org, cookie, key } = alice

const channel = {
  name: 'Operations',
  type: 'webhook',
  config: { url: 'http://127.0.0.1:9/hook' },
  isActive: true,
}

t.test('endpoint 1 takes the creation body with all its fields, by each credential', async (t) => {
  const { id: channelId } = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: channel,
  })
  const body = {
    name: 'API health',
    url: `${target.url}/health`,
    checkType: 'endpoint',
    method: 'GET',
    expectedStatus: 200,
    headers: { 'X-Probe-Secret': 'a-header-value-nobody-sees' },
    body: 'a body beside a GET',
    bodyContains: 'ok',
    bodyNotContains: 'error',
    responseFormat: 'json',
    responseAssertionType: 'jsonPath',
    responseAssertionPath: '$.status',
    responseAssertionValue: 'ok',
    intervalMinutes: 5,
    timeoutMs: 10_000,
    degradedThresholdMs: 3_000,
    isActive: true,
    isPublic: false,
    notifyChannelIds: [channelId],
  }
  t.equal(Object.keys(body).length, 19)
  for (const [name, credential] of credentialsOf(alice)) {
    const made = await daemon.ask('POST', `/api/v1${org}/monitors`, { ...credential, json: body })
    t.equal(made.status, 200, name)
    t.match(made.json, { success: true, message: 'Monitor created' })
    const { id } = made.json.data
    const read = await daemon.need('GET', `${org}/monitors/${id}`, credential)
    for (const record of [made.json.data, read]) {
      t.match(record, { ...body, headers: { 'X-Probe-Secret': '••••' } }, name)
    }
    const ran = await daemon.ask('POST', `/api/v1${org}/monitors/${id}`, credential)
    t.equal(ran.status, 200, name)
    t.match(ran.json.data, { monitorId: id, outcome: 'up', state: 'up', error: null }, name)
  }
  const seen = target.calls.find(({ path }) => path === '/health')
  t.match(seen, {
    method: 'GET',
    headers: { 'x-probe-secret': 'a-header-value-nobody-sees' },
    body: 'a body beside a GET',
  })
})

t.test('empty texts in optional fields mean none, as forms send them', async (t) => {
  const json = {
    name: 'From a form',
    url: target.url,
    body: '',
    bodyContains: '',
    bodyNotContains: '',
    responseFormat: '',
    responseAssertionType: '',
    responseAssertionPath: '',
    responseAssertionValue: '',
    headers: {},
    notifyChannelIds: [],
  }
  const made = await daemon.need('POST', `${org}/monitors`, { key, json })
  t.match(made, { bodyContains: null, responseAssertionType: null, responseFormat: 'auto' })
})

t.test('endpoint 3 takes the creation body of a status page, by each credential', async (t) => {
  const { id: monitorId } = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Public', url: target.url, isPublic: true },
  })
  for (const [at, [name, credential]] of credentialsOf(alice).entries()) {
    const body = {
      name: 'Acme status',
      slug: `acme-${at}`,
      isEnabled: true,
      isDefault: at === 0,
      title: 'Acme',
      description: 'How we are',
      logoUrl: 'https://acme.example/logo.svg',
      showHistory: true,
      showUptime: true,
      showIncidents: true,
      showMonitors: true,
      publicMonitorIds: [monitorId],
    }
    t.equal(Object.keys(body).length, 12)
    const { status, json } = await daemon.ask('POST', `/api/v1${org}/status-pages`, {
      ...credential,
      json: body,
    })
    t.equal(status, 200, name)
    t.match(json.data, body, name)
    t.equal((await daemon.ask('GET', `/status/acme-${at}`)).status, 200, name)
  }
})

t.test('endpoint 5 takes the creation body of an alert channel, by each credential', async (t) => {
  for (const [name, credential] of credentialsOf(alice)) {
    const { status, json } = await daemon.ask('POST', `/api/v1${org}/alert-channels`, {
      ...credential,
      json: channel,
    })
    t.equal(status, 200, name)
    t.match(json.data, channel, name)
    const read = await daemon.need('GET', `${org}/alert-channels/${json.data.id}`, credential)
    t.match(read, { ...channel, config: { ...channel.config, secret: '••••' } }, name)
  }
})

t.test('endpoint 4 answers with success, data and message; null and "" remove', async (t) => {
  const { id } = await daemon.need('POST', `${org}/status-pages`, {
    key,
    json: { name: 'Sub', slug: 'sub' },
  })
  const set = (subdomain: string | null) =>
    daemon.ask('PATCH', `/api/v1${org}/status-pages/${id}/subdomain`, {
      cookie,
      json: { subdomain },
    })
  for (const nothing of [null, '']) {
    const answer = await set('acme')
    t.equal(answer.status, 200)
    t.same(Object.keys(answer.json), ['success', 'data', 'message'])
    t.match(answer.json, { success: true, data: { id, subdomain: 'acme' }, message: /\w/ })
    t.match((await set(nothing)).json, { success: true, data: { id, subdomain: null } })
  }
})

t.test('endpoint 8 takes a report by POST, GET and HEAD, with no other credential', async (t) => {
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Nightly', checkType: 'push', intervalMinutes: 5 },
  })
  const { pushToken, pushUrl, id } = monitor
  t.match(pushToken, /^spp_a[0-9A-Za-z]{36}$/)
  t.equal(pushUrl, `${daemon.url}/api/v1/push/${pushToken}`)
  const path = `/api/v1/push/${pushToken}`
  const posted = await daemon.ask('POST', path, {
    json: { message: 'done', metadata: { rows: 7, deep: { a: [1] } } },
  })
  t.match(posted, { status: 200, json: { success: true, data: { nextDueAt: /Z$/ } } })
  t.equal((await daemon.ask('POST', path)).status, 200)
  t.equal((await daemon.ask('GET', `${path}?message=by-get&durationMs=12`)).status, 200)
  const head = await daemon.ask('HEAD', path)
  t.match(head, { status: 200, text: '' })
  const checks = await daemon.need('GET', `${org}/monitors/${id}/checks`, { key })
  t.same(
    checks.map(({ message }: { message: string | null }) => message),
    [null, 'by-get', null, 'done'],
  )
  const latest = await daemon.need('GET', `${org}/monitors/${id}/checks/latest`, { key })
  t.match(latest.report.metadata, { rows: 7, deep: { a: [1] } })
  const viewer = await mintKey(daemon, alice, 'viewer')
  const seen = await daemon.need('GET', `${org}/monitors/${id}`, { key: viewer })
  t.match(seen, { pushToken: null, pushUrl: null }, 'who may only read cannot report')
})

t.test('every response has a request id and is not cached', async (t) => {
  const given = 'req-of-my-own-proxy'
  const named = await daemon.ask('GET', `/api/v1${org}`, {
    key,
    headers: { 'x-request-id': given },
  })
  t.equal(named.headers.get('x-request-id'), given)
  const { headers } = await daemon.ask('GET', `/api/v1${org}`)
  t.match(headers.get('x-request-id'), /^req_[0-9a-z]{26}$/)
  t.match(headers.get('www-authenticate'), /Bearer/)
  t.equal(headers.get('cache-control'), 'no-store')
})

t.test('a repeated creation with its Idempotency-Key gets the first response again', async (t) => {
  const json = { name: 'Once', url: target.url }
  const create = (body: object) =>
    daemon.ask('POST', `/api/v1${org}/monitors`, {
      key,
      json: body,
      headers: { 'idempotency-key': 'order-4711' },
    })
  const first = await create(json)
  const again = await create(json)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(again.text, first.text)
  t.match(await create({ ...json, name: 'Twice' }), {
    status: 422,
    json: { code: 'idempotency_key_reused' },
  })
})

t.test('a change requires the version that was read, if it names one', async (t) => {
  const path = `/api/v1${org}/monitors`
  const made = await daemon.ask('POST', path, { key, json: { name: 'Tagged', url: target.url } })
  const one = `${path}/${made.json.data.id}`
  const etag = (await daemon.ask('GET', one, { key })).headers.get('etag') ?? ''
  const change = (name: string) =>
    daemon.ask('PATCH', one, { key, json: { name }, headers: { 'if-match': etag } })
  t.match(await change('New'), { status: 200, json: { data: { name: 'New' } } })
  t.match(await change('Newer'), { status: 412, json: { code: 'precondition_failed' } })
})
