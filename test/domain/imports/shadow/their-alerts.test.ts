// What the webhooks of other products say: which monitor, and whether it is down.
import t from 'tap'
import { isTest, saidAlerts } from '../../../../src/domain/imports/shadow/their-alerts.ts'

t.test('Uptime Kuma: its JSON names the monitor by its number; a test says nothing', async (t) => {
  const body = (status: number) => ({
    heartbeat: {
      monitorID: 12,
      status,
      time: '2026-11-30 12:00:00',
      msg: 'timeout',
      important: true,
    },
    monitor: { id: 12, name: 'Shop', url: 'https://shop.example.com', type: 'http' },
    msg: '[Shop] [Down] timeout',
  })
  t.match(saidAlerts(body(0)), [{ names: ['Shop'], isDown: true, text: 'timeout' }])
  t.ok(saidAlerts(body(0))[0]?.origins.includes('monitor/12'))
  t.match(saidAlerts(body(1)), [{ isDown: false }])
  t.same(saidAlerts(body(3)), [], 'maintenance is neither')
  t.same(saidAlerts({ heartbeat: null, monitor: null, msg: 'Kuma Testing' }), [])
})

t.test('Gatus: an alert of type custom whose body names the endpoint and its group', async (t) => {
  const body = { name: 'front end', group: 'core', status: 'TRIGGERED', description: 'slow' }
  const [said] = saidAlerts(body)
  t.match(said, { isDown: true, names: ['front end'], text: 'slow' })
  t.ok(said?.origins.includes('endpoint/core_front-end'))
  t.match(saidAlerts({ ...body, status: 'RESOLVED' }), [{ isDown: false }])
})

t.test('UptimeRobot: the fields of a form, where 1 is down and 2 is up', async (t) => {
  const form = {
    monitorID: '777',
    monitorFriendlyName: 'Shop',
    alertType: '1',
    alertDetails: 'HTTP 500',
  }
  const [said] = saidAlerts(form)
  t.match(said, { isDown: true, names: ['Shop'], text: 'HTTP 500' })
  t.ok(said?.origins.includes('monitor/777'))
  t.match(saidAlerts({ ...form, alertType: '2' }), [{ isDown: false }])
  t.same(saidAlerts({ ...form, alertType: '3' }), [], 'a certificate is no outage')
})

t.test('Better Stack: the incident with the monitor or the heartbeat that it is of', async (t) => {
  const attributes = { name: 'Shop', cause: 'Status 500', status: 'Started' }
  const relationships = { monitor: { data: { id: '9', type: 'monitor' } } }
  const said = saidAlerts({ data: { id: '1', type: 'incident', attributes, relationships } })
  t.match(said, [{ origins: ['monitor/9'], names: ['Shop'], isDown: true, text: 'Status 500' }])
  const resolved = { ...attributes, status: 'Resolved' }
  t.match(saidAlerts({ data: { attributes: resolved, relationships } }), [{ isDown: false }])
  const noticed = { ...attributes, status: 'Acknowledged' }
  t.same(saidAlerts({ data: { attributes: noticed, relationships } }), [])
})

t.test('Healthchecks, Pingdom and Alertmanager, by their usual fields', async (t) => {
  t.match(saidAlerts({ name: 'Backup', status: 'down' }), [{ names: ['Backup'], isDown: true }])
  const pingdom = { check_id: 5, check_name: 'Shop', current_state: 'UP', previous_state: 'DOWN' }
  const [said] = saidAlerts(pingdom)
  t.match(said, { isDown: false, names: ['Shop'] })
  t.ok(said?.origins.includes('check/5'))
  const labels = { alertname: 'ProbeFailed', instance: 'https://shop.example.com' }
  const alerts = [
    { status: 'firing', labels },
    { status: 'resolved', labels: { ...labels, instance: 'https://other.example.com' } },
  ]
  t.match(saidAlerts({ status: 'firing', alerts }), [
    { isDown: true, names: ['https://shop.example.com', 'ProbeFailed'] },
    { isDown: false, names: ['https://other.example.com', 'ProbeFailed'] },
  ])
})

t.test(
  'what Uptime Kuma puts into a body of one\u2019s own, and what it sends as a test',
  async (t) => {
    t.match(saidAlerts({ name: 'Shop', status: '🔴 Down' }), [{ names: ['Shop'], isDown: true }])
    t.match(saidAlerts({ name: 'Shop', status: '✅ Up' }), [{ isDown: false }])
    t.same(saidAlerts({ name: 'Shop', status: '⚠️ Test' }), [])
    t.ok(isTest({ heartbeat: null, monitor: null, msg: 'My webhook Testing' }))
    for (const other of [{}, { msg: 'x' }, { heartbeat: {}, monitor: null, msg: 'x' }, null]) {
      t.notOk(isTest(other), JSON.stringify(other))
    }
  },
)

t.test('what is no alert says nothing, and what is long is cut', async (t) => {
  for (const body of [null, 'down', [], {}, { name: 'Shop' }, { status: 'down it may be' }]) {
    t.same(saidAlerts(body), [], JSON.stringify(body))
  }
  const alerts = Array.from({ length: 1_000 }, () => ({ status: 'firing', labels: {} }))
  t.equal(saidAlerts({ alerts }).length, 100)
  const names = { name: 'x'.repeat(10_000), title: 'Short', status: 'down' }
  t.same(saidAlerts(names)[0]?.names, ['Short'])
})
