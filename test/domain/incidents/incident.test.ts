// What people see of an outage, and what may be done with it.
import t from 'tap'
import {
  acknowledged,
  closedByHand,
  durationMs,
  errorOf,
  evidenceOf,
  flappingIncident,
  isWritten,
  recoveredIncident,
  reopened,
  resolvedIncident,
  settledIncident,
  titleOf,
  withUpdate,
  worsened,
} from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { makeIncident } from '../../support/make-incident.ts'

const recovered = { resolution: 'recovered', resolvedAtMs: 90_000, atMs: 120_000 } as const
const person = { id: 'upd_1', atMs: 70_000, by: 'usr_1' }
const failure = { monitorName: 'API', cause: 'status: 500', evidence: { status: 500 } }
const again = {
  kind: 'opened',
  severity: 'down',
  startedAtMs: 200_000,
  confirmedAtMs: 260_000,
  reopens: null,
  flapping: false,
} as const

t.test('a new incident says what happened, since when, and why', async (t) => {
  const incident = makeIncident()
  t.match(incident, { title: 'API is down', state: 'open', severity: 'down', revision: 1 })
  t.match(incident, { startedAtMs: 1_000, confirmedAtMs: 61_000, resolvedAtMs: null })
  t.same(incident.timeline, [
    {
      atMs: 61_000,
      kind: 'opened',
      message: 'API is down: timeout: no answer within 10,000 ms',
      isPublic: true,
    },
  ])
  t.equal(titleOf('Shop', 'slow'), 'Shop is slow')
})

t.test('a long name or reason is cut to its bound', async (t) => {
  t.equal(titleOf('x'.repeat(500), 'down').length, limits.titleCharsMax)
})

t.test('acknowledging says who and when, once, and never in public', async (t) => {
  const incident = acknowledged(makeIncident(), { atMs: 70_000, by: 'usr_1', message: 'On it.' })
  t.match(incident, { state: 'acknowledged', acknowledgedAtMs: 70_000, acknowledgedBy: 'usr_1' })
  t.match(incident.timeline[1], { message: 'On it.', by: 'usr_1', isPublic: false })
  t.equal(acknowledged(incident, { atMs: 80_000, by: 'usr_2' }), incident)
})

t.test('an incident lasts from the first failing to the first good result', async (t) => {
  t.equal(durationMs(makeIncident(), 31_000), 30_000, 'so far')
  const incident = resolvedIncident(makeIncident(), recovered)
  t.equal(durationMs(incident, 1e9), 89_000)
  t.match(incident, { state: 'resolved', resolution: 'recovered', revision: 2 })
  t.match(incident.timeline[1], { kind: 'resolved', atMs: 120_000, message: 'Recovered.' })
})

t.test('a person, a pause and a deletion end it in their own words', async (t) => {
  const ended = (resolution: 'paused' | 'deleted') =>
    resolvedIncident(makeIncident(), { ...recovered, resolution }).timeline[1]
  t.match(ended('paused'), { message: 'Closed: the monitor was paused.' })
  t.match(ended('deleted'), { message: 'Closed: the monitor was deleted.' })
  const written = { message: 'Replaced the disk.', isPublic: true }
  const byHand = closedByHand(makeIncident(), { ...person, ...written }, null)
  t.match(byHand, { state: 'resolved', resolution: 'manual', title: 'API was down' })
  t.match(byHand.timeline.slice(1), [{ ...person, ...written, kind: 'resolved' }])
})

t.test('an incident that is closed while the service fails says so, in one entry', async (t) => {
  const closed = closedByHand(makeIncident(), person, 'down')
  t.match(closed, { state: 'resolved', resolution: 'manual', resolvedAtMs: 70_000 })
  t.equal(closed.title, 'API is down')
  const message = 'Closed by hand; the service is still failing.'
  t.match(closed.timeline.slice(1), [{ ...person, kind: 'closed', message, isPublic: false }])
  t.notOk(isWritten(closed.timeline[1] ?? { message }), 'nobody wrote that')
  const open = reopened(closed, failure, again)
  t.match(open.timeline.at(-1), { kind: 'reopened', message: 'API is still down: status: 500' })
  const recoveredAtMs = 90_000
  const change = { kind: 'recovered', incidentId: closed.id, recoveredAtMs } as const
  const over = recoveredIncident(closed, change, 95_000)
  t.match(over, { title: 'API was down', resolution: 'manual', resolvedAtMs: recoveredAtMs })
  t.match(over.timeline.at(-1), { kind: 'recovered', atMs: 95_000 })
})

t.test('an incident of an earlier version names its error without the kind', async (t) => {
  const former = { kind: 'timeout', phase: 'connect' } as const
  const incident = makeIncident({ cause: 'timeout: no answer', evidence: former })
  t.same(errorOf(incident), { kind: 'timeout', phase: 'connect', message: 'no answer' })
  t.equal(errorOf(makeIncident()), null)
})

t.test('nothing more can be done with a resolved incident', async (t) => {
  const incident = resolvedIncident(makeIncident(), recovered)
  const settled = { kind: 'settled', incidentId: incident.id, severity: 'down' } as const
  const worse = { ...settled, ...again, kind: 'worsened' } as const
  const impossible = {
    acknowledge: () => acknowledged(incident, { atMs: 1, by: 'usr_1' }),
    resolve: () => resolvedIncident(incident, recovered),
    update: () =>
      withUpdate(incident, { id: 'upd_1', atMs: 1, by: 'usr_1', message: 'x', isPublic: true }),
    worsen: () => worsened(incident, failure, worse),
    flap: () => flappingIncident(incident, 1),
    settle: () => settledIncident(incident, settled, 1),
  }
  for (const [name, act] of Object.entries(impossible)) t.throws(act, { code: 'conflict' }, name)
  t.throws(() => reopened(makeIncident(), failure, again), { code: 'conflict' })
})

t.test('a reopened incident keeps its beginning and must be acknowledged again', async (t) => {
  const first = acknowledged(makeIncident(), { atMs: 70_000, by: 'usr_1' })
  const incident = reopened(resolvedIncident(first, recovered), failure, again)
  t.match(incident, { state: 'open', startedAtMs: 1_000, confirmedAtMs: 260_000, revision: 4 })
  t.match(incident, { acknowledgedAtMs: null, resolvedAtMs: null, resolution: null })
  t.match(incident.timeline[3], { kind: 'reopened', message: 'API is down again: status: 500' })
})

t.test('a slow monitor that goes down worsens its incident', async (t) => {
  const slow = makeIncident({ severity: 'degraded', title: 'API is slow' })
  const change = { ...again, kind: 'worsened', incidentId: slow.id } as const
  const incident = worsened(slow, failure, change)
  t.match(incident, { severity: 'down', title: 'API is down', cause: 'status: 500' })
  t.match(incident, { startedAtMs: 1_000, evidence: { status: 500 } })
})

t.test('what says itself that it works less than fully is degraded, not slow', async (t) => {
  const change = { ...again, severity: 'degraded', reopens: null } as const
  const said = { ...failure, cause: 'one of two lifts', evidence: { isDegraded: true as const } }
  const ended = resolvedIncident(makeIncident(), recovered)
  const incident = reopened(ended, said, change)
  t.match(incident, { title: 'API is degraded', severity: 'degraded' })
  t.match(incident.timeline.at(-1), { message: 'API is degraded again: one of two lifts' })
  const settling = { kind: 'settled', incidentId: incident.id, severity: 'degraded' } as const
  const settled = settledIncident(flappingIncident(incident, 270_000), settling, 280_000)
  t.match(settled.timeline.at(-1), { message: 'No longer unstable: it stays degraded.' })
  const closed = closedByHand(incident, { id: 'upd_1', atMs: 270_000, by: 'usr_1' }, 'degraded')
  const message = 'Closed by hand; the service is still degraded.'
  t.match(closed.timeline.at(-1), { kind: 'closed', message })
  t.match(reopened(closed, said, change).timeline.at(-1), {
    message: 'API is still degraded: one of two lifts',
  })
  t.match(resolvedIncident(incident, recovered), { title: 'API was degraded' })
  t.match(reopened(ended, failure, change), { title: 'API is slow' })
})

t.test('flapping is announced once and withdrawn when it ends', async (t) => {
  const flapping = flappingIncident(makeIncident(), 100_000)
  t.ok(flapping.flapping)
  const change = { kind: 'settled', incidentId: flapping.id, severity: 'down' } as const
  const settled = settledIncident(flapping, change, 200_000)
  t.notOk(settled.flapping)
  t.same(
    settled.timeline.map((entry) => entry.kind),
    ['opened', 'flapping', 'settled'],
  )
  t.notOk(resolvedIncident(flapping, recovered).flapping)
})

t.test('an update is as public as its author wants', async (t) => {
  const update = { id: 'upd_1', atMs: 70_000, by: 'usr_1', message: 'Found it.' }
  const incident = withUpdate(makeIncident(), { ...update, status: 'identified', isPublic: false })
  t.same(incident.timeline[1], { ...update, status: 'identified', kind: 'update', isPublic: false })
})

t.test('a full timeline keeps how it began and the newest entries', async (t) => {
  let incident = makeIncident()
  for (let number = 1; number <= limits.timelineEntriesMax + 10; number++) {
    const message = `${number}`
    incident = withUpdate(incident, { id: '', atMs: number, by: '', message, isPublic: true })
  }
  t.equal(incident.timeline.length, limits.timelineEntriesMax)
  t.equal(incident.timeline[0]?.kind, 'opened')
  t.equal(incident.timeline[1]?.message, '12')
  t.equal(incident.timeline.at(-1)?.message, '510')
})

t.test('the evidence contains what was seen, and nothing else', async (t) => {
  const reading = { atMs: 0, durationMs: 5, result: 'failed' } as const
  t.same(evidenceOf(reading), {})
  const error = { kind: 'connect', message: 'refused', phase: 'connect' } as const
  const evidence = { status: 502, body: 'Bad gateway' }
  t.same(evidenceOf({ ...reading, error, phases: { dns: 1 }, status: 502, evidence }), {
    error,
    phases: { dns: 1 },
    status: 502,
    body: 'Bad gateway',
  })
})
