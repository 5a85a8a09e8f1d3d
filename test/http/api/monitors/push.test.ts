// Push reports as senders spell them: cron's one-liners, exit codes, JSON, and what is refused.
import t, { type Test } from 'tap'
import { push } from '../../../../src/http/api/monitors/push.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { startTestHttp } from '../../../support/http.ts'
import { addPush } from '../../../support/make-push.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'

const routes = atPrefix('/api/v1', push)

async function open(t: Test) {
  const world = startMonitorServices(t)
  const { monitor, token } = await addPush(world.world)
  const server = await startTestHttp({
    routes,
    services: { push: world.push },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  const send = (rest = '', init: object = {}) =>
    world.done(server.ask(`/api/v1/push/${token}${rest}`, init))
  const monitorState = () => world.monitorState(monitor)
  return { ...world, world, monitor, token, server, send, monitorState }
}

t.test('a plain GET, a HEAD and an empty POST are a good report', async (t) => {
  const { send, monitorState, clock } = await open(t)
  for (const [number, method] of ['GET', 'HEAD', 'POST'].entries()) {
    const { status, json } = await send('', { method })
    t.equal(status, 200, method)
    if (method !== 'HEAD') {
      const nextDueAt = new Date(clock.nowMs() + 360_000).toISOString()
      t.match(json, { success: true, message: 'Report accepted', data: { nextDueAt } })
    }
    t.equal(monitorState().tally.checks, number + 1)
  }
})

t.test('the last word of the path is the result: a word or an exit code', async (t) => {
  const { send, monitorState } = await open(t)
  const words = { ok: 'up', error: 'down', 1: 'down', 0: 'up', 255: 'down' }
  for (const [word, verdict] of Object.entries(words)) {
    t.equal((await send(`/${word}`)).status, 200)
    t.equal(monitorState().lastVerdict, verdict, word)
  }
  for (const word of ['256', '-1', 'fine', '1.5']) {
    t.equal((await send(`/${word}`)).status, 404, word)
  }
  t.equal(monitorState().tally.checks, 5)
})

t.test('a report has its content in the query or in a body', async (t) => {
  const { send, monitorState, store, monitor } = await open(t)
  await send('?status=error&message=disk%20full&durationMs=1500')
  t.match(monitorState(), { lastVerdict: 'down', responseTimeMs: 1_500 })
  t.equal(monitorState().lastError?.message, 'the sender reported an error: disk full')
  const json = {
    status: 'ok',
    message: '12 files',
    durationMs: 7,
    metadata: { rows: [1, { a: 2 }] },
  }
  t.equal((await send('?status=error', { json })).status, 200)
  t.match(monitorState(), { lastVerdict: 'up', responseTimeMs: 7 })
  const report = store.checks.report(monitor.orgId, monitor.id)
  t.same(JSON.parse(report?.metadataJson ?? ''), json.metadata)
  await send('/error', { json: { status: 'ok' } })
  t.equal(monitorState().lastVerdict, 'down', 'the path speaks for the status')
})

t.test('an unreadable report is refused and counts for nothing', async (t) => {
  const { send, monitorState, server, token } = await open(t)
  const post = (body: string, type = 'application/json') =>
    send('', { method: 'POST', body, headers: { 'content-type': type } })
  t.equal((await post('{"status":"maybe"}')).status, 422)
  t.equal((await post('{"colour":"red"}')).status, 422)
  t.equal((await post('[]')).status, 422)
  t.equal((await post('{')).status, 400)
  t.equal((await post('status=ok', 'multipart/form-data')).status, 415)
  t.equal((await post(JSON.stringify({ message: 'x'.repeat(20_000) }))).status, 413)
  t.equal((await send('?status=maybe')).status, 400)
  t.equal((await send('?durationMs=-1')).status, 400)
  t.equal((await send('?durationMs=99999999999999')).status, 400)
  t.equal((await server.ask(`/api/v1/push/${token.slice(0, -1)}`)).status, 404)
  t.equal((await send('', { method: 'DELETE' })).status, 405)
  t.equal(monitorState().tally.checks, 0)
})

t.test('a paused monitor answers 410, a deleted one 404', async (t) => {
  const { send, monitors, alice, done, monitor } = await open(t)
  await done(monitors.pause(alice, monitor.id))
  t.equal((await send()).status, 410)
  await done(monitors.remove(alice, monitor.id))
  t.equal((await send()).status, 404)
})

t.test('a malformed token is counted by its sender, a valid one by itself', async (t) => {
  const world = startMonitorServices(t)
  const { token } = await addPush(world.world)
  const server = await startTestHttp({
    routes,
    services: { push: world.push },
    settings: {
      rates: { api: null, auth: null, page: null, push: { quota: 2, windowSeconds: 60 } },
    },
    clock: world.clock,
  })
  t.teardown(() => server.stop())
  const ask = async (one: string) => (await world.done(server.ask(`/api/v1/push/${one}`))).status
  const made: number[] = []
  for (const one of ['a'.repeat(3_000), 'b'.repeat(3_000), 'spp_c']) made.push(await ask(one))
  t.same(made, [404, 404, 429])
  t.same([await ask(token), await ask(token), await ask(token)], [200, 200, 429])
})

t.test('a runId has a length, and an empty one is none', async (t) => {
  const { send, monitorState } = await open(t)
  for (const name of ['runId', 'rid']) {
    const { status, json } = await send(`?${name}=${'x'.repeat(101)}`)
    t.equal(status, 400, name)
    t.match(json, { code: 'invalid_parameter', message: /\brunId\b/ })
  }
  t.match((await send('', { json: { runId: '' } })).json.errors, [{ pointer: '/runId' }])
  t.equal(monitorState().tally.checks, 0)
  t.equal((await send('/ok?rid=')).status, 200)
  t.equal(monitorState().runCount, 0)
})
