// Which requests Checkly gets: page after page of each list, then what the list of checks leaves out.
import t from 'tap'
import { checklyApi } from '../../../../src/domain/imports/checkly/api.ts'

const account = '73d29e72-6540-4bb5-967e-e07fa2c9465e'

t.test('every list is read, and checks without their request are asked for', async (t) => {
  const asks = checklyApi.asks(0)
  t.same(asks.next([]).value, [{ path: '/v1/checks?limit=100&page=1' }])
  const full = Array.from({ length: 100 }, () => ({ id: 'x', request: {} }))
  t.same(asks.next([full]).value, [{ path: '/v1/checks?limit=100&page=2' }])
  const rest = [{ id: account }, { id: '../x' }, { id: 'y', heartbeat: {} }]
  t.same(asks.next([rest]).value, [
    { path: '/v1/check-groups?limit=100&page=1', isOptional: true, what: 'check groups' },
  ])
  t.match(asks.next([[{ id: 1 }]]).value, [{ path: /alert-channels/ }])
  t.match(asks.next([undefined]).value, [{ path: /private-locations/ }])
  t.match(asks.next([{}]).value, [{ path: /maintenance-windows/ }])
  t.match(asks.next([[]]).value, [{ path: /variables/ }])
  t.same(asks.next([[]]).value, [
    { path: `/v1/checks/${account}`, isOptional: true, what: 'settings of checks' },
  ])
  const results = asks.next([{ id: account, request: { url: 'u' } }])
  const page = `/v2/check-results/${account}?limit=100&resultType=FINAL&hasFailures=true&from=-2592000&to=0&fields=id,startedAt,hasFailures,isCancelled`
  t.match(results.value, [{ path: page, isOptional: true, what: 'results of checks' }])
  t.match(asks.next([{ entries: [{ id: 'a' }], nextId: 'x&y' }]).value, [
    { path: `${page}&nextId=x%26y` },
  ])
  const last = asks.next([{ entries: [{ id: 'b' }], nextId: null }])
  t.match(last.value, { results: { [account]: [{ id: 'a' }, { id: 'b' }] } })
  t.match(last, { done: true, value: { groups: [{ id: 1 }], checks: { length: 103 } } })
  t.match((last.value as { checks: object[] }).checks[100], { request: { url: 'u' } })
})

t.test('the account goes along with the key', async (t) => {
  t.same(checklyApi.authorized(`${account}:cu_x`), {
    headers: { authorization: 'Bearer cu_x', 'x-checkly-account': account },
  })
  t.same(checklyApi.authorized('sv_x'), { headers: { authorization: 'Bearer sv_x' } })
})

t.test('results that never end are left, and named', async (t) => {
  const asks = checklyApi.asks(0)
  asks.next([])
  let step = asks.next([[{ id: account, request: {}, checkType: 'API' }]])
  for (let count = 0; !step.done && count < 20; count += 1) {
    step = asks.next([count < 5 ? [] : { entries: [{ id: 'a' }], nextId: 'again' }])
  }
  t.match(step, { done: true, value: { results: { [account]: { length: 5 } } } })
  t.match(step.value, { unread: [/failed results of a check \(beyond the first 500\)/] })
})

t.test('a service whose pages never end is left', async (t) => {
  const asks = checklyApi.asks(0)
  asks.next([])
  const page = Array.from({ length: 100 }, () => ({ request: {} }))
  let count = 0
  for (let step = asks.next([page]); !step.done && count < 1_000; step = asks.next([page]))
    count += 1
  t.ok(count < 700)
})
