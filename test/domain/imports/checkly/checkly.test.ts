// Checks, groups, channels and windows of Checkly become ours; each field that its API documents is counted.
import t from 'tap'
import { fromCheckly } from '../../../../src/domain/imports/checkly/checkly.ts'
import { checklyAnswer } from '../../../support/checkly-samples.ts'

const uuid = (number: number) => `73d29e72-6540-4bb5-967e-${String(number).padStart(12, '0')}`
const id = (number: number) => `mon_${String(number).padStart(26, '0')}`
const linesOf = ({ notes }: ReturnType<typeof fromCheckly>) =>
  notes.map(({ name, text, origin }) => `${origin} ${name}: ${text}`).join('\n')

t.test('each kind of check has its counterpart', async (t) => {
  const found = fromCheckly([checklyAnswer])
  const { source, monitors } = found
  t.same(source, { product: 'checkly', installation: 'checklyhq.com' })
  t.same(monitors[0], {
    id: id(1),
    origin: `check/${uuid(1)}`,
    name: 'Site',
    intervalSeconds: 600,
    timeoutMs: 30_000,
    degradedThresholdMs: 15_000,
    failureThreshold: 1,
    recoveryThreshold: 1,
    checkType: 'endpoint',
    url: 'https://www.example.org/',
    method: 'GET',
    expectedStatus: 200,
    acceptedStatuses: ['200'],
    followRedirects: true,
    notifyChannelIds: ['chn_00000000000000000000000011'],
    certificateWarnDays: [21],
    isActive: true,
  })
  t.same(monitors[1], {
    id: id(2),
    origin: `check/${uuid(2)}`,
    name: 'Shop',
    intervalSeconds: 20,
    timeoutMs: 2_000,
    degradedThresholdMs: 500,
    failureThreshold: 8,
    recoveryThreshold: 1,
    retryIntervalSeconds: 10,
    checkType: 'endpoint',
    url: 'https://api.example.org/cart?q=x+y',
    method: 'POST',
    expectedStatus: 100,
    acceptedStatuses: ['100-599'],
    headers: {
      'X-All': 'foo',
      'X-Own': '{{TOKEN}}',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'a=b+c',
    username: 'ann',
    password: 'pass-word-1',
    followRedirects: false,
    ignoreTlsErrors: true,
    ipFamily: 'ipv6',
    assertions: [
      { source: 'status', type: 'lessThan', value: '300' },
      { source: 'json', path: '$.ok', type: 'equals', value: 'true' },
      { source: 'json', path: '$.e', type: 'type', value: 'null' },
      { source: 'header', path: 'X-A', type: 'exists' },
      { source: 'responseTime', type: 'lessThan', value: '900' },
    ],
    notifyChannelIds: ['chn_00000000000000000000000011', 'chn_00000000000000000000000012'],
    reminderMinutes: 15,
    certificateWarnDays: [21],
    isActive: false,
    tags: ['prod', 'auto', 'Shop'],
    description: 'Look twice.',
  })
  t.match(monitors.slice(2), [
    {
      url: 'tcp://mx.example.org:25',
      isUpsideDown: true,
      isActive: false,
      body: 'EHLO x\\n',
      assertions: [{ source: 'body', type: 'contains', value: '220' }],
    },
    {
      url: 'dns://example.org?type=MX&server=192.0.2.53:5353',
      assertions: [{ source: 'body', type: 'contains', value: 'mx' }],
    },
    { url: 'ping://192.0.2.1' },
    { url: 'grpcs://grpc.example.org:443/shop.Cart/Get', body: '{}', headers: { a: 'b' } },
    { checkType: 'ssl', url: 'https://www.example.org:443', certificateWarnDays: [14] },
    { checkType: 'push', intervalSeconds: 7_200, graceSeconds: 300 },
    { checkType: 'browser', url: 'https://www.example.org/', isActive: false },
  ])
  t.equal(monitors.length, 9)
  const lines = linesOf(found)
  t.match(lines, /Shop: its variables TOKEN, whose values are not told/)
  t.match(lines, /Shop: a script that runs before it/)
  t.match(lines, /Shop: its private locations Cellar/)
  t.match(lines, /Shop: the incident on a status page that it begins/)
  t.match(lines, /Shop: its assertion TEXT_BODY a\(\.\*\) EQUALS b/)
  t.match(lines, /Names: that it asks by TCP/)
  t.match(lines, /Router: its losses of packets 50 %/)
  t.match(lines, /Job: its address for pings is a new one/)
  t.match(lines, /Way: its type TRACEROUTE has no equivalent/)
  t.match(lines, /null: the places that it looks from \(eu-west-1\)/)
  t.notMatch(lines, /pass-word-1|-secret-1|ping-token-1/, 'no note has a secret')
})

t.test('channels come along, with the events that they are told of', async (t) => {
  const found = fromCheckly([checklyAnswer])
  const { channels = [], secretsOmitted } = found
  t.match(channels, [
    {
      origin: 'alert-channel/11',
      name: 'ops@example.org',
      type: 'email',
      config: { to: ['ops@example.org'] },
      minSeverity: 'down',
      isActive: true,
    },
    {
      name: 'Hook',
      type: 'webhook',
      config: {
        url: 'https://hook.example.org/x?a=b',
        headers: { 'X-Token': 'header-secret-1' },
        bodyTemplate: '{"text": "{{title}} "}',
      },
      minSeverity: 'degraded',
    },
    { type: 'slack', isActive: false },
  ])
  t.match(String(channels[0]?.events), /certificate\.expiring/)
  t.notMatch(String(channels[1]?.events), /certificate\.expiring|incident\.resolved/)
  t.same(secretsOmitted, ['/channels/2/config/webhookUrl'])
  t.match(found.monitors[2]?.notifyChannelIds, [
    'chn_00000000000000000000000011',
    'chn_00000000000000000000000013',
  ])
  t.match(linesOf(found), /alert-channel\/14 Ann: a voice call is no kind of channel here/)
  t.match(linesOf(found), /Hook: no value here is its \{\{GROUP_NAME\}\}/)
})

t.test('windows are for the checks with their tags', async (t) => {
  const found = fromCheckly([checklyAnswer])
  t.same(found.maintenance, [
    {
      name: 'Nights',
      origin: 'maintenance-window/5',
      monitorIds: [id(2)],
      cron: '0 2 * * *',
      durationMinutes: 90,
      timezone: 'UTC',
    },
  ])
  t.match(linesOf(found), /Nobody: this window was left out: no check here has one of its tags/)
})

t.test('answers that follow each other are one', async (t) => {
  const { readAt, ...lists } = checklyAnswer
  t.same(fromCheckly([...Object.values(lists), { readAt }]), fromCheckly([checklyAnswer]))
})

/** Fields that mean nothing here, with the reason. */
const meaningless: Readonly<Record<string, string>> = {
  frequencyOffset: 'tried with a frequency of 0',
  runParallel: 'every place checks by itself here',
  locations: 'named for all',
  script: 'tried with a browser',
  sslCheckDomain: 'the channels say when it warns',
  groupId: 'tried with the group',
  groupOrder: 'the order of a list there',
  runtimeId: 'which Node runs scripts there',
  doubleCheck: 'its retries have it',
  updated_at: 'when it was changed there',
}

t.test('every field of a check does something', async (t) => {
  const [site] = checklyAnswer.checks
  const changed: Readonly<Record<string, readonly [object, RegExp | object]>> = {
    id: [{ id: uuid(77) }, { origin: `check/${uuid(77)}` }],
    name: [{ name: 'Other' }, { name: 'Other' }],
    description: [{ description: 'x' }, { description: 'x' }],
    checkType: [{ checkType: 'PLAYWRIGHT' }, /its type PLAYWRIGHT/],
    created_at: [{ created_at: '2026-01-01T12:00:00Z' }, /^$/],
    frequency: [{ frequency: 5 }, { intervalSeconds: 300 }],
    activated: [{ activated: false }, { isActive: false }],
    muted: [{ muted: true }, /that it is muted/],
    shouldFail: [
      { shouldFail: true, request: { url: 'https://x/' } },
      { acceptedStatuses: ['400-599'] },
    ],
    privateLocations: [{ privateLocations: ['a'] }, /private locations a/],
    degradedResponseTime: [{ degradedResponseTime: 9 }, { degradedThresholdMs: 9 }],
    maxResponseTime: [{ maxResponseTime: 900 }, { timeoutMs: 900 }],
    environmentVariables: [
      {
        environmentVariables: [{ key: 'A', value: 'b' }],
        request: { url: 'https://x/{{A}}' },
      },
      { url: 'https://x/b' },
    ],
    tags: [{ tags: ['a'] }, { tags: ['a'] }],
    setupSnippetId: [{ setupSnippetId: 4 }, /a snippet that runs before it/],
    tearDownSnippetId: [{ tearDownSnippetId: 4 }, /a snippet that runs after it/],
    localSetupScript: [{ localSetupScript: 'x' }, /a script that runs before it/],
    localTearDownScript: [{ localTearDownScript: 'x' }, /a script that runs after it/],
    alertSettings: [
      { alertSettings: { runBasedEscalation: { failedRunThreshold: 4 } } },
      { failureThreshold: 4 },
    ],
    useGlobalAlertSettings: [{ useGlobalAlertSettings: true }, /alert settings of the account/],
    alertChannelSubscriptions: [
      { alertChannelSubscriptions: [{ alertChannelId: 12, activated: true }] },
      { notifyChannelIds: ['chn_00000000000000000000000012'] },
    ],
    retryStrategy: [{ retryStrategy: { type: 'SINGLE_RETRY' } }, { failureThreshold: 2 }],
    triggerIncident: [{ triggerIncident: { name: 'x' } }, /the incident on a status page/],
    request: [{ request: { url: 'https://x/' } }, { url: 'https://x/' }],
  }
  const { alertChannels } = checklyAnswer
  const since = (change: object | undefined) =>
    fromCheckly([
      {
        checks: [{ ...site, ...change }],
        ...{ results: { [site?.id ?? '']: [] }, readAt: '2026-01-02T12:00:00Z' },
      },
    ]).history?.[0]
  for (const field of Object.keys(site ?? {})) {
    const [change, seen] = changed[field] ?? []
    t.ok((change !== undefined) !== field in meaningless, field)
    const found = fromCheckly([{ checks: [{ ...site, ...change }], alertChannels }])
    if (field === 'created_at') t.match(since(change), { days: { length: 2 } })
    else if (seen instanceof RegExp) t.match(linesOf(found), seen, field)
    else if (seen) t.match(found.monitors[0], seen, field)
  }
})

t.test('the requests of a multistep check become steps, paused', async (t) => {
  const script = `import { test, expect } from '@playwright/test'
test('orders', async ({ request }) => {
  const login = await request.post('https://api.example.org/login', { data: { a: 1 } })
  expect(login).toBeOK()
  await request.get("https://api.example.org/orders?page=1")
  await request.get(\`https://api.example.org/\${id}\`)
})`
  const [site] = checklyAnswer.checks
  const check = { ...site, checkType: 'MULTI_STEP', request: null, script }
  const found = fromCheckly([[check]])
  t.match(found.monitors, [
    {
      ...{ checkType: 'steps', url: 'https://api.example.org', isActive: false },
      steps: [
        { name: 'POST /login', method: 'POST', url: 'https://api.example.org/login' },
        { name: 'GET /orders', url: 'https://api.example.org/orders?page=1' },
      ],
    },
  ])
  t.match(linesOf(found), /its script: 2 of its 3 requests/)
  const bare = fromCheckly([[{ ...check, script: '' }]])
  t.same(bare.monitors, [])
  t.match(linesOf(bare), /makes no request whose address is a text: the monitor was left out/)
})

t.test('nonsense becomes nothing', async (t) => {
  const odd = { checkType: 'API', request: 7 }
  for (const answer of [null, 'x', [], {}, { checks: {} }, { checks: [{}] }, [7, null], [odd]]) {
    t.ok(fromCheckly([answer]).monitors.length <= 1)
  }
})

t.test('a check without channels alerts nobody', async (t) => {
  const [site] = checklyAnswer.checks
  const silent = { ...site, alertChannelSubscriptions: [] }
  t.match(fromCheckly([[silent]]).monitors, [{ alertsNobody: true }])
})
