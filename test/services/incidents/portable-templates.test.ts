// Templates in a document: what they name is what the document has.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { MonitorId } from '../../../src/base/ids.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { portableTemplates } from '../../../src/services/incidents/portable-templates.ts'
import { createTemplates } from '../../../src/services/incidents/templates.ts'
import type { References } from '../../../src/services/portable.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'
import { orgA, orgB } from '../../support/http.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

t.test('templates name no deleted monitor, and no monitor that the document lacks', async (t) => {
  const core = openCore(t)
  const { store } = core
  const scope = { caller: callerOf(), orgId: orgA, role: 'member' } as OrgScope
  const [kept, gone] = [1, 2].map((no) => makeMonitor({ orgId: orgA, id: monitorNo(no) }))
  if (!kept || !gone) return t.fail('there are two monitors')
  await store.write((tx) => {
    store.monitors.put(tx, kept)
    store.monitors.put(tx, gone)
  })
  const monitorIds = [kept.id, gone.id]
  const outage = { kind: 'incident', name: 'Outage', severity: 'degraded', monitorIds } as const
  await createTemplates(core).create(scope, outage)
  await store.write((tx) => store.monitors.remove(tx, gone))

  const portable = portableTemplates(core)
  const [{ item, secrets } = { item: undefined, secrets: undefined }] = await portable.export(orgA)
  t.match(item, { name: 'Outage', severity: 'degraded', monitorIds: [kept.id] })
  t.same(secrets, [])
  if (!item) return
  const references = {
    note: (_id: unknown, record: object) => record,
    referred: (_kind: string, ids: readonly string[]) => ids.map(() => monitorNo(9)),
  } as unknown as References
  const ready = portable.prepare(item, orgB, references)
  t.same(ready.monitorIds, [monitorNo(9)] as MonitorId[])
  t.throws(() => portable.prepare({ ...item, tags: ['db'] }, orgB, references), Fault)
})
