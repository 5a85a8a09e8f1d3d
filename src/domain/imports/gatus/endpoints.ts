// Endpoints of Gatus, which it looks at or is told of, as monitors.
import { limits } from '../../limits/limits.ts'
import { isKeptAddress, withToken } from '../../monitors/kept-address.ts'
import {
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  hostText,
  listOf,
  type Note,
  nameOf,
  pushPace,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { keyOf } from './key.ts'
import { type GatusItem, noteOthers } from './parts.ts'
import { expectationOf, requestOf, secondsOf } from './request.ts'

interface GatusTarget {
  readonly kind: { readonly checkType: string; readonly url: string }
  /** What is sent to it: an HTTP request, a message, bytes with escapes, or a login. Absent: nothing. */
  readonly sends?: 'request' | 'message' | 'bytes' | 'login'
  readonly hasTls?: true
  readonly isPing?: true
  /** Gatus sends it a body. */
  readonly mayBeSent?: true
  /** A condition that the kind has anyway. */
  readonly implied?: string
}

export function endpointOf({ item, name, note, alerted }: GatusItem): readonly ForeignMonitor[] {
  const dns = fieldsOf(item.dns)
  const isDns = item.dns !== undefined
  const url = textOf(item.url)
  noteOthers(item, endpointFields, note)
  noteUi(item, note)
  const target = isDns ? dnsTarget(url, dns, note) : targetOf(url, note)
  if (!target) return []
  const isWeb = target.sends === 'request'
  const { expectation, domainDays } = expectationOf(item, {
    isDns,
    isWeb,
    note,
    implied: target.implied,
  })
  const { isReached, ...client } = clientOf(item, target, note)
  const base = { isActive: item.enabled !== false && isReached, tags: labelsOf(item) }
  const monitor = {
    name,
    ...target.kind,
    ...base,
    ...paceOf(item, note),
    ...alerted,
    ...(isWeb ? requestOf(item, note) : messageOf(item, target, note)),
    ...(target.sends === 'login' ? loginOf(item, note) : {}),
    ...client,
    ...expectation,
  }
  if (domainDays === undefined) return [monitor]
  const host = URL.parse(url)?.hostname ?? ''
  const domain = {
    name: nameOf(`${name} (domain)`, 'domain'),
    checkType: 'domain',
    url: `domain://${host}`,
    ...base,
    ...(alerted.notifyChannelIds === undefined
      ? {}
      : { notifyChannelIds: alerted.notifyChannelIds }),
    ...(alerted.alertsNobody === undefined ? {} : { alertsNobody: alerted.alertsNobody }),
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
      return { kind: { checkType: 'ssl', url }, mayBeSent: true }
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

function dnsTarget(server: string, dns: ForeignFields, note: Note): GatusTarget {
  noteOthers(dns, ['query-name', 'query-type'], note, 'its dns.')
  const name = textOf(dns['query-name']).replace(/\.$/, '')
  const type = textOf(dns['query-type']) || 'A'
  const place = server.replace(/^\w+:\/\//, '').replace(/:53$/, '')
  return { kind: { checkType: 'dns', url: `dns://${name}?type=${type}&server=${place}` } }
}

function loginOf(item: ForeignFields, note: Note): ForeignFields {
  const { username, password, 'private-key': key, ...more } = fieldsOf(item.ssh)
  noteOthers(more, [], note, 'its ssh.')
  if (typeof item.body === 'string') note('SSH: no command is run')
  if (textOf(key)) note('its ssh.private-key: SSH signs in with passwords alone')
  // A password of SSH needs the host key of the server, which Gatus does not have.
  if (textOf(username)) note('its sign-in: SSH needs the host key in the address, as ?hostKey=…')
  if (textOf(password) && !textOf(username)) note('its ssh.password')
  return {}
}

/** What a websocket or a port is sent first, and the headers of a handshake. */
function messageOf(
  item: ForeignFields,
  { sends, mayBeSent }: GatusTarget,
  note: Note,
): ForeignFields {
  const body = typeof item.body === 'string' ? item.body : ''
  if (mayBeSent && body !== '') note('its body: nothing is sent over the connection')
  if (sends === undefined || sends === 'login') return {}
  const { headers } = requestOf(item, note)
  return {
    ...(sends === 'message' && item.headers !== undefined ? { headers } : {}),
    // A backslash begins an escape in the body of a tcp check.
    ...(body === '' ? {} : { body: sends === 'bytes' ? body.replaceAll('\\', '\\\\') : body }),
  }
}

function paceOf(item: ForeignFields, note: Note): ForeignFields {
  const wanted = secondsOf(item.interval) ?? 60
  const intervalSeconds = within(wanted, limits.intervalSecondsMin, limits.intervalSecondsMax)
  if (intervalSeconds !== wanted) note(`its interval of ${wanted} s became ${intervalSeconds} s`)
  const timeoutSeconds = secondsOf(fieldsOf(item.client).timeout) ?? 10
  const timeoutMost = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  return {
    intervalSeconds,
    timeoutMs: within(timeoutSeconds * 1_000, limits.timeoutMsMin, timeoutMost),
    degradedThresholdMs: null,
  }
}

/** What to do about a setting of the client that no file can bring along. */
const clientHints: Readonly<Record<string, string>> = {
  'dns-resolver': 'give the address as connectTo',
  'store-cookies': 'a check of several requests (steps) keeps cookies',
}

/** The same for settings without which Gatus does not reach the target: the monitor is paused. */
const pathHints: Readonly<Record<string, string>> = {
  'proxy-url': 'ask the operator to list it with checks.proxies, then name it as proxy',
  tls: 'give the contents of its files as clientCertificate and clientKey',
  'identity-aware-proxy': 'sign in by OAuth 2, or set a header',
  tunnel: 'set up a probe behind it, and choose it as location',
}

function clientOf(
  item: ForeignFields,
  { sends, hasTls, isPing }: GatusTarget,
  note: Note,
): ForeignFields & { readonly isReached: boolean } {
  const {
    insecure,
    timeout,
    network,
    oauth2,
    'ignore-redirect': ignoresRedirects,
    ...more
  } = fieldsOf(item.client)
  let isReached = true
  for (const [name, value] of Object.entries(more)) {
    if (value === null || value === false || value === '') continue
    const onPath = Object.hasOwn(pathHints, name) ? pathHints[name] : undefined
    const what = Object.hasOwn(clientHints, name) ? clientHints[name] : undefined
    if (onPath !== undefined) {
      isReached = false
      note(`its client.${name}; it is paused until you ${onPath}`)
    } else note(what === undefined ? `its client.${name}` : `its client.${name}: ${what}`)
  }
  if (insecure === true && !hasTls) note('its client.insecure: nothing is encrypted')
  if (ignoresRedirects === true && sends !== 'request') note('its client.ignore-redirect: no HTTP')
  if (oauth2 !== undefined && sends !== 'request') note('its client.oauth2: no HTTP')
  // Gatus obeys it for ICMP alone.
  if (network !== undefined && !isPing) note('its client.network: Gatus obeys it for ICMP alone')
  return {
    isReached,
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

/** The group, and labels as Kuma has them; one named `tags` has several. */
function labelsOf(item: ForeignFields): readonly string[] {
  const labels = Object.entries(fieldsOf(item['extra-labels'])).flatMap(([name, value]) =>
    name === 'tags' ? textOf(value).split(',') : [`${name}: ${textOf(value)}`],
  )
  return tagsOf([item.group, ...labels])
}

/** Settings of its own page: ours never shows addresses and conditions. */
const uiFields = [
  'hide-conditions',
  'hide-hostname',
  'hide-url',
  'hide-port',
  'hide-errors',
  'dont-resolve-failed-conditions',
  'resolve-successful-conditions',
]

export function noteUi({ ui }: ForeignFields, note: Note): void {
  noteOthers(fieldsOf(ui), uiFields, note, 'its ui.')
}

export const endpointFields = [
  'enabled',
  'name',
  'group',
  'url',
  'method',
  'body',
  'graphql',
  'headers',
  'extra-labels',
  'interval',
  'conditions',
  'alerts',
  'maintenance-windows',
  'dns',
  'ssh',
  'client',
  'ui',
  'store',
  'always-run',
]

const externalFields = [
  'enabled',
  'name',
  'group',
  'token',
  'alerts',
  'maintenance-windows',
  'heartbeat',
]

export function externalOf({ item, name, note, alerted }: GatusItem): readonly ForeignMonitor[] {
  noteOthers(item, externalFields, note)
  noteOthers(fieldsOf(item.heartbeat), ['interval'], note, 'its heartbeat.')
  const path = `/api/v1/endpoints/${keyOf(item)}/external`
  const address = withToken(path, textOf(item.token))
  const isKept = isKeptAddress(address)
  if (!isKept) {
    note('its address is a new one: the sender must report to the push address of the monitor')
  }
  const { failureThreshold, recoveryThreshold, ...others } = alerted
  const failures = Number(failureThreshold)
  const hasAlerts = listOf(item.alerts).length > 0
  if (hasAlerts && (failures > 1 || Number(recoveryThreshold) > 1)) {
    note('its thresholds: each report counts at once, and silence after that many intervals')
  }
  const seconds = secondsOf(fieldsOf(item.heartbeat).interval)
  if (!seconds) note('it has no heartbeat interval: one day is used')
  const silentSeconds = hasAlerts && seconds ? (failures - 1) * seconds : 0
  return [
    {
      name,
      checkType: 'push',
      ...(isKept ? { keptAddresses: [address] } : {}),
      ...pushPace(seconds || limits.intervalSecondsMax, silentSeconds || limits.importGraceSeconds),
      isActive: item.enabled !== false,
      tags: labelsOf(item),
      ...others,
    },
  ]
}
