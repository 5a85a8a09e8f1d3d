// The alerting of Gatus: channels, and who names them.
import t from 'tap'
import { parse } from 'yaml'
import { createCheck } from '../../../../src/base/schema/validate.ts'
import { channelDefinitions } from '../../../../src/channels/registry.ts'
import { fieldsOf } from '../../../../src/domain/imports/foreign.ts'
import { fromGatus } from '../../../../src/domain/imports/gatus/gatus.ts'

const hook = (name: string) => `https://hooks.example.com/${name}`

const converted = (text: string) => {
  const { channels = [], monitors, notes } = fromGatus(parse(text))
  const lines = notes.map(({ name, text }) => `${name}: ${text}`)
  const ofMonitor = (name: string) => {
    const { notifyChannelIds = [] } = fieldsOf(monitors.find((one) => one.name === name))
    const ids = notifyChannelIds as readonly string[]
    return ids.map((id) => channels.find((one) => one.id === id))
  }
  return { channels, monitors, lines, ofMonitor }
}

const endpoint = (name: string, alerts: string, group = '') =>
  `  - {name: ${name}, group: "${group}", url: "https://a.test/", conditions: ["[STATUS] == 200"], alerts: ${alerts}}\n`

t.test('alerts name a channel of their provider, with the defaults that it has', async (t) => {
  const { channels, monitors, ofMonitor, lines } = converted(`
alerting:
  slack:
    webhook-url: ${hook('slack')}
    default-alert: {failure-threshold: 5, send-on-resolved: true, description: "call Ann"}
  pagerduty: {integration-key: R0123456789ABCDEF0123456789ABCDE}
endpoints:
${endpoint('a', '[{type: slack}, {type: pagerduty, failure-threshold: 5, success-threshold: 2}]')}
${endpoint('b', '[{type: slack, enabled: false}]')}
${endpoint('c', '[{type: slack, send-on-resolved: false, failure-threshold: 2, minimum-reminder-interval: 1h}]')}
${endpoint('d', '[{type: discord}]')}`)
  t.match(channels, [
    {
      type: 'slack',
      name: 'slack',
      origin: 'alerting/slack',
      config: { webhookUrl: hook('slack') },
      isActive: true,
      isDefault: false,
      events: undefined,
    },
    { type: 'pagerduty', origin: 'alerting/pagerduty/opened' },
    { type: 'slack', name: 'slack (not told what is over)', origin: 'alerting/slack/opened' },
  ])
  t.same(
    ofMonitor('a').map((one) => one?.type),
    ['slack', 'pagerduty'],
  )
  t.match(monitors[0], { failureThreshold: 5, recoveryThreshold: 2, description: 'call Ann' })
  t.same(ofMonitor('b'), [], 'an alert that is switched off names nothing')
  const [opened] = ofMonitor('c')
  const events = opened?.events as readonly string[]
  t.notOk(events.includes('incident.resolved'))
  t.ok(events.includes('incident.opened') && events.includes('certificate.expiring'))
  t.match(monitors[2], { failureThreshold: 2, reminderMinutes: 60 })
  t.same(lines, [
    'b: its alert by slack is switched off there, and names no channel here',
    'd: its alert by discord: Gatus has no such provider there',
  ])
})

t.test('a group and an endpoint may have settings of their own', async (t) => {
  const { channels, ofMonitor } = converted(`
alerting:
  discord:
    webhook-url: ${hook('all')}
    title: Watch
    overrides: [{group: core, webhook-url: "${hook('core')}"}]
endpoints:
${endpoint('a', '[{type: discord, send-on-resolved: true}]')}
${endpoint('b', '[{type: discord, send-on-resolved: true}]', 'core')}
${endpoint('c', `[{type: discord, send-on-resolved: true, provider-override: {webhook-url: "${hook('c')}"}}]`, 'core')}`)
  t.same(
    ['a', 'b', 'c'].flatMap((name) => ofMonitor(name).map((one) => one?.config)),
    ['all', 'core', 'c'].map((name) => ({ webhookUrl: hook(name) })),
  )
  t.same(
    channels.map(({ origin }) => origin),
    ['alerting/discord', 'alerting/discord/core', 'alerting/discord/core/core_c'],
  )
})

t.test('the request of a custom provider is the one that Gatus sends', async (t) => {
  const { channels, lines } = converted(`
alerting:
  custom:
    url: https://hooks.example.com/[ENDPOINT_GROUP]?state=[ALERT_TRIGGERED_OR_RESOLVED]
    method: put
    headers: {Authorization: Bearer secret}
    placeholders: {ALERT_TRIGGERED_OR_RESOLVED: {TRIGGERED: partial outage, RESOLVED: fine}}
    body: '{"text": "[ENDPOINT_NAME] [ALERT_DESCRIPTION] [RESULT_CONDITIONS] [OTHER]"}'
    client: {insecure: true}
endpoints:
${endpoint('a', '[{type: custom, description: "is {{title}}", send-on-resolved: true}]', 'a b')}`)
  const [{ config = {}, events } = {}] = channels as readonly Record<string, unknown>[]
  const over = '{{#data.incident.resolvedAt}}'
  t.match(config, {
    url: `https://hooks.example.com/a%20b?state=${over}fine{{/`,
    method: 'PUT',
    headers: { Authorization: 'Bearer secret' },
    bodyTemplate: `{"text": "{{data.monitors.0.name}} is { {title}} ${over}{{/`,
  })
  t.match(config, { bodyTemplate: '[OTHER]"}' }, 'what Gatus knows no value for stays')
  t.same(events, ['incident.opened', 'incident.reminder', 'incident.resolved'])
  t.same(lines, [
    'custom: its client.insecure',
    'custom: [RESULT_CONDITIONS] in its body: the cause of the outage takes its place',
  ])
})

t.test('an unanswerable custom request is left out, and who used it is named', async (t) => {
  const { channels, lines } = converted(`
alerting:
  custom: {url: "${hook('x')}", method: DELETE}
  github: {repository-url: "https://github.com/a/b", token: gh_secret}
  telegram: {token: "1:a"}
endpoints:
${endpoint('a', '[{type: custom}, {type: github}, {type: telegram}]', 'core')}`)
  t.same(channels, [])
  t.match(lines.join('\n'), /custom: no channel was made of it: webhooks do not send DELETE/)
  t.match(lines.join('\n'), /github: alerts by github: issues .*\ngithub: it alerted of core_a/)
  t.match(lines.join('\n'), /telegram: it lacks id: Gatus sends nothing then/)
  t.notMatch(lines.join('\n'), /gh_secret/)
})

t.test('descriptions are said by as many channels as are worth it', async (t) => {
  const many = Array.from({ length: 30 }, (_, index) =>
    endpoint(`e${index}`, `[{type: n8n, description: "number ${index}"}]`),
  )
  const { channels, monitors, lines } = converted(
    `alerting: {n8n: {webhook-url: "${hook('n8n')}"}}\nendpoints:\n${many.join('')}`,
  )
  t.equal(channels.length, 21)
  t.ok(monitors.every((one) => (one.notifyChannelIds as readonly string[]).length === 1))
  t.equal(lines.filter((line) => line.includes('descriptions and groups')).length, 1)
})

/** Every provider with what it needs. */
const providers = `
alerting:
  custom: {url: "${hook('custom')}"}
  datadog: {api-key: k, site: datadoghq.eu, tags: ["team:a"]}
  discord: {webhook-url: "${hook('discord')}"}
  email: {from: a@example.com, to: "b@example.com,c@example.com", host: mail.example.com, port: 587, password: s3cret}
  gitlab: {webhook-url: "${hook('gitlab')}", authorization-key: k}
  googlechat: {webhook-url: "${hook('googlechat')}"}
  gotify: {server-url: "https://push.example.com", token: t}
  homeassistant: {url: "https://ha.example.com", token: t}
  ifttt: {webhook-key: k, event-name: e}
  incident-io: {url: "https://api.incident.io/v2/alert_events/http/01ABC", auth-token: t, metadata: {a: 1}}
  line: {channel-access-token: t, user-ids: [U4af4980629a1b2c3d4e5f60718293a4b, U5af4980629a1b2c3d4e5f60718293a4b]}
  matrix: {access-token: t, internal-room-id: "!a:example.org"}
  mattermost: {webhook-url: "${hook('mattermost')}"}
  messagebird: {access-key: k, originator: o, recipients: r}
  n8n: {webhook-url: "${hook('n8n')}"}
  newrelic: {insert-key: k, account-id: "1", region: EU}
  ntfy: {topic: alerts, url: "https://ntfy.example.com", token: tk_a}
  opsgenie: {api-key: 0a1b2c3d-0a1b-0a1b}
  pagerduty: {integration-key: R0123456789ABCDEF0123456789ABCDE}
  plivo: {auth-id: i, auth-token: t, from: "+1", to: ["+2", "+3"]}
  pushover: {application-token: azGDORePK8gMaC0QOYAMyEEuzJnyUi, user-key: uQiRzpo4DXghDmr9QzzfQu27cmVRsG}
  rocketchat: {webhook-url: "${hook('rocketchat')}"}
  sendgrid: {api-key: k, from: a@example.com, to: b@example.com}
  signal: {api-url: "https://signal.example.com/v2/send", number: "+15017122661", recipients: ["+15558675310"]}
  signl4: {team-secret: s}
  slack: {webhook-url: "${hook('slack')}"}
  splunk: {hec-url: "https://splunk.example.com:8088", hec-token: t}
  squadcast: {webhook-url: "${hook('squadcast')}"}
  teams: {webhook-url: "${hook('teams')}"}
  teams-workflows: {webhook-url: "${hook('workflows')}"}
  telegram: {token: "123456:ABC-DEF", id: -1001234567890, topic-id: "7"}
  twilio: {sid: ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, token: t, from: "+15017122661", to: "+15558675310"}
  webex: {webhook-url: "${hook('webex')}"}
  zapier: {webhook-url: "${hook('zapier')}"}
  zulip: {bot-email: a@example.com, bot-api-key: k, domain: acme.zulipchat.com, channel-id: "12"}
`

t.test('every provider that has an equivalent becomes a channel that is accepted', async (t) => {
  const types = Object.keys(parse(providers).alerting)
  const alerts = JSON.stringify(types.map((type) => ({ type, description: 'call Ann' })))
  const { channels, lines } = converted(
    `${providers}\nendpoints:\n${endpoint('a', alerts, 'core')}`,
  )
  const names = channels.map(({ name }) => name)
  for (const type of types) {
    t.ok(
      names.some((name) => name === type || name.startsWith(`${type} (`)),
      type,
    )
  }
  for (const { type, config, name } of channels) {
    const definition = channelDefinitions.find((one) => one.type === type)
    if (!definition) return t.fail(`no channel is of the type ${type}`)
    const whole = config as Record<string, unknown>
    t.same(createCheck(definition.config, 10)(whole), [], name)
    t.same(definition.problems?.(whole) ?? [], [], name)
    if (typeof whole.bodyTemplate !== 'string') continue
    const filled = whole.bodyTemplate.replace(/\{\{[#^/].*?\}\}/g, '').replace(/\{\{.*?\}\}/g, '1')
    if (type !== 'custom' && name !== 'custom') {
      t.doesNotThrow(() => filled === '' || JSON.parse(filled.replace('truefalse', 'true')), name)
    }
  }
  t.match(
    channels.find(({ name }) => name.startsWith('teams ')),
    { type: 'teams', isActive: false },
  )
  t.notOk(lines.some((line) => line.includes('no channel was made')))
})
