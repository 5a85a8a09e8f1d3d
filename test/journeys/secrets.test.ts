// Secrets: made, used, failed with, and found nowhere — not in the data, the log, or an answer.
import t, { type Test } from 'tap'
import { mintKey, password, register, registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { readEvents } from '../support/event-stream.ts'
import { startReceiver } from '../support/receiver.ts'
import { answer, answerJson, type Call, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const headerValue = 'header-value-of-the-target-7d1f'
const bodySecret = 'body-secret-of-the-request-91ac'
const hookHeader = 'header-value-of-the-receiver-55e0'
const hookSecret = `whsec_${Buffer.from('a secret that the receiver chose').toString('base64')}`

/** Closed to strangers: else nothing is kept of what is found on loopback. */
const alone = { env: { AUTH_REGISTRATION: 'first-user' } }

/** Answers with a failure that repeats everything it was sent, as error pages of frameworks do. */
const echo = (call: Call) => {
  const headers = { 'x-echo': call.headers['x-probe'] ?? '', 'set-cookie': `sid=${headerValue}` }
  const body = `failed for ${JSON.stringify(call.headers)} ${call.body}`
  return answer({ status: 500, headers, body })(call)
}

/** Makes every kind of secret, and lets everything fail that uses one. */
async function live(t: Test, daemon: Daemon) {
  const target = await startTarget(echo)
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  receiver.always({ status: 500, body: `no: ${hookHeader}` })
  const alice = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const { org, key, cookie, email } = alice
  const viewer = await mintKey(daemon, alice, 'viewer')
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: {
      name: 'Hook',
      type: 'webhook',
      config: { url: receiver.url, secret: hookSecret, headers: { Authorization: hookHeader } },
    },
  })
  await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'Made', type: 'webhook', config: { url: receiver.url }, isDefault: true },
  })
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: {
      name: 'Shop',
      url: `${target.url}/?token=in-the-query`,
      intervalMinutes: 1_440,
      isPublic: true,
      headers: { 'X-Probe': headerValue },
      method: 'POST',
      body: bodySecret,
    },
  })
  const job = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Job', checkType: 'push', isPublic: true },
  })
  await daemon.need('POST', `${org}/status-pages`, { key, json: { name: 'P', slug: 'p' } })
  for (let run = 0; run < 4; run += 1) {
    await daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  }
  await daemon.need('GET', `/push/${job.pushToken}/error`)
  await receiver.received(2)
  await daemon.ask('POST', `/api/v1${org}/alert-channels/${channel.id}/test`, { key })
  // Wrong in every way in which a secret could be repeated to whoever reads the log.
  const json = { email, password: 'a password that is wrong' }
  await daemon.ask('POST', '/api/v1/auth/login', { json })
  await daemon.ask('POST', '/api/v1/auth/register', {
    json: { email: 'x', password, setupToken: 7 },
  })
  await daemon.ask('GET', '/api/v1/orgs', { key: `${key.slice(0, -1)}!` })
  await daemon.ask('GET', `/api/v1/orgs?key=${key}`, { cookie: `${cookie}x` })
  await daemon.ask('POST', `/api/v1/push/${job.pushToken}`, { json: { message: 7 } })
  return { ...alice, target, receiver, viewer, monitor, job, channel }
}

t.test('nothing that was ever secret is in the data or in the log', async (t) => {
  const daemon = await startDaemon(t, alone)
  const { target, receiver, monitor, org, key } = await live(t, daemon)
  for (const secret of [headerValue, bodySecret, hookHeader, hookSecret]) daemon.secrets.add(secret)
  t.ok(daemon.secrets.size >= 10, 'passwords, sessions, keys, tokens and header values')
  t.equal(target.calls[0]?.headers['x-probe'], headerValue, 'the target was sent it')
  const told = receiver.requests.map(({ headers }) => headers.authorization)
  t.ok(told.includes(hookHeader), 'the receiver was sent it')
  const latest = await daemon.need('GET', `${org}/monitors/${monitor.id}/checks/latest`, { key })
  t.match(latest.failure.body, /^failed for/, 'the evidence is there')
  await daemon.stop()
  t.same(daemon.leaks(), [])
})

t.test('the search for secrets finds those that are there', async (t) => {
  const daemon = await startDaemon(t)
  await register(daemon, 'alice')
  const planted = ["alice's", '"message":"monitors started"']
  for (const text of planted) daemon.secrets.add(text)
  await daemon.stop()
  const found = daemon.leaks().map((place) => place.split(' is in ')[1])
  t.same(found.toSorted(), ['data.mdb', 'the log'])
  daemon.secrets.clear()
})

t.test('no response, page or message repeats a secret, to anyone', async (t) => {
  const daemon = await startDaemon(t, alone)
  const lived = await live(t, daemon)
  const { org, orgId, key, viewer, cookie, target, receiver, monitor, job, channel } = lived
  const paths = [
    ...['', '/monitors', '/incidents', '/alert-channels', '/status-pages', '/monitors/ID/checks'],
    ...['/monitors/ID', '/alert-channels/CH', '/alert-channels/CH/deliveries', '/api-keys'],
    ...['/monitors/ID/checks/latest'],
  ].map((path) => org + path.replace('ID', monitor.id).replace('CH', channel.id))
  const secrets = [headerValue, hookHeader, hookSecret, key, viewer, password, 'wrong']
  const look = async (path: string, credential: object) => {
    const { text } = await daemon.ask('GET', path, credential)
    t.same(
      secrets.filter((secret) => text.includes(secret)),
      [],
      path.replace(orgId, 'org'),
    )
    return text
  }
  for (const path of paths)
    for (const who of [{ cookie }, { key: viewer }]) await look(`/api/v1${path}`, who)
  const page = await until(async () => {
    const html = await look('/status/p', {})
    return html.includes('Ongoing incidents') && html
  })
  t.notMatch(page, new RegExp(`${target.port}|in-the-query|${bodySecret}|${job.pushToken}`))
  const metrics = await look('/metrics', {})
  // The port may be digits of a figure.
  t.notMatch(metrics, new RegExp(`:${target.port}\\b|Shop|${job.pushToken}`))
  for (const { body } of receiver.requests) {
    t.notMatch(body, new RegExp(`in-the-query|${headerValue}|${bodySecret}|${job.pushToken}`))
  }
})

const marks = { body: 'marker-in-the-body-3c77', header: 'marker-in-a-header-88fe' }
const marksIn = (text: string) => Object.values(marks).filter((mark) => text.includes(mark))

/** A target that fails with marks in all it says, its monitor, and everything that tells of it. */
async function marked(t: Test, env: Readonly<Record<string, string>>) {
  const daemon = await startDaemon(t, { env })
  const headers = { 'x-said': marks.header }
  const target = await startTarget(answerJson({ state: marks.body }, { headers }))
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  const alice = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const { org, key } = alice
  const hook = { name: 'Hook', type: 'webhook', config: { url: receiver.url }, isDefault: true }
  await daemon.need('POST', `${org}/alert-channels`, { key, json: hook })
  await daemon.need('POST', `${org}/status-pages`, { key, json: { name: 'P', slug: 'p' } })
  const stream = await readEvents(`${daemon.url}/api/v1${org}/events`, { 'x-api-key': key })
  t.teardown(stream.stop)
  const assertions = [
    { source: 'json', path: '$.state', type: 'equals', value: 'ok' },
    { source: 'header', path: 'x-said', type: 'equals', value: 'ok' },
    { source: 'status', type: 'equals', value: '201' },
  ]
  // Checked when the test says so only.
  const rarely = { failureThreshold: 1, intervalMinutes: 1_440 }
  const fields = { name: 'Shop', url: target.url, isPublic: true, assertions, ...rarely }
  const { id } = await daemon.need('POST', `${org}/monitors`, { key, json: fields })
  const path = `${org}/monitors/${id}`
  await daemon.need('POST', path, { key })
  await receiver.received(1)
  const evidence = async (credential: object) => {
    const { failure } = await daemon.need('GET', `${path}/checks/latest`, credential)
    const trial = { ...credential, json: fields }
    const tried = await daemon.need('POST', `${org}/monitors/test`, trial)
    const ran = await daemon.need('POST', path, credential)
    return [failure, tried.failure, ran.failure]
  }
  /** The evidence of the incident that it opened. */
  const kept = async (credential: object) => {
    const [{ id }] = await daemon.need('GET', `${org}/incidents`, credential)
    const { evidence } = await daemon.need('GET', `${org}/incidents/${id}`, credential)
    return evidence
  }
  return { ...alice, daemon, receiver, stream, path, evidence, kept }
}

t.test('the words of a failed target are evidence for members, and nowhere else', async (t) => {
  const found = await marked(t, alone.env)
  const { daemon, receiver, stream, org, key, cookie, path, evidence, kept } = found
  const member = await mintKey(daemon, found, 'member')
  const viewer = await mintKey(daemon, found, 'viewer')
  for (const who of [{ cookie }, { key }, { key: member }]) {
    for (const shown of [...(await evidence(who)), await kept(who)]) {
      t.match(shown, { status: 200, body: `{"state":"${marks.body}"}`, note: null })
      t.match(shown.headers, [{}, {}, { name: 'x-said', value: marks.header }])
      const failed = shown.failedAssertions.map(({ found }: { found: string }) => found)
      t.same(failed, [marks.body, marks.header, '200'])
    }
  }
  const [incident] = await daemon.need('GET', `${org}/incidents`, { key })
  t.equal(incident.cause, 'expected $.state to equal "ok"')
  const seen: string[] = [...daemon.lines, ...receiver.requests.map((one) => JSON.stringify(one))]
  const look = async (at: string, who: object, method = 'GET') => {
    const { status, text } = await daemon.ask(method, at, who)
    seen.push(text)
    return status
  }
  const paths = [
    '',
    '/monitors',
    '/incidents',
    '/alert-channels',
    '/audit-log',
    '/export',
    '/summary',
  ]
  const all = [...paths.map((one) => org + one), path, `${path}/checks`]
  for (const one of [...all, '/system/errors']) {
    t.equal(await look(`/api/v1${one}`, { cookie }), 200, one)
    for (const who of [{ key }, { key: viewer }]) await look(`/api/v1${one}`, who)
  }
  for (const one of [`${path}/checks/latest`, `${org}/incidents/${incident.id}`]) {
    t.equal(await look(`/api/v1${one}`, { key: viewer }), 200, one)
  }
  t.equal(await kept({ key: viewer }), null)
  t.equal(await look(`/api/v1${path}`, { key: viewer }, 'POST'), 403)
  for (const one of ['/status/p', '/metrics']) t.equal(await look(one, {}), 200, one)
  const other = await daemon.need('POST', '/orgs', { cookie, json: { name: 'Other' } })
  const others = await mintKey(daemon, { ...found, org: `/orgs/${other.id}` })
  t.equal(await look(`/api/v1${path}/checks/latest`, { key: others }), 404)
  await until(() => stream.events.some(({ event }) => event === 'incident.opened'))
  seen.push(JSON.stringify(stream.events), ...daemon.lines)
  t.ok(seen.join().includes('to equal \\"ok\\"'), 'the sentence is there')
  t.same(marksIn(seen.join()), [])
})

t.test('nothing of a private address is kept once others share the service', async (t) => {
  const { daemon, key, cookie, path, evidence } = await marked(t, alone.env)
  const hidden = {
    status: 200,
    headers: [],
    body: null,
    error: { kind: 'assertion' },
    note: 'not kept: a private address on a shared service',
    failedAssertions: [
      { expected: '$.state to equal "ok"', found: /^\(not kept/ },
      { expected: 'header x-said to equal "ok"', found: /^\(not kept/ },
      { expected: 'status to equal 201', found: '200' },
    ],
  }
  const other = await daemon.need('POST', '/orgs', { cookie, json: { name: 'Other' } })
  await daemon.need('POST', path, { key })
  for (const shown of await evidence({ key })) {
    t.match(shown, hidden)
    t.same(marksIn(JSON.stringify(shown)), [])
  }
  await daemon.need('DELETE', `/orgs/${other.id}`, { cookie, json: { confirm: 'Other' } })
  await daemon.need('POST', path, { key })
  for (const shown of await evidence({ key })) {
    t.match(shown, { note: null, body: `{"state":"${marks.body}"}` }, 'alone again')
  }
  const open = await marked(t, { AUTH_REGISTRATION: 'open' })
  for (const shown of await open.evidence({ key: open.key })) t.match(shown, hidden)
  t.match(await open.kept({ key: open.key }), hidden)
})

t.test('a company with several organizations may keep what private targets answer', async (t) => {
  const env = { ...alone.env, CHECKS_KEEP_PRIVATE_ANSWERS: 'always' }
  const { daemon, key, cookie, path, evidence } = await marked(t, env)
  await daemon.need('POST', '/orgs', { cookie, json: { name: 'Other' } })
  await daemon.need('POST', path, { key })
  for (const shown of await evidence({ key })) {
    t.match(shown, { note: null, body: `{"state":"${marks.body}"}` })
  }
})
