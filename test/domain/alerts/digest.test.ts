// A digest: what goes into it, and what every delivery that it stands for says afterwards.
import t from 'tap'
import type { DeliveryId } from '../../../src/base/ids.ts'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import {
  type DigestedEvent,
  digestible,
  foldDigest,
  isDelayed,
} from '../../../src/domain/alerts/digest.ts'
import { type IncidentEvent, incidentPayload } from '../../../src/domain/alerts/payload.ts'
import type { IncidentState } from '../../../src/domain/incidents/incident.ts'
import { makeDelivery, makeIncident } from '../../support/make-incident.ts'
import { incidentNo } from '../../support/outbox-world.ts'

const digestId = 'dlv_01k0000000000000000000000z' as DeliveryId
const incidentsPage = 'https://up.test/app/incidents'
const idNo = (number: number) => `dlv_01k${String(number).padStart(23, '0')}` as DeliveryId

function owed(
  number: number,
  incident: number,
  event: IncidentEvent = 'incident.opened',
  state: IncidentState = 'open',
) {
  const about = makeIncident({ id: incidentNo(incident), state })
  const payloadJson = JSON.stringify(incidentPayload(event, about, [], 0, 'https://up.test'))
  return makeDelivery({ id: idNo(number), incidentId: about.id, event, payloadJson })
}

function folded(rows: readonly Delivery[], event: DigestedEvent = 'incident.opened') {
  return foldDigest(rows, digestible(rows, event), {
    id: digestId,
    url: incidentsPage,
    nowMs: 5_000,
  })
}

function incidentsOf(digest: Delivery | undefined) {
  const { event, incidents, incidentsTotal, incidentIds, url } = JSON.parse(
    digest?.payloadJson ?? '',
  ).data
  const states = incidents.map(({ id, state }: { id: string; state: string }) => [id, state])
  return { event, states, incidentsTotal, incidentIds, url }
}

t.test('openings, and what the digest tells of them as well, become one message', async (t) => {
  const rows = [
    owed(1, 1),
    owed(2, 2),
    owed(3, 1, 'incident.acknowledged', 'acknowledged'),
    owed(4, 3),
    owed(5, 2, 'incident.reminder'),
  ]
  const changed = folded(rows)
  const digest = changed.at(-1)
  t.match(digest, { id: digestId, event: 'incident.digest', incidentId: null, state: 'pending' })
  t.same(incidentsOf(digest), {
    event: 'incident.opened',
    states: [
      [incidentNo(1), 'acknowledged'],
      [incidentNo(2), 'open'],
      [incidentNo(3), 'open'],
    ],
    incidentsTotal: 3,
    incidentIds: [1, 2, 3].map(incidentNo),
    url: incidentsPage,
  })
  const members = changed.slice(0, -1)
  t.same(members.map(({ id }) => id).sort(), rows.map(({ id }) => id).sort())
  for (const row of members) t.match(row, { state: 'delivered', mergedIntoId: digestId })
})

t.test('recoveries become a digest of their own', async (t) => {
  const end = (number: number) => owed(number, number, 'incident.resolved', 'resolved')
  const rows = [owed(1, 1), end(2), owed(3, 4, 'incident.updated'), end(5), end(6)]
  const changed = folded(rows, 'incident.resolved')
  t.same(incidentsOf(changed.at(-1)), {
    event: 'incident.resolved',
    states: [2, 5, 6].map((number) => [incidentNo(number), 'resolved']),
    incidentsTotal: 3,
    incidentIds: [2, 5, 6].map(incidentNo),
    url: incidentsPage,
  })
  t.same(
    changed.map(({ id }) => id),
    [idNo(2), idNo(5), idNo(6), digestId],
  )
})

t.test('what may have been sent keeps its own id', async (t) => {
  const begun = { ...owed(1, 1), lastAtMs: 1_000 }
  t.same(
    digestible([begun, owed(2, 2), owed(3, 3)], 'incident.opened').map(({ id }) => id),
    [idNo(2), idNo(3)],
  )
})

t.test('an incident with news that must come later stays out of the digest', async (t) => {
  const rows = [
    owed(1, 1),
    owed(2, 2),
    owed(3, 2, 'incident.updated'),
    owed(4, 3, 'incident.resolved'),
    owed(5, 3),
    owed(6, 4),
    { ...owed(7, 4, 'incident.acknowledged'), lastAtMs: 1_000 },
  ]
  t.same(
    digestible(rows, 'incident.opened').map(({ id }) => id),
    [idNo(1)],
    'a reopening waits until the end before it is sent: a digest could overtake it',
  )
  t.same(digestible(rows, 'incident.resolved'), [], 'its end must precede its reopening')
  const ends = [owed(1, 1, 'incident.resolved'), owed(2, 1, 'incident.resolved')]
  t.same(digestible(ends, 'incident.resolved'), [], 'nor may the second of two ends come first')
})

t.test('news does not speed up attempts on a failing channel', async (t) => {
  const rows = [{ ...owed(1, 1), attempts: 4, dueAtMs: 900_000 }, owed(2, 2)]
  t.match(folded(rows).at(-1), { attempts: 4, dueAtMs: 900_000 })
})

t.test('nothing is made of nothing', async (t) => {
  t.same(folded([]), [])
})

t.test('only an opening that was never tried can be delayed', async (t) => {
  const row = { ...owed(1, 1), dueAtMs: 10_000 }
  t.ok(isDelayed(row, 9_999))
  t.notOk(isDelayed(row, 10_000))
  t.notOk(isDelayed({ ...row, lastAtMs: 5_000 }, 9_999), 'that one is retried')
})
