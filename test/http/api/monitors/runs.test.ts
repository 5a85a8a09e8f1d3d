// The runs of a push monitor through the API: pages, shapes, and who reads what.
import t from 'tap'
import { push } from '../../../../src/http/api/monitors/push.ts'
import { monitorRuns } from '../../../../src/http/api/monitors/runs.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { addPush } from '../../../support/make-push.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'

t.test('runs are listed in pages, and each has its output', async (t) => {
  const world = startMonitorServices(t)
  const { clock, done } = world
  const { monitor, token } = await addPush(world.world, { orgId: orgA })
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...push, ...monitorRuns]),
    services: { push: world.push, runs: world.runs, monitors: world.monitors },
    clock,
  })
  t.teardown(() => server.stop())
  const report = (rest: string, body?: string) => {
    const headers = { 'content-type': 'text/plain' }
    const init = body === undefined ? {} : { method: 'POST', body, headers }
    return done(server.ask(`/api/v1/push/${token}${rest}`, init))
  }
  const read = (rest: string, as = 'alice') =>
    done(server.ask(`/api/v1/orgs/${orgA}/monitors/${monitor.id}/runs${rest}`, { as }))

  const startedAtMs = clock.nowMs()
  await report('/start?runId=a')
  await report('/log', 'a note')
  await clock.advance(1_500)
  await report('/3?runId=a&message=disk+full', 'all output\n')
  await report('/start')
  const { json } = await read('?limit=2')
  t.match(json.data, [
    { number: 3, status: 'running' },
    { number: 2, status: 'log' },
  ])
  const next = await read(`?limit=2&cursor=${json.meta.nextCursor}`)
  const run = {
    number: 1,
    status: 'error',
    startedAt: new Date(startedAtMs).toISOString(),
    endedAt: new Date(startedAtMs + 1_500).toISOString(),
    durationMs: 1_500,
    exitCode: 3,
    runId: 'a',
    message: 'disk full',
    hasLog: true,
  }
  t.same(next.json.data, [run])
  t.equal(next.json.meta.nextCursor, null)
  t.same((await read('/1')).json.data, { ...run, log: 'all output\n' })
  t.same((await read('/1', 'bob')).json.data, { ...run, log: null }, 'a viewer')
  for (const wrong of ['/4', '/0', '/1e0', '/x']) {
    t.equal((await read(wrong)).status, 404, wrong)
  }
  await done(world.monitors.pause({ ...world.alice, orgId: orgA }, monitor.id))
  t.match((await read('/3')).json.data, { status: 'lost' }, 'its end is not taken any more')
})
