// What a module of the blackbox exporter does with a target.
//
// The fields: https://github.com/prometheus/blackbox_exporter/blob/master/CONFIGURATION.md
import { clip } from '../../../base/clip.ts'
import { methods } from '../../checks/check-type.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  fieldsOf,
  hostText,
  listOf,
  type Note,
  numberOf,
  textOf,
} from '../foreign.ts'
import { talkOf, talkWords } from './talk.ts'

export interface ProbeTarget {
  readonly target: string
  /** The name that the exporter asks for in place of that of the target. */
  readonly hostname: string
}

/** Undefined, with a note, if there is no such kind. Fields that are not known are named. */
export function moduleTarget(
  module: ForeignFields,
  at: ProbeTarget,
  note: Note,
): ForeignFields | undefined {
  const prober = textOf(module.prober)
  const about = fieldsOf(module[prober])
  noteOthers(about, knownFields[prober] ?? [], `its ${prober}.`, note)
  noteOthers(module, ['prober', 'timeout', ...Object.keys(knownFields)], 'its ', note)
  switch (prober) {
    case 'http':
      return webOf(about, at, note)
    case 'tcp':
      return portOf(about, at.target, note)
    case 'icmp':
      return { checkType: 'ping', url: `ping://${hostText(at.target)}`, ...familyOf(about) }
    case 'dns':
      return dnsOf(about, at.target, note)
    case 'grpc':
      return grpcOf(about, at.target, note)
    case 'websocket':
      return websocketOf(about, at.target, note)
    default:
      note(`its prober "${clip(prober, 40)}" has no equivalent: the monitor was left out`)
      return undefined
  }
}

const ofConnection = ['preferred_ip_protocol', 'ip_protocol_fallback'] as const
const ofClient = [
  ...['basic_auth', 'authorization', 'oauth2', 'tls_config', 'proxy_url', 'follow_redirects'],
  ...['proxy_from_environment', 'enable_http2'],
] as const

/** All that is understood; the rest is named if it is set. */
const knownFields: Readonly<Record<string, readonly string[]>> = {
  http: [
    ...[...ofConnection, ...ofClient, 'valid_status_codes', 'method', 'headers', 'http_headers'],
    ...['no_follow_redirects', 'fail_if_ssl', 'fail_if_not_ssl', 'fail_if_body_matches_regexp'],
    ...['fail_if_body_not_matches_regexp', 'fail_if_header_matches', 'fail_if_header_not_matches'],
    ...['body', 'body_file'],
  ],
  tcp: [...ofConnection, 'query_response', 'tls', 'tls_config'],
  icmp: [...ofConnection],
  dns: [
    ...[...ofConnection, 'query_name', 'query_type', 'recursion_desired', 'valid_rcodes'],
    ...['transport_protocol', 'validate_answer_rrs'],
  ],
  grpc: [...ofConnection, 'service', 'metadata', 'tls', 'tls_config'],
  unix: [],
  websocket: [...ofConnection, 'http_config', 'headers', 'query_response'],
}

function noteOthers(fields: ForeignFields, known: readonly string[], of: string, note: Note): void {
  const others = Object.entries(fields)
    .filter(([name, value]) => !known.includes(name) && !isUnset(value))
    .map(([name]) => `${of}${clip(name, 60)}`)
  if (others.length > 0) note(clip(others.join(', '), 250))
}

function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return true
  return typeof value === 'object' ? listOf(value).length === 0 : value === 0
}

/** A host has one family, unless the exporter falls back to the other. */
function familyOf({ preferred_ip_protocol, ip_protocol_fallback }: ForeignFields): ForeignFields {
  if (ip_protocol_fallback !== false) return {}
  return { ipFamily: preferred_ip_protocol === 'ip4' ? 'ipv4' : 'ipv6' }
}

interface ClientPart {
  readonly fields: ForeignFields
  readonly headers: Readonly<Record<string, string>>
}

/** Signing in and TLS. What is in a file of the exporter is asked for: the monitor is paused. */
function clientOf(about: ForeignFields, note: Note): ClientPart {
  const files: string[] = []
  const basic = fieldsOf(about.basic_auth)
  const authorization = fieldsOf(about.authorization)
  const oauth2 = fieldsOf(about.oauth2)
  const tls = tlsOf(about, note)
  const fileIn = (fields: ForeignFields, place: string) => {
    for (const [name, value] of Object.entries(fields)) {
      if (name.endsWith('_file') && textOf(value) !== '') files.push(`${place}.${name}`)
    }
  }
  fileIn(basic, 'basic_auth')
  fileIn(authorization, 'authorization')
  fileIn(oauth2, 'oauth2')
  if (textOf(about.body_file) !== '') files.push('body_file')
  if (files.length > 0) note(`${files.join(', ')}: enter what is in it; the monitor is paused`)
  const hasProxy = textOf(about.proxy_url) !== '' || about.proxy_from_environment === true
  if (hasProxy) note('its proxy: the operator lists one in the settings; the monitor is paused')
  const credentials = textOf(authorization.credentials)
  const type = textOf(authorization.type) || 'Bearer'
  const isPaused = files.length > 0 || hasProxy
  return {
    headers: credentials === '' ? {} : { authorization: `${type} ${credentials}` },
    fields: {
      ...tls,
      ...signInOf(basic, oauth2, note),
      ...(isPaused || tls.isActive === false ? { isActive: false } : {}),
    },
  }
}

function signInOf(basic: ForeignFields, oauth2: ForeignFields, note: Note): ForeignFields {
  const tokenUrl = textOf(oauth2.token_url)
  const isOauth = tokenUrl !== ''
  const username = textOf(isOauth ? oauth2.client_id : basic.username)
  const password = textOf(isOauth ? oauth2.client_secret : basic.password)
  const { grant_type: _, audience, ...others } = fieldsOf(oauth2.endpoint_params)
  const scope = listOf(oauth2.scopes).map(textOf).join(' ')
  if (Object.keys(others).length > 0) {
    note(`what it sends for a token besides: ${clip(Object.keys(others).join(', '), 150)}`)
  }
  return {
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(isOauth
      ? {
          auth: {
            ...{ type: 'oauth2', tokenUrl },
            ...(scope === '' ? {} : { scope }),
            ...(textOf(audience) === '' ? {} : { audience: textOf(audience) }),
          },
        }
      : {}),
  }
}

const tlsVersions: Readonly<Record<string, string>> = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
}

function tlsOf({ tls_config }: ForeignFields, note: Note): ForeignFields {
  const config = fieldsOf(tls_config)
  const files = ['ca_file', 'cert_file', 'key_file'].filter((name) => textOf(config[name]) !== '')
  const isIgnored = config.insecure_skip_verify === true
  const needed = isIgnored ? files.filter((name) => name !== 'ca_file') : files
  if (needed.length > 0) {
    note(`its tls_config.${needed.join(', ')}: paste what is in it; the monitor is paused`)
  }
  if (textOf(config.server_name) !== '') {
    note(`its tls_config.server_name: make it the host of the address, and connectTo the target`)
  }
  const max = textOf(config.max_version)
  if (max !== '') note(`its tls_config.max_version ${clip(max, 20)}`)
  return {
    ...(isIgnored ? { ignoreTlsErrors: true } : {}),
    ...(needed.length > 0 ? { isActive: false } : {}),
  }
}

function versionAssertions({ tls_config }: ForeignFields): readonly object[] {
  const version = tlsVersions[textOf(fieldsOf(tls_config).min_version)]
  if (version === undefined) return []
  return [{ source: 'tlsVersion', type: 'greaterOrEqual', value: version }]
}

function webOf(about: ForeignFields, { target, hostname }: ProbeTarget, note: Note): ForeignFields {
  const given = /^https?:\/\//i.test(target) ? target : `http://${target}`
  const { fields, headers: own } = clientOf(about, note)
  const named = textOf(about.method).toUpperCase() || 'GET'
  const method = methods.find((one) => one === named)
  if (method === undefined) note(`its method ${clip(named, 20)}: GET in place of it`)
  const { headers, host, isWhole } = headersOf([about.headers, about.http_headers], note)
  const body = typeof about.body === 'string' ? about.body : ''
  const statuses = listOf(about.valid_status_codes).flatMap((one) => numberOf(one) ?? [])
  const all = { ...headers, ...own }
  const follows = about.no_follow_redirects !== true && about.follow_redirects !== false
  const place = placeOf(given, hostname || host, note)
  return {
    checkType: 'endpoint',
    ...place,
    method: method ?? 'GET',
    ...(statuses.length === 0
      ? { expectedStatus: 200, acceptedStatuses: ['200-299'] }
      : {
          expectedStatus: statuses[0],
          acceptedStatuses: statuses.slice(0, statusesMax).map(String),
        }),
    ...(Object.keys(all).length === 0 ? {} : { headers: all }),
    ...(body === '' ? {} : { body }),
    followRedirects: follows,
    ...fields,
    ...(isWhole ? {} : { isActive: false }),
    ...familyOf(about),
    ...expectationsOf(about, note),
  }
}

const statusesMax = 20

/** The name of a host in place of that of the target: the check connects to the target, and asks for the name. */
function placeOf(given: string, hostname: string, note: Note): ForeignFields {
  const url = URL.parse(given)
  if (hostname === '' || !url || url.hostname === hostname) return { url: given }
  const connectTo = url.host
  const named = URL.parse(given)
  if (!named) return { url: given }
  named.host = hostname
  if (named.hostname !== hostname.toLowerCase().replace(/:\d+$/, '')) {
    note(`its Host ${clip(hostname, 60)}`)
    return { url: given }
  }
  return { url: named.href, connectTo }
}

/** Each value is plain, or the last one of its `values` and `secrets`. The name of the host is apart. */
function headersOf(maps: readonly unknown[], note: Note) {
  const headers: Record<string, string> = {}
  const files: string[] = []
  let host = ''
  for (const [name, value] of maps.flatMap((map) => Object.entries(fieldsOf(map)))) {
    const { values, secrets, files: paths } = fieldsOf(value)
    const last = [...listOf(values), ...listOf(secrets)].map(textOf).at(-1) ?? textOf(value)
    if (listOf(paths).length > 0) files.push(name)
    else if (name.toLowerCase() === 'host') host = last
    else headers[name] = last
  }
  if (files.length > 0) {
    note(`its headers ${clip(files.join(', '), 150)}, which are in files: enter them; it is paused`)
  }
  return { headers, host, isWhole: files.length === 0 }
}

function expectationsOf(about: ForeignFields, note: Note): ForeignFields {
  const assertions: object[] = [...versionAssertions(about)]
  if (about.fail_if_ssl === true) assertions.push({ source: 'tlsVersion', type: 'notExists' })
  if (about.fail_if_not_ssl === true) assertions.push({ source: 'tlsVersion', type: 'exists' })
  for (const one of listOf(about.fail_if_body_not_matches_regexp)) {
    assertions.push({ source: 'body', type: 'regex', value: textOf(one) })
  }
  for (const one of listOf(about.fail_if_body_matches_regexp)) {
    const word = literalOf(textOf(one))
    if (word === undefined) note(`that its body must not match ${clip(textOf(one), 100)}`)
    else assertions.push({ source: 'body', type: 'notContains', value: word })
  }
  for (const one of listOf(about.fail_if_header_not_matches).map(fieldsOf)) {
    const path = textOf(one.header)
    if (one.allow_missing === true) note(`that its header ${clip(path, 60)} may be missing`)
    assertions.push({ source: 'header', path, type: 'regex', value: textOf(one.regexp) })
  }
  for (const one of listOf(about.fail_if_header_matches).map(fieldsOf)) {
    const path = textOf(one.header)
    const regexp = textOf(one.regexp)
    const word = literalOf(regexp)
    const where = { source: 'header', path }
    if (/^(\.\*|\.\+)?$/.test(regexp)) assertions.push({ ...where, type: 'notExists' })
    else if (word !== undefined) assertions.push({ ...where, type: 'notContains', value: word })
    else note(`that its header ${clip(path, 60)} must not match ${clip(regexp, 80)}`)
  }
  if (assertions.length > limits.assertionsMax) note(`expectations beyond ${limits.assertionsMax}`)
  const kept = assertions.slice(0, limits.assertionsMax)
  return kept.length === 0 ? {} : { assertions: kept }
}

/** The text that an expression without signs finds. */
function literalOf(regexp: string): string | undefined {
  const plain = regexp.replace(/\\([^A-Za-z0-9])/g, '$1')
  const isPlain = !/[\\^$.*+?()[\]{}|]/.test(regexp.replace(/\\[^A-Za-z0-9]/g, ''))
  return isPlain && plain !== '' ? plain : undefined
}

function portOf(about: ForeignFields, target: string, note: Note): ForeignFields {
  const talk = talkOf(about.query_response)
  const place = target.replace(/^\w+:\/\//, '')
  const tls = tlsOf(about, note)
  const family = familyOf(about)
  if (talk.isEmpty && about.tls === true) {
    const assertions = versionAssertions(about)
    const { ignoreTlsErrors, ...rest } = tls
    if (ignoreTlsErrors)
      note('that its certificate may be any: a monitor of the kind ssl judges it')
    return {
      ...{ checkType: 'ssl', url: `https://${place}`, ...family, ...rest },
      ...(assertions.length === 0 ? {} : { assertions }),
    }
  }
  if (talk.protocol !== undefined) {
    const scheme = talk.protocol
    return { checkType: scheme, url: `${scheme}://${place}?starttls=required`, ...family, ...tls }
  }
  const isLost = talk.isLost || about.tls === true
  if (isLost) note(`its talk is more than here: ${talkWords(talk)}; the monitor is paused`)
  return {
    checkType: 'tcp',
    url: `tcp://${place}`,
    ...family,
    ...(talk.body === '' ? {} : { body: talk.body }),
    ...(talk.assertions.length === 0 ? {} : { assertions: talk.assertions }),
    ...(isLost ? { isActive: false } : {}),
  }
}

const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR']

/** The target is the name server. */
function dnsOf(about: ForeignFields, target: string, note: Note): ForeignFields {
  const asked = textOf(about.query_type).toUpperCase() || 'ANY'
  const type = recordTypes.includes(asked) ? asked : 'A'
  if (type !== asked) note(`that it asks for ${clip(asked, 20)}: A in place of it`)
  const transport = textOf(about.transport_protocol)
  if (transport === 'tcp') note('that it asks by TCP')
  if (about.recursion_desired === false) note('that it asks without recursion')
  const codes = listOf(about.valid_rcodes).map(textOf)
  const isAbsent = codes.length > 0 && !codes.includes('NOERROR')
  if (codes.some((code) => code !== 'NOERROR')) note(`its answers ${clip(codes.join(', '), 100)}`)
  const name = textOf(about.query_name).replace(/\.$/, '')
  const server = target.replace(/^\w+:\/\//, '').replace(/:53$/, '')
  return {
    checkType: 'dns',
    url: `dns://${name}?type=${type}&server=${server}`,
    ...familyOf(about),
    ...(isAbsent ? { isUpsideDown: true } : {}),
    ...recordsOf(fieldsOf(about.validate_answer_rrs), note),
  }
}

/** Expressions are about lines of a zone file; those that look for one word are about its value. */
function recordsOf(rules: ForeignFields, note: Note): ForeignFields {
  const assertions: object[] = []
  const kinds: Readonly<Record<string, string>> = {
    fail_if_none_matches_regexp: 'regex',
    fail_if_not_matches_regexp: 'regex',
    fail_if_matches_regexp: 'notContains',
  }
  for (const [rule, patterns] of Object.entries(rules)) {
    for (const pattern of listOf(patterns).map(textOf)) {
      const type = kinds[rule]
      const bare = pattern.replace(/^\.\*/, '').replace(/\.\*$/, '')
      const isWord = /^[\w.:\\-]{1,200}$/.test(bare)
      const value = type === 'notContains' ? bare.replaceAll('\\', '') : bare
      if (type !== undefined && isWord) assertions.push({ source: 'body', type, value })
      else note(`its ${rule} ${clip(pattern, 100)}`)
    }
  }
  const kept = assertions.slice(0, limits.assertionsMax)
  return kept.length === 0 ? {} : { assertions: kept }
}

function grpcOf(about: ForeignFields, target: string, note: Note): ForeignFields {
  const service = textOf(about.service)
  const place = target.replace(/^\w+:\/\//, '')
  const query = service === '' ? '' : `?service=${encodeURIComponent(service)}`
  const metadata = Object.entries(fieldsOf(about.metadata)).map(
    ([name, values]) => [name, textOf(listOf(values)[0] ?? values)] as const,
  )
  return {
    checkType: 'grpc',
    url: `${about.tls === true ? 'grpcs' : 'grpc'}://${place}${query}`,
    ...familyOf(about),
    ...tlsOf(about, note),
    ...(metadata.length === 0 ? {} : { headers: Object.fromEntries(metadata) }),
  }
}

function websocketOf(about: ForeignFields, target: string, note: Note): ForeignFields {
  const { fields, headers: own } = clientOf(fieldsOf(about.http_config), note)
  const headers = { ...headersOf([about.headers], note).headers, ...own }
  const talk = talkOf(about.query_response)
  if (talk.isLost) note(`its talk is more than here: ${talkWords(talk)}; the monitor is paused`)
  return {
    checkType: 'websocket',
    url: /^wss?:\/\//.test(target) ? target : `ws://${target}`,
    ...familyOf(about),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...fields,
    ...(talk.text === '' ? {} : { body: talk.text }),
    ...(talk.assertions.length === 0 ? {} : { assertions: talk.assertions }),
    ...(talk.isLost ? { isActive: false } : {}),
  }
}
