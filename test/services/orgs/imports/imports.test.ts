// The records of imports: the newest ones of a year.
import t from 'tap'
import { newId } from '../../../../src/base/ids.ts'
import { exportedNames, recordOf } from '../../../../src/base/nouns.ts'
import { createImportRecords } from '../../../../src/services/orgs/imports/import-records.ts'
import { createImports } from '../../../../src/services/orgs/imports/imports.ts'
import { callerOf } from '../../../support/access.ts'
import { openCore } from '../../../support/core.ts'
import { orgA } from '../../../support/make-incident.ts'
import { openTempStore } from '../../../support/temp-store.ts'

const removals = recordOf(exportedNames, () => async () => {})

t.test('only the newest imports of a year are kept, with what they did', async (t) => {
  const over = openTempStore(t)
  const { clock } = over
  const core = openCore(t, { over })
  const scope = { orgId: orgA, role: 'admin', caller: callerOf({ kind: 'command_line' }) } as const
  const [records, imports] = [
    createImportRecords(core),
    createImports(core, { portables: {}, removals }),
  ]
  const line = { list: 'monitors', name: 'Job', origin: 'monitor/1', id: null, fields: [] } as const
  const counts = { create: 150, change: 0, keep: 1, deletedHere: 0, goneThere: 0, leftOut: 0 }
  const add = () =>
    core.store.write((tx) => {
      const id = newId('import', clock.nowMs())
      const steps = Array.from({ length: 150 }, () => ({
        line: { ...line, action: 'create' as const },
      }))
      const kept = { line: { ...line, action: 'keep' as const } }
      records.add(tx, scope, { id, source: null, counts }, [...steps, kept])
      return id
    })
  const first = await add()
  t.equal(imports.get(scope, first).plan.length, 150, 'what was left alone is only counted')
  for (let no = 0; no < 50; no += 1) await add()
  t.throws(() => imports.get(scope, first), { code: 'not_found' })
  t.equal(imports.list(scope, { limit: 100 }).items.length, 50)
  t.same(core.store.imports.steps(orgA, first), [], 'its steps are gone, too')
  await clock.advance(366 * 86_400_000)
  const newest = await add()
  t.match(imports.list(scope, { limit: 100 }).items, [{ id: newest, state: 'applied' }])
  t.equal(imports.list(scope, { limit: 100 }).items.length, 1)
})
