// Monitors, contacts, windows and pages of UptimeRobot become ours; each field that its API documents is counted.
import t from 'tap'
import { fromUptimerobot } from '../../../../src/domain/imports/uptimerobot/uptimerobot.ts'
import { uptimerobotAnswer } from '../../../support/uptimerobot-samples.ts'

const [site] = uptimerobotAnswer.monitors
const id = (number: number) => `mon_${String(number).padStart(26, '0')}`

t.test('each kind of monitor has its counterpart', async (t) => {
  const { source, monitors, notes } = fromUptimerobot([uptimerobotAnswer])
  t.same(source, { product: 'uptimerobot', installation: 'uptimerobot.com' })
  t.same(monitors[0], {
    id: id(777_749_809),
    origin: 'monitor/777749809',
    name: 'Site',
    intervalSeconds: 300,
    checkType: 'endpoint',
    url: 'https://www.example.org/',
    method: 'GET',
    acceptedStatuses: ['200-399'],
    followRedirects: true,
    timeoutMs: 30_000,
    isActive: true,
    isPublic: true,
    notifyChannelIds: ['chn_00000000000000000000993765'],
    reminderMinutes: 30,
  })
  t.match(monitors[1], {
    method: 'POST',
    bodyContains: 'Cart',
    body: 'a=1&b=x+y',
    headers: { 'X-Shop': 'yes', 'content-type': 'application/x-www-form-urlencoded' },
    username: 'ann',
    password: 'pass-word-1',
    auth: { type: 'digest' },
    acceptedStatuses: ['200-399', '404'],
    ignoreTlsErrors: true,
    timeoutMs: 5_000,
  })
  t.match(monitors[2], { checkType: 'ping', url: 'ping://192.0.2.1', isActive: false })
  t.match(monitors[3], { checkType: 'tcp', url: 'tcp://mx.example.org:25' })
  t.match(monitors[4], { checkType: 'push', intervalSeconds: 3_600, isActive: true })
  t.equal(monitors.length, 5)
  const lines = notes.map(({ name, text, origin }) => `${origin} ${name}: ${text}`).join('\n')
  t.match(lines, /monitor\/777749810 Shop: that its keyword "Cart" may be in capitals or not/)
  t.match(lines, /Shop: the statuses that are down there: 201/)
  t.match(lines, /Job: its address for heartbeats is a new one/)
  t.match(lines, /New: its type 12 has no equivalent/)
  t.notMatch(lines, /pass-word-1|hooks\.slack/, 'no note has a secret')
})

t.test('a keyword that must not be there is one that the service alerts on', async (t) => {
  const item = { ...site, type: 2, keyword_type: 1, keyword_value: 'Error' }
  t.match(fromUptimerobot([{ monitors: [item] }]).monitors, [{ bodyNotContains: 'Error' }])
})

t.test('contacts become channels, with what is told of them', async (t) => {
  const { channels, secretsOmitted, notes } = fromUptimerobot([uptimerobotAnswer])
  t.match(channels, [
    {
      origin: 'contact/993765',
      type: 'email',
      config: { to: ['ops@example.org'] },
      isActive: true,
    },
    { origin: 'contact/993765/after/5', type: 'email', delayMinutes: 5 },
    { name: 'Phone', type: 'twilio', config: {}, isActive: false },
    { type: 'slack', config: { webhookUrl: 'https://hooks.slack.com/services/T/B/x' } },
  ])
  t.same(
    secretsOmitted,
    ['accountSid', 'authToken', 'to'].map((field) => `/channels/2/config/${field}`),
  )
  t.ok(notes.some(({ name, text }) => name === 'Voice' && /left out/.test(text)))
})

t.test('windows that recur, pages and logs come along', async (t) => {
  const { maintenance, statusPages, history, notes } = fromUptimerobot([uptimerobotAnswer])
  const monitorIds = [809, 811, 812, 813].map((end) => id(777_749_000 + end))
  t.same(maintenance, [
    {
      name: 'Sundays',
      origin: 'mwindow/8127',
      monitorIds,
      cron: '30 6 * * 7',
      durationMinutes: 60,
    },
  ])
  t.match(statusPages, [{ name: 'Public', isEnabled: false, publicMonitorIds: { length: 5 } }])
  t.match(history?.[0], {
    origin: 'monitor/777749809',
    outages: [{ fromMs: 1_767_135_600_000, toMs: 1_767_139_200_000, text: 'Error' }],
  })
  t.match(history?.[0]?.days[0], { upMs: 0, downMs: 3_600_000 })
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /Long ago: this window was left out: it is over/)
  t.match(lines, /Public: its domain status\.example\.org/)
})

t.test('answers that follow each other are one', async (t) => {
  const { monitors, alert_contacts, psps } = uptimerobotAnswer
  const [first, ...others] = monitors
  const pages = [{ monitors: [first] }, { monitors: others }, { alert_contacts, psps }]
  t.same(fromUptimerobot(pages).monitors, fromUptimerobot([uptimerobotAnswer]).monitors)
})

/** Fields that mean nothing here, with the reason. */
const meaningless: Readonly<Record<string, string>> = {
  create_datetime: 'when it was made there',
  monitor_group: 'is always 0',
  is_group_main: 'is always 0',
  sub_type: 'tried with the kind of port',
  keyword_type: 'tried with its value',
  mwindows: 'tried with the windows',
  logs: 'tried with the history',
}

t.test('every field of a monitor does something', async (t) => {
  const changed: Readonly<Record<string, readonly [object, RegExp | object]>> = {
    id: [{ id: 5 }, { origin: 'monitor/5' }],
    friendly_name: [{ friendly_name: 'Other' }, { name: 'Other' }],
    url: [{ url: 'https://x.example/' }, { url: 'https://x.example/' }],
    type: [{ type: 3 }, { checkType: 'ping' }],
    keyword_case_type: [{ type: 2, keyword_value: 'a', keyword_case_type: 1 }, /capitals/],
    keyword_value: [{ type: 2, keyword_value: 'a' }, { bodyContains: 'a' }],
    http_username: [{ http_username: 'ann' }, { username: 'ann' }],
    http_password: [{ http_password: 'p' }, { password: 'p' }],
    http_auth_type: [{ http_auth_type: 2 }, { auth: { type: 'digest' } }],
    http_method: [{ http_method: 1 }, { method: 'HEAD' }],
    port: [{ type: 4, port: 99 }, { url: /:99$/ }],
    interval: [{ interval: 60 }, { intervalSeconds: 60 }],
    timeout: [{ timeout: 9 }, { timeoutMs: 9_000 }],
    status: [{ status: 0 }, { isActive: false }],
    alert_contacts: [{ alert_contacts: [{ id: '1', recurrence: 9 }] }, { reminderMinutes: 9 }],
    ssl: [{ ssl: { ignore_errors: 1 } }, { ignoreTlsErrors: true }],
    custom_http_headers: [{ custom_http_headers: { A: 'b' } }, { headers: { A: 'b' } }],
    custom_http_statuses: [
      { custom_http_statuses: { up: [401] } },
      { acceptedStatuses: ['200-399', '401'] },
    ],
  }
  for (const field of Object.keys(site ?? {})) {
    const [change, seen] = changed[field] ?? []
    t.ok((change !== undefined) !== field in meaningless, field)
    const { monitors, notes } = fromUptimerobot([{ monitors: [{ ...site, ...change }] }])
    if (seen instanceof RegExp) t.match(notes.map(({ text }) => text).join('\n'), seen, field)
    else if (seen) t.match(monitors[0], seen, field)
  }
})

t.test('nonsense becomes nothing', async (t) => {
  for (const answer of [null, 'x', [], {}, { monitors: {} }, { monitors: [], psps: 7 }]) {
    t.same(fromUptimerobot([answer]).monitors, [])
  }
  t.throws(() => fromUptimerobot([{ monitors: [{ name: 'x' }] }]), { name: 'ForeignFileRefused' })
})
