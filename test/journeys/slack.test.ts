// A Slack channel from end to end: an outage and its end reach it, and its URL stays a secret.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const mask = '••••'

t.test('an outage and its end are sent to Slack, whose URL is never shown', async (t) => {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  const slack = await startReceiver()
  t.teardown(() => Promise.all([target.close(), slack.close()]))
  const { org, key } = await registerWithKey(daemon)
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'slack', config: { webhookUrl: slack.url } },
  })
  t.same(channel.config, { webhookUrl: mask }, 'not even its maker sees it again')
  const at = `${org}/alert-channels/${channel.id}`
  const named = { name: 'Night', config: { webhookUrl: mask } }
  t.match(await daemon.need('PATCH', at, { key, json: named }), { name: 'Night' })
  t.match(await daemon.need('POST', `${at}/test`, { key }), { delivered: true, response: 'ok' })

  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Shop & <Cart>', url: `${target.url}/health`, intervalMinutes: 1_440 },
  })
  const run = () => daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  await run()
  target.script = answer({ status: 503 })
  for (let round = 0; round < 3; round++) await run()
  await slack.received(2)
  target.script = answer()
  for (let round = 0; round < 2; round++) await run()
  const [test, opened, resolved] = (await slack.received(3)).map(bodyOf)
  t.match(test, { text: 'Test of Night' })
  t.match(opened, { text: 'Shop &amp; &lt;Cart&gt; is down', blocks: [{ type: 'header' }] })
  t.match(resolved, { text: 'Resolved: Shop &amp; &lt;Cart&gt; was down' })

  const document = await daemon.need('GET', `${org}/export`, { key })
  t.same(document.secretsOmitted, ['/channels/0/config/webhookUrl'])
  t.notOk(JSON.stringify(document).includes(slack.url))
  const again = { format: document.format, channels: document.channels }
  const refused = await daemon.ask('POST', `/api/v1${org}/import`, { key, json: again })
  t.match(refused.json, { status: 422, errors: [{ pointer: '/channels/0/config/webhookUrl' }] })
  const wanted = { ...again, secretsOmitted: document.secretsOmitted }
  const { awaitingSecrets } = await daemon.need('POST', `${org}/import`, { key, json: wanted })
  t.match(awaitingSecrets, [{ name: 'Night', secrets: ['/config/webhookUrl'] }])
  const waiting = `${org}/alert-channels/${awaitingSecrets[0].id}`
  const off = { isActive: false, missingSecrets: ['/webhookUrl'] }
  t.match(await daemon.need('GET', waiting, { key }), off)
  const tested = await daemon.ask('POST', `/api/v1${waiting}/test`, { key })
  t.match(tested.json, { status: 409, detail: /left its secrets out: webhookUrl/ })
  const early = { key, json: { isActive: true } }
  const switched = await daemon.ask('PATCH', `/api/v1${waiting}`, early)
  t.match(switched.json, { status: 422, errors: [{ pointer: '/config/webhookUrl' }] })
  const entered = { config: { webhookUrl: slack.url } }
  const given = await daemon.need('PATCH', waiting, { key, json: entered })
  t.match(given, { isActive: false, missingSecrets: [] })
  t.match(await daemon.need('PATCH', waiting, early), { isActive: true })
  t.match(await daemon.need('POST', `${waiting}/test`, { key }), { delivered: true })
  const whole = [{ ...document.channels[0], config: { webhookUrl: slack.url } }]
  const imported = await daemon.need('POST', `${org}/import`, {
    key,
    json: { ...again, channels: whole },
  })
  t.match(imported, { channels: 1 })
})

t.test('a Slack webhook that is gone switches its channel off', async (t) => {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  const slack = await startReceiver()
  t.teardown(() => Promise.all([target.close(), slack.close()]))
  const { org, key } = await registerWithKey(daemon)
  const wrong = { name: 'x', type: 'slack', config: { url: slack.url } }
  const { json } = await daemon.ask('POST', `/api/v1${org}/alert-channels`, { key, json: wrong })
  t.same(
    json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/config/webhookUrl', '/config/url'],
    'the config is compared with the one of its type',
  )
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { ...wrong, config: { webhookUrl: slack.url } },
  })
  slack.always({ status: 404, body: 'no_service' })
  // Before the first check, which the first that is asked for may join.
  target.script = answer({ status: 503 })
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Shop', url: target.url, intervalMinutes: 1_440 },
  })
  for (let round = 0; round < 3; round++) {
    await daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  }
  await slack.received(1)
  const at = `${org}/alert-channels/${channel.id}`
  await until(async () => (await daemon.need('GET', at, { key })).isActive === false)
  t.match(await daemon.need('GET', at, { key }), {
    disabledReason: 'The receiver at Slack is gone (404: no_service).',
  })
})
