// Which requests Better Stack gets: page after page of each list, then what is on its status pages.
import t from 'tap'
import { betterstackApi } from '../../../../src/domain/imports/betterstack/api.ts'
import { fieldsOf } from '../../../../src/domain/imports/foreign.ts'

t.test('pages are followed, and each status page is asked for its parts', async (t) => {
  const asks = betterstackApi.asks(0)
  const next = 'https://uptime.betterstack.com/api/v2/monitors?page=2'
  t.same(asks.next([]).value, [{ path: '/api/v2/monitors?per_page=50' }])
  t.same(asks.next([{ data: [{ id: '1', type: 'monitor' }], pagination: { next } }]).value, [
    { path: next },
  ])
  t.match(asks.next([{ data: [{ id: '2', type: 'monitor' }] }]).value, [
    { path: '/api/v2/heartbeats?per_page=50', isOptional: true },
  ])
  t.match(asks.next([{ data: [] }]).value, [{ path: /monitor-groups/ }])
  t.match(asks.next([undefined]).value, [{ path: /heartbeat-groups/ }])
  t.match(asks.next([{}]).value, [{ path: /status-pages\?/ }])
  const pages = [
    { id: '7', type: 'status_page' },
    { id: '../x', type: 'status_page' },
  ]
  t.match(asks.next([{ data: pages }]).value, [{ path: /v3\/policies/ }])
  t.match(asks.next([{ data: [{ id: '3' }] }]).value, [{ path: /urgencies/ }])
  t.match(asks.next([undefined]).value, [{ path: /on-calls\?/ }])
  const included = [
    { id: '4', type: 'user' },
    { id: '5', type: 'monitor' },
  ]
  const calendars = { data: [{ id: '9' }], included }
  for (const list of [/outgoing-webhooks/, /pager-duty/, /splunk-on-calls/, /slack-integrations/]) {
    t.match(asks.next([list.source === 'outgoing-webhooks' ? calendars : {}]).value, [
      { path: list },
    ])
  }
  t.match(asks.next([{}]).value, [{ path: /status-pages\/7\/sections/ }])
  t.match(asks.next([{ data: [{ id: '5' }] }]).value, [{ path: /status-pages\/7\/resources/ }])
  t.match(asks.next([{ data: [] }]).value, [{ path: /status-pages\/7\/subscribers/ }])
  t.match(asks.next([{ data: [] }]).value, [{ path: '/api/v2/on-calls/9/rotation' }])
  t.match(asks.next([{ users: ['ann@example.org'] }]).value, [
    { path: '/api/v3/incidents?per_page=50&from=1969-01-01&to=1970-01-01' },
  ])
  const { value, done } = asks.next([{ data: [{ id: '8', type: 'incident' }] }])
  t.ok(done)
  t.match(value, { rotations: { 9: { users: ['ann@example.org'] } }, unread: [] })
  const of = fieldsOf(value).data
  t.match(of, [
    { id: '1', type: 'monitor' },
    { id: '2' },
    { id: '7' },
    { id: '../x' },
    { id: '3', type: 'policy' },
    { id: '9', type: 'on_call_calendar' },
    { id: '4', type: 'user' },
    { id: '5', statusPageId: '7' },
    { id: '8', type: 'incident' },
  ])
  t.same(betterstackApi.authorized('k'), { headers: { authorization: 'Bearer k' } })
})

t.test('a service whose pages never end is left', async (t) => {
  const asks = betterstackApi.asks(0)
  asks.next([])
  const data = Array.from({ length: 6_000 }, () => ({}))
  const answer = { data, pagination: { next: '/api/v2/monitors?page=2' } }
  t.match(asks.next([answer]).value, [{ path: /page=2/ }])
  t.match(asks.next([answer]).value, [{ path: /heartbeats/ }])
  let step = asks.next([{}])
  while (!step.done) step = asks.next([])
  t.same(fieldsOf(step.value).unread, ['monitors (beyond the first 12000)'])
})
