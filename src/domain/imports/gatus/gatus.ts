// Endpoints of Gatus: its configuration, as parsed from YAML.
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  hostText,
  itemsOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  pushPace,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { expectationOf, requestOf, secondsOf } from './request.ts'
import { suiteOf } from './suites.ts'

export function fromGatus(document: unknown): ForeignDocument {
  const config = fieldsOf(document)
  const notes = createNotes()
  const named = (item: ForeignFields, index: number) => {
    const name = nameOf(item.name, `Endpoint ${index + 1}`)
    return { item, name, note: notes.of(name) }
  }
  const monitors = [
    ...itemsOf(config.endpoints, 'endpoints')
      .map(named)
      .flatMap(({ item, name, note }) => endpointOf(item, name, note)),
    ...itemsOf(config['external-endpoints'], 'external-endpoints')
      .map(named)
      .map(({ item, name, note }) => externalOf(item, name, note)),
    ...itemsOf(config.suites, 'suites')
      .map(named)
      .flatMap(({ item, name, note }) => suiteOf(item, name, note)),
  ]
  const rest = notes.of(null)
  for (const provider of Object.keys(fieldsOf(config.alerting))) {
    rest(`alerting by ${provider}: create an alert channel for it`)
  }
  if (config.maintenance !== undefined) rest('the maintenance window: create one')
  if (config.remote !== undefined) rest('remote instances')
  if (config.announcements !== undefined) rest('its announcements: create incidents or windows')
  if (config.connectivity !== undefined) rest('its check of the own network: one is made anyway')
  return { monitors, notes: notes.all() }
}

interface GatusTarget {
  readonly kind: { readonly checkType: string; readonly url: string }
  /** What is sent to it: an HTTP request, a message, bytes with escapes, or a login. Absent: nothing. */
  readonly sends?: 'request' | 'message' | 'bytes' | 'login'
  readonly hasTls?: true
  readonly isPing?: true
  /** A condition that the kind has anyway. */
  readonly implied?: string
}

function endpointOf(item: ForeignFields, name: string, note: Note): ForeignMonitor[] {
  const dns = fieldsOf(item.dns)
  const isDns = item.dns !== undefined
  const url = textOf(item.url)
  if (/\$\{?\w+/.test(JSON.stringify([url, item.headers ?? null, item.body ?? null]))) {
    note('it has a variable of the environment ($…): replace it by its value')
  }
  const target = isDns ? dnsTarget(url, dns) : targetOf(url, note)
  if (!target) return []
  const isWeb = target.sends === 'request'
  const { expectation, domainDays } = expectationOf(item, {
    isDns,
    isWeb,
    note,
    implied: target.implied,
  })
  const base = { isActive: item.enabled !== false, tags: labelsOf(item) }
  const monitor = {
    name,
    ...target.kind,
    ...base,
    ...paceOf(item, note),
    ...(isWeb ? requestOf(item, note) : bodyFor(item, target)),
    ...(target.sends === 'login' ? loginOf(item, note) : {}),
    ...clientOf(item, target, note),
    ...expectation,
  }
  leftOut(item, note)
  if (domainDays === undefined) return [monitor]
  const host = URL.parse(url)?.hostname ?? ''
  const domain = {
    name: nameOf(`${name} (domain)`, 'domain'),
    checkType: 'domain',
    url: `domain://${host}`,
    ...base,
    intervalSeconds: limits.intervalSecondsMax,
    domainWarnDays: [within(domainDays, 1, limits.certificateWarnDaysMax)],
  }
  note(`its expiry of the domain became a monitor of its own: "${domain.name}"`)
  return [monitor, domain]
}

function targetOf(url: string, note: Note): GatusTarget | undefined {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/i.exec(url) ?? []
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
      return { kind: { checkType: 'endpoint', url }, sends: 'request', hasTls: true }
    case 'ws':
    case 'wss':
      return { kind: { checkType: 'websocket', url }, sends: 'message', hasTls: true }
    case 'tcp':
      return { kind: { checkType: 'tcp', url }, sends: 'bytes' }
    case 'icmp':
      return { kind: { checkType: 'ping', url: `ping://${hostText(rest)}` }, isPing: true }
    case 'tls':
      return { kind: { checkType: 'ssl', url } }
    case 'starttls':
      return {
        kind: { checkType: 'smtp', url: `smtp://${rest}?starttls=required` },
        hasTls: true,
      }
    case 'udp':
      note('UDP: an answer is awaited')
      return { kind: { checkType: 'udp', url }, sends: 'bytes' }
    case 'grpc':
    case 'grpcs':
      return {
        kind: { checkType: 'grpc', url },
        hasTls: true,
        implied: '[BODY].status == SERVING',
      }
    case 'ssh':
      return { kind: { checkType: 'ssh', url }, sends: 'login' }
    default:
      note(`${url} has no equivalent: the endpoint was left out`)
      return undefined
  }
}

function dnsTarget(server: string, dns: ForeignFields): GatusTarget {
  const name = textOf(dns['query-name']).replace(/\.$/, '')
  const type = textOf(dns['query-type']) || 'A'
  const place = server.replace(/^\w+:\/\//, '').replace(/:53$/, '')
  return { kind: { checkType: 'dns', url: `dns://${name}?type=${type}&server=${place}` } }
}

function loginOf(item: ForeignFields, note: Note): ForeignFields {
  const { username, password, ...more } = fieldsOf(item.ssh)
  for (const name of Object.keys(more)) note(`its ssh.${name}`)
  if (typeof item.body === 'string') note('SSH: no command is run')
  // A password of SSH needs the host key of the server, which Gatus does not have.
  if (textOf(username)) note('its sign-in: SSH needs the host key in the address, as ?hostKey=…')
  if (textOf(password) && !textOf(username)) note('its ssh.password')
  return {}
}

/** What a websocket or a port is sent first. */
function bodyFor(item: ForeignFields, { sends }: GatusTarget): ForeignFields {
  const body = typeof item.body === 'string' ? item.body : ''
  if (sends === undefined || sends === 'login' || body === '') return {}
  // A backslash begins an escape in the body of a tcp check.
  return { body: sends === 'bytes' ? body.replaceAll('\\', '\\\\') : body }
}

function paceOf(item: ForeignFields, note: Note): ForeignFields {
  const wanted = secondsOf(item.interval) ?? 60
  const intervalSeconds = within(wanted, limits.intervalSecondsMin, limits.intervalSecondsMax)
  if (intervalSeconds !== wanted) note(`its interval of ${wanted} s became ${intervalSeconds} s`)
  const alerts = listOf(item.alerts).map(fieldsOf)
  const failures = alerts.map((alert) => numberOf(alert['failure-threshold']) ?? 3)
  const successes = alerts.map((alert) => numberOf(alert['success-threshold']) ?? 2)
  const timeoutSeconds = secondsOf(fieldsOf(item.client).timeout) ?? 10
  const timeoutMost = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  return {
    intervalSeconds,
    timeoutMs: within(timeoutSeconds * 1_000, limits.timeoutMsMin, timeoutMost),
    degradedThresholdMs: null,
    failureThreshold: within(Math.min(...failures, limits.thresholdMax), 1, limits.thresholdMax),
    recoveryThreshold: within(Math.min(...successes, limits.thresholdMax), 1, limits.thresholdMax),
    ...(alerts.length === 0 ? { failureThreshold: 3, recoveryThreshold: 2 } : {}),
    ...remindersOf(alerts),
  }
}

/** The shortest span between two reminders; none: there are none. */
function remindersOf(alerts: readonly ForeignFields[]): ForeignFields {
  const spans = alerts.flatMap((alert) => secondsOf(alert['minimum-reminder-interval']) ?? [])
  const [first, ...others] = spans.filter((seconds) => seconds > 0)
  if (first === undefined) return {}
  const minutes = Math.min(first, ...others) / 60
  return { reminderMinutes: within(minutes, 1, limits.reminderMinutesMax) }
}

/** What to do about a setting of the client that no file can bring along. */
const clientHints: Readonly<Record<string, string>> = {
  'proxy-url': 'ask the operator to list it with checks.proxies, then name it as proxy',
  tls: 'give the contents of its files as clientCertificate and clientKey',
  'identity-aware-proxy': 'sign in by OAuth 2, or set a header',
  tunnel: 'set up a probe behind it, and choose it as location',
  'dns-resolver': 'give the address as connectTo',
}

function clientOf(
  item: ForeignFields,
  { sends, hasTls, isPing }: GatusTarget,
  note: Note,
): ForeignFields {
  const {
    insecure,
    timeout,
    network,
    oauth2,
    'ignore-redirect': ignoresRedirects,
    ...more
  } = fieldsOf(item.client)
  for (const name of Object.keys(more)) {
    const what = clientHints[name]
    note(what === undefined ? `its client.${name}` : `its client.${name}: ${what}`)
  }
  return {
    // Gatus obeys it for ICMP alone.
    ...(isPing && network === 'ip4' ? { ipFamily: 'ipv4' } : {}),
    ...(isPing && network === 'ip6' ? { ipFamily: 'ipv6' } : {}),
    ...(insecure === true && hasTls ? { ignoreTlsErrors: true } : {}),
    ...(oauth2 !== undefined && sends === 'request' ? oauthOf(fieldsOf(oauth2)) : {}),
    ...(ignoresRedirects === true && sends === 'request' ? { followRedirects: false } : {}),
  }
}

function oauthOf(oauth2: ForeignFields): ForeignFields {
  const scope = listOf(oauth2.scopes).map(textOf).join(' ')
  return {
    username: textOf(oauth2['client-id']),
    password: textOf(oauth2['client-secret']),
    auth: { type: 'oauth2', tokenUrl: textOf(oauth2['token-url']), scope },
  }
}

/** The group, and labels as Kuma has them. */
function labelsOf(item: ForeignFields): readonly string[] {
  const labels = Object.entries(fieldsOf(item['extra-labels']))
  return tagsOf([item.group, ...labels.map(([name, value]) => `${name}: ${textOf(value)}`)])
}

function leftOut(item: ForeignFields, note: Note): void {
  const types = listOf(item.alerts).map((alert) => textOf(fieldsOf(alert).type))
  if (types.length > 0) note(`its alerts (${[...new Set(types)].join(', ')}): choose channels`)
  if (item['maintenance-windows'] !== undefined) note('its maintenance windows: create them')
}

function externalOf(item: ForeignFields, name: string, note: Note): ForeignMonitor {
  note('its address is a new one: the sender must report to the push address of the monitor')
  const seconds = secondsOf(fieldsOf(item.heartbeat).interval)
  if (!seconds) note('it has no heartbeat interval: one day is used')
  leftOut(item, note)
  return {
    name,
    checkType: 'push',
    ...pushPace(seconds || limits.intervalSecondsMax, limits.importGraceSeconds),
    isActive: item.enabled !== false,
    tags: labelsOf(item),
  }
}
