// Which requests UptimeRobot gets: page after page, with the key in the form.
import t from 'tap'
import { uptimerobotApi } from '../../../../src/domain/imports/uptimerobot/api.ts'

const page = (monitors: readonly unknown[], total: number) => ({
  stat: 'ok',
  pagination: { total },
  monitors,
})

t.test('every page of monitors is asked for, then contacts, windows and pages', async (t) => {
  const asks = uptimerobotApi.asks(0)
  t.match(asks.next().value, [{ path: '/v2/getMonitors', form: { offset: '0', logs: '1' } }])
  t.match(asks.next([page([{ id: 1 }, { id: 2 }], 3)]).value, [{ form: { offset: '2' } }])
  t.match(asks.next([page([{ id: 3 }], 3)]).value, [
    { path: '/v2/getAlertContacts', isOptional: true },
  ])
  t.match(asks.next([{ alert_contacts: [{ id: 4 }], total: 1 }]).value, [
    { path: '/v2/getMWindows' },
  ])
  t.match(asks.next([undefined]).value, [{ path: '/v2/getPSPs' }])
  t.match(asks.next([{ psps: [] }]), {
    done: true,
    value: { monitors: { length: 3 }, alert_contacts: [{ id: 4 }], mwindows: [], psps: [] },
  })
  t.same(uptimerobotApi.authorized('u1-x'), { form: { api_key: 'u1-x', format: 'json' } })
})

t.test('a service that goes on and on is left', async (t) => {
  const asks = uptimerobotApi.asks(0)
  asks.next()
  const items = Array.from({ length: 1_000 }, () => ({}))
  let count = 0
  for (let step = asks.next([page(items, 1e9)]); !step.done; step = asks.next([page(items, 1e9)])) {
    count += 1
    if (count > 100) break
  }
  t.ok(count < 60)
})

t.test('a refusal with the status 200 is one', async (t) => {
  const asks = uptimerobotApi.asks(0)
  asks.next()
  const refusal = { stat: 'fail', error: { type: 'invalid_parameter' } }
  t.throws(() => asks.next([refusal]), { name: 'ForeignFileRefused', message: /key/ })
})
