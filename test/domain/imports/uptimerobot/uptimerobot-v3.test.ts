// What version 3 of the API of UptimeRobot tells becomes ours; each field that it documents is counted.
import t from 'tap'
import { fromUptimerobot } from '../../../../src/domain/imports/uptimerobot/uptimerobot.ts'
import { uptimerobotV3Answer } from '../../../support/uptimerobot-v3-samples.ts'

const id = (number: number) => `mon_${String(800_000_000 + number).padStart(26, '0')}`
const linesOf = ({ notes }: ReturnType<typeof fromUptimerobot>) =>
  notes.map(({ name, text, origin }) => `${origin} ${name}: ${text}`).join('\n')

t.test('each kind of monitor has its counterpart', async (t) => {
  const found = fromUptimerobot([uptimerobotV3Answer])
  const { source, monitors } = found
  t.same(source, { product: 'uptimerobot', installation: 'uptimerobot.com' })
  t.same(monitors[0], {
    id: id(1),
    origin: 'monitor/800000001',
    name: 'Site',
    intervalSeconds: 300,
    timeoutMs: 30_000,
    checkType: 'endpoint',
    url: 'https://www.example.org/',
    method: 'HEAD',
    expectedStatus: 200,
    acceptedStatuses: ['200-299', '300-399'],
    followRedirects: true,
    certificateWarnDays: [],
    isActive: true,
    isPublic: true,
    notifyChannelIds: ['chn_00000000000000000009100001'],
    reminderMinutes: 30,
  })
  t.same(monitors[1], {
    id: id(2),
    origin: 'monitor/800000002',
    name: 'Shop & Cart',
    intervalSeconds: 300,
    timeoutMs: 5_000,
    ipFamily: 'ipv4',
    degradedThresholdMs: 2_000,
    degradedOpensIncident: true,
    checkType: 'endpoint',
    url: 'https://www.example.org/',
    method: 'POST',
    expectedStatus: 201,
    acceptedStatuses: ['201', '400-499'],
    headers: { 'X-Shop': 'yes', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=1&b=x+y',
    username: 'ann',
    password: 'pass-word-1',
    auth: { type: 'digest' },
    followRedirects: true,
    ignoreTlsErrors: true,
    certificateWarnDays: [7, 14],
    failureThreshold: 2,
    bodyContains: 'Cart',
    isActive: true,
    tags: ['prod', 'Shops'],
    description: 'team: shop',
    notifyChannelIds: ['chn_10005000000000000009100001'],
    isPublic: true,
  })
  t.match(monitors[2], { checkType: 'ping', url: 'ping://192.0.2.1', isActive: false })
  t.match(monitors[3], { checkType: 'tcp', url: 'tcp://mx.example.org:25' })
  t.match(monitors[4], { checkType: 'push', intervalSeconds: 86_400, graceSeconds: 3_600 })
  t.match(monitors.slice(5, 8), [
    {
      origin: 'monitor/800000006/A',
      name: 'Names (A)',
      url: 'dns://example.org?type=A',
      assertions: [{ path: '$.records[*]', type: 'equals', value: '192.0.2.7' }],
    },
    {
      id: `mon_1${id(6).slice(5)}`,
      url: 'dns://example.org?type=MX',
      assertions: [{ path: '$.records[*].exchange', value: 'mx.example.org' }],
    },
    {
      url: 'dns://example.org?type=SRV',
      assertions: [{ path: '$.records[*].text', value: '0 5 443 a.example.org' }],
    },
  ])
  t.match(monitors[8], {
    method: 'GET',
    headers: { authorization: 'Bearer bearer-token-1' },
    assertions: [
      { source: 'json', path: '$.status', type: 'equals', value: 'ok' },
      { path: '$.count', type: 'greaterThan', value: '0' },
      { path: '$.error', type: 'type', value: 'null' },
      { path: '$.value', type: 'notEquals', value: 'null' },
      { source: 'status', type: 'equals', value: '200' },
    ],
  })
  t.match(monitors[9], {
    checkType: 'udp',
    url: 'udp://game.example.org:27015',
    body: 'pi\\\\ng\\n',
  })
  t.match(monitors[10], {
    origin: 'domain/example.org',
    checkType: 'domain',
    domainWarnDays: [30, 14, 7, 1],
    notifyChannelIds: ['chn_10005000000000000009100001'],
  })
  t.equal(monitors.length, 11)
  const lines = linesOf(found)
  t.match(
    lines,
    /monitor\/800000002 Shop & Cart: that its keyword "Cart" may be in capitals or not/,
  )
  t.match(lines, /Shop & Cart: that it is checked from Europe, Asia: choose locations/)
  t.match(lines, /Job: its address for heartbeats is a new one/)
  t.match(lines, /Names: its records of the types DNSKEY/)
  t.match(lines, /API: its assertion body equals x/)
  t.match(lines, /Game: that 50 % of its packets may be lost/)
  t.match(lines, /Look: its type VISUAL_COMPARISON has no equivalent/)
  t.notMatch(lines, /pass-word-1|bearer-token-1|hook-secret-1|hooks\.slack|secrettoken/)
})

t.test('integrations become channels, with the events that they are told of', async (t) => {
  const found = fromUptimerobot([uptimerobotV3Answer])
  const { channels = [], secretsOmitted } = found
  t.match(channels, [
    { origin: 'contact/9100001', name: 'Ops', type: 'slack', isActive: true },
    { origin: 'contact/9100001/after/5', name: 'Ops, after 5 min', delayMinutes: 5 },
    { name: 'email', config: { to: ['ops@example.org'] } },
    {
      type: 'webhook',
      config: {
        url: 'https://hook.example/',
        headers: { 'X-Token': 'hook-secret-1' },
        bodyTemplate: /^\{"text": "\{\{data\.monitors\.0\.name\}\} is \{\{#.*Up.*Down.*, "\}$/,
      },
    },
    {
      type: 'pagerduty',
      config: { routingKey: 'a'.repeat(32), url: 'https://events.eu.pagerduty.com/v2/enqueue' },
    },
    { name: 'Quiet', isActive: false },
    { type: 'telegram', config: { chatId: '-100123' }, isActive: false },
  ])
  t.notOk(channels[0] && 'events' in channels[0], 'all events')
  const events = (at: number): unknown => channels[at + 1]?.events
  t.notMatch(events(1), /incident\.resolved|certificate\.expiring/)
  t.match(events(1), ['incident.opened'])
  t.notMatch(String(events(3)), /incident\.resolved/)
  t.match(String(events(3)), /certificate\.expiring/)
  t.same(secretsOmitted, ['/channels/6/config/botToken'])
  const lines = linesOf(found)
  t.match(lines, /contact\/9100005 Phone: a voice call is no kind of channel here/)
  t.match(lines, /Hook: no value here is its \$sslExpiryDate/)
  t.match(lines, /Hook: the query that it adds to the address/)
})

t.test('windows, pages and incidents come along', async (t) => {
  const found = fromUptimerobot([uptimerobotV3Answer])
  const { maintenance, statusPages, history } = found
  t.match(maintenance, [
    {
      name: 'Sundays',
      origin: 'mwindow/71',
      monitorIds: [id(1)],
      cron: '30 6 * * 7',
      durationMinutes: 90,
    },
    { name: 'Of one', monitorIds: [id(2)], cron: '30 6 10,L * *' },
    { name: 'All', monitorIds: { length: 10 }, cron: '30 6 * * *' },
    {
      name: 'Coming',
      startsAt: '2026-02-01T06:30:00.000Z',
      endsAt: '2026-02-01T08:00:00.000Z',
    },
  ])
  t.equal(maintenance?.length, 4)
  t.same(statusPages, [
    {
      name: 'Public',
      origin: 'psp/123',
      isEnabled: false,
      publicMonitorIds: [id(1), id(2)],
      noindex: true,
      allowsSubscribers: true,
      showMonitoredBy: false,
      showHistory: false,
      showUptime: true,
      showIncidents: true,
      layout: 'compact',
      logoUrl: 'https://cdn.example.org/logo.png',
      headLinks: [{ label: 'www.example.org', url: 'https://www.example.org/' }],
      theme: { accent: '#112233', mode: 'dark' },
    },
  ])
  t.match(history?.[0], {
    origin: 'monitor/800000001',
    outages: [
      {
        fromMs: Date.parse('2025-12-31T23:00Z'),
        toMs: Date.parse('2026-01-01T01:00Z'),
        text: '503 Service Unavailable',
      },
      { isDegraded: true, text: '503 Service Unavailable' },
    ],
  })
  const hourMs = 3_600_000
  t.match(history?.[0]?.days.slice(-2), [
    { startMs: Date.parse('2025-12-31T00:00Z'), upMs: 23 * hourMs, downMs: hourMs },
    { upMs: 23 * hourMs, downMs: hourMs },
  ])
  t.equal(history?.[0]?.days.length, 32, 'since it is there')
  const mail = history?.find(({ origin }) => origin === 'monitor/800000004')
  t.match(mail?.outages, [{ toMs: null }])
  const lines = linesOf(found)
  t.match(lines, /Over: this window was left out: it is over/)
  t.match(lines, /Held: this window was left out: it is paused there/)
  t.match(lines, /All: its time zone is that of the account there/)
  t.match(lines, /Public: its domain status\.example\.org/)
  t.match(lines, /Public: its password is not told/)
  t.notMatch(lines, /incidents of other types/)
})

t.test('answers that follow each other are one', async (t) => {
  const { readAt, ...lists } = uptimerobotV3Answer
  const answers = Object.values(lists).map((data) => ({ data, nextLink: null }))
  const { history: _, ...found } = fromUptimerobot([...answers, { readAt }])
  const { history: __, ...whole } = fromUptimerobot([uptimerobotV3Answer])
  t.same(found, whole)
})

t.test('one of several assertions cannot be enough', async (t) => {
  const monitor = uptimerobotV3Answer.monitors.find(({ type }) => type === 'API')
  const checks = [
    { property: '$.a', comparison: 'equals', target: 1 },
    { property: '$.b', comparison: 'equals', target: 2 },
  ]
  const config = { apiAssertions: { logic: 'OR', checks } }
  const found = fromUptimerobot([{ monitors: [{ ...monitor, config }] }])
  t.notOk(found.monitors[0] && 'assertions' in found.monitors[0])
  t.match(linesOf(found), /that one of these is enough: \$\.a equals 1 or \$\.b equals 2/)
})

/** Fields that mean nothing here, with the reason. */
const meaningless: Readonly<Record<string, string>> = {
  sslBrand: 'what the last check saw',
  sslExpiryDateTime: 'what the last check saw',
  domainExpireDate: 'what the last check saw',
  currentStateDuration: 'its state there',
  lastIncidentId: 'the incidents have it',
  lastIncident: 'the incidents have it',
  lastDayUptimes: 'the incidents have it',
  userId: 'whose account it is',
  apiKey: 'a key of its own for their API',
  psps: 'the pages have it',
  maintenanceWindows: 'tried with the windows',
  keywordType: 'tried with its value',
  postValueType: 'tried with the body',
  createDateTime: 'tried with the history',
}

t.test('every field of a monitor does something', async (t) => {
  const [site] = uptimerobotV3Answer.monitors
  const changed: Readonly<Record<string, readonly [object, RegExp | object]>> = {
    type: [{ type: 'PING' }, { checkType: 'ping' }],
    interval: [{ interval: 60 }, { intervalSeconds: 60 }],
    checkSSLErrors: [{ checkSSLErrors: false }, { ignoreTlsErrors: true }],
    sslExpirationReminder: [
      { sslExpirationReminder: true },
      { certificateWarnDays: [30, 14, 7, 1] },
    ],
    domainExpirationReminder: [{ domainExpirationReminder: true }, { name: 'Site' }],
    followRedirections: [{ followRedirections: false }, { followRedirects: false }],
    authType: [{ authType: 'DIGEST', httpUsername: 'a' }, { auth: { type: 'digest' } }],
    httpUsername: [{ httpUsername: 'ann' }, { username: 'ann' }],
    httpPassword: [{ httpPassword: 'p' }, { password: 'p' }],
    customHttpHeaders: [{ customHttpHeaders: { A: 2 } }, { headers: { A: '2' } }],
    httpMethodType: [{ httpMethodType: 'QUERY' }, /its method QUERY/],
    successHttpResponseCodes: [{ successHttpResponseCodes: ['404'] }, { expectedStatus: 404 }],
    timeout: [{ timeout: 9 }, { timeoutMs: 9_000 }],
    postValueData: [
      { httpMethodType: 'POST', postValueData: { a: 1 } },
      { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    ],
    port: [{ type: 'PORT', port: 99 }, { url: /:99$/ }],
    gracePeriod: [{ type: 'HEARTBEAT', gracePeriod: 99 }, { graceSeconds: 99 }],
    keywordValue: [{ type: 'KEYWORD', keywordValue: 'a' }, { bodyContains: 'a' }],
    keywordCaseType: [{ type: 'KEYWORD', keywordValue: 'a', keywordCaseType: 1 }, /capitals/],
    responseTimeThreshold: [{ responseTimeThreshold: 900 }, { degradedThresholdMs: 900 }],
    config: [{ config: { ipVersion: 'ipv6Only' } }, { ipFamily: 'ipv6' }],
    regionalData: [{ regionalData: { REGION: ['oc'], MANUAL_SELECTED: true } }, /from Oceania/],
    id: [{ id: 5 }, { origin: 'monitor/5' }],
    friendlyName: [{ friendlyName: 'Other' }, { name: 'Other' }],
    status: [{ status: 'PAUSED' }, { isActive: false }],
    url: [{ url: 'https://x.example/' }, { url: 'https://x.example/' }],
    tags: [{ tags: [{ name: 'a' }] }, { tags: ['a'] }],
    assignedAlertContacts: [
      { assignedAlertContacts: [{ alertContactId: 1, recurrence: 9 }] },
      { reminderMinutes: 9 },
    ],
    groupId: [{ groupId: 29 }, { tags: ['Shops'] }],
    customFields: [{ customFields: { a: 'b' } }, { description: 'a: b' }],
  }
  const { monitorGroups } = uptimerobotV3Answer
  for (const field of Object.keys(site ?? {})) {
    const [change, seen] = changed[field] ?? []
    t.ok((change !== undefined) !== field in meaningless, field)
    const found = fromUptimerobot([{ monitors: [{ ...site, ...change }], monitorGroups }])
    if (seen instanceof RegExp) t.match(linesOf(found), seen, field)
    else if (seen) t.match(found.monitors[0], seen, field)
  }
})

t.test('nonsense becomes nothing', async (t) => {
  const odd = [{ friendlyName: 7 }, { friendlyName: 'x', config: 7, tags: {}, id: {} }]
  for (const answer of [{ data: odd }, { monitors: odd, psps: 7, incidents: [{}] }]) {
    t.same(fromUptimerobot([answer]).monitors, [])
  }
})
