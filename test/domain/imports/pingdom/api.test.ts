// Which requests Pingdom gets: the lists, then what is told of each check, then its outages.
import t from 'tap'
import { pingdomApi } from '../../../../src/domain/imports/pingdom/api.ts'

t.test('each check is asked for, and its outages of a year', async (t) => {
  const asks = pingdomApi.asks(Date.parse('2026-01-02T00:00:00Z'))
  t.match(asks.next([]).value, [
    { path: '/api/3.1/checks?include_tags=true&include_severity=true' },
    { path: '/api/3.1/alerting/teams', isOptional: true },
    { path: '/api/3.1/alerting/contacts', isOptional: true },
    { path: '/api/3.1/maintenance', isOptional: true },
    { path: '/api/3.1/tms/check', isOptional: true },
  ])
  const checks = [{ id: 1 }, { id: '../2' }, { id: 3 }]
  t.same(
    asks.next([{ checks }, { teams: [] }, undefined, undefined, { checks: [{ id: 9 }] }]).value,
    [
      {
        path: '/api/3.1/checks/1?include_teams=true',
        isOptional: true,
        what: 'settings of checks',
      },
      {
        path: '/api/3.1/checks/3?include_teams=true',
        isOptional: true,
        what: 'settings of checks',
      },
    ],
  )
  t.match(asks.next([{ check: { id: 1 } }, undefined]).value, [
    { path: '/api/3.1/summary.outage/1?from=1735776000', isOptional: true },
    { path: '/api/3.1/summary.outage/3?from=1735776000' },
  ])
  t.match(asks.next([{ summary: {} }, undefined]).value, [{ path: '/api/3.1/tms/check/9' }])
  t.match(asks.next([{ name: 'Buy', steps: [] }]).value, [
    { path: '/api/3.1/tms/check/9/report/status?from=2025-01-02T00%3A00%3A00.000Z&order=asc' },
  ])
  t.match(asks.next([{ report: { states: [] } }]), {
    done: true,
    value: {
      transactions: [{ id: 9, name: 'Buy', steps: [] }],
      reports: { 9: { report: {} } },
      checks: { length: 3 },
      details: [{ check: { id: 1 } }],
      outages: { 1: { summary: {} } },
      readAt: '2026-01-02T00:00:00.000Z',
    },
  })
  t.same(pingdomApi.authorized('k'), { headers: { authorization: 'Bearer k' } })
})
