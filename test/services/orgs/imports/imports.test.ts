// The records of imports: the newest ones of a year.
import t, { type Test } from 'tap'
import { newId, type TemplateId } from '../../../../src/base/ids.ts'
import { exportedNames, recordOf } from '../../../../src/base/nouns.ts'
import type { ImportStep } from '../../../../src/domain/imports/import-record.ts'
import type { OrgScope } from '../../../../src/services/context.ts'
import { portableTemplates } from '../../../../src/services/incidents/portable-templates.ts'
import { newTemplate } from '../../../../src/services/incidents/templates.ts'
import {
  createImportRecords,
  stepsBytesMax,
} from '../../../../src/services/orgs/imports/import-records.ts'
import { createImportTurns } from '../../../../src/services/orgs/imports/import-turns.ts'
import { createImports } from '../../../../src/services/orgs/imports/imports.ts'
import type { Portable } from '../../../../src/services/portable.ts'
import { callerOf } from '../../../support/access.ts'
import { openCore } from '../../../support/core.ts'
import { patient } from '../../../support/depth.ts'
import { orgA } from '../../../support/make-incident.ts'
import { openTempStore } from '../../../support/temp-store.ts'
import { watchTurns } from '../../../support/turns.ts'

const line = { list: 'monitors', name: 'Job', origin: 'monitor/1', id: null, fields: [] } as const

const dayMs = 86_400_000

function open(t: Test) {
  const over = openTempStore(t)
  const { clock } = over
  const core = openCore(t, { over })
  const scope = { orgId: orgA, role: 'admin', caller: callerOf({ kind: 'command_line' }) } as const
  const removed: string[] = []
  const portables = { templates: portableTemplates(core) as Portable }
  const removals = {
    ...recordOf(exportedNames, () => async () => {}),
    async templates({ orgId }: OrgScope, id: string) {
      removed.push(id)
      const stored = core.store.templates.get(orgId, id as TemplateId)
      if (stored) await core.store.write((tx) => core.store.templates.remove(tx, stored))
    },
  }
  const [records, imports] = [
    createImportRecords(core),
    createImports(core, { portables, removals, turns: createImportTurns() }),
  ]
  const counts = { create: 150, change: 0, keep: 1, deletedHere: 0, goneThere: 0, leftOut: 0 }
  const add = (more: object = {}) =>
    core.store.write((tx) => {
      const id = newId('import', clock.nowMs())
      const steps = Array.from({ length: 150 }, () => ({
        line: { ...line, action: 'create' as const },
      }))
      core.store.imports.addSteps(tx, { orgId: orgA, id }, 0, steps)
      records.add(tx, { ...records.made(scope, { id, source: null }), counts, ...more })
      return id
    })
  /** Templates that an import has made, with its record; as one that is done, or as one that was interrupted. */
  const made = (count: number, isDone = true) =>
    core.store.write((tx) => {
      const id = newId('import', clock.nowMs())
      const steps = Array.from({ length: count }, (): ImportStep => {
        const template = newTemplate(
          orgA,
          { kind: 'incident', name: 'T', title: 'T' },
          clock.nowMs(),
        )
        core.store.templates.put(tx, template)
        const { id, name } = template
        return {
          line: { ...line, list: 'templates', name, origin: null, action: 'create', id },
          revision: 1,
        }
      })
      core.store.imports.addSteps(tx, { orgId: orgA, id }, 0, steps)
      const record = records.made(scope, { id, source: null })
      if (isDone) records.add(tx, record)
      else core.store.imports.putRunning(tx, record)
      return id
    })
  const templates = () => core.store.templates.list(orgA, 1_000)
  return { core, clock, scope, records, imports, add, made, templates, removed }
}

t.test('only the newest imports of a year are kept, with what they did', async (t) => {
  const { core, clock, scope, imports, add } = open(t)
  const first = await add()
  t.equal((await imports.get(scope, first)).plan.length, 150)
  for (let no = 0; no < 50; no += 1) await add()
  await t.rejects(imports.get(scope, first), { code: 'not_found' })
  t.equal(imports.list(scope, { limit: 100 }).items.length, 50)
  t.same([...core.store.imports.steps(orgA, first)], [], 'its steps are gone, too')
  await clock.advance(366 * 86_400_000)
  const newest = await add()
  t.match(imports.list(scope, { limit: 100 }).items, [{ id: newest, state: 'applied' }])
  t.equal(imports.list(scope, { limit: 100 }).items.length, 1)
})

t.test('imports that are too large together displace the oldest ones', async (t) => {
  const { imports, records, add, scope } = open(t)
  const listed = () => imports.list(scope, { limit: 100 }).items.map(({ id }) => id)
  const half = { stepsBytes: stepsBytesMax / 2 }
  await add({ ...half, outages: 30 })
  const [second, third] = [await add(half), await add({ stepsBytes: 1 })]
  t.same(listed(), [third, second])
  const last = await add({ stepsBytes: 2 * stepsBytesMax })
  t.same(listed(), [last], 'the newest one stays')
  t.equal(records.outages(orgA), 30, 'the outages that a former one brought still count')
})

t.test('an import can be taken back for a day, and once', async (t) => {
  const { clock, scope, imports, made } = open(t)
  const [first, second] = [await made(1), await made(1)]
  await clock.advance(dayMs)
  t.match(await imports.tryUndo(scope, first), { plan: [{ action: 'delete' }] })
  await imports.undo(scope, first)
  await t.rejects(imports.undo(scope, first), { code: 'conflict', message: /was undone/ })
  await clock.advance(1)
  for (const late of [imports.undo, imports.tryUndo]) {
    await t.rejects(late(scope, second), { code: 'conflict', message: /for a day/ })
  }
})

t.test(
  'an undo that was interrupted goes on where it was, and takes its own work for no change',
  async (t) => {
    const { core, scope, imports, made, templates, removed } = open(t)
    const id = await made(30)
    const [ours, theirs, ...others] = templates()
    if (!ours || !theirs) throw new Error('there are 30')
    const change = (template: typeof ours) =>
      core.store.write((tx) => core.store.templates.put(tx, { ...template, revision: 2 }))
    await change(ours)
    // It had found one changed, and deleted some, when it was interrupted; the deletions changed another one.
    const record = core.store.imports.get(orgA, id)
    if (!record) throw new Error('it is there')
    await core.store.write((tx) => {
      core.store.imports.put(tx, { ...record, keptIds: [ours.id] })
      for (const one of others.slice(0, 10)) core.store.templates.remove(tx, one)
    })
    await change(theirs)
    await t.rejects(imports.takePast(scope, id, []), { code: 'conflict' })
    const { plan } = await imports.undo(scope, id)
    const count = (action: string) => plan.filter((one) => one.action === action).length
    t.same([count('changedSince'), count('delete'), count('gone')], [1, 19, 10])
    t.equal(removed.length, 19)
    t.same(
      templates().map((one) => one.id),
      [ours.id],
    )
  },
)

t.test('an import that a stop interrupted is taken back at the next start', async (t) => {
  const { core, scope, imports, made, templates } = open(t)
  const [done, interrupted] = [await made(2), await made(25, false)]
  t.match(imports.list(scope, { limit: 10 }).items, [{ id: done }], 'it is not listed')
  await imports.takeBackUnfinished(AbortSignal.abort())
  t.equal(templates().length, 27, 'a stop comes first')
  await imports.takeBackUnfinished(new AbortController().signal)
  t.equal(templates().length, 2)
  t.match(imports.list(scope, { limit: 10 }).items, [
    { id: interrupted, state: 'undone' },
    { id: done },
  ])
  t.same(core.store.imports.listRunning(10), [])
})

t.test('a trial of a large undo is done in short turns', async (t) => {
  const { scope, imports, made } = open(t)
  const id = await made(5_000)
  const longestMs = watchTurns()
  t.equal((await imports.tryUndo(scope, id)).plan.length, 5_000)
  t.equal((await imports.get(scope, id)).plan.length, 5_000)
  t.ok(longestMs() < patient(60))
})
