// Monitors of Uptime Kuma become ours, and what has no equivalent is named.
import t from 'tap'
import { fromKuma } from '../../../../src/domain/imports/kuma/kuma.ts'
import { testCa, testCertificates } from '../../../support/certificates.ts'
import { kumaBackup } from '../../../support/foreign-samples.ts'

t.test('a backup of Uptime Kuma keeps its targets, pace, retries and tags', async (t) => {
  const { channels, monitors, notes } = fromKuma(kumaBackup)
  const named = (name: string) => monitors.find((one) => one.name === name)
  t.same(named('Site'), {
    id: `mon_${'2'.padStart(26, '0')}`,
    origin: 'monitor/2',
    name: 'Site',
    checkType: 'endpoint',
    url: 'https://example.com/',
    method: 'POST',
    expectedStatus: 200,
    acceptedStatuses: ['200-299', '301'],
    followRedirects: true,
    maxRedirects: 3,
    headers: {
      'X-Token': 'secret',
      'Content-Type': 'application/json',
      Authorization: 'Basic YW5uOnBhc3M=',
    },
    body: '{"a":1}',
    ignoreTlsErrors: true,
    certificateWarnDays: [21, 14, 7],
    intervalSeconds: 60,
    timeoutMs: 24_000,
    degradedThresholdMs: null,
    failureThreshold: 2,
    recoveryThreshold: 1,
    retryIntervalSeconds: 20,
    isActive: true,
    tags: ['Production', 'team: web', 'eu'],
    description: 'The shop',
    reminderMinutes: 30,
    notifyChannelIds: [`chn_${'1'.padStart(26, '0')}`],
  })
  t.match(named('Word'), { checkType: 'keyword', bodyContains: 'ok', timeoutMs: 48_000 })
  t.match(named('No word'), { bodyNotContains: 'error' })
  t.match(named('Router'), { checkType: 'ping', url: 'ping://192.0.2.1' })
  t.match(named('Redis'), { checkType: 'tcp', url: 'tcp://[2001:db8::1]:6379' })
  t.match(named('Zone'), { checkType: 'dns', url: 'dns://example.com?type=MX&server=1.1.1.1' })
  t.match(named('Mail'), { checkType: 'smtp', url: 'smtp://mx.e.com:25', isActive: false })
  t.match(named('Health'), {
    assertions: [{ source: 'json', path: '$.status.code', type: 'equals', value: 'ok' }],
  })
  t.match(named('Backup'), { checkType: 'push', intervalSeconds: 86_400, graceSeconds: 86_420 })
  t.match(named('Down'), { isUpsideDown: true, isActive: true })
  const container = { checkType: 'container', url: 'container://local/web', isActive: false }
  t.match(named('Container'), container)
  t.match(named('Production'), { checkType: 'group' })

  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /Container: its Docker host: list its socket as local with checks\.containers/)
  t.match(lines, /Globe: its type "globalping" has no equivalent/)
  t.notMatch(lines, /Down: /)
  t.match(lines, /Sum: its JSON query \$sum\(a\.b\)/)
  t.match(lines, /Backup: its push address is a new one/)
  t.match(lines, /Text: SMSC has no equivalent, and was left out: send an SMS/)
  t.match(channels, [
    { name: 'Ops', type: 'slack', config: { webhookUrl: 'https://hooks.test/s' } },
  ])
  t.match(lines, /null: its groups: they became groups, and tags/)
})

t.test('a list of monitors by id is read as well, and nonsense gives nothing', async (t) => {
  const { monitors } = fromKuma({ 2: kumaBackup.monitorList[1], 5: kumaBackup.monitorList[4] })
  t.same(
    monitors.map(({ name }) => name),
    ['Site', 'Router'],
  )
  for (const nonsense of [null, 7, 'text', [], {}, [null, 3], { monitorList: 'x' }]) {
    t.same(fromKuma(nonsense).monitors, [])
  }
})

t.test('a group keeps its members, also groups, but not who was left out', (t) => {
  const at = (id: number, name: string, type: string, parent: number | null = null) => {
    return { id, name, type, parent, hostname: '192.0.2.1' }
  }
  const { monitors } = fromKuma([
    at(1, 'Shop', 'group'),
    at(2, 'Inner', 'group', 1),
    at(3, 'Router', 'ping', 2),
    at(4, 'Globe', 'globalping', 2),
    at(5, 'Alone', 'ping'),
  ])
  const id = (last: string) => `mon_${last.padStart(26, '0')}`
  t.match(monitors, [
    { name: 'Shop', checkType: 'group', id: id('1'), memberIds: [id('2')] },
    { name: 'Inner', checkType: 'group', id: id('2'), memberIds: [id('3')], tags: ['Shop'] },
    { name: 'Router', checkType: 'ping', id: id('3'), tags: ['Inner'] },
    { name: 'Alone', origin: 'monitor/5' },
  ])
  t.end()
})

t.test('a manual monitor stays one, without the pace of checks', (t) => {
  const item = { type: 'manual', name: 'Lift', manual_status: 0, interval: 60, maxretries: 2 }
  const { monitors, notes } = fromKuma([item])
  t.same(monitors, [{ name: 'Lift', checkType: 'manual', isActive: true, tags: [] }])
  t.match(notes, [{ name: 'Lift', text: 'its state, which is down: set it' }])
  t.end()
})

t.test('a page in a browser stays one, and waits for a browser', (t) => {
  const item = { type: 'real-browser', name: 'Shop', url: 'https://shop.example.com/' }
  const { monitors, notes } = fromKuma([item])
  t.match(monitors, [{ name: 'Shop', checkType: 'browser', url: item.url, isActive: false }])
  t.match(notes, [{ text: /list one with checks\.browsers/ }])
  t.end()
})

t.test('a monitor that is upside down stays so, at the address that its senders keep', (t) => {
  const item = { type: 'ping', name: 'Down', hostname: '192.0.2.1', upsideDown: true }
  t.match(fromKuma([item]).monitors, [{ name: 'Down', isUpsideDown: true, isActive: true }])
  t.notHas(fromKuma([{ ...item, upsideDown: false }]).monitors[0], { isUpsideDown: true })
  const push = fromKuma([{ ...item, type: 'push' }])
  t.match(push.monitors, [{ name: 'Down', isActive: false }])
  t.match(push.notes, [{ text: /address/ }, { text: /upside down: without a check/ }])
  const pushToken = 'Sx7mPq2kVn9dTc4LwZ1rBf8hYj3gQa6e'
  const kept = fromKuma([{ ...item, type: 'push', pushToken, interval: 90 }])
  t.match(kept.monitors, [
    {
      isActive: true,
      keptRules: { isUpsideDown: true },
      autoRecoveryMinutes: 2,
      isUpsideDown: undefined,
    },
  ])
  t.match(kept.notes, [{ text: /upside down: so are reports to the address that it had/ }])
  t.end()
})

t.test('a call of gRPC keeps its types, its message and what the answer must have', async (t) => {
  const proto =
    'syntax = "proto3";\npackage shop.v1;\nservice Orders { rpc GetAll (A) returns (A); }'
  const item = {
    ...{
      type: 'grpc-keyword',
      name: 'Orders',
      grpcUrl: 'api.example.com:443',
      grpcEnableTls: true,
    },
    ...{
      grpcServiceName: 'Orders',
      grpcMethod: 'getAll',
      grpcProtobuf: proto,
      grpcBody: '{"id": 7}',
    },
    ...{ grpcMetadata: '{"authorization": "Bearer x"}', keyword: 'PAID', invertKeyword: false },
  }
  t.match(fromKuma([item]).monitors, [
    {
      checkType: 'grpc',
      url: 'grpcs://api.example.com:443/shop.v1.Orders/GetAll',
      headers: { authorization: 'Bearer x' },
      body: `${proto}\n---\n{"id": 7}`,
      bodyContains: 'PAID',
    },
  ])
})

t.test('client credentials of OAuth 2 are kept', async (t) => {
  const item = {
    ...{ type: 'http', name: 'API', url: 'https://api.example.com/', authMethod: 'oauth2-cc' },
    ...{ oauth_client_id: 'check', oauth_client_secret: 's3cret', oauth_scopes: 'read' },
    oauth_token_url: 'https://id.example.com/token',
  }
  const { monitors, notes } = fromKuma([item])
  t.match(monitors, [
    {
      username: 'check',
      password: 's3cret',
      auth: { type: 'oauth2', tokenUrl: 'https://id.example.com/token', scope: 'read' },
    },
  ])
  t.same(notes, [])
})

t.test('client certificates come along', async (t) => {
  const { cert, key } = testCertificates.good
  const item = {
    ...{ type: 'http', name: 'Bank', url: 'https://bank.example.com/', authMethod: 'mtls' },
    ...{ tlsCert: cert, tlsKey: key, tlsCa: testCa, proxyId: 1 },
  }
  const { monitors, notes } = fromKuma([item])
  t.match(monitors, [
    { clientCertificate: cert.trim(), clientKey: key.trim(), caCertificates: testCa.trim() },
  ])
  t.match(JSON.stringify(notes), /checks\.proxies/)
})

t.test(
  'what would be down for want of a proxy or a sign-in waits, and says for what',
  async (t) => {
    const web = { type: 'http', url: 'https://bank.example.com/', active: true }
    const { monitors, notes } = fromKuma([
      { ...web, name: 'Behind a proxy', proxyId: 1 },
      { ...web, name: 'Domain', authMethod: 'ntlm', authDomain: 'CORP' },
      { ...web, type: 'websocket-upgrade', name: 'Socket', authMethod: 'ntlm' },
      { ...web, name: 'Plain', authMethod: 'basic', basic_auth_user: 'ops' },
    ])
    t.same(
      monitors.map(({ isActive }) => isActive),
      [false, false, false, true],
    )
    t.match(notes, [
      { name: 'Behind a proxy', text: /checks\.proxies.* then resume the monitor$/ },
      { name: 'Domain', text: /by ntlm \(CORP\): set a header instead, then resume the monitor$/ },
      { name: 'Socket', text: /by ntlm: .* then resume the monitor$/ },
    ])
  },
)

/** The types of Uptime Kuma 2.5 (server/uptime-kuma-server.js, server/model/monitor.js). */
const types = [
  ...[
    'http',
    'keyword',
    'json-query',
    'ping',
    'push',
    'docker',
    'radius',
    'kafka-producer',
    'port',
  ],
  ...['real-browser', 'tailscale-ping', 'websocket-upgrade', 'dns', 'postgres', 'mqtt', 'smtp'],
  ...['group', 'snmp', 'grpc-keyword', 'mongodb', 'rabbitmq', 'sip-options', 'gamedig', 'steam'],
  ...['manual', 'globalping', 'redis', 'pm2', 'system-service', 'sqlserver', 'mysql', 'oracledb'],
  'ntp',
]

t.test('each type of Uptime Kuma either arrives or is named', (t) => {
  for (const type of types) {
    const urls: Readonly<Record<string, string>> = {
      ...{ redis: 'redis://a', mongodb: 'mongodb://a', sqlserver: 'Server=a;Database=b' },
    }
    const item = {
      game: 'minecraft',
      ...{ type, name: 'One', subtype: 'ping', hostname: '192.0.2.1', port: 443 },
      ...{ url: 'https://example.com/', system_service_name: 'nginx', grpcProtobuf: '' },
      databaseConnectionString: urls[type] ?? `${type}://a/b`,
    }
    const { monitors, notes } = fromKuma([item])
    const said = JSON.stringify(notes)
    if (monitors.length === 0) t.match(said, `type \\"${type}\\" has no equivalent`)
    else t.notMatch(said, 'left out', type)
  }
  t.end()
})

t.test('what Globalping asks is asked by us, and its place is named', (t) => {
  const base = { type: 'globalping', name: 'Far', location: 'Tokyo', hostname: 'example.com' }
  const of = (fields: object) => {
    const { monitors, notes } = fromKuma([{ ...base, ...fields }])
    return { one: monitors[0], said: notes.map(({ text }) => text).join('\n') }
  }
  const tcp = of({ subtype: 'ping', protocol: 'TCP', port: 80, ipFamily: 'ipv4' })
  t.match(tcp, {
    one: { checkType: 'ping', url: 'ping://example.com:80', ipFamily: 'ipv4' },
    said: /its place "Tokyo": set up a probe there/,
  })
  t.match(of({ subtype: 'dns', dns_resolve_type: 'MX' }).one, { url: 'dns://example.com?type=MX' })
  const web = { subtype: 'http', url: 'https://example.com/', keyword: 'ok' }
  t.match(of(web).one, { checkType: 'endpoint', url: web.url, bodyContains: 'ok' })
  t.match(of({ subtype: 'mtr' }), { one: undefined, said: /the monitor was left out/ })
  t.end()
})

t.test('settings of Uptime Kuma 2 are kept, or named', (t) => {
  const web = { type: 'http', name: 'API', url: 'https://api.example.com/' }
  const bearer = { ...web, authMethod: 'bearer', bearer_token: 'abc', ipFamily: 'ipv6' }
  t.match(fromKuma([bearer]), {
    monitors: [{ headers: { Authorization: 'Bearer abc' }, ipFamily: 'ipv6' }],
    notes: [],
  })
  const named = { cacheBust: true, domainExpiryNotification: true, retryOnlyOnStatusCodeFailure: 1 }
  t.match(fromKuma([{ ...web, ...named }]), {
    monitors: [{ name: 'API' }, { checkType: 'domain', url: 'domain://example.com' }],
    notes: [
      { text: /random parameter/ },
      { text: /only a status is tried again/ },
      { name: null, text: /expiry of domains, .* monitors of their own: example\.com/ },
    ],
  })
  const post = { ...web, authMethod: 'oauth2-cc', oauth_auth_method: 'client_secret_post' }
  t.match(fromKuma([post]).notes, [{ text: /client secret is in the body/ }])
  const socket = {
    ...{
      type: 'websocket-upgrade',
      name: 'Live',
      url: 'wss://example.com/',
      wsSubprotocol: 'mqtt',
    },
    ...{ headers: '{"X-A": "b"}', accepted_statuscodes: ['1000', '1001'] },
  }
  t.match(fromKuma([socket]), {
    monitors: [{ headers: { 'X-A': 'b' } }],
    notes: [{ text: /its subprotocol mqtt/ }, { text: /its close codes 1000, 1001/ }],
  })
  const port = { type: 'port', name: 'Mail', hostname: 'mx.example.com', port: 465 }
  const secure = { ...port, smtpSecurity: 'secure', expiryNotification: true }
  t.match(fromKuma([secure]).notes, [{ text: /its certificate: add a monitor of the kind ssl/ }])
  t.match(fromKuma([{ ...port, expectedTlsAlert: 'bad_certificate' }]).notes, [
    { text: /TLS alert/ },
  ])
  t.end()
})

t.test('what is in a paused group is paused, however deep, and in a circle of groups, too', (t) => {
  const count = 9_000
  const monitorList = Array.from({ length: count }, (_, at) => ({
    ...{ id: at + 1, name: `G${at}`, type: 'group', parent: at || null },
    active: at !== count / 2,
  }))
  const { monitors } = fromKuma({ version: '1.23.17', monitorList })
  const isActive = monitors.map((one) => one.isActive !== false)
  t.equal(isActive.indexOf(false), count / 2, 'what is in a paused one is paused, all the way down')
  t.equal(isActive.lastIndexOf(true), count / 2 - 1)
  const circle = [3, 1, 2, 2].map((parent, at) => ({
    ...{ id: at + 1, name: `G${at}`, type: 'group', parent, active: at !== 1 },
  }))
  const around = fromKuma({ version: '1.23.17', monitorList: circle }).monitors
  t.ok(around.every((one) => one.isActive === false))
  t.end()
})
