// A digest: what goes into it, and what every delivery that it stands for says afterwards.
import t from 'tap'
import type { DeliveryId } from '../../../src/base/ids.ts'
import { foldDigest, isDelayed, isOpening } from '../../../src/domain/alerts/digest.ts'
import { type IncidentEvent, incidentPayload } from '../../../src/domain/alerts/payload.ts'
import { makeDelivery, makeIncident } from '../../support/make-incident.ts'
import { incidentNo } from '../../support/outbox-world.ts'

const digestId = 'dlv_01k0000000000000000000000z' as DeliveryId
const idNo = (number: number) => `dlv_01k${String(number).padStart(23, '0')}` as DeliveryId
const unheard = () => true

function owed(number: number, incident: number, event: IncidentEvent = 'incident.opened') {
  const about = makeIncident({ id: incidentNo(incident) })
  const payloadJson = JSON.stringify(incidentPayload(event, about, [], 0, 'https://up.test'))
  return makeDelivery({ id: idNo(number), incidentId: about.id, event, payloadJson })
}

t.test('all openings, and the messages behind them, become one message', async (t) => {
  const rows = [
    owed(1, 1),
    owed(2, 2),
    owed(3, 1, 'incident.acknowledged'),
    owed(4, 3),
    owed(5, 2, 'incident.resolved'),
  ]
  const changed = foldDigest(rows, unheard, digestId, 5_000)
  const digest = changed.at(-1)
  t.match(digest, { id: digestId, event: 'incident.digest', incidentId: null, state: 'pending' })
  const { data } = JSON.parse(digest?.payloadJson ?? '')
  t.same(
    data.incidents.map(({ id }: { id: string }) => id),
    [incidentNo(1), incidentNo(3), incidentNo(2)],
  )
  t.equal(data.incidentsTotal, 3)
  const folded = changed.slice(0, -1)
  t.same(folded.map(({ id }) => id).sort(), rows.map(({ id }) => id).sort())
  for (const row of folded) t.match(row, { state: 'delivered', mergedIntoId: digestId })
})

t.test('messages about other incidents stay as they are', async (t) => {
  const heard = (id: string) => id !== incidentNo(9)
  const rows = [owed(1, 1), owed(2, 9, 'incident.resolved'), owed(3, 2)]
  const changed = foldDigest(rows, heard, digestId, 5_000)
  t.same(
    changed.map(({ id }) => id),
    [idNo(1), idNo(3), digestId],
  )
})

t.test('news does not speed up attempts on a failing channel', async (t) => {
  const rows = [{ ...owed(1, 1), attempts: 4, dueAtMs: 900_000 }, owed(2, 2)]
  t.match(foldDigest(rows, unheard, digestId, 5_000).at(-1), { attempts: 4, dueAtMs: 900_000 })
})

t.test('one opening is not a storm', async (t) => {
  t.same(foldDigest([owed(1, 1)], unheard, digestId, 5_000), [])
  t.same(foldDigest([], unheard, digestId, 5_000), [])
})

t.test('a resolution is an opening for a channel that was not told of the incident', async (t) => {
  const end = owed(1, 1, 'incident.resolved')
  t.ok(isOpening(end, unheard))
  t.notOk(isOpening(end, () => false))
  t.notOk(isOpening(owed(1, 1, 'incident.reminder'), unheard))
  t.notOk(isOpening(makeDelivery({ incidentId: null, event: 'incident.digest' }), unheard))
})

t.test('only an opening that was never tried can be delayed', async (t) => {
  const row = { ...owed(1, 1), dueAtMs: 10_000 }
  t.ok(isDelayed(row, 9_999))
  t.notOk(isDelayed(row, 10_000))
  t.notOk(isDelayed({ ...row, attempts: 1 }, 9_999), 'that one is retried')
})
