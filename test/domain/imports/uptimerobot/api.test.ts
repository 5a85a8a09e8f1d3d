// Which requests UptimeRobot gets: page after page, with the key in a header.
import t from 'tap'
import { uptimerobotApi } from '../../../../src/domain/imports/uptimerobot/api.ts'

const page = (data: readonly unknown[], cursor?: number) => ({
  data,
  // An address that the key must not go to.
  ...(cursor === undefined ? {} : { nextLink: `https://elsewhere.example/v3/x/?cursor=${cursor}` }),
})

t.test('every page of monitors is asked for, then all else of the account', async (t) => {
  const asks = uptimerobotApi.asks(Date.parse('2026-01-02T00:00:00Z'))
  t.same(asks.next().value, [{ path: '/v3/monitors?limit=200' }])
  t.same(asks.next([page([{ id: 1 }, { id: 2 }], 2)]).value, [
    { path: '/v3/monitors?limit=200&cursor=2' },
  ])
  t.same(asks.next([page([{ id: 3 }])]).value, [
    { path: '/v3/integrations?includeOrgMembers=true', isOptional: true, what: 'contacts' },
  ])
  t.match(asks.next([page([{ id: 4 }], 4)]).value, [
    { path: '/v3/integrations?includeOrgMembers=true&cursor=4' },
  ])
  t.match(asks.next([page([])]).value, [{ path: '/v3/maintenance-windows?' }])
  t.match(asks.next([undefined]).value, [{ path: '/v3/psps?' }])
  t.match(asks.next([page([{ id: 5 }], 5)]).value, [{ path: '/v3/psps?cursor=5' }])
  t.match(asks.next([{}]).value, [{ path: '/v3/monitor-groups?' }])
  t.match(asks.next([page([])]).value, [
    { path: '/v3/incidents?started_after=2025-01-02T00:00:00.000Z' },
  ])
  t.match(asks.next([{ ...page([{ id: '6' }]), nextLink: 'https://x/?cursor=../7' }]), {
    done: true,
    value: {
      monitors: { length: 3 },
      integrations: [{ id: 4 }],
      maintenanceWindows: [],
      psps: [{ id: 5 }],
      incidents: [{ id: '6' }],
      readAt: '2026-01-02T00:00:00.000Z',
    },
  })
  t.same(uptimerobotApi.authorized('u1-x'), { headers: { authorization: 'Bearer u1-x' } })
})

t.test('a service that goes on and on is left', async (t) => {
  const asks = uptimerobotApi.asks(0)
  asks.next()
  const items = Array.from({ length: 1_000 }, () => ({}))
  let count = 0
  for (let step = asks.next([page(items, 9)]); !step.done; step = asks.next([page(items, 9)])) {
    count += 1
    if (count > 100) break
  }
  t.ok(count < 90)
})
