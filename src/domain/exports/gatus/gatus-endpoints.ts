// Monitors of ours as endpoints of Gatus: which it looks at, which it is told of, and suites of several requests.
import type { ForeignFields } from '../../imports/foreign.ts'
import { noteUnsaid, type OutgoingMonitor } from '../outgoing.ts'
import { isWeb, placeOf, portOf, type TargetPlace } from '../targets.ts'
import { conditionsOf } from './gatus-conditions.ts'
import type { GatusVariables } from './gatus-variables.ts'

/** What is the same for endpoints of every sort: its place, its alerts, its windows. */
export interface GatusCommon {
  readonly head: ForeignFields
  readonly tail: ForeignFields
}

interface GatusAddress {
  readonly url: string
  /** What Gatus can send and look at there. */
  readonly has?: 'request' | 'handshake' | 'bytes' | 'records'
  readonly more?: ForeignFields
  readonly condition?: string
  readonly isPing?: true
  readonly hasTls?: true
}

/** Undefined, with a note, if Gatus has nothing like it. */
export function endpointOf(
  monitor: OutgoingMonitor,
  { head, tail }: GatusCommon,
  secrets: GatusVariables,
): ForeignFields | undefined {
  const target = targetOf(monitor)
  if (target === undefined) {
    monitor.note(`left out: Gatus has nothing like ${monitor.checkType}`)
    return undefined
  }
  const lost: string[] = []
  const { conditions, about, unsaid } = conditionsOf(monitor, target.has === 'request')
  // Gatus reads what a port answers to a body, and nothing that it says by itself.
  const isRead = target.has !== undefined && !(target.has === 'bytes' && !monitor.peek('body'))
  const readable = isRead ? conditions : []
  lost.push(...unsaid, ...(isRead ? [] : about))
  const said = [...(target.condition === undefined ? [] : [target.condition]), ...readable]
  const isUpsideDown = monitor.flag('isUpsideDown')
  if (isUpsideDown && said.length > 0) {
    monitor.note('isUpsideDown: it is good if nothing can be reached, whatever the answer is')
    lost.push(...about)
  }
  const connected = [`[CONNECTED] == ${!isUpsideDown}`]
  const whole = isUpsideDown || said.length === 0 ? connected : said
  const { fields: sent, isWhole } = sentOf(monitor, target, secrets)
  const isRunning = monitor.flag('isActive') && isWhole
  noteUnsaid(monitor, lost)
  return {
    ...(isRunning ? {} : { enabled: false }),
    ...head,
    url: target.url,
    ...target.more,
    interval: `${intervalOf(monitor)}s`,
    ...sent,
    conditions: whole,
    ...tail,
  }
}

/** Gatus asks registries no sooner. */
const domainSecondsMin = 300

function intervalOf(monitor: OutgoingMonitor): number {
  const seconds = monitor.intervalSeconds()
  if (!monitor.is('domain') || seconds >= domainSecondsMin) return seconds
  monitor.note(`its intervalSeconds of ${seconds} became ${domainSecondsMin}`)
  return domainSecondsMin
}

function targetOf(monitor: OutgoingMonitor): GatusAddress | undefined {
  const url = monitor.text('url')
  const place = placeOf(url)
  if (isWeb(monitor)) return { url, has: 'request', hasTls: true }
  switch (monitor.checkType) {
    case 'websocket':
      if (monitor.text('body') === '')
        monitor.note('Gatus sends an empty message, and waits for one')
      return { url, has: 'handshake', hasTls: true }
    case 'tcp':
    case 'udp':
      return { url, has: 'bytes' }
    case 'ping': {
      const { host, port } = place ?? { host: url, port: undefined }
      if (port !== undefined) return { url: `tcp://${host}:${port}` }
      return { url: `icmp://${host.replaceAll(/[[\]]/g, '')}`, isPing: true }
    }
    case 'dns':
      return place && dnsTarget(monitor, url)
    case 'ssl':
      return place && { url: `tls://${place.host}:${place.port ?? 443}`, hasTls: true }
    case 'smtp':
      return place && mailTarget(monitor, place)
    case 'domain': {
      const days = Math.max(0, ...monitor.texts('domainWarnDays').map(Number))
      const condition = `[DOMAIN_EXPIRATION] > ${Math.max(days, 1) * 24}h`
      if (monitor.peek('isUpsideDown') === true) return undefined
      if (place) monitor.note(`Gatus asks for https://${place.host} as well, and fails without it`)
      return place && { url: `https://${place.host}`, condition }
    }
    case 'ssh':
      if (!place) return undefined
      if (place.query.has('hostKey')) monitor.note('not in it: the host key in its url')
      return { url: `ssh://${place.host}:${place.port}` }
    case 'grpc': {
      if (place === undefined) return undefined
      const isHealth = place.path === '' || place.path === '/'
      if (!isHealth) break
      if (place.query.has('service')) monitor.note('Gatus asks about the server as a whole')
      const server = `${place.scheme}://${place.host}:${place.port}`
      return { url: server, condition: '[BODY].status == SERVING', hasTls: true }
    }
    case 'browser':
      monitor.note('only the address is asked for, without a browser')
      return { url, has: 'request', hasTls: true }
    default:
  }
  const port = portOf(monitor)
  if (port === undefined) return undefined
  monitor.note(`only its port is looked at: Gatus does not speak ${monitor.checkType}`)
  return { url: `tcp://${port.host}:${port.port}` }
}

/** Gatus asks the server that the address is of. */
const publicResolver = '1.1.1.1'

function dnsTarget(monitor: OutgoingMonitor, url: string): GatusAddress {
  const name = /^dns:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  const query = new URLSearchParams(/\?(.*)$/.exec(url)?.[1] ?? '')
  const server = query.get('server') ?? publicResolver
  if (!query.has('server')) monitor.note(`${publicResolver} is asked: Gatus needs a name server`)
  if (query.has('dnssec')) monitor.note('not in it: dnssec')
  const dns = { 'query-name': name, 'query-type': (query.get('type') ?? 'A').toUpperCase() }
  return { url: server, more: { dns }, condition: '[DNS_RCODE] == NOERROR', has: 'records' }
}

function mailTarget(
  monitor: OutgoingMonitor,
  { scheme, host, port, query }: TargetPlace,
): GatusAddress {
  const place = `${host}:${port}`
  if (scheme === 'smtps') return { url: `tls://${place}`, hasTls: true }
  if (query.get('starttls') === 'required') return { url: `starttls://${place}`, hasTls: true }
  monitor.note('only its port is looked at: Gatus speaks SMTP with STARTTLS alone')
  return { url: `tcp://${place}` }
}

/** What it sends, and how it connects. `isWhole`: without what is missing it would be down at once. */
function sentOf(
  monitor: OutgoingMonitor,
  { has, isPing, hasTls }: GatusAddress,
  secrets: GatusVariables,
): { readonly fields: ForeignFields; readonly isWhole: boolean } {
  const isHttp = has === 'request'
  const lacks: string[] = []
  const body = has === undefined || has === 'records' ? '' : monitor.text('body')
  const headers = isHttp || has === 'handshake' ? headersOf(monitor, secrets) : {}
  const oauth2 = isHttp ? oauthOf(monitor, secrets) : undefined
  const signsIn = monitor.fields('auth').type ?? (monitor.peek('username') ? 'basic' : undefined)
  const isSignedIn = oauth2 !== undefined || (isHttp && signsIn === 'basic')
  if (signsIn !== undefined && !isSignedIn && (isHttp || has === 'handshake')) {
    lacks.push(`its sign-in (${String(signsIn)})`)
  }
  for (const field of ['proxy', 'connectTo', 'clientCertificate', 'caCertificates']) {
    if (monitor.peek(field)) lacks.push(field)
  }
  if (lacks.length > 0) monitor.note(`switched off: Gatus lacks ${lacks.join(', ')}`)
  if (isHttp && signsIn === 'basic') for (const field of ['username', 'auth']) monitor.text(field)
  const redirects = monitor.flag('followRedirects')
  const family = monitor.peek('ipFamily')
  const network =
    isPing && family !== 'any' ? monitor.text('ipFamily').replace('ipv', 'ip') : undefined
  const client = {
    timeout: `${monitor.number('timeoutMs')}ms`,
    ...(hasTls && monitor.flag('ignoreTlsErrors') ? { insecure: true } : {}),
    ...(isHttp && !redirects ? { 'ignore-redirect': true } : {}),
    ...(network === undefined ? {} : { network }),
    ...(oauth2 === undefined ? {} : { oauth2 }),
  }
  return {
    isWhole: lacks.length === 0,
    fields: {
      ...(isHttp && monitor.text('method') !== 'GET' ? { method: monitor.text('method') } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(body === '' ? {} : { body: has === 'bytes' ? withoutEscapes(monitor, body) : body }),
      client,
    },
  }
}

/** Gatus sends the text as it is: only escapes of the backslash itself can be undone. */
function withoutEscapes(monitor: OutgoingMonitor, body: string): string {
  if (/\\[^\\]/.test(body.replaceAll('\\\\', '')))
    monitor.note('the escapes in its body are sent as they are')
  return body.replaceAll('\\\\', '\\')
}

/** Headers without values are variables; so is what Basic sends. */
function headersOf(
  monitor: OutgoingMonitor,
  secrets: GatusVariables,
): Readonly<Record<string, unknown>> {
  const headers: Record<string, unknown> = { ...monitor.fields('headers') }
  for (const name of monitor.omittedIn('headers')) {
    headers[name] = secrets.of(monitor, `headers/${name}`, name, `header ${name}`)
  }
  const type = monitor.fields('auth').type
  const isBasic = type === undefined || type === null || type === 'basic'
  if (isBasic && monitor.peek('username') && !('Authorization' in headers)) {
    const what = `Base64 of ${String(monitor.peek('username'))}:password`
    monitor.note('its username and its password are in the header Authorization')
    headers.Authorization = `Basic ${secrets.of(monitor, 'basic', 'basic', what)}`
  }
  return headers
}

function oauthOf(monitor: OutgoingMonitor, secrets: GatusVariables): ForeignFields | undefined {
  const { type, tokenUrl, scope, audience } = monitor.fields('auth')
  if (type !== 'oauth2') return undefined
  if (audience) monitor.note('not in it: the audience of its OAuth 2')
  const scopes = typeof scope === 'string' && scope !== '' ? scope.split(' ') : ['']
  return {
    'token-url': tokenUrl,
    'client-id': monitor.text('username'),
    'client-secret': secrets.of(monitor, 'password', 'client secret'),
    scopes,
  }
}

/** Gatus is told of it: after a silence of the interval it is down. */
export function externalOf(
  monitor: OutgoingMonitor,
  { head, tail }: GatusCommon,
  secrets: GatusVariables,
): ForeignFields {
  const seconds = monitor.intervalSeconds() + monitor.number('graceSeconds')
  monitor.note(`its intervalSeconds and graceSeconds are one heartbeat.interval of ${seconds} s`)
  if (monitor.text('schedule') !== '') {
    monitor.text('timezone')
    monitor.note(`its schedule ${monitor.text('schedule')}: Gatus knows intervals alone`)
  }
  monitor.note('its senders must report to Gatus: POST /api/v1/endpoints/{group}_{name}/external')
  noteUnsaid(monitor)
  return {
    ...(monitor.flag('isActive') ? {} : { enabled: false }),
    ...head,
    token: secrets.of(monitor, 'pushToken', 'token'),
    heartbeat: { interval: `${seconds}s` },
    ...tail,
  }
}
