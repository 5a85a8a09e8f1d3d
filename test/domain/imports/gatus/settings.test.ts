// Every setting that Gatus knows arrives, or is named: the names are those of its structs in version 5.36.
import t from 'tap'
import { fromGatus } from '../../../../src/domain/imports/gatus/gatus.ts'

type Settings = Readonly<Record<string, unknown>>

const endpoint = { name: 'a', url: 'https://a.test/', conditions: ['[STATUS] == 200'] }
const suite = { name: 's', endpoints: [endpoint] }
const slack = { slack: { 'webhook-url': 'https://hooks.example.com/s' } }

/** Where the settings of a struct are in a configuration. */
const places: Readonly<Record<string, (settings: Settings) => Settings>> = {
  config: (settings) => ({ endpoints: [endpoint], ...settings }),
  endpoint: (settings) => ({ endpoints: [{ ...endpoint, ...settings }] }),
  external: (settings) => ({
    endpoints: [endpoint],
    'external-endpoints': [{ name: 'e', token: 't', ...settings }],
  }),
  heartbeat: (heartbeat) => ({ 'external-endpoints': [{ name: 'e', token: 't', heartbeat }] }),
  suite: (settings) => ({ suites: [{ ...suite, ...settings }] }),
  step: (settings) => ({ suites: [{ ...suite, endpoints: [{ ...endpoint, ...settings }] }] }),
  client: (client) => ({ endpoints: [{ ...endpoint, client }] }),
  'client of a step': (client) => ({
    suites: [{ ...suite, endpoints: [{ ...endpoint, client }] }],
  }),
  oauth2: (oauth2) => ({ endpoints: [{ ...endpoint, client: { oauth2 } }] }),
  dns: (dns) => ({ endpoints: [{ ...endpoint, url: '8.8.8.8', dns }] }),
  ssh: (ssh) => ({ endpoints: [{ ...endpoint, url: 'ssh://a.test', ssh }] }),
  'ui of an endpoint': (ui) => ({ endpoints: [{ ...endpoint, ui }] }),
  alert: (settings) => ({
    alerting: slack,
    endpoints: [{ ...endpoint, alerts: [{ type: 'slack', ...settings }] }],
  }),
  'default alert': (settings) => ({
    alerting: { slack: { ...slack.slack, 'default-alert': settings } },
    endpoints: [{ ...endpoint, alerts: [{ type: 'slack' }] }],
  }),
  maintenance: (settings) => ({
    endpoints: [endpoint],
    maintenance: { start: '01:00', duration: '1h', ...settings },
  }),
  ui: (ui) => ({ endpoints: [endpoint], ui }),
  announcement: (settings) => ({
    endpoints: [endpoint],
    announcements: [{ timestamp: '2026-01-01T00:00:00Z', message: 'x', ...settings }],
  }),
}

const window = { start: '02:00', duration: '2h' }

/** A value of each setting that is another one than without it. */
const settings: Readonly<Record<string, Settings>> = {
  config: {
    debug: true,
    metrics: true,
    'skip-invalid-config-update': true,
    'disable-monitoring-lock': true,
    concurrency: 5,
    security: { basic: {} },
    alerting: slack,
    endpoints: [],
    'external-endpoints': [{ name: 'e', token: 't' }],
    suites: [suite],
    storage: { type: 'sqlite' },
    web: { port: 81 },
    ui: { title: 'T' },
    maintenance: window,
    remote: { instances: [] },
    connectivity: { checker: {} },
    tunneling: { a: {} },
    announcements: [{ message: 'x' }],
  },
  endpoint: {
    enabled: false,
    name: 'b',
    group: 'g',
    url: 'https://b.test/',
    method: 'POST',
    body: 'x',
    graphql: true,
    headers: { A: 'b' },
    'extra-labels': { a: 'b' },
    interval: '5m',
    conditions: ['[STATUS] == 201'],
    alerts: [{ type: 'x' }],
    'maintenance-windows': [window],
    dns: { 'query-name': 'a.test' },
    ssh: { username: 'u' },
    client: { insecure: true },
    ui: { badge: {} },
    store: { a: '[BODY].a' },
    'always-run': true,
  },
  external: {
    enabled: false,
    name: 'b',
    group: 'g',
    token: 'a-token-of-some-length',
    alerts: [{ type: 'x' }],
    'maintenance-windows': [window],
    heartbeat: { interval: '1h' },
  },
  heartbeat: { interval: '1h' },
  suite: {
    name: 'b',
    group: 'g',
    enabled: false,
    interval: '5m',
    timeout: '10s',
    context: { a: 'b' },
    endpoints: [endpoint, { ...endpoint, name: 'b' }],
  },
  step: {
    enabled: false,
    name: 'b',
    group: 'g',
    url: 'https://b.test/',
    method: 'POST',
    body: 'x',
    graphql: true,
    headers: { A: 'b' },
    'extra-labels': { a: 'b' },
    interval: '5m',
    conditions: ['[STATUS] == 201'],
    alerts: [{ type: 'x' }],
    'maintenance-windows': [window],
    dns: { 'query-name': 'a.test' },
    ssh: { username: 'u' },
    client: { insecure: true },
    ui: { badge: {} },
    store: { a: '[BODY].a' },
    'always-run': true,
  },
  client: {
    'proxy-url': 'http://proxy.test',
    insecure: true,
    'ignore-redirect': true,
    timeout: '1s',
    'dns-resolver': 'tcp://8.8.8.8:53',
    oauth2: { 'client-id': 'a' },
    'identity-aware-proxy': { audience: 'a' },
    network: 'ip4',
    tls: { 'certificate-file': 'a' },
    tunnel: 'a',
    'store-cookies': true,
  },
  'client of a step': {
    'proxy-url': 'http://proxy.test',
    insecure: true,
    'ignore-redirect': true,
    timeout: '1s',
    'dns-resolver': 'tcp://8.8.8.8:53',
    oauth2: { 'client-id': 'a' },
    'identity-aware-proxy': { audience: 'a' },
    network: 'ip4',
    tls: { 'certificate-file': 'a' },
    tunnel: 'a',
    'store-cookies': true,
  },
  oauth2: {
    'token-url': 'https://a.test/',
    'client-id': 'a',
    'client-secret': 'b',
    scopes: ['openid'],
  },
  dns: { 'query-type': 'AAAA', 'query-name': 'b.test' },
  ssh: { username: 'u', password: 'p', 'private-key': 'k' },
  'ui of an endpoint': {
    'hide-conditions': true,
    'hide-hostname': true,
    'hide-url': true,
    'hide-port': true,
    'hide-errors': true,
    'dont-resolve-failed-conditions': true,
    'resolve-successful-conditions': true,
    badge: { 'response-time': { thresholds: [1] } },
  },
  alert: {
    type: 'discord',
    enabled: false,
    'failure-threshold': 7,
    'success-threshold': 7,
    'minimum-reminder-interval': '1h',
    description: 'd',
    'send-on-resolved': true,
    'provider-override': { 'webhook-url': 'https://hooks.example.com/o' },
  },
  'default alert': {
    enabled: false,
    'failure-threshold': 7,
    'success-threshold': 7,
    'minimum-reminder-interval': '1h',
    description: 'd',
    'send-on-resolved': true,
  },
  maintenance: {
    enabled: false,
    start: '02:00',
    duration: '2h',
    timezone: 'Europe/Berlin',
    every: ['Monday'],
  },
  ui: {
    title: 'T',
    description: 'd',
    'dashboard-heading': 'h',
    'dashboard-subheading': 's',
    header: 'H',
    logo: 'https://a.test/logo.svg',
    link: 'https://a.test/',
    favicon: { default: '/f' },
    buttons: [{ name: 'n', link: 'https://a.test/' }],
    'custom-css': 'a {}',
    'dark-mode': true,
    'default-sort-by': 'group',
    'default-filter-by': 'failing',
    'login-subtitle': 's',
  },
  announcement: {
    timestamp: '2026-02-01T00:00:00Z',
    type: 'outage',
    message: 'y',
    archived: true,
  },
}

/** What changes nothing, and why nobody needs to know. */
const meaningless: Readonly<Record<string, string>> = {
  'endpoint store': 'Gatus reads it in suites alone',
  'endpoint always-run': 'Gatus reads it in suites alone',
  'endpoint ssh': 'Gatus reads it for ssh:// alone',
  'step enabled': 'Gatus does not look at it in suites',
  'step group': 'Gatus takes that of the suite',
  'step interval': 'Gatus takes that of the suite',
  'ui of an endpoint hide-conditions': 'no page of ours shows conditions',
  'ui of an endpoint hide-hostname': 'no page of ours shows addresses',
  'ui of an endpoint hide-url': 'no page of ours shows addresses',
  'ui of an endpoint hide-port': 'no page of ours shows addresses',
  'ui of an endpoint hide-errors': 'no page of ours shows what checks said',
  'ui of an endpoint dont-resolve-failed-conditions': 'no page of ours shows conditions',
  'ui of an endpoint resolve-successful-conditions': 'no page of ours shows conditions',
}

t.test('every setting changes the document, or is named, or has no meaning', async (t) => {
  const known = new Set<string>()
  for (const [struct, all] of Object.entries(settings)) {
    const place = places[struct]
    if (!place) return t.fail(struct)
    const without = JSON.stringify(fromGatus(place({})))
    for (const [name, value] of Object.entries(all)) {
      const setting = `${struct} ${name}`
      const isSeen = JSON.stringify(fromGatus(place({ [name]: value }))) !== without
      known.add(setting)
      t.equal(isSeen, !Object.hasOwn(meaningless, setting), setting)
    }
  }
  t.same(
    Object.keys(meaningless).filter((setting) => !known.has(setting)),
    [],
  )
})

/** The settings of each provider that is a channel. */
const providers: Readonly<Record<string, string>> = {
  custom: 'url method body headers placeholders client',
  datadog: 'api-key site tags',
  discord: 'webhook-url title message-content',
  email: 'from username password host port to client',
  gitlab: 'webhook-url authorization-key severity monitoring-tool environment-name service',
  googlechat: 'webhook-url client',
  gotify: 'server-url token priority title',
  homeassistant: 'url token',
  ifttt: 'webhook-key event-name',
  'incident-io': 'url auth-token source-url metadata',
  line: 'channel-access-token user-ids',
  matrix: 'server-url access-token internal-room-id',
  mattermost: 'webhook-url channel client',
  messagebird: 'access-key originator recipients',
  n8n: 'webhook-url title',
  newrelic: 'insert-key account-id region',
  ntfy: 'topic url priority token email click disable-firebase disable-cache',
  opsgenie: 'api-key priority source entity-prefix alias-prefix tags',
  pagerduty: 'integration-key',
  plivo: 'auth-id auth-token from to',
  pushover: 'application-token user-key title priority resolved-priority sound ttl device',
  rocketchat: 'webhook-url channel',
  sendgrid: 'api-key from to client',
  signal: 'api-url number recipients',
  signl4: 'team-secret',
  slack: 'webhook-url title',
  splunk: 'hec-url hec-token source sourcetype index',
  squadcast: 'webhook-url',
  teams: 'webhook-url title client',
  'teams-workflows': 'webhook-url title',
  telegram: 'token id topic-id api-url client',
  twilio: 'sid token from to text-twilio-triggered text-twilio-resolved',
  webex: 'webhook-url',
  zapier: 'webhook-url',
  zulip: 'bot-email bot-api-key domain channel-id',
}

/** Values that are no texts, or not any. */
const special: Settings = {
  body: '[ALERT_TRIGGERED_OR_RESOLVED]',
  client: { insecure: true },
  'disable-cache': true,
  'disable-firebase': true,
  headers: { A: 'b' },
  metadata: { a: 1 },
  method: 'POST',
  placeholders: { ALERT_TRIGGERED_OR_RESOLVED: { TRIGGERED: 'on' } },
  port: 587,
  priority: 2,
  recipients: ['+15558675310'],
  region: 'EU',
  tags: ['a'],
  'topic-id': '7',
  ttl: 5,
  'user-ids': ['U1'],
}

t.test('every setting of a provider becomes part of its channel, or is named', async (t) => {
  for (const [type, names] of Object.entries(providers)) {
    const own = Object.fromEntries(
      names.split(' ').map((name) => [name, special[name] ?? `https://${name}.test`]),
    )
    const whole = { ...own, ...(type === 'plivo' ? { to: ['+1'] } : {}) }
    const [first = ''] = names.split(' ')
    const overrides = [{ group: 'g', ...whole, [first]: 'https://other.test' }]
    const all = { ...whole, 'default-alert': { 'send-on-resolved': true }, overrides }
    const converted = (provider: Settings) =>
      JSON.stringify(fromGatus({ alerting: { [type]: provider }, endpoints: [endpoint] }))
    for (const name of Object.keys(all)) {
      const { [name]: _, ...without } = all as Settings
      t.not(converted(without), converted(all), `${type} ${name}`)
    }
  }
})

t.test('a provider without an equivalent is named as a whole', async (t) => {
  for (const type of ['aws-ses', 'clickup', 'gitea', 'github', 'ilert', 'vonage', 'other']) {
    const { channels, notes } = fromGatus({
      alerting: { [type]: { a: 'b' } },
      endpoints: [endpoint],
    })
    t.same(channels, [])
    t.match(notes, [{ name: type, origin: `alerting/${type}`, text: `alerts by ${type}: ` }])
  }
})
