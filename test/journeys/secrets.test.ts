// Secrets: made, used, failed with, and found nowhere — not in the data, the log, or an answer.
import t, { type Test } from 'tap'
import { mintKey, password, register, registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { startReceiver } from '../support/receiver.ts'
import { answer, type Call, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const headerValue = 'header-value-of-the-target-7d1f'
const bodySecret = 'body-secret-of-the-request-91ac'
const hookHeader = 'header-value-of-the-receiver-55e0'
const hookSecret = `whsec_${Buffer.from('a secret that the receiver chose').toString('base64')}`

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
  const alice = await registerWithKey(daemon)
  const { org, key, cookie, email } = alice
  const viewer = await mintKey(daemon, alice, 'viewer')
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: {
      ...{ name: 'Hook', type: 'webhook' },
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
      ...{ name: 'Shop', url: `${target.url}/?token=in-the-query`, isPublic: true },
      ...{ headers: { 'X-Probe': headerValue }, method: 'POST', body: bodySecret },
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
  const daemon = await startDaemon(t)
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

t.test('the look for secrets sees what is there', async (t) => {
  const daemon = await startDaemon(t)
  await register(daemon, 'alice')
  const planted = ["alice's", '"message":"monitors started"']
  for (const text of planted) daemon.secrets.add(text)
  await daemon.stop()
  const found = daemon.leaks().map((place) => place.split(' is in ')[1])
  t.same(found.toSorted(), ['data.mdb', 'the log'])
  daemon.secrets.clear()
})

t.test('no answer, page or message repeats a secret, to whomever it goes', async (t) => {
  const daemon = await startDaemon(t)
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
  t.notMatch(metrics, new RegExp(`${target.port}|Shop|${job.pushToken}`))
  for (const { body } of receiver.requests) {
    t.notMatch(body, new RegExp(`in-the-query|${headerValue}|${bodySecret}|${job.pushToken}`))
  }
})
