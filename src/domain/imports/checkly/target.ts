// What a check of Checkly looks at.
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
  pushPace,
  textOf,
} from '../foreign.ts'
import { browserOf } from '../scripts/read-script.ts'
import { sentText } from '../sent-text.ts'
import { expectationIn } from './assertions.ts'
import { pairsOf } from './channels.ts'
import { multistepOf } from './multistep.ts'

/** `defaults`: those of the group of an API check. Undefined, with a note, if there is no such kind. */
export function targetOf(
  item: ForeignFields,
  defaults: ForeignFields,
  note: Note,
): ForeignFields | undefined {
  const type = textOf(item.checkType)
  const request = fieldsOf(item.request)
  const isUnread = item.request === undefined || item.request === null
  const isLooking = !['HEARTBEAT', 'BROWSER', 'MULTI_STEP', 'PLAYWRIGHT'].includes(type)
  if (isLooking && isUnread) {
    note('what it looks at is not told: the monitor was left out')
    return undefined
  }
  const fails = item.shouldFail === true ? { isUpsideDown: true } : {}
  const host = hostText(textOf(request.hostname))
  switch (type) {
    case 'API':
      return webOf(item, request, defaults, note)
    case 'URL':
      return webOf(item, request, {}, note)
    case 'TCP': {
      const data = typeof request.data === 'string' ? request.data : ''
      const url = `tcp://${host}:${textOf(request.port)}`
      const body = data === '' ? {} : { body: sentText(data) }
      return { checkType: 'tcp', url, ...fails, ...body, ...plainOf(request, note) }
    }
    case 'ICMP': {
      const losses = [item.maxPacketLossThreshold, item.degradedPacketLossThreshold]
      const some = losses.filter((loss) => (numberOf(loss) ?? 0) > 0).map(textOf)
      if (some.length > 0) note(`its losses of packets ${some.join(', ')} %: one is sent`)
      return { checkType: 'ping', url: `ping://${host}`, ...fails, ...plainOf(request, note) }
    }
    case 'DNS':
      return { ...dnsOf(request, note), ...fails }
    case 'GRPC':
      return { ...grpcOf(request, note), ...fails }
    case 'SSL':
      return { ...certificateOf(request, note), ...fails }
    case 'HEARTBEAT':
      return heartbeatOf(fieldsOf(item.heartbeat), note)
    case 'BROWSER':
      return browserOf(textOf(item.script), note)
    case 'MULTI_STEP':
      return multistepOf(item, note)
    default:
      note(`its type ${clip(type, 40)} has no equivalent: the monitor was left out`)
      return undefined
  }
}

function familyOf({ ipFamily }: ForeignFields): ForeignFields {
  // IPv4 is what it uses if nothing is chosen.
  return textOf(ipFamily) === 'IPv6' ? { ipFamily: 'ipv6' } : {}
}

function plainOf(request: ForeignFields, note: Note): ForeignFields {
  const { assertions } = expectationIn(request.assertions, note)
  return { ...familyOf(request), ...(assertions.length === 0 ? {} : { assertions }) }
}

function webOf(
  item: ForeignFields,
  request: ForeignFields,
  defaults: ForeignFields,
  note: Note,
): ForeignFields {
  const named = textOf(request.method).toUpperCase() || 'GET'
  const method = methods.find((one) => one === named)
  if (method === undefined) note(`its method ${clip(named, 20)}: GET in place of it`)
  const pairs = [...pairsOf(defaults.headers), ...pairsOf(request.headers)]
  const headers = Object.fromEntries(pairs)
  const bodyType = textOf(request.bodyType)
  const body = bodyOf(request, bodyType)
  const isTyped = pairs.some(([name]) => name.toLowerCase() === 'content-type')
  const contentType = contentTypes[bodyType]
  if (body !== '' && !isTyped && contentType !== undefined) headers['content-type'] = contentType
  const basic = fieldsOf(request.basicAuth)
  const given = textOf(basic.username) === '' ? fieldsOf(defaults.basicAuth) : basic
  const wanted = [...listOf(defaults.assertions), ...listOf(request.assertions)]
  const { assertions, statuses, isStatusJudged } = expectationIn(wanted, note)
  const usual = item.shouldFail === true ? ['400-599'] : ['200-399']
  const accepted = statuses.length > 0 ? statuses : isStatusJudged ? ['100-599'] : usual
  noteScripts(item, note)
  return {
    checkType: 'endpoint',
    url: addressOf(request, defaults),
    method: method ?? 'GET',
    expectedStatus: Number(accepted[0]?.slice(0, 3)),
    acceptedStatuses: accepted.slice(0, statusesMax),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === '' || named === 'GET' || named === 'HEAD' ? {} : { body }),
    ...(textOf(given.username) === '' ? {} : { username: textOf(given.username) }),
    ...(textOf(given.password) === '' ? {} : { password: textOf(given.password) }),
    followRedirects: request.followRedirects !== false,
    ...(request.skipSSL === true ? { ignoreTlsErrors: true } : {}),
    ...familyOf(request),
    ...(assertions.length === 0 ? {} : { assertions }),
  }
}

const statusesMax = 20

const contentTypes: Readonly<Record<string, string>> = {
  JSON: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
  GRAPHQL: 'application/json',
}

function bodyOf({ body }: ForeignFields, bodyType: string): string {
  if (bodyType === 'NONE' || body === undefined || body === null) return ''
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (bodyType === 'GRAPHQL') return JSON.stringify({ query: text })
  if (bodyType !== 'FORM') return text
  const form = new URLSearchParams()
  try {
    for (const [name, value] of pairsOf(JSON.parse(text))) form.append(name, value)
  } catch {
    return text
  }
  return form.toString()
}

/** A group may have the beginning of the address, and parameters. */
function addressOf(request: ForeignFields, defaults: ForeignFields): string {
  const base = textOf(defaults.url)
  const text = textOf(request.url).replace(/\{\{\s?GROUP_BASE_URL\s?\}\}/g, base)
  const query = [...pairsOf(defaults.queryParameters), ...pairsOf(request.queryParameters)]
  const url = URL.parse(text)
  if (query.length === 0 || !url) return text
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url.href
}

const scripts = {
  setupSnippetId: 'a snippet that runs before it',
  tearDownSnippetId: 'a snippet that runs after it',
  localSetupScript: 'a script that runs before it',
  localTearDownScript: 'a script that runs after it',
} as const

function noteScripts(item: ForeignFields, note: Note): void {
  for (const [field, word] of Object.entries(scripts)) {
    if (textOf(item[field]) !== '') note(`${word}: what it changes of the request is not done`)
  }
}

const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR']

function dnsOf(request: ForeignFields, note: Note): ForeignFields {
  const asked = textOf(request.recordType).toUpperCase() || 'A'
  const type = recordTypes.includes(asked) ? asked : 'A'
  if (type !== asked) note(`that it asks for ${clip(asked, 20)}: A in place of it`)
  if (textOf(request.protocol) === 'TCP') note('that it asks by TCP')
  const server = textOf(request.nameServer)
  const port = numberOf(request.port) ?? 53
  const place = `${hostText(server)}${port === 53 ? '' : `:${port}`}`
  const query = server === '' ? '' : `&server=${place}`
  const { assertions } = expectationIn(request.assertions, note)
  return {
    checkType: 'dns',
    url: `dns://${textOf(request.query).replace(/\.$/, '')}?type=${type}${query}`,
    ...(assertions.length === 0 ? {} : { assertions }),
  }
}

function grpcOf(request: ForeignFields, note: Note): ForeignFields {
  const config = fieldsOf(request.grpcConfig)
  const host = hostText(textOf(request.url).replace(/^\w+:\/\//, ''))
  const isHealth = textOf(config.mode) === 'HEALTH'
  const method = textOf(config.method).replace(/^\//, '')
  const service = textOf(config.service)
  const path = isHealth || method === '' ? '' : `/${method}`
  const query = isHealth && service !== '' ? `?service=${encodeURIComponent(service)}` : ''
  const proto = textOf(config.protoContent)
  const message = textOf(config.message) || '{}'
  const metadata = pairsOf(config.metadata)
  // That the call succeeds is what is wanted here, too.
  const wanted = listOf(request.assertions).filter((one) => !isSuccess(fieldsOf(one)))
  const { assertions } = expectationIn(wanted, note)
  const body = proto === '' ? message : `${proto}\n---\n${message}`
  return {
    checkType: 'grpc',
    url: `${config.tls === true ? 'grpcs' : 'grpc'}://${host}:${textOf(request.port) || '443'}${path}${query}`,
    ...(path === '' ? {} : { body }),
    ...(metadata.length === 0 ? {} : { headers: Object.fromEntries(metadata) }),
    ...(request.skipSSL === true ? { ignoreTlsErrors: true } : {}),
    ...familyOf(request),
    ...(assertions.length === 0 ? {} : { assertions }),
  }
}

function isSuccess({ source, comparison, target }: ForeignFields): boolean {
  return source === 'GRPC_STATUS' && comparison === 'EQUALS' && textOf(target) === '0'
}

function certificateOf(request: ForeignFields, note: Note): ForeignFields {
  const config = fieldsOf(request.sslConfig)
  const days = numberOf(config.alertDaysBeforeExpiry)
  const baseline = fieldsOf(config.securityBaseline)
  if (textOf(config.serverName) !== '')
    note(`its server name ${clip(textOf(config.serverName), 80)}`)
  if (Object.keys(baseline).length > 0 && baseline.enabled !== false) note('its security baseline')
  if (config.skipChainValidation === true) note('that its chain may be any')
  if (textOf(request.sslClientCertificateId) !== '') note('its client certificate')
  const { assertions } = expectationIn(request.assertions, note)
  return {
    checkType: 'ssl',
    url: `https://${hostText(textOf(config.hostname))}:${textOf(config.port) || '443'}`,
    ...familyOf(config),
    ...(days === undefined ? {} : { certificateWarnDays: [Math.max(1, Math.round(days))] }),
    ...(assertions.length === 0 ? {} : { assertions }),
  }
}

const unitSeconds: Readonly<Record<string, number>> = {
  ...{ seconds: 1, minutes: 60, hours: 3_600, days: 86_400 },
}

function heartbeatOf(heartbeat: ForeignFields, note: Note): ForeignFields {
  note('its address for pings is a new one: change it in the sender')
  const secondsOf = (amount: unknown, unit: unknown, usual: number) =>
    (numberOf(amount) ?? Number.NaN) * (unitSeconds[textOf(unit)] ?? 1) || usual
  const period = secondsOf(heartbeat.period, heartbeat.periodUnit, 86_400)
  const grace =
    numberOf(heartbeat.grace) === 0
      ? 0
      : secondsOf(heartbeat.grace, heartbeat.graceUnit, limits.importGraceSeconds)
  return { checkType: 'push', ...pushPace(period, grace) }
}
