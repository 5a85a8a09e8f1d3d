// The protocol of remote probes over HTTP.
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { probeRoutes } from '../../../../src/http/api/probe/probe.ts'
import { startTestHttp } from '../../../support/http.ts'
import { openLinkWorld, placedMonitor, probeLoad, sentResult } from '../../../support/link-world.ts'
import { until } from '../../../support/until.ts'

const hello = { protocol: 1, version: '1.0.0', kinds: ['endpoint'] }

async function openProbe(t: Test) {
  const world = await openLinkWorld(t)
  const services = { probeLink: world.link }
  const http = await startTestHttp({ innerRoutes: probeRoutes, services, clock: world.clock })
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await http.stop()
    isStopped = true
  }
  t.teardown(stop)
  const { auth, id } = await world.addProbe()
  const ask = (path: string, json?: unknown, bearer = auth) =>
    http.ask(`/api/v1/probe/${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
      ...(json === undefined ? {} : { json }),
    })
  /** Sends a question for the plan that is held, and resolves once the daemon holds it. */
  async function hold(session: string, since: number) {
    const socket = connect(http.port, '127.0.0.1')
    await once(socket, 'connect')
    const lines = [
      `GET /api/v1/probe/plan?session=${session}&since=${since} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${auth}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    await until(async () => /_plans_held 1$/m.test(await world.metrics.text()))
    return { socket, text: () => text }
  }
  return { ...world, world, http, auth, id, ask, hold, stop }
}

t.test('a probe says hello, gets its plan, and sends what it saw', async (t) => {
  const { ask, put, placed, clock, id, location } = await openProbe(t)
  const monitor = placedMonitor(1)
  put([monitor])
  const welcome = await ask('session', { ...hello, mood: 'a newer probe says more' })
  t.equal(welcome.status, 200)
  t.match(welcome.json, { probe: id, location: location.id, nowMs: clock.nowMs() })
  const { session } = welcome.json
  const plan = await ask(`plan?session=${session}&since=0`)
  t.match(plan.json, { isWhole: true, put: [{ monitorId: monitor.id }], remove: [], ask: [] })
  const results = [sentResult(monitor, clock.nowMs()), { x: 1 }]
  const sent = await ask('results', { session, results, self: probeLoad })
  t.match(sent, {
    status: 200,
    json: { taken: 1, refused: [{ index: 1, code: 'invalid' }], planRevision: 1 },
  })
  t.equal(placed.length, 1)
})

t.test('as many results with many steps as one batch has room for are taken', async (t) => {
  const { ask, put, clock } = await openProbe(t)
  const monitor = placedMonitor(1)
  put([monitor])
  const { session } = (await ask('session', hello)).json
  await ask(`plan?session=${session}&since=0`)
  const captures = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`c${at}`, '']))
  const step = { name: 'S', outcome: 'good', isCleanUp: false, method: 'GET', url: '/', captures }
  const evidence = { steps: Array.from({ length: 20 }, () => step) }
  const error = { kind: 'status', message: 'expected status 200, found 500' }
  const one = { ...sentResult(monitor, clock.nowMs()), result: 'failed', error, evidence }
  const count = Math.floor((1024 * 1024) / JSON.stringify(one).length)
  const results = Array.from({ length: count }, () => one)
  const sent = await ask('results', { session, results, self: probeLoad })
  t.equal(sent.status, 200, `${count} results`)
})

t.test('without news, nothing is the answer after 25 s', async (t) => {
  const { ask, hold, clock } = await openProbe(t)
  const { session } = (await ask('session', hello)).json
  await ask(`plan?session=${session}&since=0`)
  const held = await hold(session, 1)
  await clock.advance(25_000)
  await until(() => held.text() !== '')
  t.match(held.text(), /^HTTP\/1.1 204 /)
  held.socket.destroy()
})

t.test('the wait for a plan is no slow request', async (t) => {
  const { ask, hold, clock, http } = await openProbe(t)
  const { session } = (await ask('session', hello)).json
  await ask(`plan?session=${session}&since=0`)
  const held = await hold(session, 1)
  await clock.advance(25_000)
  await until(() => held.text() !== '')
  held.socket.destroy()
  const text = await http.metrics.text()
  t.match(text, /requests_total\{route="probe.plan",status="204"\} 1/)
  t.notMatch(text, /duration_seconds_count\{route="probe.plan"/)
  t.match(text, /duration_seconds_count\{route="probe.session"/)
  t.notOk(http.logged.some(({ message }) => message === 'a request took too long'))
})

t.test('a change ends the wait', async (t) => {
  const { ask, hold, clock, put } = await openProbe(t)
  const { session } = (await ask('session', hello)).json
  await ask(`plan?session=${session}&since=0`)
  const held = await hold(session, 1)
  put([placedMonitor(1)])
  await clock.advance(100)
  await until(() => held.text().includes(placedMonitor(1).id))
  held.socket.destroy()
})

t.test('a probe that goes away is let go', async (t) => {
  const { ask, hold, metrics } = await openProbe(t)
  const { session } = (await ask('session', hello)).json
  await ask(`plan?session=${session}&since=0`)
  const held = await hold(session, 1)
  held.socket.destroy()
  await until(async () => /_plans_held 0$/m.test(await metrics.text()))
  t.pass()
})

t.test('a stop of the daemon waits for no probe', async (t) => {
  const { ask, hold, world, stop } = await openProbe(t)
  const { session } = (await ask('session', hello)).json
  await ask(`plan?session=${session}&since=0`)
  const held = await hold(session, 1)
  world.link.stop()
  await until(() => held.text() !== '')
  t.match(held.text(), /^HTTP\/1.1 503 /)
  await stop()
})

t.test('a wrong token is refused without a word in the log', async (t) => {
  const { ask, http, auth, locations, scope, location, id } = await openProbe(t)
  for (const bearer of ['', 'x', 'a'.repeat(43), `stp_${'a'.repeat(37)}`]) {
    const answer = await ask('session', hello, bearer)
    t.match(answer, { status: 401, json: { code: 'unauthenticated' } }, bearer)
    t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="stillup"')
  }
  t.equal((await ask('session', hello, auth)).status, 200)
  await locations.probes.remove(scope, location.id, id)
  t.equal((await ask('session', hello, auth)).status, 401, 'also once it was revoked')
  t.same(http.logged, [])
})

t.test('each probe has a limit of its own, and what is no probe counts by address', async (t) => {
  const { ask, auth, addProbe } = await openProbe(t)
  let answer = await ask('plan?session=x', undefined, auth)
  for (let n = 0; n < 700 && answer.status !== 429; n += 1) {
    answer = await ask('plan?session=x', undefined, auth)
  }
  t.equal(answer.status, 429)
  const other = await addProbe()
  t.equal((await ask('session', hello, other.auth)).status, 200)
  let wrong = await ask('session', hello, 'x')
  for (let n = 0; n < 700 && wrong.status !== 429; n += 1) wrong = await ask('session', hello, 'x')
  t.equal(wrong.status, 429)
  t.equal((await ask('session', hello, other.auth)).status, 200)
})

t.test('a session that is not known is a conflict: say hello again', async (t) => {
  const { ask } = await openProbe(t)
  t.match(await ask('plan?session=unknown&since=0'), { status: 409, json: { code: 'conflict' } })
  t.equal((await ask('plan')).status, 409)
  const results = { session: 'unknown', results: [], self: probeLoad }
  t.equal((await ask('results', results)).status, 409)
})

t.test('another version of the protocol is told which side to upgrade', async (t) => {
  const { ask } = await openProbe(t)
  const newer = await ask('session', { ...hello, protocol: 2 })
  t.match(newer, { status: 400, json: { code: 'protocol', protocol: 1 } })
  t.match(newer.json.detail, /upgrade the service/)
  const older = await ask('session', { ...hello, protocol: 0 })
  t.match(older, { status: 426, json: { code: 'protocol' } })
  t.match(older.json.detail, /upgrade the probe/)
})

t.test('what is not understood is refused with its reason', async (t) => {
  const { ask, http, auth } = await openProbe(t)
  const { session } = (await ask('session', hello)).json
  const status = async (path: string, json: unknown) => (await ask(path, json)).status
  t.equal(await status('session', { version: '1', kinds: [] }), 422)
  t.equal(await status('session', { protocol: 1, kinds: [] }), 422)
  t.equal(await status('session', { protocol: 1, version: '1' }), 422)
  t.equal(await status('session', []), 400)
  t.equal(await status('results', { session, results: {} }), 422)
  t.equal(await status('results', { session, results: Array(501).fill({}) }), 422)
  t.equal(await status('results', { results: [] }), 422)
  t.equal(await status('results', { session, results: ['x'.repeat(2_100_000)] }), 413)
  const send = (body: string | Buffer, type = 'application/json') =>
    http.ask('/api/v1/probe/results', {
      method: 'POST',
      headers: { authorization: `Bearer ${auth}`, 'content-type': type },
      body,
    })
  t.equal((await send('{')).status, 400)
  t.equal((await send(Buffer.from([0x22, 0xff, 0x22]))).status, 400)
  t.equal((await send('{}', 'text/plain')).status, 415)
  t.equal((await send(`{"results":${'['.repeat(5_000)}`)).status, 400)
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  t.equal((await send(`{"results":[],"a":${deep}}`)).status, 400)
})
