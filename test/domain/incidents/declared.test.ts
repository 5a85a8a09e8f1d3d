// Incidents that people declare, and what people change about incidents.
import t from 'tap'
import {
  becomesOutage,
  type Declaration,
  declaredIncident,
  editedIncident,
} from '../../../src/domain/incidents/declared.ts'
import {
  isOfHealth,
  newestUpdate,
  reopened,
  resolvedIncident,
} from '../../../src/domain/incidents/incident.ts'
import { incidentA, makeIncident, monitorA, orgA } from '../../support/make-incident.ts'

const act = { atMs: 99_000, by: 'usr_1' }
const recovered = { resolution: 'recovered', resolvedAtMs: 90_000, atMs: 120_000 } as const
const again = {
  kind: 'opened',
  severity: 'down',
  startedAtMs: 200_000,
  confirmedAtMs: 260_000,
  reopens: null,
  flapping: false,
} as const

const declare = (declaration: Partial<Declaration> = {}) =>
  declaredIncident({
    id: incidentA,
    orgId: orgA,
    monitorIds: [monitorA, monitorA],
    title: 'Checkout is unavailable',
    severity: 'down',
    isPublic: false,
    by: 'usr_1',
    startedAtMs: 1_000,
    atMs: 61_000,
    ...declaration,
  })

t.test('a declared incident follows no monitor, whatever its severity', async (t) => {
  const incident = declare()
  t.notOk(isOfHealth(incident))
  t.ok(isOfHealth(makeIncident()))
  t.match(incident, { monitorIds: { length: 1 }, startedAtMs: 1_000, confirmedAtMs: 61_000 })
  t.equal(newestUpdate(incident), null, 'without a message there is nothing to tell')
  const told = newestUpdate(declare({ message: 'No payments since 09:00.' }))
  t.match(told, { kind: 'opened', message: 'No payments since 09:00.', by: 'usr_1' })
})

t.test('a title that a person gave stays, and an edit that changes nothing is none', async (t) => {
  const incident = makeIncident()
  const same = {
    title: incident.title,
    isPublic: true,
    severity: 'down',
    postmortem: null,
  } as const
  t.equal(editedIncident(incident, same, act), incident)
  const named = editedIncident(incident, { title: 'Checkout is down' }, act)
  t.match(named, { title: 'Checkout is down', revision: 2, timeline: { length: 1 } })
  const over = resolvedIncident(named, recovered)
  t.equal(over.title, 'Checkout is down')
  const failure = { monitorName: 'API', cause: 'status: 500', evidence: null }
  t.equal(reopened(over, failure, again).title, 'Checkout is down')
  t.match(editedIncident(over, { isPublic: false }, act), { isPublic: false, revision: 4 })
})

t.test(
  'a post-mortem is kept as it is written, after the end too, and null removes it',
  async (t) => {
    const postmortem = '## Why\n\n<script>alert(1)</script>'
    const over = resolvedIncident(makeIncident(), recovered)
    const written = editedIncident(over, { postmortem }, act)
    t.match(written, { postmortem, revision: over.revision + 1 })
    t.equal(editedIncident(written, { title: 'x' }, act).postmortem, postmortem)
    t.equal(editedIncident(written, { postmortem: null }, act).postmortem, null)
  },
)

t.test('only the severity of a declared incident can be changed', async (t) => {
  const refused = { code: 'validation_failed' }
  t.throws(() => editedIncident(makeIncident(), { severity: 'degraded' }, act), refused)
  const slow = declare({ severity: 'degraded' })
  const worse = editedIncident(slow, { severity: 'declared' }, act)
  t.match(worse, { severity: 'declared', timeline: { length: 2 } })
  t.match(worse.timeline.at(-1), { kind: 'worsened', ...act })
  t.ok(becomesOutage(slow, worse))
  const better = editedIncident(worse, { severity: 'degraded' }, act)
  t.equal(better.timeline.length, 2)
  t.notOk(becomesOutage(worse, better))
})
