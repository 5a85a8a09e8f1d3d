// The keeper of the audit log: what had its time goes, and where the chains end is written down.
import t, { type Test } from 'tap'
import { auditKeptDays, createAuditKeeper } from '../../../src/actors/tasks/audit-keeper.ts'
import { newId, type OrgId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createAuditLog } from '../../../src/services/audit/audit-log.ts'
import { createAudit } from '../../../src/services/audit.ts'
import { type Logged, recordingLog } from '../../support/http.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

const dayMs = 86_400_000
const going = new AbortController().signal

function open(t: Test) {
  const { store, clock } = openTempStore(t, { inMemory: true })
  const logged: Logged[] = []
  const audit = createAudit({ store, clock })
  const keeper = createAuditKeeper({ store, clock, log: recordingLog(logged) })
  const orgs: OrgId[] = Array.from({ length: limits.janitorSlice + 20 }, () => newId('org', 1))
  const note = (count = 1, scopes: readonly (OrgId | 'system')[] = [...orgs, 'system']) =>
    store.write((tx) => {
      for (const scope of scopes) {
        for (let n = 0; n < count; n += 1) {
          audit.noteOwn(tx, scope, { action: 'page.changed', objectId: null })
        }
      }
    })
  const round = () => settled(store, keeper.round(going))
  const heads = () => logged.filter(({ message }) => message === 'audit heads')
  return { store, clock, note, round, heads, orgs, keeper }
}

t.test('entries are deleted after 400 days, and the chains stay valid', async (t) => {
  const { store, clock, note, round, orgs } = open(t)
  const [first] = orgs
  if (!first) throw new Error('there are organizations')
  await note()
  await note(limits.deleteSliceRecords + 50, [first])
  await clock.advance((auditKeptDays - 1) * dayMs)
  await note()
  t.equal(await round(), 0)
  await clock.advance(dayMs + 1)
  t.equal(await round(), orgs.length + 1 + limits.deleteSliceRecords + 50)
  const log = createAuditLog({ store })
  for (const orgId of [first, orgs.at(-1) ?? first]) {
    const scope = { orgId, role: 'admin', caller: {} } as never
    t.match(await log.verify(scope), { ok: true, entries: 1 })
  }
  t.match(await log.verify('system'), { ok: true, entries: 1, firstSequence: 2 })
})

t.test('one log line a day has the newest hashes, which change with any chain', async (t) => {
  const { note, round, heads, orgs, store } = open(t)
  await note()
  await round()
  await round()
  await note(1, orgs.slice(3, 4))
  await round()
  const [one, same, other] = heads().map(({ fields }) => fields)
  t.match(one, { scopes: orgs.length + 1, system: store.audit.ends('system').newest })
  t.equal(one?.combined, same?.combined)
  t.not(other?.combined, one?.combined)
  t.ok(JSON.stringify(one).length < 500)
})

t.test('a round that is aborted stops', async (t) => {
  const { note, keeper, store, heads } = open(t)
  await note()
  await settled(store, keeper.round(AbortSignal.abort()))
  t.same(heads(), [], 'half of the heads would mean nothing')
})
