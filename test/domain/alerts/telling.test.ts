// What becomes of the news of an incident for one channel.
import t from 'tap'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import {
  explainedEventsMax,
  happeningsOf,
  type KnownDelivery,
  type TellingRequest,
  tellingsOf,
} from '../../../src/domain/alerts/telling.ts'
import {
  acknowledged,
  closedByHand,
  resolvedIncident,
  withUpdate,
  worsened,
} from '../../../src/domain/incidents/incident.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makeDelivery, makeIncident } from '../../support/make-incident.ts'

const act = { atMs: 100_000, by: 'usr_1' }
const failure = { monitorName: 'API', cause: 'status: 500', evidence: null }
const worse = { kind: 'worsened', startedAtMs: 70_000, confirmedAtMs: 80_000, flapping: false }

function known(event: Delivery['event'], nowMs: number, more: Partial<Delivery> = {}) {
  const delivery = makeDelivery({ event, nowMs }, { state: 'delivered', ...more })
  return {
    delivery,
    waitsFor: null,
    untilMs: null,
    error: null,
    into: undefined,
  } satisfies KnownDelivery
}

const tell = (request: Partial<TellingRequest>) =>
  tellingsOf({
    channel: makeChannel(),
    happenings: happeningsOf(makeIncident()),
    deliveries: [],
    wasMeant: true,
    isInformed: true,
    route: () => ({ kind: 'now' }),
    ...request,
  }).map(({ event, kind, because }) => [event, kind, because])

t.test('what happened is what channels hear of, with the severity of that time', async (t) => {
  const slow = makeIncident({ severity: 'degraded' })
  const down = worsened(slow, failure, { ...worse, incidentId: slow.id } as never)
  const closed = closedByHand(acknowledged(down, act), { ...act, id: 'upd_1' }, null)
  t.same(
    happeningsOf(closed).map(({ event, severity }) => [event, severity]),
    [
      ['incident.opened', 'degraded'],
      ['incident.updated', 'down'],
      ['incident.acknowledged', 'down'],
      ['incident.resolved', 'down'],
    ],
  )
  let long = makeIncident()
  for (let count = 0; count < explainedEventsMax + 9; count++) {
    long = withUpdate(long, { ...act, id: 'upd_1', message: 'x', isPublic: false })
  }
  t.equal(happeningsOf(long).length, explainedEventsMax)
  t.equal(happeningsOf(long)[0]?.event, 'incident.opened')
})

t.test('a message belongs to the newest news of its kind, a reminder to itself', async (t) => {
  const happenings = happeningsOf(acknowledged(makeIncident(), act))
  const reminder = known('incident.reminder', 90_000)
  const deliveries = [known('incident.opened', 61_000), reminder]
  t.same(tell({ happenings, deliveries }), [
    ['incident.opened', 'sent', null],
    ['incident.reminder', 'sent', null],
    ['incident.acknowledged', 'not_sent', 'no_record'],
  ])
})

t.test('an outage that became worse may be an opening for a channel', async (t) => {
  const slow = makeIncident({ severity: 'degraded' })
  const down = worsened(slow, failure, { ...worse, incidentId: slow.id } as never)
  const route: TellingRequest['route'] = (_channel, { severity }) =>
    severity === 'down' ? { kind: 'now' } : { kind: 'none', because: 'severity' }
  const deliveries = [known('incident.opened', 80_000)]
  t.same(tell({ happenings: happeningsOf(down), deliveries, route }), [
    ['incident.opened', 'not_sent', 'severity'],
    ['incident.opened', 'sent', null],
  ])
})

t.test('a pause or deletion of the monitor ends it without a word', async (t) => {
  const end = { resolution: 'paused', resolvedAtMs: 90_000, atMs: 90_000 } as const
  const happenings = happeningsOf(resolvedIncident(makeIncident(), end))
  const deliveries = [known('incident.opened', 61_000)]
  t.same(tell({ happenings, deliveries }).at(-1), ['incident.resolved', 'not_sent', 'monitor_gone'])
  const never = tell({ happenings, isInformed: false, wasMeant: false })
  t.same(never.at(-1), ['incident.resolved', 'not_sent', 'not_informed'])
})
