// Endpoints of Gatus become monitors, with their conditions as expectations.
import t from 'tap'
import { goSpanMs, readCondition } from '../../../../src/domain/imports/gatus/conditions.ts'
import { fromGatus } from '../../../../src/domain/imports/gatus/gatus.ts'
import { gatusConfig } from '../../../support/foreign-samples.ts'

t.test('endpoints keep their targets, pace and conditions', async (t) => {
  const { channels, monitors, notes } = fromGatus(gatusConfig)
  const named = (name: string) => monitors.find((one) => one.name === name)
  t.same(named('front-end'), {
    id: monitors[0]?.id,
    origin: 'endpoint/core_front-end',
    notifyChannelIds: [channels?.[0]?.id],
    isPublic: true,
    name: 'front-end',
    checkType: 'endpoint',
    url: 'https://example.org/health',
    isActive: true,
    tags: ['core'],
    intervalSeconds: 300,
    timeoutMs: 3_000,
    degradedThresholdMs: null,
    failureThreshold: 5,
    recoveryThreshold: 1,
    method: 'GET',
    headers: {},
    ignoreTlsErrors: true,
    expectedStatus: 200,
    acceptedStatuses: ['200', '429'],
    assertions: [
      { source: 'json', path: '$.status', type: 'equals', value: 'UP' },
      { source: 'responseTime', type: 'lessThan', value: '150' },
      { source: 'certificateDays', type: 'greaterOrEqual', value: '2' },
    ],
  })
  t.match(named('front-end (domain)'), {
    checkType: 'domain',
    url: 'domain://example.org',
    domainWarnDays: [30],
  })
  t.match(named('api'), {
    method: 'POST',
    body: '{"query":"{ user }"}',
    headers: { 'Content-Type': 'application/json' },
    acceptedStatuses: ['100-599'],
    assertions: [{ source: 'status', type: 'lessThan', value: '500' }],
    failureThreshold: 3,
    recoveryThreshold: 2,
  })
  t.match(named('dns'), {
    url: 'dns://example.com?type=A&server=8.8.8.8',
    bodyContains: '93.184.216.34',
  })
  t.match(named('ping'), { checkType: 'ping', url: 'ping://example.org' })
  t.match(named('port'), { checkType: 'tcp', isActive: false, intervalSeconds: 30 })
  t.match(named('mail'), { url: 'smtp://mx.example.org:587?starttls=required' })
  t.match(named('job'), { checkType: 'push', intervalSeconds: 1_800, tags: ['ops'] })
  t.match(named('udp'), { checkType: 'udp', url: 'udp://example.org:53', body: '\\\\ping' })
  t.match(named('bastion'), {
    checkType: 'ssh',
    url: 'ssh://bastion.example.org:2222',
    username: undefined,
    body: undefined,
  })
  t.equal(named('sctp'), undefined)
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /sctp: .*left out/)
  t.match(lines, /bastion: SSH: no command is run/)
  t.match(lines, /front-end: its client\.dns-resolver/)
  t.match(channels, [{ type: 'slack', config: { webhookUrl: 'https://example.com' } }])
})

t.test('conditions that have no equivalent are told, not guessed', async (t) => {
  const read = (text: string) => readCondition(text, false)
  const assertion = (one: object) => ({ kind: 'assertion', assertion: one })
  t.same(
    read('[BODY].items[0].user-name != x'),
    assertion({
      source: 'json',
      path: "$.items[0]['user-name']",
      type: 'notEquals',
      value: 'x',
    }),
  )
  t.same(
    read('[BODY] == pat(ok.*)'),
    assertion({
      source: 'body',
      type: 'regex',
      value: '^ok\\.(?s:.*)$',
    }),
  )
  t.same(
    read('[BODY] == pat(*ok.*)'),
    assertion({ source: 'body', type: 'contains', value: 'ok.' }),
  )
  t.same(
    read('[BODY].state != pat(*failed*)'),
    assertion({ source: 'json', path: '$.state', type: 'notContains', value: 'failed' }),
  )
  t.same(
    read('len([BODY].list) == 3'),
    assertion({
      source: 'json',
      path: '$.list',
      type: 'lengthEquals',
      value: '3',
    }),
  )
  t.same(
    read('has([BODY].error) == false'),
    assertion({
      source: 'json',
      path: '$.error',
      type: 'notExists',
    }),
  )
  for (const text of [
    '[BODY].list[?@.id==1] == x',
    'len([BODY].list) > 3',
    '[STATUS] != any(200, 201)',
    '[CONNECTED] != false',
    '[CONTEXT].x == 1',
    'nonsense',
  ]) {
    t.same(read(text), { kind: 'unknown' }, text)
  }
  t.same(
    [goSpanMs('1h30m'), goSpanMs('500ms'), goSpanMs('2'), goSpanMs('soon')],
    [5_400_000, 500, undefined, undefined],
  )
})

t.test('a first and a last status are a range, and labels may have several tags', async (t) => {
  const endpoint = (conditions: string[]) => {
    const item = { name: 'A', group: 'shop', url: 'https://example.org', conditions }
    return fromGatus({ endpoints: [{ ...item, 'extra-labels': { tags: 'eu,prod', team: 'x' } }] })
  }
  t.match(endpoint(['[STATUS] >= 200', '[STATUS] <= 299']).monitors, [
    { expectedStatus: 200, acceptedStatuses: ['200-299'], assertions: undefined },
  ])
  const several = endpoint(['[STATUS] >= 200', '[STATUS] <= 299', '[STATUS] != 204'])
  t.match(several.monitors, [
    { acceptedStatuses: ['100-599'], tags: ['shop', 'eu', 'prod', 'team: x'] },
  ])
})

t.test(
  'a port that must be closed is upside down, if nothing else is expected of it',
  async (t) => {
    const endpoint = (conditions: string[]) => {
      const item = { name: 'Admin', url: 'tcp://192.0.2.1:8443', conditions }
      return fromGatus({ endpoints: [item] })
    }
    t.match(endpoint(['[CONNECTED] == false']).monitors, [{ checkType: 'tcp', isUpsideDown: true }])
    const both = endpoint(['[CONNECTED] == false', '[RESPONSE_TIME] < 500'])
    t.notHas(both.monitors[0], { isUpsideDown: true })
    t.match(both.notes, [{ text: 'its condition [CONNECTED] == false' }])
  },
)

t.test('a health check of gRPC stays one', async (t) => {
  const conditions = ['[CONNECTED] == true', '[BODY].status == SERVING', '[RESPONSE_TIME] < 500']
  const endpoint = { name: 'Orders', url: 'grpcs://api.example.com:443', conditions }
  const { monitors, notes } = fromGatus({ endpoints: [endpoint] })
  t.match(monitors, [{ checkType: 'grpc', url: endpoint.url }])
  t.same(monitors[0]?.assertions, [{ source: 'responseTime', type: 'lessThan', value: '500' }])
  t.same(notes, [])
})

t.test('client credentials of OAuth 2 are kept', async (t) => {
  const oauth2 = {
    'token-url': 'https://id.example.com/token',
    ...{ 'client-id': 'check', 'client-secret': 's3cret', scopes: ['read', 'write'] },
  }
  const endpoint = { name: 'API', url: 'https://api.example.com/', client: { oauth2 } }
  const { monitors, notes } = fromGatus({ endpoints: [endpoint] })
  t.match(monitors, [
    {
      username: 'check',
      password: 's3cret',
      auth: { type: 'oauth2', tokenUrl: 'https://id.example.com/token', scope: 'read write' },
    },
  ])
  t.same(notes, [])
})

t.test('labels, reminders and the family of ICMP are kept', (t) => {
  const { monitors, notes } = fromGatus({
    endpoints: [
      {
        ...{ name: 'Router', url: 'icmp://192.0.2.1', group: 'core', client: { network: 'ip4' } },
        ...{ conditions: ['[CONNECTED] == true'], 'extra-labels': { team: 'net' } },
        alerts: [
          { type: 'slack', 'minimum-reminder-interval': '2h' },
          { type: 'email', 'minimum-reminder-interval': '30m' },
        ],
      },
    ],
  })
  t.match(monitors, [{ ipFamily: 'ipv4', tags: ['core', 'team: net'], reminderMinutes: 30 }])
  t.equal(notes.filter(({ text }) => /client|label/.test(text)).length, 0)
  t.end()
})

/** Every setting of client/config.go. */
const settings = [
  ...['proxy-url', 'insecure', 'ignore-redirect', 'timeout', 'dns-resolver', 'oauth2'],
  ...['identity-aware-proxy', 'network', 'tls', 'tunnel', 'store-cookies'],
]

t.test('each setting of the client arrives or is named, as is each scheme', (t) => {
  const read = (fields: object) =>
    JSON.stringify(fromGatus({ endpoints: [{ name: 'A', conditions: [], ...fields }] }))
  for (const setting of settings) {
    const url = setting === 'network' ? 'icmp://a.test' : 'https://a.test/'
    const values: Readonly<Record<string, unknown>> = {
      ...{ timeout: '3s', network: 'ip6', oauth2: { 'client-id': 'a' } },
    }
    const client = { [setting]: values[setting] ?? true }
    t.not(read({ url, client }), read({ url }), setting)
  }
  t.match(read({ url: 'https://a.test/', client: { 'proxy-url': 'http://p' } }), 'checks.proxies')
  for (const url of ['grpc://a:1', 'grpcs://a:1', 'ssh://a:22', 'starttls://a:25', 'tls://a:993']) {
    t.notMatch(read({ url }), 'left out', url)
  }
  for (const url of ['sctp://a:1', 'domain://a.test'])
    t.match(read({ url }), `${url} has no equivalent`)
  t.end()
})
