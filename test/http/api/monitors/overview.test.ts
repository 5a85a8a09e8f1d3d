// The overview through the API: its texts and numbers, as a screen shows them.
import t, { type Test } from 'tap'
import { overview } from '../../../../src/http/api/monitors/overview.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createMonitorOverviews } from '../../../../src/services/monitors/monitor-overviews.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { makeHealth, monitorNo } from '../../../support/make-page.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'

async function open(t: Test) {
  const world = startMonitorServices(t)
  const { clock } = world
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', overview),
    services: { monitorOverviews: createMonitorOverviews(world, world) },
    clock,
  })
  t.teardown(() => server.stop())
  const ask = (path: string, headers = {}) =>
    world.done(server.ask(`/api/v1/orgs/${orgA}${path}`, { as: 'bob', headers }))
  return { ...world, ask }
}

t.test('every monitor at a glance', async (t) => {
  const { ask, world, clock } = await open(t)
  const health = makeHealth('down', clock.nowMs() - 60_000)
  await world.add({ id: monitorNo(1), orgId: orgA, name: 'Shop', tags: ['web'] }, { health })
  const { status, json } = await ask('/overview')
  t.equal(status, 200)
  t.match(json, {
    data: {
      monitors: [
        {
          id: monitorNo(1),
          name: 'Shop',
          tags: ['web'],
          state: 'down',
          stateSince: new Date(clock.nowMs() - 60_000).toISOString(),
        },
      ],
    },
  })
})

t.test('very many monitors are sent compressed, and arrive whole', async (t) => {
  const { ask, world } = await open(t)
  for (let number = 1; number <= 100; number += 1) {
    await world.add({ id: monitorNo(number), orgId: orgA, name: `Shop ${number}` })
  }
  const { json, headers } = await ask('/overview', { 'accept-encoding': 'gzip' })
  t.equal(headers.get('content-encoding'), 'gzip')
  t.match(headers.get('vary'), /Accept-Encoding/)
  t.equal((json as { data: { monitors: unknown[] } }).data.monitors.length, 100)
  const plain = await ask('/overview', { 'accept-encoding': 'identity' })
  t.equal(plain.headers.get('content-encoding'), null)
  t.same(plain.json, json)
})

t.test('the newest hours of many monitors are sent compressed, and arrive whole', async (t) => {
  const { ask, world } = await open(t)
  const ids = Array.from({ length: 50 }, (_, at) => monitorNo(at + 1))
  for (const id of ids) await world.add({ id, orgId: orgA })
  const path = `/overview/recent?monitorIds=${ids}`
  const { json, headers } = await ask(path, { 'accept-encoding': 'gzip' })
  t.equal(headers.get('content-encoding'), 'gzip')
  t.equal((json as { data: { monitors: unknown[] } }).data.monitors.length, 50)
  const plain = await ask(path, { 'accept-encoding': 'identity' })
  t.equal(plain.headers.get('content-encoding'), null)
  t.same(plain.json, json)
})

t.test('the newest hours of those that are asked for', async (t) => {
  const { ask, world } = await open(t)
  await world.add({ id: monitorNo(1), orgId: orgA }, { health: makeHealth('up') })
  const { json } = await ask(`/overview/recent?monitorIds=${monitorNo(1)},${monitorNo(2)}`)
  t.match(json, {
    data: { monitors: [{ monitorId: monitorNo(1), hours: Array, medianMs: Array }] },
  })
  t.same((await ask('/overview/recent')).json, { success: true, data: { monitors: [] } })
  t.equal((await ask('/overview/recent?monitorIds=nonsense')).status, 400)
})
