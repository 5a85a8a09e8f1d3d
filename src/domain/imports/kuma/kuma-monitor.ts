// One monitor of Uptime Kuma, as its API, its backups and its database have it.
import ipaddr from 'ipaddr.js'
import { isChecked, isTold, methods, waitsForReports } from '../../checks/check-type.ts'
import { limits } from '../../limits/limits.ts'
import { keptAddressPattern } from '../../monitors/kept-address.ts'
import {
  comparisons,
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  flagOf,
  hostText,
  listOf,
  type Note,
  numberOf,
  pushPace,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { kafkaOf, mqttOf, rabbitmqOf } from './kuma-brokers.ts'
import { conditionsOf } from './kuma-conditions.ts'
import { databaseOf } from './kuma-databases.ts'
import { gameServerOf, ntpOf, radiusOf, snmpOf, steamServerOf, unitOf } from './kuma-network.ts'
import { tagTextOf } from './kuma-tags.ts'

/** What is known of the installation, and of the place that the monitor has there. */
export interface KumaHost {
  /** The name of the group that it is in. */
  readonly group: string | undefined
  /** The days of warnings, where a monitor has some. */
  readonly certificateWarnDays: readonly number[]
  /** The name that the operator gives a Docker host. */
  readonly engineOf: (dockerHost: unknown) => string
  /** ` (its name)` of a remote browser; empty for Kuma's own. */
  readonly browserOf: (remoteBrowser: unknown) => string
}

/** Undefined, with a note, if there is no such monitor. */
export function monitorOf(
  item: ForeignFields,
  name: string,
  host: KumaHost,
  note: Note,
): ForeignMonitor | undefined {
  const target = targetOf(item, host, note)
  if (!target) return undefined
  const tags = listOf(item.tags).map(tagTextOf)
  // What looks at nothing has nothing that could be expected to fail; reports may mean the opposite.
  const isTurned = flagOf(item.upsideDown)
  const isUpsideDown = isTurned && isChecked(target)
  const isLost = isTurned && !isUpsideDown && target.keptRules === undefined
  if (isLost) {
    note('upside down: without a check nothing can be expected to fail; the monitor is paused')
  }
  const needsProxy = Boolean(numberOf(item.proxyId))
  if (needsProxy) {
    note(
      'its proxy: ask the operator to list it with checks.proxies, name it as proxy, then resume the monitor',
    )
  }
  const reminderMinutes = (numberOf(item.resendInterval) ?? 0) * (intervalOf(item) / 60)
  return {
    name,
    ...target,
    ...paceOf(item, target.checkType, note),
    ...(isUpsideDown ? { isUpsideDown } : {}),
    isActive:
      (item.active === undefined || flagOf(item.active)) &&
      !isLost &&
      !needsProxy &&
      target.isActive !== false,
    tags: tagsOf([host.group, ...tags]),
    ...(textOf(item.description) === '' ? {} : { description: textOf(item.description) }),
    ...(reminderMinutes > 0
      ? { reminderMinutes: within(reminderMinutes, 1, limits.reminderMinutesMax) }
      : {}),
  }
}

interface KumaTarget {
  readonly checkType: string
  readonly [field: string]: unknown
}

function targetOf(item: ForeignFields, installation: KumaHost, note: Note): KumaTarget | undefined {
  const host = hostText(textOf(item.hostname))
  const port = numberOf(item.port)
  const type = textOf(item.type)
  switch (type) {
    case 'http':
      return { checkType: 'endpoint', ...webOf(item, installation, note) }
    case 'keyword':
      return { checkType: 'keyword', ...webOf(item, installation, note), ...keywordOf(item) }
    case 'json-query':
      return {
        checkType: 'endpoint',
        ...webOf(item, installation, note),
        ...jsonQueryOf(item, note),
      }
    case 'port':
      notePort(item, note)
      return { checkType: 'tcp', url: `tcp://${host}:${port ?? ''}` }
    case 'ping':
    case 'tailscale-ping':
      notePing(item, note)
      return { checkType: 'ping', url: `ping://${host}`, ...familyOf(item, note) }
    case 'dns':
      return { checkType: 'dns', url: dnsUrl(item), ...recordsOf(item, note) }
    case 'globalping':
      return elsewhereOf(item, installation, note)
    case 'ntp':
      return ntpOf(item)
    case 'system-service':
      return unitOf(item, note)
    case 'push':
      return pushOf(item, note)
    case 'group':
      // Without a channel of its own it alerts nobody, as there.
      return { checkType: 'group' }
    case 'manual':
      note(`its state${stateText(item)}: set it`)
      return { checkType: 'manual' }
    case 'smtp':
      return { checkType: 'smtp', url: smtpUrl(textOf(item.smtpSecurity), host, port) }
    case 'docker': {
      const engine = installation.engineOf(item.docker_host)
      note(
        `its Docker host: list its socket as ${engine} with checks.containers, then resume the monitor`,
      )
      const url = `container://${engine}/${textOf(item.docker_container).replace(/^\/+/, '')}`
      // Nothing of the machine is open before the operator lists it.
      return { checkType: 'container', url, isActive: false }
    }
    case 'real-browser':
      if (numberOf(item.screenshot_delay)) note(`its wait of ${textOf(item.screenshot_delay)} ms`)
      note(
        `its browser${installation.browserOf(item.remote_browser)}: list one with checks.browsers, then resume the monitor`,
      )
      return { checkType: 'browser', url: textOf(item.url), isActive: false }
    case 'websocket-upgrade':
      return websocketOf(item, note)
    case 'mqtt':
      return mqttOf(item, note, () => jsonQueryOf(item, note, '$.value'))
    case 'snmp':
      return snmpOf(item, note, (query) => jsonQueryOf(query, note, '$.value'))
    case 'radius':
      return radiusOf(item)
    case 'gamedig':
      return gameServerOf(item, note)
    case 'steam':
      return steamServerOf(item)
    case 'grpc-keyword':
      return { checkType: 'grpc', ...grpcOf(item, note) }
    case 'kafka-producer':
      return kafkaOf(item, note)
    case 'rabbitmq':
      return rabbitmqOf(item, note)
    case 'postgres':
    case 'mysql':
    case 'mongodb':
    case 'redis':
    case 'sqlserver':
      return databaseOf(item, note)
    default:
      note(`its type "${type}" has no equivalent: the monitor was left out`)
      return undefined
  }
}

const keptAddressForm = new RegExp(keptAddressPattern)

/** Senders go on reporting to the address that they have. */
function pushOf(item: ForeignFields, note: Note): KumaTarget {
  const address = `/api/push/${textOf(item.pushToken)}`
  if (!keptAddressForm.test(address)) {
    note('its push address is a new one: change it in the sender')
    return { checkType: 'push' }
  }
  const kept = { checkType: 'push', keptAddresses: [address] }
  if (!flagOf(item.upsideDown)) return kept
  note(
    'upside down: so are reports to the address that it had; at the one that it has here they mean what they say',
  )
  // Without a further report, it is up again after an interval.
  const minutes = Math.ceil(intervalOf(item) / 60)
  const autoRecoveryMinutes = within(minutes, 1, limits.graceSecondsMax / 60)
  return { ...kept, keptRules: { isUpsideDown: true }, autoRecoveryMinutes }
}

function stateText({ manual_status }: ForeignFields): string {
  const states: Readonly<Record<number, string>> = { 0: ', which is down', 1: ', which is up' }
  return states[numberOf(manual_status) ?? -1] ?? ' is not known'
}

/** Another product looks from elsewhere for Kuma; places of ours are probes. */
function elsewhereOf(
  item: ForeignFields,
  installation: KumaHost,
  note: Note,
): KumaTarget | undefined {
  const host = hostText(textOf(item.hostname))
  const port = numberOf(item.port)
  const subtype = textOf(item.subtype)
  const place = `its place "${textOf(item.location)}"`
  if (['ping', 'dns', 'http'].includes(subtype)) {
    note(`${place}: set up a probe there, and choose it as location`)
  }
  switch (subtype) {
    case 'ping': {
      const isTcp = textOf(item.protocol) === 'TCP' && port !== undefined
      const url = `ping://${host}${isTcp ? `:${port}` : ''}`
      return { checkType: 'ping', url, ...familyOf(item, note) }
    }
    case 'dns':
      return { checkType: 'dns', url: dnsUrl(item), ...recordsOf(item, note) }
    case 'http': {
      const words = keywordOf(item)
      const hasQuery = textOf(item.jsonPath) !== '' && textOf(item.expectedValue) !== ''
      const query = hasQuery ? jsonQueryOf(item, note) : {}
      return { checkType: 'endpoint', ...webOf(item, installation, note), ...words, ...query }
    }
    default:
      note('its type "globalping" has no equivalent: the monitor was left out')
      return undefined
  }
}

/** An address has the family that it has; Kuma may be told another one. */
function familyOf({ ipFamily, hostname, url }: ForeignFields, note: Note): ForeignFields {
  if (ipFamily !== 'ipv4' && ipFamily !== 'ipv6') return {}
  const text = textOf(url)
  const host = URL.canParse(text) ? new URL(text).hostname.replace(/[[\]]/g, '') : textOf(hostname)
  if (!ipaddr.isValid(host)) return { ipFamily }
  if (ipaddr.parse(host).kind() !== ipFamily) note(`its ${ipFamily}: ${host} has another one`)
  return {}
}

/** What Kuma does, unless it is told otherwise. */
const usualPing = { packetSize: 56, ping_count: 1, ping_per_request_timeout: 2 }

function notePing(item: ForeignFields, note: Note): void {
  const { packetSize = 56, ping_count = 1, ping_per_request_timeout = 2 } = item
  const given = { packetSize, ping_count, ping_per_request_timeout }
  const words = {
    packetSize: 'bytes',
    ping_count: 'packets',
    ping_per_request_timeout: 's for each',
  }
  const other = (Object.keys(usualPing) as (keyof typeof usualPing)[]).filter(
    (name) => numberOf(given[name]) !== usualPing[name],
  )
  if (other.length > 0) {
    note(
      `its ${other.map((name) => `${textOf(given[name])} ${words[name]}`).join(', ')}: one usual packet is sent`,
    )
  }
}

const namedFields: Readonly<Record<string, string>> = {
  MX: '.exchange',
  SRV: '.target',
  SOA: '.primary',
  CAA: '.value',
}

function recordsOf(item: ForeignFields, note: Note): ForeignFields {
  const field = namedFields[textOf(item.dns_resolve_type)] ?? ''
  const assertions = conditionsOf(item, () => `$.records[*]${field}`, note)
  return assertions.length > 0 ? { assertions } : {}
}

function notePort(item: ForeignFields, note: Note): void {
  const alert = textOf(item.expectedTlsAlert ?? item.expected_tls_alert)
  if (alert !== '' && alert !== 'none') note(`its TLS alert ${alert}: only the port is looked at`)
  const isTls = ['secure', 'starttls'].includes(textOf(item.smtpSecurity))
  if (isTls && flagOf(item.expiryNotification))
    note('its certificate: add a monitor of the kind ssl')
}

function websocketOf(item: ForeignFields, note: Note): KumaTarget {
  const headers = headersOf(item, false, note)
  const protocol = textOf(item.wsSubprotocol)
  if (protocol !== '') note(`its subprotocol ${protocol}: none is asked for`)
  const codes = listOf(item.accepted_statuscodes).map(textOf)
  if (codes.some((code) => code !== '1000')) note(`its close codes ${codes.join(', ')}`)
  if (flagOf(item.wsIgnoreSecWebsocketAcceptHeader)) note('that it accepts a wrong handshake')
  return {
    checkType: 'websocket',
    url: textOf(item.url),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...tlsOf(item),
    ...(signsInOtherwise(item) ? { isActive: false } : {}),
  }
}

function keywordOf({ keyword, invertKeyword }: ForeignFields): ForeignFields {
  const rule = flagOf(invertKeyword) ? 'bodyNotContains' : 'bodyContains'
  return textOf(keyword) === '' ? {} : { [rule]: textOf(keyword) }
}

/** Kuma names the method as JavaScript does, and the service without its package. */
function grpcOf(item: ForeignFields, note: Note): ForeignFields {
  const proto = textOf(item.grpcProtobuf)
  const [, space = ''] = /^[ \t]*package[ \t]+([\w.]+)[ \t]*;/m.exec(proto) ?? []
  const named = textOf(item.grpcServiceName)
  const service = space === '' || named.startsWith(`${space}.`) ? named : `${space}.${named}`
  const wanted = textOf(item.grpcMethod)
  const methods = [...proto.matchAll(/\brpc\s+(\w+)/g)].map(([, name = '']) => name)
  const method = methods.find((name) => name.toLowerCase() === wanted.toLowerCase()) ?? wanted
  const place = textOf(item.grpcUrl).replace(/^\w+:\/\//, '')
  return {
    url: `${flagOf(item.grpcEnableTls) ? 'grpcs' : 'grpc'}://${place}/${service}/${method}`,
    headers: headersOf({ headers: item.grpcMetadata }, false, note),
    body: `${proto.trim()}\n---\n${textOf(item.grpcBody).trim() || '{}'}`,
    ...tlsOf(item),
    ...keywordOf(item),
  }
}

function smtpUrl(security: string, host: string, port: number | undefined): string {
  const place = port === undefined ? host : `${host}:${port}`
  if (security === 'secure') return `smtps://${place}`
  return security === 'starttls' ? `smtp://${place}?starttls=required` : `smtp://${place}`
}

function dnsUrl({ hostname, dns_resolve_type, dns_resolve_server, port }: ForeignFields): string {
  const query = new URLSearchParams({ type: textOf(dns_resolve_type) || 'A' })
  // Kuma asks the first of several.
  const [server = ''] = textOf(dns_resolve_server).split(',')
  const number = numberOf(port)
  if (server.trim() !== '') {
    const isUsual = number === undefined || number === 53
    query.set('server', `${hostText(server.trim())}${isUsual ? '' : `:${number}`}`)
  }
  // A name server in brackets reads better without escapes.
  return `dns://${textOf(hostname)}?${decodeURIComponent(query.toString())}`
}

const statusForm = /^[1-5]\d\d(-[1-5]\d\d)?$/

function webOf(item: ForeignFields, { certificateWarnDays }: KumaHost, note: Note): ForeignFields {
  const listed = listOf(item.accepted_statuscodes).map(textOf)
  const statuses = listed.filter((one) => statusForm.test(one))
  const method = textOf(item.method).toUpperCase() || 'GET'
  const isKnown = methods.some((one) => one === method)
  if (!isKnown) note(`its method ${method}: GET is used`)
  const redirects = numberOf(item.maxredirects) ?? 10
  const body = textOf(item.body)
  if (flagOf(item.cacheBust)) note('its random parameter against caches')
  if (flagOf(item.retryOnlyOnStatusCodeFailure)) {
    note('that only a status is tried again: every failure is confirmed')
  }
  return {
    url: textOf(item.url),
    method: isKnown ? method : 'GET',
    expectedStatus: Number((statuses[0] ?? '200').slice(0, 3)),
    acceptedStatuses: statuses.length > 0 ? statuses : ['200-299'],
    followRedirects: redirects > 0,
    ...(redirects > 0 ? { maxRedirects: within(redirects, 1, limits.redirectsMax) } : {}),
    headers: headersOf(item, body !== '', note),
    ...oauthOf(item, note),
    ...mutualOf(item),
    ...(body === '' ? {} : { body }),
    ...tlsOf(item),
    ...familyOf(item, note),
    certificateWarnDays: flagOf(item.expiryNotification) ? certificateWarnDays : [],
    // Without its sign-in it would be down at once.
    ...(signsInOtherwise(item) ? { isActive: false } : {}),
  }
}

const signInsKnown = ['', 'basic', 'bearer', 'null', 'oauth2-cc', 'mtls']

const signsInOtherwise = ({ authMethod }: ForeignFields) =>
  !signInsKnown.includes(textOf(authMethod))

function tlsOf({ ignoreTls }: ForeignFields): ForeignFields {
  return flagOf(ignoreTls) ? { ignoreTlsErrors: true } : {}
}

const bodyTypes: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
}

function headersOf(item: ForeignFields, hasBody: boolean, note: Note): Record<string, string> {
  const headers: Record<string, string> = {}
  try {
    const given = fieldsOf(JSON.parse(textOf(item.headers) || '{}'))
    for (const [name, value] of Object.entries(given)) headers[name] = textOf(value)
  } catch {
    note('its headers are not JSON, and were left out')
  }
  const has = (wanted: string) => Object.keys(headers).some((name) => name.toLowerCase() === wanted)
  const encoding = bodyTypes[textOf(item.httpBodyEncoding) || 'json']
  if (hasBody && encoding && !has('content-type')) headers['Content-Type'] = encoding
  const auth = textOf(item.authMethod)
  const user = textOf(item.basic_auth_user)
  if (user !== '' && (auth === '' || auth === 'basic')) {
    const pair = Buffer.from(`${user}:${textOf(item.basic_auth_pass)}`).toString('base64')
    if (!has('authorization')) headers.Authorization = `Basic ${pair}`
  } else if (auth === 'bearer') {
    if (!has('authorization')) headers.Authorization = `Bearer ${textOf(item.bearer_token)}`
  } else if (signsInOtherwise(item)) {
    const within = [item.authDomain, item.authWorkstation].map(textOf).filter((one) => one !== '')
    const where = within.length > 0 ? ` (${within.join(', ')})` : ''
    note(`its sign-in by ${auth}${where}: set a header instead, then resume the monitor`)
  }
  return headers
}

/** A client certificate, and the authority of the server. */
function mutualOf(item: ForeignFields): ForeignFields {
  if (textOf(item.authMethod) !== 'mtls') return {}
  const [clientCertificate, clientKey] = [textOf(item.tlsCert), textOf(item.tlsKey)]
  const caCertificates = textOf(item.tlsCa)
  return {
    ...(clientCertificate === '' || clientKey === '' ? {} : { clientCertificate, clientKey }),
    ...(caCertificates === '' ? {} : { caCertificates }),
  }
}

/** Kuma's OAuth 2 with client credentials. */
function oauthOf(item: ForeignFields, note: Note): ForeignFields {
  if (textOf(item.authMethod) !== 'oauth2-cc') return {}
  if (textOf(item.oauth_auth_method) === 'client_secret_post') {
    note('that its client secret is in the body: it is sent in the header')
  }
  const [tokenUrl, scope, audience] = [
    textOf(item.oauth_token_url),
    textOf(item.oauth_scopes),
    textOf(item.oauth_audience),
  ]
  return {
    username: textOf(item.oauth_client_id),
    password: textOf(item.oauth_client_secret),
    auth: { type: 'oauth2', tokenUrl, scope, audience },
  }
}

const operators: Readonly<Record<string, string>> = {
  ...comparisons,
  '': 'equals',
  contains: 'contains',
}

/** Kuma queries with JSONata; what is also a plain JSONPath is taken over. */
function jsonQueryOf(item: ForeignFields, note: Note, root = '$'): ForeignFields {
  const query = textOf(item.jsonPath)
  const type = operators[textOf(item.jsonPathOperator)]
  const [, path] =
    /^\$?\.?((?:[A-Za-z_]\w*|\[\d+\])(?:\.[A-Za-z_]\w*|\[\d+\])*)?$/.exec(query) ?? []
  const isSaid = textOf(item.expectedValue) !== ''
  if (type === undefined || !isSaid || (path === undefined && query !== '$')) {
    note(`its JSON query ${query}: add an assertion with a JSONPath`)
    return {}
  }
  const tail = path === undefined || path.startsWith('[') ? (path ?? '') : `.${path}`
  const assertion = {
    source: 'json',
    path: `${root}${tail}`,
    type,
    value: textOf(item.expectedValue),
  }
  return { responseFormat: 'json', assertions: [assertion] }
}

function intervalOf({ interval }: ForeignFields): number {
  return numberOf(interval) ?? 60
}

function paceOf(item: ForeignFields, checkType: string, note: Note): ForeignFields {
  const wanted = intervalOf(item)
  const retries = numberOf(item.maxretries) ?? 0
  const retrySeconds = numberOf(item.retryInterval) ?? wanted
  if (waitsForReports({ checkType })) {
    return pushPace(wanted, retries > 0 ? retries * retrySeconds : limits.importGraceSeconds)
  }
  if (isTold({ checkType })) return {}
  const intervalSeconds = within(wanted, limits.intervalSecondsMin, limits.intervalSecondsMax)
  if (intervalSeconds !== wanted) note(`its interval of ${wanted} s became ${intervalSeconds} s`)
  const timeoutSeconds = numberOf(item.timeout) || intervalSeconds * 0.8
  const timeoutMost = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  return {
    intervalSeconds,
    timeoutMs: within(timeoutSeconds * 1_000, limits.timeoutMsMin, timeoutMost),
    degradedThresholdMs: null,
    failureThreshold: within(retries + 1, 1, limits.thresholdMax),
    recoveryThreshold: 1,
    retryIntervalSeconds: within(retrySeconds, limits.retryIntervalSecondsMin, intervalSeconds),
  }
}
