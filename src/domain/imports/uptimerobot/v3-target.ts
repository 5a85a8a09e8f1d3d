// What a monitor of UptimeRobot looks at, as version 3 of its API tells it.
//
// The fields: https://uptimerobot.com/api/v3/, MonitorDto
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
  within,
} from '../foreign.ts'
import { sentText } from '../sent-text.ts'

/** What is made of a monitor; DNS has one for each type of records that it asks for, by its name. */
export interface RobotTarget {
  readonly fields: ForeignFields
  readonly part?: string
}

export function targetsOf(item: ForeignFields, note: Note): readonly RobotTarget[] {
  const config = fieldsOf(item.config)
  const url = textOf(item.url)
  const type = textOf(item.type)
  const common = { ...paceOf(item), ...familyOf(config, note), ...slownessOf(item) }
  if (type !== 'HEARTBEAT') noteRegions(item, note)
  switch (type) {
    case 'HTTP':
      return [{ fields: { ...common, ...webOf(item, note) } }]
    case 'KEYWORD':
      return [{ fields: { ...common, ...webOf(item, note), ...keywordOf(item, note) } }]
    case 'API':
      return [{ fields: { ...common, ...webOf(item, note), ...assertionsOf(config, note) } }]
    case 'PING':
      return [{ fields: { ...common, checkType: 'ping', url: `ping://${hostOf(url)}` } }]
    case 'PORT':
      return [
        {
          fields: { ...common, checkType: 'tcp', url: `tcp://${hostOf(url)}:${textOf(item.port)}` },
        },
      ]
    case 'UDP':
      return [{ fields: { ...common, ...udpOf(item, config, note) } }]
    case 'DNS':
      return dnsOf(config, hostOf(url), note).map(({ fields, ...part }) => ({
        ...part,
        fields: { ...common, ...fields },
      }))
    case 'HEARTBEAT': {
      note('its address for heartbeats is a new one: change it in the sender')
      const grace = numberOf(item.gracePeriod) ?? limits.importGraceSeconds
      return [{ fields: { checkType: 'push', ...pushPace(numberOf(item.interval) ?? 300, grace) } }]
    }
    default:
      note(`its type ${clip(type, 60)} has no equivalent: the monitor was left out`)
      return []
  }
}

function hostOf(address: string): string {
  return hostText(URL.parse(address)?.hostname || address)
}

function paceOf(item: ForeignFields): { readonly intervalSeconds: number; timeoutMs: number } {
  const seconds = numberOf(item.interval) ?? 300
  const intervalSeconds = within(seconds, limits.intervalSecondsMin, limits.intervalSecondsMax)
  const timeoutMsMax = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  const timeoutMs = (numberOf(item.timeout) ?? 30) * 1_000
  return { intervalSeconds, timeoutMs: within(timeoutMs, limits.timeoutMsMin, timeoutMsMax) }
}

function familyOf({ ipVersion }: ForeignFields, note: Note): ForeignFields {
  const version = textOf(ipVersion)
  if (version === 'ipv4Only') return { ipFamily: 'ipv4' }
  if (version === 'ipv6Only') return { ipFamily: 'ipv6' }
  if (version !== '') note(`its ipVersion ${clip(version, 40)}`)
  return {}
}

/** There, an answer that is slower than its threshold opens an incident. */
function slownessOf(item: ForeignFields): ForeignFields {
  const { THRESHOLD } = fieldsOf(item.regionalData)
  const given = [...listOf(THRESHOLD), item.responseTimeThreshold]
  const thresholds = given.map((one) => numberOf(one) ?? 0).filter((one) => one > 0)
  if (thresholds.length === 0) return {}
  const degradedThresholdMs = within(Math.min(...thresholds), 1, paceOf(item).timeoutMs - 1)
  return { degradedThresholdMs, degradedOpensIncident: true }
}

const regionNames: Readonly<Record<string, string>> = {
  na: 'North America',
  eu: 'Europe',
  as: 'Asia',
  oc: 'Oceania',
}

function noteRegions({ regionalData }: ForeignFields, note: Note): void {
  const { REGION, MANUAL_SELECTED } = fieldsOf(regionalData)
  const regions = listOf(REGION).map((one) => regionNames[textOf(one)] ?? textOf(one))
  if (MANUAL_SELECTED !== true || regions.length === 0) return
  note(`that it is checked from ${clip(regions.join(', '), 100)}: choose locations`)
}

function webOf(item: ForeignFields, note: Note): ForeignFields {
  const config = fieldsOf(item.config)
  const method = methodOf(item, note)
  const body = ['GET', 'HEAD'].includes(method) ? '' : bodyOf(item)
  const retries = numberOf(config.applicationErrorRetries)
  const days = listOf(config.sslExpirationPeriodDays).flatMap((one) => numberOf(one) ?? [])
  const warnDays = days.length === 0 ? usualWarnDays : days
  return {
    checkType: 'endpoint',
    url: textOf(item.url),
    method,
    ...statusesOf(item, note),
    ...headersOf(item, body),
    ...(body === '' ? {} : { body }),
    ...signInOf(item),
    followRedirects: item.followRedirections !== false,
    ...(item.checkSSLErrors === false ? { ignoreTlsErrors: true } : {}),
    certificateWarnDays:
      item.sslExpirationReminder === true
        ? [...new Set(warnDays.map((one) => within(one, 1, limits.certificateWarnDaysMax)))].slice(
            0,
            warningsMax,
          )
        : [],
    ...(retries === undefined
      ? {}
      : { failureThreshold: within(retries + 1, 1, limits.thresholdMax) }),
  }
}

/** When the service warns, if no days are set. */
const usualWarnDays = [30, 14, 7, 1]
const warningsMax = 10

/** A monitor without one sends HEAD where no body is needed. */
function methodOf({ type, httpMethodType }: ForeignFields, note: Note) {
  const named = textOf(httpMethodType).toUpperCase() || 'HEAD'
  if (named === 'HEAD') return type === 'HTTP' ? 'HEAD' : 'GET'
  const method = methods.find((one) => one === named)
  if (method === undefined) note(`its method ${clip(named, 20)}: GET in place of it`)
  return method ?? 'GET'
}

function bodyOf({ postValueData, postValueType }: ForeignFields): string {
  if (typeof postValueData !== 'object' || postValueData === null) return textOf(postValueData)
  if (textOf(postValueType) !== 'KEY_VALUE') return JSON.stringify(postValueData)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(postValueData)) form.append(name, textOf(value))
  return form.toString()
}

function headersOf(item: ForeignFields, body: string): ForeignFields {
  const headers = Object.fromEntries(
    Object.entries(fieldsOf(item.customHttpHeaders)).map(([name, value]) => [name, textOf(value)]),
  )
  const has = (wanted: string) => Object.keys(headers).some((name) => name.toLowerCase() === wanted)
  if (body !== '' && !has('content-type')) {
    const isForm = textOf(item.postValueType) === 'KEY_VALUE'
    headers['content-type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  }
  const token = textOf(item.httpPassword) || textOf(item.httpUsername)
  if (textOf(item.authType) === 'BEARER' && token !== '' && !has('authorization')) {
    headers.authorization = `Bearer ${token}`
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** It says HTTP_BASIC also where there is no name. */
function signInOf({ authType, httpUsername, httpPassword }: ForeignFields): ForeignFields {
  const type = textOf(authType)
  const username = textOf(httpUsername)
  const password = textOf(httpPassword)
  if (type === 'NONE' || type === 'BEARER' || (username === '' && password === '')) return {}
  return {
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(type === 'DIGEST' ? { auth: { type: 'digest' } } : {}),
  }
}

const statusesMax = 20

/** Statuses such as 404, and classes such as 2xx; 2xx and 3xx are good without any. */
function statusesOf(item: ForeignFields, note: Note): ForeignFields {
  const listed = listOf(item.successHttpResponseCodes).map(textOf)
  const given = listed.length === 0 ? ['2xx', '3xx'] : listed
  const statuses = given.flatMap((one) => {
    if (/^[1-5]\d\d$/.test(one)) return one
    const [, digit] = /^([1-5])xx$/i.exec(one) ?? []
    if (digit !== undefined) return `${digit}00-${digit}99`
    note(`its status ${clip(one, 20)}`)
    return []
  })
  const [first = '200'] = statuses
  const isUsual = statuses.includes('200') || statuses.includes('200-299')
  return {
    expectedStatus: isUsual ? 200 : Number(first.slice(0, 3)),
    acceptedStatuses: statuses.slice(0, statusesMax),
  }
}

function keywordOf(item: ForeignFields, note: Note): ForeignFields {
  const word = textOf(item.keywordValue)
  if (word === '') return {}
  if (numberOf(item.keywordCaseType) === 1) {
    note(`that its keyword "${word}" may be in capitals or not: here it is as it is written`)
  }
  const isUnwanted = textOf(item.keywordType) === 'ALERT_EXISTS'
  return isUnwanted ? { bodyNotContains: word } : { bodyContains: word }
}

const assertionTypes: Readonly<Record<string, string>> = {
  equals: 'equals',
  not_equals: 'notEquals',
  contains: 'contains',
  not_contains: 'notContains',
  greater_than: 'greaterThan',
  less_than: 'lessThan',
}

function assertionsOf(config: ForeignFields, note: Note): ForeignFields {
  const { logic, checks } = fieldsOf(config.apiAssertions)
  const given = listOf(checks).map(fieldsOf)
  if (textOf(logic) === 'OR' && given.length > 1) {
    const words = given.map(wordsOf).join(' or ')
    note(`that one of these is enough: ${clip(words, 200)}`)
    return {}
  }
  const assertions = given.flatMap((check) => {
    const assertion = assertionOf(check)
    if (assertion === undefined) note(`its assertion ${wordsOf(check)}`)
    return assertion ?? []
  })
  return { assertions: assertions.slice(0, limits.assertionsMax) }
}

function wordsOf({ property, comparison, target }: ForeignFields): string {
  return clip(`${textOf(property)} ${textOf(comparison)} ${targetText(target)}`.trim(), 80)
}

function targetText(target: unknown): string {
  if (typeof target === 'string') return target
  return target === undefined || target === null ? '' : JSON.stringify(target)
}

function assertionOf({ property, comparison, target }: ForeignFields): object | undefined {
  const path = textOf(property)
  const isStatus = path === 'status_code'
  if (!path.startsWith('$') && !isStatus) return undefined
  const where = isStatus ? { source: 'status' } : { source: 'json', path }
  switch (textOf(comparison)) {
    case 'is_null':
      return isStatus ? undefined : { ...where, type: 'type', value: 'null' }
    case 'is_not_null':
      return { ...where, type: 'notEquals', value: 'null' }
    default: {
      const type = assertionTypes[textOf(comparison)]
      return type === undefined ? undefined : { ...where, type, value: targetText(target) }
    }
  }
}

function udpOf(item: ForeignFields, config: ForeignFields, note: Note): ForeignFields {
  const { payload, packetLossThreshold } = fieldsOf(config.udp)
  const body = typeof payload === 'string' ? payload : ''
  if ((numberOf(packetLossThreshold) ?? 0) > 0) {
    note(`that ${textOf(packetLossThreshold)} % of its packets may be lost: one is sent`)
  }
  return {
    checkType: 'udp',
    url: `udp://${hostOf(textOf(item.url))}:${textOf(item.port)}`,
    ...(body === '' ? {} : { body: sentText(body) }),
  }
}

/** The types of records that are asked for here; SPF is text. */
const recordTypes: Readonly<Record<string, string>> = {
  ...{ A: 'A', AAAA: 'AAAA', CNAME: 'CNAME', MX: 'MX', NS: 'NS', TXT: 'TXT', SPF: 'TXT' },
  ...{ SOA: 'SOA', SRV: 'SRV', PTR: 'PTR' },
}
/** Where the name is in a record of several fields. */
const recordNames: Readonly<Record<string, string>> = {
  MX: 'exchange',
  SRV: 'target',
  SOA: 'primary',
}

function dnsOf(config: ForeignFields, host: string, note: Note): readonly RobotTarget[] {
  const given = Object.entries(fieldsOf(config.dnsRecords))
    .map(([type, values]) => [type, listOf(values).map(textOf)] as const)
    .filter(([, values]) => values.length > 0)
  const unknown = given.map(([type]) => type).filter((type) => recordTypes[type] === undefined)
  if (unknown.length > 0) note(`its records of the types ${unknown.join(', ')}`)
  const byType = new Map<string, string[]>()
  for (const [there, values] of given) {
    const type = recordTypes[there]
    if (type !== undefined) byType.set(type, [...(byType.get(type) ?? []), ...values])
  }
  // Without records, any answer is good.
  if (byType.size === 0 && unknown.length === 0) byType.set('A', [])
  const isOne = byType.size === 1
  return [...byType].map(([type, values]) => ({
    ...(isOne ? {} : { part: type }),
    fields: {
      checkType: 'dns',
      url: `dns://${host}?type=${type}`,
      assertions: values
        .slice(0, limits.assertionsMax)
        .map((value) => recordAssertion(type, value)),
    },
  }))
}

/** Here, names are in lower case, and have no dot at the end. */
function recordAssertion(type: string, value: string): object {
  const name = recordNames[type]
  const isWhole = name === undefined || /\s/.test(value)
  const field = name === undefined ? '' : isWhole ? '.text' : `.${name}`
  const isText = type === 'TXT'
  return {
    source: 'json',
    path: `$.records[*]${field}`,
    type: 'equals',
    value: isText ? value.replace(/^"(.*)"$/s, '$1') : value.toLowerCase().replace(/\.$/, ''),
  }
}
