// Locations and their probes as callers of the API meet them: fields, and refusals that name the field.
import t, { type Test } from 'tap'
import { locations } from '../../../../src/http/api/locations/locations.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createLocations } from '../../../../src/services/locations/locations.ts'
import { openCore } from '../../../support/core.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'

const load = { checks: 9, dropped: 0, lateMs: 3, monitors: 2 }

async function open(t: Test) {
  const core = openCore(t)
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', locations),
    services: { locations: createLocations(core, { probeLoad: () => load }) },
  })
  t.teardown(() => server.stop())
  const send = (method: string, rest: string, json?: unknown) =>
    server.ask(`/api/v1/orgs/${orgA}/locations${rest}`, { as: 'alice', method, json })
  return { send, core }
}

t.test('a location is kept as it was sent', async (t) => {
  const { send } = await open(t)
  const { json } = await send('POST', '', { name: 'Frankfurt', description: 'Our rack' })
  t.match(json, { message: 'Location created', data: { id: /^loc_/, name: 'Frankfurt' } })
  t.match(json.data, { description: 'Our rack', isShared: false, state: 'empty', probes: 0 })
  const path = `/${json.data.id}`
  const changed = await send('PATCH', path, { description: null })
  t.match(changed.json.data, { name: 'Frankfurt', description: null, revision: 2 })
  t.same((await send('GET', '')).json.data, [changed.json.data])
  t.equal((await send('DELETE', path)).json.message, 'Location deleted')
  t.equal((await send('GET', path)).json.status, 404)
})

t.test('a probe is shown with how it is, and its token once', async (t) => {
  const { send, core } = await open(t)
  const location = (await send('POST', '', { name: 'Frankfurt' })).json.data
  const path = `/${location.id}/probes`
  const { token, ...made } = (await send('POST', path, { name: 'fra-1' })).json.data
  t.match(token, /^stp_/)
  t.match(made, { name: 'fra-1', state: 'live', load, version: null, lastSeenAt: null })
  const heard = { atMs: core.clock.nowMs(), version: '1.2.3', address: '192.0.2.7' }
  await core.store.write((tx) =>
    core.store.probes.noteSighting(tx, { orgId: orgA, id: made.id }, heard),
  )
  const [shown] = (await send('GET', path)).json.data
  t.match(shown, { version: '1.2.3', address: '192.0.2.7', lastSeenAt: /Z$/ })
  t.notOk('token' in shown)
  t.match((await send('PATCH', `${path}/${made.id}`, { name: 'fra-2' })).json.data, {
    name: 'fra-2',
    revision: 2,
  })
  const rotated = (await send('POST', `${path}/${made.id}/rotate`, {})).json.data
  t.match(rotated, { id: made.id, formerTokenUntil: /Z$/, revision: 3 })
  t.not(rotated.token, token)
  t.equal((await send('DELETE', `${path}/${made.id}`)).json.message, 'Probe deleted')
  t.same((await send('GET', path)).json.data, [])
})

t.test('a wrong field is refused by its name', async (t) => {
  const { send } = await open(t)
  const location = (await send('POST', '', { name: 'Frankfurt' })).json.data
  for (const [json, pointer] of [
    [{ name: ' ' }, '/name'],
    [{ name: 'Frankfurt' }, '/name'],
    [{ name: 'Oslo', description: 'x'.repeat(3_000) }, '/description'],
    [{ name: 'Oslo', isShared: true }, '/isShared'],
  ] as const) {
    t.match((await send('POST', '', json)).json, { status: 422, errors: [{ pointer }] }, pointer)
  }
  const nameless = await send('POST', `/${location.id}/probes`, {})
  t.match(nameless.json, { status: 422, errors: [{ pointer: '/name' }] })
})
