// What must not bring the daemon down: broken records, callers that hang up, bytes without a sense.
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { asId } from '../../src/base/ids.ts'
import type { Incident } from '../../src/domain/incidents/incident.ts'
import { mintKey, type OwnerWithKey, register, registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { timed } from '../support/starvation.ts'
import { tamper } from '../support/tamper.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

/** Sends these bytes and hangs up, at once or when the first bytes come back. */
function hangUp(url: string, bytes: string, when: 'at once' | 'answered'): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    socket.on('data', () => socket.resetAndDestroy())
    socket.write(bytes, 'latin1', () => {
      if (when === 'at once') socket.resetAndDestroy()
    })
    // Some of these bytes deserve no answer; nobody waits for one for long.
    socket.setTimeout(300, () => socket.destroy())
  })
}

async function serves(t: Test, daemon: Daemon, { org, key }: OwnerWithKey): Promise<void> {
  t.equal((await daemon.ask('GET', '/healthz')).status, 200)
  t.equal((await daemon.ask('GET', `/api/v1${org}`, { key })).status, 200)
}

t.test('callers that hang up in the middle, two hundred times, leave nothing behind', async (t) => {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const alice = await registerWithKey(daemon)
  const { org, key } = alice
  const json = { name: 'One', url: target.url }
  const { id } = await daemon.need('POST', `${org}/monitors`, { key, json })
  const body = JSON.stringify({ name: 'Aborted', url: target.url })
  const head = (method: string, path: string, bytes: number) =>
    `${method} /api/v1${org}${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
  const requests = [
    head('POST', '/monitors', body.length) + body.slice(0, 9),
    head('POST', '/monitors', body.length) + body,
    head('POST', `/monitors/${id}`, 0),
    head('GET', '/monitors', 0),
    head('GET', '/monitors', 0).slice(0, 40),
  ]
  for (let round = 0; round < 4; round += 1) {
    const when = round % 2 ? 'answered' : 'at once'
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => hangUp(daemon.url, requests[at % 5] ?? '', when)),
    )
  }
  await serves(t, daemon, alice)
  const open = await until(async () => {
    const { text } = await daemon.ask('GET', '/metrics')
    const count = Number(/^\w*http_connections (\d+)/m.exec(text)?.[1])
    return count < 20 && count
  })
  t.ok(open < 20, 'the connections are gone')
  const failures = daemon.lines.filter((line) => line.includes('"level":"error"'))
  t.same(failures, [], 'hanging up is no failure of ours')
})

t.test('bytes that are not a request are refused', async (t) => {
  const daemon = await startDaemon(t)
  const alice = await registerWithKey(daemon)
  const long = 'x'.repeat(20_000)
  const table = [
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET / HTTP/9.9\r\n\r\n',
    'GET\r\n\r\n',
    '\r\n\r\n\r\n',
    `GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`,
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999999999999\r\n\r\n',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n' +
      'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/v1/orgs HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /status/%ff%00%2e%2e HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /api/v1/orgs/%zz/monitors HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /api/v1/orgs?limit=%ff&limit=2 HTTP/1.1\r\nHost: x\r\n\r\n',
  ]
  for (const bytes of table) {
    await hangUp(daemon.url, bytes, 'answered')
    t.equal((await daemon.ask('GET', '/healthz')).status, 200, JSON.stringify(bytes.slice(0, 40)))
  }
  await serves(t, daemon, alice)
  const failures = daemon.lines.filter((line) => line.includes('"level":"error"'))
  t.same(failures, [], 'none of them is a failure of ours')
})

t.test('a record that cannot be read fails its own request, and no other', async (t) => {
  const { daemon, alice, ids } = await withBrokenRecords(t)
  const { org, key } = alice
  const broken = await daemon.ask('GET', `/api/v1${org}/incidents/${ids.incident}`, { key })
  t.match(broken, { status: 500, json: { code: 'internal', message: 'Something went wrong here' } })
  t.notMatch(broken.text, /timeline|TypeError|\.ts/, 'nothing of the inside')
  const { requestId } = broken.json
  const logged = daemon.lines.find((line) => line.includes(requestId))
  t.match(logged, /TypeError.*a request failed/, 'the log says what it was, by the same id')
  await serves(t, daemon, alice)
})

t.test('a monitor with a damaged secret is not checked and says why', async (t) => {
  const { daemon, alice, ids, target } = await withBrokenRecords(t)
  const { org, key } = alice
  const run = (id: string) => daemon.ask('POST', `/api/v1${org}/monitors/${id}`, { key })
  t.match(await run(ids.crashing), {
    status: 200,
    json: { data: { outcome: 'unknown', error: { message: /cannot be decrypted/ } } },
  })
  const calls = target.calls.length
  t.match(await run(ids.healthy), { status: 200, json: { data: { outcome: 'up' } } })
  t.equal(target.calls.length, calls + 1)
  await serves(t, daemon, alice)
  t.equal((await daemon.ask('GET', '/readyz')).status, 200)
  const repaired = await daemon.ask('DELETE', `/api/v1${org}/monitors/${ids.crashing}`, { key })
  t.equal(repaired.status, 200, 'it can be removed')
})

/** A daemon that finds an incident without a timeline and a monitor with a torn secret. */
async function withBrokenRecords(t: Test) {
  const first = await startDaemon(t)
  const target = await startTarget()
  t.teardown(() => target.close())
  const alice = await registerWithKey(first)
  const { org, key, orgId } = alice
  const make = async (fields: object) =>
    first.need('POST', `${org}/monitors`, {
      key,
      json: { name: 'One', url: target.url, intervalMinutes: 1_440, ...fields },
    })
  const healthy = await make({})
  const crashing = await make({ headers: { 'X-Secret': 'some-secret-value' } })
  const job = await make({ checkType: 'push', url: null })
  await first.need('GET', `/push/${job.pushToken}/error`)
  const { openIncidentId } = await first.need('GET', `${org}/monitors/${job.id}`, { key })
  await first.stop()
  await tamper(first.dir, (store, tx) => {
    const ids = [asId('org', orgId), asId('incident', openIncidentId)] as const
    const [inOrg, incidentId] = ids
    const monitorId = asId('monitor', crashing.id)
    if (!inOrg || !incidentId || !monitorId) throw new Error('no ids')
    const incident = store.incidents.get(inOrg, incidentId)
    const monitor = store.monitors.get(inOrg, monitorId)
    if (!incident || !monitor) throw new Error('no records')
    store.incidents.put(tx, torn(incident))
    store.monitors.put(tx, { ...monitor, requestBox: 'torn' })
  })
  target.script = answer()
  const daemon = await startDaemon(t, { dir: first.dir })
  const ids = { healthy: healthy.id, crashing: crashing.id, incident: openIncidentId }
  return { daemon, alice, target, ids }
}

/** What the types rule out, and a disk does not. */
function torn(incident: Incident): Incident {
  return { ...incident, timeline: null } as unknown as Incident
}

t.test('hostile schedules and far times of one organization hold nobody else up', async (t) => {
  const daemon = await startDaemon(t)
  const mallory = await register(daemon, 'mallory')
  const key = await mintKey(daemon, mallory, 'member')
  const bob = await registerWithKey(daemon, 'bob')
  const windows = `/api/v1${mallory.org}/maintenance-windows`
  const hourly = { name: 'Hourly', cron: '15 * * * *', durationMinutes: 30 }
  const { id } = await daemon.need('POST', windows.slice('/api/v1'.length), { key, json: hourly })
  const push = { name: 'Job', checkType: 'push' }
  const monitor = await daemon.need('POST', `${mallory.org}/monitors`, { key, json: push })

  const asked = Array.from({ length: 100 }, (_, n) => {
    // Other spaces each time, so that nothing is remembered.
    const cron = `59 23 8-31 1-12${' '.repeat(1 + n)}+1#1,2#1,3#1,4#1,5#1,6#1,0#1`
    const json = { name: `${n}`, cron, durationMinutes: 5 }
    return daemon.ask('POST', windows, { key, json })
  })
  const far = { send: false, at: '2100-01-01T00:00:00Z' }
  const path = `/api/v1${mallory.org}/monitors/${monitor.id}/alerts/test`
  asked.push(daemon.ask('POST', path, { key, json: far }))
  const startsAt = '2199-01-01T00:16:00Z'
  asked.push(daemon.ask('POST', `${windows}/${id}/cancel`, { key, json: { startsAt } }))
  let isOver = false
  const all = timed(() => Promise.all(asked)).finally(() => {
    isOver = true
  })
  let longestMs = 0
  while (!isOver) {
    const [answer, ms] = await timed(() => daemon.ask('GET', `/api/v1${bob.org}`, { key: bob.key }))
    t.equal(answer.status, 200)
    longestMs = Math.max(longestMs, ms)
  }
  t.ok(longestMs < 3_000, `bob waits ${longestMs} ms`)
  const [answers, ms] = await all
  t.ok(ms < 10_000, `${ms} ms`)
  t.same([...new Set(answers.slice(0, 100).map(({ status }) => status))], [422])
  t.match(answers[0]?.json, { errors: [{ pointer: '/cron', message: /must not contain/ }] })
  t.same(
    answers.slice(100).map(({ status }) => status),
    [200, 404],
  )
})
