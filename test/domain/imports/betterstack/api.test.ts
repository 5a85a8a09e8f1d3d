// Which requests Better Stack gets: page after page of each list, then what is on its status pages.
import t from 'tap'
import { betterstackApi } from '../../../../src/domain/imports/betterstack/api.ts'

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
  t.match(asks.next([{ data: pages }]).value, [{ path: /status-pages\/7\/sections/ }])
  t.match(asks.next([{ data: [{ id: '5' }] }]).value, [{ path: /status-pages\/7\/resources/ }])
  t.match(asks.next([{ data: [] }]).value, [{ path: /status-pages\/7\/subscribers/ }])
  t.match(asks.next([{ data: [] }]), { done: true, value: { data: [{ id: '1' }] } })
  t.same(betterstackApi.authorized('k'), { headers: { authorization: 'Bearer k' } })
})

t.test('a service whose pages never end is left', async (t) => {
  const asks = betterstackApi.asks(0)
  asks.next([])
  const data = Array.from({ length: 6_000 }, () => ({}))
  const answer = { data, pagination: { next: '/api/v2/monitors?page=2' } }
  t.match(asks.next([answer]).value, [{ path: /page=2/ }])
  t.match(asks.next([answer]).value, [{ path: /heartbeats/ }])
})
