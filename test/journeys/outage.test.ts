// An outage from end to end: a target goes down and comes back, and who should know is told, once.
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { bodyOf, type Received, startReceiver } from '../support/receiver.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

t.test('an outage is announced once, shown on the page, acknowledged, and over once', async (t) => {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  const { org, key } = await registerWithKey(daemon)
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'webhook', config: { url: receiver.url }, isActive: true },
  })
  const { secret } = channel.config
  t.match(secret, /^whsec_/)
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: {
      name: 'Shop',
      url: `${target.url}/health?token=hidden`,
      isPublic: true,
      // Nothing is checked but when the test says so, from the first check on.
      intervalMinutes: 1_440,
      retryIntervalSeconds: 3_600,
      degradedThresholdMs: null,
    },
  })
  await daemon.need('POST', `${org}/status-pages`, {
    key,
    json: { name: 'Shop status', slug: 'shop' },
  })
  const run = () => daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  const page = async () => (await daemon.ask('GET', '/status/shop')).text

  t.match(await run(), { outcome: 'up', state: 'up', status: 200, openIncidentId: null })
  t.match(await page(), /All systems operational/i)

  target.script = answer({ status: 503 })
  t.match(await run(), { outcome: 'down', status: 503, openIncidentId: null })
  t.match(await run(), { openIncidentId: null })
  const third = await run()
  t.match(third, { state: 'down', error: { kind: 'status' } })
  const { openIncidentId } = third
  await run()

  const [opened] = await receiver.received(1)
  t.equal(verified(secret, opened).type, 'incident.opened')
  t.match(bodyOf(opened), {
    type: 'incident.opened',
    data: { incident: { id: openIncidentId, state: 'open', severity: 'down' } },
  })
  t.notMatch(opened?.body, /hidden/, 'the query of a target stays inside')
  await until(async () => /Ongoing incidents[\s\S]+Shop/.test(await page()))

  const incident = `${org}/incidents/${openIncidentId}`
  const acknowledged = await daemon.need('POST', `${incident}/acknowledge`, {
    key,
    json: { message: 'On it' },
  })
  t.equal(acknowledged.state, 'acknowledged')
  await receiver.received(2)

  target.script = answer()
  t.match(await run(), { outcome: 'up', state: 'down', openIncidentId })
  t.match(await run(), { outcome: 'up', state: 'up', openIncidentId: null })
  const told = await receiver.received(3)
  t.same(
    told.map((message) => verified(secret, message).type),
    ['incident.opened', 'incident.acknowledged', 'incident.resolved'],
  )
  const ids = told.map(({ headers }) => headers['webhook-id'])
  t.equal(new Set(ids).size, 3, 'each message has an id of its own')

  const over = await daemon.need('GET', incident, { key })
  t.match(over, { state: 'resolved', resolution: 'recovered', monitorIds: [monitor.id] })
  const kinds = over.timeline.map(({ kind }: { kind: string }) => kind)
  t.same(kinds, ['opened', 'acknowledged', 'resolved'])
  const past = await until(async () => {
    const html = await page()
    return (
      !html.includes('Ongoing incidents') &&
      /last 15 days[\s\S]+Shop[\s\S]+Resolved/.test(html) &&
      html
    )
  })
  t.match(past, /All systems operational/i)
  t.notMatch(
    past,
    new RegExp(`${target.port}|/health|On it`),
    'a page names no target, no colleague',
  )

  // Who receives a message hears of it before the sender has noted that it arrived.
  const statesOf = async () => {
    const rows = await daemon.need('GET', `${org}/alert-channels/${channel.id}/deliveries`, { key })
    return rows.map(({ state }: { state: string }) => state)
  }
  await until(async () => !(await statesOf()).includes('pending'))
  t.same(await statesOf(), Array(3).fill('delivered'))
  const checks = await daemon.need('GET', `${org}/monitors/${monitor.id}/checks`, { key })
  t.ok(checks.length >= 7)
  await daemon.stop()
  t.equal(receiver.requests.length, 3, 'nothing was told twice')
})

/** The message, if the receiver's own library takes its signature. */
function verified(secret: string, received: Received | undefined): { type: string } {
  const { body = '', headers = {} } = received ?? {}
  return new Webhook(secret).verify(body, headers) as { type: string }
}
