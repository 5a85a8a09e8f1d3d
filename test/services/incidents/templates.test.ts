// The rules of templates, besides those of every noun.
import t, { type Test } from 'tap'
import type { OrgScope } from '../../../src/services/context.ts'
import { createTemplates } from '../../../src/services/incidents/templates.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'
import { orgA, orgB } from '../../support/http.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

const scope = { caller: callerOf(), orgId: orgA, role: 'member' } as OrgScope
const stranger = { ...scope, orgId: orgB } as OrgScope

async function open(t: Test) {
  const core = openCore(t)
  const templates = createTemplates(core)
  await core.store.write((tx) => core.store.monitors.put(tx, makeMonitor({ orgId: orgA })))
  return { templates, store: core.store }
}

t.test('a template has defaults, which an empty change restores', async (t) => {
  const { templates } = await open(t)
  const made = await templates.create(scope, {
    kind: 'incident',
    name: 'Payments',
    title: 'Payments are late',
    severity: 'degraded',
    monitorIds: [monitorNo(1), monitorNo(1)],
  })
  t.match(made, { text: '', tags: [], durationMinutes: null, isPublic: false, revision: 1 })
  t.same(made.monitorIds, [monitorNo(1)], 'a monitor is named once')
  const changed = await templates.change(scope, made.id, { severity: null, monitorIds: null })
  t.match(changed, {
    title: 'Payments are late',
    severity: 'declared',
    monitorIds: [],
    revision: 2,
  })
  t.equal(templates.get(scope, made.id).revision, 2)
})

t.test('what only one kind has is refused with the other, by the field', async (t) => {
  const { templates } = await open(t)
  const create = (more: object) =>
    templates.create(scope, { kind: 'incident', name: 'One', ...more })
  await t.rejects(create({ tags: ['web'] }), { errors: [{ pointer: '/tags' }] })
  await t.rejects(create({ durationMinutes: 30 }), { errors: [{ pointer: '/durationMinutes' }] })
  await t.rejects(create({ kind: 'maintenance', severity: 'down' }), {
    errors: [{ pointer: '/severity', message: 'can be set only in a template for an incident' }],
  })
  const kept = await create({ kind: 'maintenance', tags: ['web'], durationMinutes: 30 })
  await t.rejects(templates.change(scope, kept.id, { kind: 'incident' }), {
    errors: [{ pointer: '/tags' }, { pointer: '/durationMinutes' }],
  })
})

t.test('a monitor that is not there is refused like a foreign one', async (t) => {
  const { templates } = await open(t)
  const input = { kind: 'incident', name: 'One', monitorIds: [monitorNo(1)] } as const
  await t.rejects(templates.create(stranger, input), { errors: [{ pointer: '/monitorIds/0' }] })
  const unknown = { ...input, monitorIds: [monitorNo(9)] }
  await t.rejects(templates.create(scope, unknown), { errors: [{ pointer: '/monitorIds/0' }] })
})

t.test('a list has one kind, if it is asked for one', async (t) => {
  const { templates } = await open(t)
  for (const [kind, name] of [
    ['incident', 'One'],
    ['maintenance', 'Two'],
    ['incident', 'Three'],
  ] as const) {
    await templates.create(scope, { kind, name })
  }
  const namesOf = (kind?: 'incident' | 'maintenance') =>
    templates.list(scope, { limit: 10, kind }).items.map(({ name }) => name)
  t.same(namesOf('incident').toSorted(), ['One', 'Three'])
  t.same(namesOf('maintenance'), ['Two'])
  t.equal(namesOf().length, 3)
  t.same(templates.list(stranger, { limit: 10 }).items, [])
})
