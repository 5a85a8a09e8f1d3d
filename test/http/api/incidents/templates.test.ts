// Templates as callers of the API meet them: fields, filters, and refusals that name the field.
import t, { type Test } from 'tap'
import { templates } from '../../../../src/http/api/incidents/templates.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createTemplates } from '../../../../src/services/incidents/templates.ts'
import { openCore } from '../../../support/core.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { makeMonitor, monitorNo } from '../../../support/make-page.ts'

async function open(t: Test) {
  const core = openCore(t)
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', templates),
    services: { templates: createTemplates(core) },
  })
  t.teardown(() => server.stop())
  await core.store.write((tx) => core.store.monitors.put(tx, makeMonitor({ orgId: orgA })))
  return (method: string, rest: string, json?: unknown) =>
    server.ask(`/api/v1/orgs/${orgA}/templates${rest}`, { as: 'alice', method, json })
}

const whole = {
  kind: 'maintenance',
  name: 'Database upgrade',
  title: 'Upgrade of the database',
  text: 'Orders are **kept**.',
  monitorIds: [monitorNo(1)],
  tags: ['database'],
  durationMinutes: 90,
  isPublic: true,
}

t.test('a template is kept as it was sent, and found by its kind', async (t) => {
  const send = await open(t)
  const { json } = await send('POST', '', whole)
  t.match(json, { message: 'Template created', data: { ...whole, severity: 'declared' } })
  t.match(json.data, { id: /^tpl_/, orgId: orgA, createdAt: /Z$/, revision: 1 })
  t.match((await send('GET', '?kind=maintenance')).json.data, [{ name: whole.name }])
  t.same((await send('GET', '?kind=incident')).json.data, [])
  const changed = await send('PATCH', `/${json.data.id}`, { tags: null, durationMinutes: null })
  t.match(changed.json.data, { tags: [], durationMinutes: null, title: whole.title, revision: 2 })
  t.equal((await send('DELETE', `/${json.data.id}`)).json.message, 'Template deleted')
  t.equal((await send('GET', `/${json.data.id}`)).json.status, 404)
})

t.test('a wrong field is refused by its name', async (t) => {
  const send = await open(t)
  for (const [more, pointer] of [
    [{ kind: 'letter' }, '/kind'],
    [{ name: ' ' }, '/name'],
    [{ title: 'x'.repeat(1_000) }, '/title'],
    [{ monitorIds: [monitorNo(2)] }, '/monitorIds/0'],
    [{ durationMinutes: 0 }, '/durationMinutes'],
    [{ severity: 'down' }, '/severity'],
    [{ color: 'red' }, '/color'],
  ] as const) {
    const { json } = await send('POST', '', { ...whole, ...more })
    t.match(json, { status: 422, errors: [{ pointer }] }, pointer)
  }
  t.equal((await send('GET', '?kind=letter')).json.status, 400)
})
