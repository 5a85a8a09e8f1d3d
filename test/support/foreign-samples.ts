// Documents of other products, as they write them, with something of every kind.

const kumaBase = { interval: 60, retryInterval: 20, maxretries: 1, active: true, upsideDown: false }

export const kumaBackup = {
  version: '1.23.0',
  notificationList: [
    { id: 1, name: 'Ops', config: '{"type":"slack","slackwebhookURL":"https://hooks.test/s"}' },
    { id: 2, name: 'Text', config: '{"type":"smsc"}' },
  ],
  proxyList: [],
  monitorList: [
    { id: 1, type: 'group', name: 'Production', active: true },
    {
      ...kumaBase,
      id: 2,
      type: 'http',
      name: 'Site',
      url: 'https://example.com/',
      method: 'POST',
      body: '{"a":1}',
      headers: '{"X-Token":"secret"}',
      basic_auth_user: 'ann',
      basic_auth_pass: 'pass',
      accepted_statuscodes: ['200-299', '301'],
      maxredirects: 3,
      ignoreTls: true,
      expiryNotification: true,
      timeout: 24,
      resendInterval: 30,
      parent: 1,
      tags: [
        { name: 'team', value: 'web' },
        { name: 'eu', value: '' },
      ],
      description: 'The shop',
      notificationIDList: { 1: true, 2: true },
    },
    { ...kumaBase, id: 3, type: 'keyword', name: 'Word', url: 'https://e.com', keyword: 'ok' },
    {
      ...kumaBase,
      id: 4,
      type: 'keyword',
      name: 'No word',
      url: 'https://e.com',
      keyword: 'error',
      invertKeyword: true,
    },
    { ...kumaBase, id: 5, type: 'ping', name: 'Router', hostname: '192.0.2.1' },
    { ...kumaBase, id: 6, type: 'port', name: 'Redis', hostname: '2001:db8::1', port: 6379 },
    {
      ...kumaBase,
      id: 7,
      type: 'dns',
      name: 'Zone',
      hostname: 'example.com',
      dns_resolve_type: 'MX',
      dns_resolve_server: '1.1.1.1',
      port: 53,
    },
    { ...kumaBase, id: 8, type: 'push', name: 'Backup', interval: 172_800, pushToken: 'abc' },
    {
      ...kumaBase,
      id: 9,
      type: 'json-query',
      name: 'Health',
      url: 'https://e.com/h',
      jsonPath: '$.status.code',
      expectedValue: 'ok',
    },
    {
      ...kumaBase,
      id: 10,
      type: 'json-query',
      name: 'Sum',
      url: 'https://e.com/h',
      jsonPath: '$sum(a.b)',
      expectedValue: '4',
    },
    {
      ...kumaBase,
      id: 11,
      type: 'http',
      name: 'Down',
      url: 'https://e.com',
      upsideDown: 1,
      active: 1,
    },
    { ...kumaBase, id: 12, type: 'docker', name: 'Container', docker_container: 'web' },
    { ...kumaBase, id: 99, type: 'globalping', name: 'Globe', hostname: '192.0.2.1' },
    { ...kumaBase, id: 13, type: 'smtp', name: 'Mail', hostname: 'mx.e.com', port: 25, active: 0 },
  ],
}

export const gatusConfig = {
  alerting: { slack: { 'webhook-url': 'https://example.com' } },
  endpoints: [
    {
      name: 'front-end',
      group: 'core',
      url: 'https://example.org/health',
      interval: '5m',
      conditions: [
        '[STATUS] == any(200, 429)',
        '[BODY].status == UP',
        '[RESPONSE_TIME] < 150',
        '[CERTIFICATE_EXPIRATION] > 48h',
        '[DOMAIN_EXPIRATION] > 720h',
      ],
      alerts: [{ type: 'slack', 'failure-threshold': 5, 'success-threshold': 1 }],
      client: { insecure: true, timeout: '3s', 'dns-resolver': 'tcp://8.8.8.8:53' },
    },
    {
      name: 'api',
      url: 'http://api.example.org',
      conditions: ['[STATUS] < 500'],
      method: 'POST',
      body: '{ user }',
      graphql: true,
    },
    {
      name: 'dns',
      url: '8.8.8.8',
      dns: { 'query-name': 'example.com', 'query-type': 'A' },
      conditions: ['[BODY] == 93.184.216.34', '[DNS_RCODE] == NOERROR'],
    },
    {
      name: 'ping',
      url: 'icmp://example.org',
      interval: '1m',
      conditions: ['[CONNECTED] == true'],
    },
    {
      name: 'port',
      url: 'tcp://127.0.0.1:6379',
      interval: '30s',
      enabled: false,
      conditions: [],
    },
    { name: 'mail', url: 'starttls://mx.example.org:587', conditions: [] },
    { name: 'udp', url: 'udp://example.org:53', body: '\\ping', conditions: [] },
    {
      name: 'bastion',
      url: 'ssh://bastion.example.org:2222',
      ssh: { username: 'ada', password: 's3cret' },
      body: '{"command": "uptime"}',
      conditions: ['[CONNECTED] == true', '[STATUS] == 0'],
    },
    { name: 'sctp', url: 'sctp://example.org:53', conditions: [] },
  ],
  'external-endpoints': [{ name: 'job', group: 'ops', token: 'x', heartbeat: { interval: '30m' } }],
}

const siteRoot = 'https://hc.example.org'

/** A check as Healthchecks tells it to a key that may write, by `v`, the version of its API. */
export function healthchecksCheck(number: number, fields: object, v = 3) {
  const uuid = `3136000${number}-8da9-4729-8ff3-aaa71d56b712`
  const updateUrl = `${siteRoot}/api/v${v}/checks/${uuid}`
  return {
    name: '',
    slug: '',
    tags: '',
    desc: '',
    grace: 900,
    n_pings: 1,
    status: 'up',
    started: false,
    last_ping: '2026-11-29T02:00:05+00:00',
    next_ping: '2026-11-30T02:00:05+00:00',
    manual_resume: false,
    methods: '',
    subject: '',
    subject_fail: '',
    start_kw: '',
    success_kw: '',
    failure_kw: '',
    filter_subject: false,
    filter_body: false,
    filter_http_body: false,
    filter_default_fail: false,
    badge_url: `${siteRoot}/b/2/1b9d0386-d07e-44b0-8995-${String(number).padStart(12, '0')}.svg`,
    uuid,
    ping_url: `https://ping.example.org/${uuid}`,
    update_url: updateUrl,
    pause_url: `${updateUrl}/pause`,
    resume_url: `${updateUrl}/resume`,
    channels: '',
    ...fields,
  }
}

/** The same for a key that may only read. */
export function healthchecksReadOnly(check: object, uniqueKey: string) {
  const hidden = ['uuid', 'ping_url', 'update_url', 'pause_url', 'resume_url', 'channels']
  const shown = Object.entries(check).filter(([name]) => !hidden.includes(name))
  return { ...Object.fromEntries(shown), unique_key: uniqueKey }
}

export const healthchecksAnswer = {
  checks: [
    healthchecksCheck(1, {
      ...{ name: 'Backup', slug: 'backup', tags: 'prod db', desc: 'Nightly', timeout: 3_600 },
      channels: '1bdea468-03bf-47b8-ab27-29a9dd0e4b94,51c6eb2b-2ae1-456b-99fe-6f1e0a36cd3c',
    }),
    healthchecksCheck(2, {
      ...{ name: 'Cron', schedule: '0 3 * * *', tz: 'Europe/Prague', status: 'paused' },
    }),
    healthchecksCheck(3, { name: 'Weekly', timeout: 604_800 }),
    healthchecksCheck(4, { slug: 'by-slug', timeout: 60, methods: 'POST', filter_subject: true }),
    healthchecksCheck(5, { name: 'Calendar', schedule: 'Mon..Fri *-*-* 09:00:00', tz: 'UTC' }),
    healthchecksCheck(6, { name: 'Once', schedule: '2027-01-01 09:00:00', tz: 'UTC' }),
  ],
}

/** Integrations, as a key that may write reads them. */
export const healthchecksChannels = {
  channels: [
    { id: '1bdea468-03bf-47b8-ab27-29a9dd0e4b94', name: 'Ops mail', kind: 'email' },
    { id: '51c6eb2b-2ae1-456b-99fe-6f1e0a36cd3c', name: '', kind: 'trello' },
  ],
}
