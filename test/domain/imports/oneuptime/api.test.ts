// Which requests OneUptime gets, and what is known again of what it answers.
import t from 'tap'
import { oneuptimeApi } from '../../../../src/domain/imports/oneuptime/api.ts'
import { fromOneuptime } from '../../../../src/domain/imports/oneuptime/oneuptime.ts'
import {
  idOf,
  oneuptimeAnswer,
  oneuptimeStates,
  stateIds,
} from '../../../support/oneuptime-samples.ts'

t.test('monitors are read page after page, then states and their changes', async (t) => {
  const asks = oneuptimeApi.asks(Date.parse('2026-01-02T00:00:00Z'))
  t.match(asks.next([]).value, [
    { path: '/api/monitor/get-list?skip=0&limit=200', json: { select: { projectId: true } } },
  ])
  const full = Array.from({ length: 200 }, () => ({}))
  t.match(asks.next([{ data: full }]).value, [{ path: '/api/monitor/get-list?skip=200&limit=200' }])
  t.match(asks.next([{ data: [{}] }]).value, [{ path: /^\/api\/monitor-status\/get-list/ }])
  t.match(asks.next([{ data: [{ isOfflineState: true }] }]).value, [
    { path: /monitor-status-timeline/, isOptional: true, json: { sort: { startsAt: 'DESC' } } },
  ])
  t.match(asks.next([undefined]).value, [
    { path: '/api/status-page/get-list?skip=0&limit=200', what: 'status pages' },
  ])
  t.match(asks.next([{ data: [{ name: 'Acme' }] }]).value, [{ path: /status-page-group/ }])
  t.match(asks.next([undefined]).value, [{ path: /status-page-resource/ }])
  t.match(asks.next([{}]).value, [{ path: /status-page-header-link/ }])
  t.match(asks.next([{}]).value, [{ path: /status-page-domain/ }])
  t.match(asks.next([{}]).value, [
    { path: /status-page-subscriber/, json: { select: { isSubscriptionConfirmed: true } } },
  ])
  t.match(asks.next([{}]).value, [{ path: /scheduled-maintenance/ }])
  t.match(asks.next([{}]), {
    done: true,
    value: {
      data: { length: 202 },
      timeline: [],
      lists: { 'status-page': [{ name: 'Acme' }] },
      readAt: '2026-01-02T00:00:00.000Z',
    },
  })
  t.same(oneuptimeApi.authorized('k'), { headers: { apikey: 'k' } })
})

t.test('what has its project is known again, and has its past', async (t) => {
  const [first = {}] = oneuptimeAnswer.data
  const project = { _type: 'ObjectID', value: idOf(500) }
  const item = { ...first, projectId: project }
  const id = String((first as { readonly _id?: unknown })._id)
  const change = (state: string, startsAt: string, endsAt: string | null) => ({
    monitorId: { _type: 'ObjectID', value: id },
    monitorStatusId: { _type: 'ObjectID', value: state },
    startsAt: { _type: 'DateTime', value: startsAt },
    endsAt,
  })
  const timeline = [
    change(stateIds.up, '2026-01-01T06:00:00.000Z', null),
    change(stateIds.offline, '2026-01-01T05:00:00.000Z', '2026-01-01T06:00:00.000Z'),
  ]
  const data = [item, ...oneuptimeStates.data]
  const found = fromOneuptime([{ data, timeline, readAt: '2026-01-02T00:00:00.000Z' }])
  t.same(found.source, { product: 'oneuptime', installation: idOf(500) })
  t.match(found.monitors, [{ origin: `monitor/${id}` }])
  const hourMs = 3_600_000
  t.match(found.history, [
    {
      origin: `monitor/${id}`,
      days: [{ upMs: 18 * hourMs, downMs: hourMs }],
      outages: [{ text: 'offline in OneUptime' }],
    },
  ])
  t.notOk('source' in fromOneuptime([{ data: [first] }]), 'a file may not have it')
})
