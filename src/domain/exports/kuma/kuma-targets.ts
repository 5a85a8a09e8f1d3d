// What monitors of ours look at, as types of Uptime Kuma with their fields.
import type { ForeignFields } from '../../imports/foreign.ts'
import { textOf } from '../../imports/foreign.ts'
import type { OutgoingMonitor } from '../outgoing.ts'
import { isWeb, placeOf, portOf, statusesOf, type TargetPlace } from '../targets.ts'

export type KumaFields = ForeignFields & {
  readonly type: string
  /** What it cannot be without. */
  readonly lacks?: readonly string[]
  /** What was not said, besides fields that nobody read. */
  readonly unsaid?: readonly string[]
}

/** Undefined if Kuma has nothing like it. */
export function kumaTarget(monitor: OutgoingMonitor): KumaFields | undefined {
  const url = monitor.text('url')
  const place = placeOf(url)
  const { checkType } = monitor
  if (isWeb(monitor)) return webOf(monitor, url)
  switch (checkType) {
    case 'push':
    case 'manual':
      return { type: checkType }
    case 'group':
      monitor.texts('memberIds')
      return { type: 'group' }
    case 'browser':
      return { type: 'real-browser', url }
    case 'steps': {
      const [first] = monitor.list('steps')
      monitor.note('it became a request of the first address: its steps are lost')
      return { type: 'http', url: URL.parse(textOf(first?.url), url)?.href ?? url }
    }
    default:
  }
  return place ? placedOf(monitor, url, place) : undefined
}

function placedOf(
  monitor: OutgoingMonitor,
  url: string,
  place: TargetPlace,
): KumaFields | undefined {
  const { host, port } = place
  const hostname = host.replaceAll(/[[\]]/g, '')
  switch (monitor.checkType) {
    case 'tcp':
      return { type: 'port', hostname, port }
    case 'ping':
      return port === undefined
        ? { type: 'ping', hostname, ...familyOf(monitor) }
        : { type: 'port', hostname, port }
    case 'dns':
      return dnsOf(monitor, url)
    case 'ssl':
      return certificateOf(monitor, place)
    case 'domain':
      monitor.note(`it became a request of https://${host}: Kuma 2 tells of the expiry as well`)
      return { type: 'http', url: `https://${host}`, domainExpiryNotification: true }
    case 'smtp': {
      const isTls = place.scheme === 'smtps'
      const isStarted = place.query.get('starttls') === 'required'
      const smtpSecurity = isTls ? 'secure' : isStarted ? 'starttls' : 'nostarttls'
      return { type: 'smtp', hostname, port, smtpSecurity }
    }
    case 'websocket':
      return { type: 'websocket-upgrade', url, accepted_statuscodes: ['1000'], ...tlsOf(monitor) }
    case 'mqtt':
      return mqttOf(monitor, place)
    case 'postgres':
    case 'mysql':
    case 'mongodb':
    case 'redis':
    case 'sqlserver':
      return databaseOf(monitor, place)
    case 'radius':
      return {
        type: 'radius',
        ...{ hostname, port },
        radiusUsername: monitor.text('username'),
        radiusCalledStationId: place.query.get('called') ?? '',
        radiusCallingStationId: place.query.get('calling') ?? '',
      }
    case 'game':
      return {
        type: 'gamedig',
        hostname,
        port: port ?? null,
        game: monitor.text('game'),
        gamedigGivenPortOnly: port !== undefined,
      }
    case 'container':
      monitor.note(`its engine ${host}: choose the Docker host there`)
      return {
        type: 'docker',
        docker_container: decoded(place.path.slice(1)),
        lacks: ['a Docker host'],
      }
    case 'snmp': {
      const version = place.query.get('version') ?? '2c'
      if (version === '3') return undefined
      const snmpOid = place.path.slice(1) || '1.3.6.1.2.1.1.3.0'
      return { type: 'snmp', hostname, port, snmpOid, snmpVersion: version, jsonPath: '$' }
    }
    case 'ntp':
      return { type: 'ntp', hostname, port }
    case 'systemd':
      return { type: 'system-service', system_service_name: host }
    default: {
      const found = portOf(monitor)
      if (found === undefined) return undefined
      monitor.note(`only its port is looked at: Kuma does not speak ${monitor.checkType}`)
      return { type: 'port', hostname: found.host.replaceAll(/[[\]]/g, ''), port: found.port }
    }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function familyOf(monitor: OutgoingMonitor): ForeignFields {
  const family = monitor.text('ipFamily')
  return family === 'any' ? {} : { ipFamily: family }
}

function tlsOf(monitor: OutgoingMonitor): ForeignFields {
  return monitor.flag('ignoreTlsErrors') ? { ignoreTls: true } : {}
}

const dnsTypes = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'])

function dnsOf(monitor: OutgoingMonitor, url: string): KumaFields | undefined {
  const hostname = /^dns:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  const query = new URLSearchParams(/\?(.*)$/.exec(url)?.[1] ?? '')
  const dns_resolve_type = (query.get('type') ?? 'A').toUpperCase()
  if (!dnsTypes.has(dns_resolve_type)) return undefined
  if (query.has('dnssec')) monitor.note('not in it: dnssec')
  if (!query.has('server')) monitor.note('1.1.1.1 is asked: Kuma needs a name server')
  const [, server = '', port] =
    /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(query.get('server') ?? '1.1.1.1') ?? []
  const dns_resolve_server = server.replaceAll(/[[\]]/g, '')
  return { type: 'dns', hostname, dns_resolve_type, dns_resolve_server, port: Number(port ?? 53) }
}

/** Kuma looks at certificates of websites alone. */
function certificateOf(
  monitor: OutgoingMonitor,
  { scheme, host, port = 443 }: TargetPlace,
): KumaFields {
  if (scheme !== 'https') {
    monitor.note('only its port is looked at: Kuma judges certificates of websites alone')
    return { type: 'port', hostname: host, port }
  }
  monitor.note('it became a request of its page, of which the certificate is judged')
  return {
    type: 'http',
    url: `https://${host}${port === 443 ? '' : `:${port}`}/`,
    accepted_statuscodes: ['100-599'],
    ...warningOf(monitor),
  }
}

/** The days of warnings are those of the installation there. */
function warningOf(monitor: OutgoingMonitor): ForeignFields {
  const days = monitor.peek('certificateWarnDays')
  const isNone = Array.isArray(days) && days.length === 0
  if (isNone) monitor.texts('certificateWarnDays')
  return { expiryNotification: !isNone }
}

function mqttOf(monitor: OutgoingMonitor, { scheme, host, port, path }: TargetPlace): KumaFields {
  const [first, ...others] = monitor.list('assertions')
  const isWord = first?.path === '$.value' && first.type === 'contains' && others.length === 0
  return {
    type: 'mqtt',
    hostname: `${scheme}://${host}`,
    port,
    mqttTopic: path.slice(1).split('/').map(decoded).join('/'),
    mqttUsername: monitor.text('username'),
    mqttCheckType: 'keyword',
    mqttSuccessMessage: isWord ? textOf(first.value) : '',
    ...(isWord || first === undefined ? {} : { unsaid: ['assertions'] }),
  }
}

/** Its password is missing in the connection string. */
function databaseOf(
  monitor: OutgoingMonitor,
  { host, port, path, query }: TargetPlace,
): KumaFields {
  const type = monitor.checkType
  const username = monitor.text('username')
  const isJudged = !monitor.flag('ignoreTlsErrors')
  const tls = query.get('tls')
  // A Redis is only pinged.
  const body = monitor.is('redis') ? '' : monitor.text('body')
  const asked = body === '' ? {} : { databaseQuery: body }
  if (type === 'sqlserver') {
    const parts = {
      Server: `${host},${port}`,
      Database: decoded(path.slice(1)),
      'User Id': username,
      Encrypt: tls === 'strict' ? 'strict' : String(tls !== 'off'),
      TrustServerCertificate: String(!isJudged),
    }
    const pairs = Object.entries(parts).filter(([, value]) => value !== '')
    const databaseConnectionString = pairs.map(([name, value]) => `${name}=${value}`).join(';')
    return { type, databaseConnectionString, ...asked }
  }
  const login = username === '' ? '' : `${encodeURIComponent(username)}@`
  const scheme = type === 'redis' ? monitor.text('url').replace(/:.*$/s, '') : type
  const isRequired = tls === 'required'
  const options = {
    postgres: isRequired ? `?sslmode=${isJudged ? 'verify-full' : 'no-verify'}` : '',
    mysql: isRequired ? `?ssl={"rejectUnauthorized":${isJudged}}` : '',
    mongodb: query.size > 0 || !isJudged ? `?${mongoOptions(query, isJudged)}` : '',
  }[type]
  if ((type === 'postgres' || type === 'mysql') && !isRequired) {
    monitor.note('Kuma uses no TLS there, unless its connection string says so')
  }
  const databaseConnectionString = `${scheme}://${login}${host}:${port}${path}${options ?? ''}`
  return {
    type,
    databaseConnectionString,
    ...(type === 'redis' && !isJudged ? { ignoreTls: true } : {}),
    ...asked,
  }
}

function mongoOptions(query: URLSearchParams, isJudged: boolean): string {
  const options = new URLSearchParams(query)
  if (!isJudged) options.set('tlsAllowInvalidCertificates', 'true')
  return options.toString()
}

function webOf(monitor: OutgoingMonitor, url: string): KumaFields {
  const ranges = statusesOf(monitor.number('expectedStatus'), monitor.texts('acceptedStatuses'))
  const codes = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
  const isFollowed = monitor.flag('followRedirects')
  const redirects = monitor.number('maxRedirects')
  const { lacks, ...signIn } = signInOf(monitor)
  const unreachable = ['proxy', 'connectTo'].filter((field) => monitor.peek(field))
  return {
    ...expectationOf(monitor),
    url,
    method: monitor.text('method'),
    accepted_statuscodes: codes,
    maxredirects: isFollowed ? redirects : 0,
    ...bodyOf(monitor),
    ...signIn,
    ...tlsOf(monitor),
    ...familyOf(monitor),
    ...warningOf(monitor),
    lacks: [...lacks, ...unreachable],
  }
}

/** Kuma sends a body as JSON, XML or a form. */
function bodyOf(monitor: OutgoingMonitor): ForeignFields {
  const body = monitor.text('body')
  if (body === '') return {}
  if (isJson(body)) return { body, httpBodyEncoding: 'json' }
  return { body, httpBodyEncoding: body.trimStart().startsWith('<') ? 'xml' : 'form' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function signInOf(monitor: OutgoingMonitor): ForeignFields & { readonly lacks: readonly string[] } {
  const { type, tokenUrl, scope, audience } = monitor.fields('auth')
  const username = monitor.text('username')
  if (type === 'oauth2') {
    return {
      authMethod: 'oauth2-cc',
      oauth_client_id: username,
      oauth_token_url: tokenUrl,
      oauth_scopes: scope ?? '',
      ...(audience ? { oauth_audience: audience } : {}),
      lacks: [],
    }
  }
  if (type === 'digest' || type === 'awsSigV4') return { lacks: [`its sign-in (auth: ${type})`] }
  const certificate = monitor.text('clientCertificate')
  if (certificate !== '') {
    const tlsCa = monitor.text('caCertificates')
    return {
      authMethod: 'mtls',
      tlsCert: certificate,
      ...(tlsCa === '' ? {} : { tlsCa }),
      lacks: [],
    }
  }
  if (username === '') return { lacks: [] }
  return { authMethod: 'basic', basic_auth_user: username, basic_auth_pass: '', lacks: [] }
}

/** A monitor of Kuma looks for one word, or at one value. */
function expectationOf(monitor: OutgoingMonitor): KumaFields {
  const unsaid = monitor.is('health') ? ['the state in its answer'] : []
  if (monitor.peek('bodyContains')) {
    return { type: 'keyword', keyword: monitor.text('bodyContains'), unsaid }
  }
  if (monitor.peek('bodyNotContains')) {
    return {
      type: 'keyword',
      keyword: monitor.text('bodyNotContains'),
      invertKeyword: true,
      unsaid,
    }
  }
  const given = monitor.peek('assertions')
  const [first] = Array.isArray(given) && given.length === 1 ? monitor.list('assertions') : []
  const path = textOf(first?.path)
  const isPlain = first?.source === 'json' && first.type === 'equals' && /^\$[\w.[\]]*$/.test(path)
  if (isPlain) {
    const expectedValue = textOf(first.value)
    return { type: 'json-query', jsonPath: path, jsonPathOperator: '==', expectedValue, unsaid }
  }
  return { type: 'http', unsaid: first === undefined ? unsaid : [...unsaid, 'assertions'] }
}
