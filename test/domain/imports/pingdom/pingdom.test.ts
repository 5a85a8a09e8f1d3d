// Checks, teams, contacts, windows and outages of Pingdom become ours; each field that its API documents is counted.
import t from 'tap'
import { fromPingdom } from '../../../../src/domain/imports/pingdom/pingdom.ts'
import { pingdomAnswer } from '../../../support/pingdom-samples.ts'

const id = (number: number) => `mon_${String(number).padStart(26, '0')}`
const linesOf = ({ notes }: ReturnType<typeof fromPingdom>) =>
  notes.map(({ name, text, origin }) => `${origin} ${name}: ${text}`).join('\n')

t.test('each kind of check has its counterpart', async (t) => {
  const found = fromPingdom([pingdomAnswer])
  const { source, monitors } = found
  t.same(source, { product: 'pingdom', installation: 'pingdom.com' })
  t.same(monitors[0], {
    id: id(85_975),
    origin: 'check/85975',
    name: 'Site',
    intervalSeconds: 60,
    timeoutMs: 30_000,
    checkType: 'endpoint',
    url: 'https://www.example.org/',
    method: 'GET',
    acceptedStatuses: ['200-399'],
    isActive: true,
    failureThreshold: 2,
    notifyChannelIds: [
      'chn_00000000000000000000000001',
      'chn_20000000000000000000000001',
      'chn_10000000000000000000000003',
    ],
  })
  t.same(monitors[1], {
    id: id(85_976),
    origin: 'check/85976',
    name: 'Shop',
    intervalSeconds: 300,
    timeoutMs: 2_300,
    checkType: 'endpoint',
    url: 'https://www.example.org:8443/cart?a=1',
    method: 'POST',
    acceptedStatuses: ['200-399'],
    headers: { 'X-Shop': 'yes', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=1&b=2',
    username: 'ann',
    password: 'pass-word-1',
    bodyContains: 'Cart',
    assertions: [{ source: 'certificateDays', type: 'greaterThan', value: '7' }],
    ipFamily: 'ipv6',
    isActive: true,
    failureThreshold: 3,
    reminderMinutes: 30,
    tags: ['apache'],
    description: 'Call Ann.',
  })
  t.match(monitors[2], {
    url: 'http://www.example.org/status.xml',
    responseFormat: 'xml',
    assertions: [{ path: 'pingdom_http_custom_check > status', value: 'OK' }],
    isActive: false,
  })
  t.match(monitors[3], { checkType: 'ping', url: 'ping://192.0.2.1', isActive: true })
  t.match(monitors[4], {
    url: 'tcp://www.example.org:22',
    body: 'a\\\\b\\n',
    bodyContains: 'SSH',
  })
  t.match(monitors[5], { checkType: 'udp', url: 'udp://www.example.org:53', bodyContains: 'y' })
  t.match(monitors[6], {
    url: 'dns://example.org?type=A&server=192.0.2.53',
    assertions: [{ path: '$.records[*]', value: '192.0.2.7' }],
  })
  t.match(monitors[7], { url: 'smtp://www.example.org:25', bodyContains: '220' })
  t.match(monitors[8], { url: 'imaps://www.example.org:993' })
  t.match(monitors[9], { name: 'Unread', url: 'http://www.example.org/', isActive: false })
  t.equal(monitors.length, 10)
  const lines = linesOf(found)
  t.match(lines, /check\/85976 Shop: that it is checked from region: NA: choose locations/)
  t.match(lines, /Shop: its integrations 33: what they are is not told/)
  t.match(lines, /Shop: that nobody is told when it is up again/)
  t.match(lines, /Shop: that its importance is low/)
  t.match(lines, /Status: its further addresses b\.example\.org\/status\.xml/)
  t.match(lines, /Mail: that it signs in/)
  t.match(lines, /Box: its text "OK" in the greeting/)
  t.match(lines, /Unread: what is set of it was not read: it is paused/)
  t.match(lines, /New: its type "teapot" has no equivalent/)
  t.match(lines, /transaction\/3 Buy: what it does is not told: a transaction was left out/)
  t.notMatch(lines, /pass-word-1|smtp-secret/, 'no note has a secret')
})

t.test('teams and contacts that checks name become channels', async (t) => {
  const found = fromPingdom([pingdomAnswer])
  t.same(found.channels, [
    {
      id: 'chn_00000000000000000000000001',
      origin: 'team/1/email',
      name: 'Ops',
      type: 'email',
      config: { to: ['ann@example.org', 'bob@example.org'] },
      isActive: true,
      isDefault: false,
    },
    {
      id: 'chn_20000000000000000000000001',
      origin: 'team/1/twilio',
      name: 'Ops',
      type: 'twilio',
      config: { to: ['+1111111111'] },
      isActive: false,
      isDefault: false,
    },
    {
      id: 'chn_10000000000000000000000003',
      origin: 'contact/3/email',
      name: 'Eve',
      type: 'email',
      config: { to: ['eve@example.org'] },
      isActive: false,
      isDefault: false,
    },
  ])
  t.same(found.secretsOmitted, ['/channels/1/config/accountSid', '/channels/1/config/authToken'])
  t.match(linesOf(found), /team\/1 Ops: push to telephones: only in their app/)
  t.match(linesOf(found), /team\/1 Ops: that some addresses are for alerts of low importance/)
})

t.test('windows and outages come along', async (t) => {
  const found = fromPingdom([pingdomAnswer])
  t.same(found.maintenance, [
    {
      name: 'Sundays',
      origin: 'maintenance/7',
      monitorIds: [id(85_975), id(85_976)],
      cron: '30 6 * * 0',
      durationMinutes: 90,
      timezone: 'UTC',
    },
    {
      name: 'Coming',
      origin: 'maintenance/8',
      monitorIds: [id(85_975)],
      startsAt: '2026-02-07T06:30:00.000Z',
      endsAt: '2026-02-07T08:00:00.000Z',
    },
  ])
  const lines = linesOf(found)
  t.match(lines, /Sundays: that it ends on 2026-12-07/)
  t.match(lines, /Odd: this window was left out: it recurs every 2 of week/)
  const hourMs = 3_600_000
  t.match(found.history, [
    {
      origin: 'check/85975',
      days: [
        { upMs: 23 * hourMs, downMs: hourMs },
        { upMs: 0, downMs: hourMs },
      ],
      outages: [{ fromMs: Date.parse('2025-12-31T23:00Z'), toMs: Date.parse('2026-01-01T01:00Z') }],
    },
  ])
})

t.test('what is told of each check is enough', async (t) => {
  const { details, teams, contacts } = pingdomAnswer
  const found = fromPingdom([...details, { teams }, { contacts }])
  t.same(found.monitors, fromPingdom([pingdomAnswer]).monitors.slice(0, 9))
})

/** Fields that mean nothing here, with the reason. */
const meaningless: Readonly<Record<string, string>> = {
  created: 'when it was made there',
  lasterrortime: 'its state there',
  lasttesttime: 'its state there',
  lastresponsetime: 'its state there',
  lastdownstart: 'the outages have it',
  lastdownend: 'the outages have it',
  teams: 'tried with the channels',
  userids: 'tried with the channels',
}

t.test('every field of a check does something', async (t) => {
  const [site] = pingdomAnswer.details
  const changed: Readonly<Record<string, readonly [object, RegExp | object]>> = {
    id: [{ id: 5 }, { origin: 'check/5' }],
    name: [{ name: 'Other' }, { name: 'Other' }],
    hostname: [{ hostname: 'x.example' }, { url: 'https://x.example/' }],
    resolution: [{ resolution: 15 }, { intervalSeconds: 900 }],
    status: [{ status: 'paused' }, { isActive: false }],
    paused: [{ paused: true }, { isActive: false }],
    ipv6: [{ ipv6: true }, { ipFamily: 'ipv6' }],
    integrationids: [{ integrationids: [1] }, /integrations 1/],
    notifyagainevery: [{ notifyagainevery: 7 }, { reminderMinutes: 7 }],
    notifywhenbackup: [{ notifywhenbackup: false }, /up again/],
    probe_filters: [{ probe_filters: ['region:EU'] }, /region:EU/],
    sendnotificationwhendown: [{ sendnotificationwhendown: 5 }, { failureThreshold: 5 }],
    responsetime_threshold: [{ responsetime_threshold: 900 }, { timeoutMs: 900 }],
    severity_level: [{ severity_level: 'LOW' }, /importance is low/],
    custom_message: [{ custom_message: 'x' }, { description: 'x' }],
    tags: [{ tags: [{ name: 'a' }] }, { tags: ['a'] }],
    type: [{ type: { ping: {} } }, { checkType: 'ping' }],
  }
  for (const field of Object.keys(site?.check ?? {})) {
    const [change, seen] = changed[field] ?? []
    t.ok((change !== undefined) !== field in meaningless, field)
    const found = fromPingdom([{ check: { ...site?.check, ...change } }])
    if (seen instanceof RegExp) t.match(linesOf(found), seen, field)
    else if (seen) t.match(found.monitors[0], seen, field)
  }
})

t.test('every field of an HTTP check does something', async (t) => {
  const web = { url: '/a', encryption: true, port: 443, requestheaders: {} }
  const changed: Readonly<Record<string, readonly [object, object]>> = {
    url: [{ url: '/b' }, { url: 'https://www.example.org/b' }],
    encryption: [{ encryption: false, port: 80 }, { url: 'http://www.example.org/a' }],
    port: [{ port: 444 }, { url: 'https://www.example.org:444/a' }],
    auth: [{ auth: 'ann:a:b' }, { username: 'ann', password: 'a:b' }],
    shouldcontain: [{ shouldcontain: 'x' }, { bodyContains: 'x' }],
    shouldnotcontain: [{ shouldnotcontain: 'x' }, { bodyNotContains: 'x' }],
    postdata: [{ postdata: 'x' }, { method: 'POST', body: 'x' }],
    requestheaders: [{ requestheaders: ['A: b:c'] }, { headers: { A: 'b:c' } }],
    verify_certificate: [{ verify_certificate: false }, { ignoreTlsErrors: true }],
    ssl_down_days_before: [{ ssl_down_days_before: 3 }, { assertions: [{ value: '3' }] }],
  }
  const [{ check } = { check: {} }] = pingdomAnswer.details
  for (const [field, [change, seen]] of Object.entries(changed)) {
    const type = { http: { ...web, ...change } }
    t.match(fromPingdom([{ check: { ...check, type } }]).monitors[0], seen, field)
  }
})

t.test('nonsense becomes nothing', async (t) => {
  for (const answer of [
    null,
    'x',
    [],
    {},
    { checks: {} },
    { checks: [], outages: 7 },
    { check: 7 },
  ]) {
    t.same(fromPingdom([answer]).monitors, [])
  }
})

t.test('a check without contacts alerts nobody', async (t) => {
  const [site] = pingdomAnswer.details
  const silent = { ...site?.check, teams: [], userids: [] }
  t.match(fromPingdom([{ check: silent }]).monitors, [{ alertsNobody: true }])
})
