// Monitors, heartbeats and status pages of Better Stack: answers of its Uptime API.
//
// The fields: https://betterstack.com/docs/uptime/api/monitors-api-response-params/ and the pages beside it.

import { clip } from '../../../base/clip.ts'
import { methods } from '../../checks/check-type.ts'
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
import { zoneOf } from '../rails-zones.ts'
import { browserOf } from '../scripts/read-script.ts'
import { sentText } from '../sent-text.ts'
import { domainMonitors } from '../watched-domains.ts'
import { escalationOf } from './escalation.ts'
import { documentIdOf } from './ids.ts'
import { pagesOf } from './page.ts'
import { pastOf, type StackWatched } from './past.ts'

/**
 * `answers`: lists of resources, each with its `type`, in any order; beside `data`, `rotations` by the ids of calendars, and
 * `readAt`, when all was read, an ISO time.
 */
export function fromBetterstack(answers: readonly unknown[]): ForeignDocument {
  const all = answers.flatMap((answer) => listOf(fieldsOf(answer).data)).map(fieldsOf)
  const byType = Map.groupBy(all, ({ type }) => textOf(type))
  const ofType = (...types: string[]) => types.flatMap((type) => byType.get(type) ?? [])
  const groups = new Map(
    ofType('monitor_group', 'heartbeat_group', 'hearbeat_group').map(({ id, type, attributes }) => [
      `${textOf(type).startsWith('monitor') ? 'monitor' : 'heartbeat'} ${textOf(id)}`,
      fieldsOf(attributes),
    ]),
  )
  const notes = createNotes()
  const told = answers.map(fieldsOf)
  const readAtMs = Math.max(...told.map(({ readAt }) => Date.parse(textOf(readAt)) || 0), 0)
  const items = itemsOf(ofType('monitor', 'heartbeat'), 'monitors').map((item) => {
    const there = `${textOf(item.type)}/${textOf(item.id)}`
    const fields = fieldsOf(item.attributes)
    const given = fields.pronounceable_name ?? fields.scenario_name ?? fields.name
    return { item, there, fields, name: nameOf(given, textOf(fields.url) || there) }
  })
  const rotations = Object.assign({}, ...told.map((one) => fieldsOf(one.rotations)))
  const { channels, secretsOmitted, bound } = escalationOf(items, { ofType, rotations }, notes.of)
  const made = items.flatMap(({ item, there, fields, name }) => {
    const id = documentIdOf(item)
    const note = notes.of(name, there)
    const target = item.type === 'heartbeat' ? heartbeatOf(fields, note) : targetOf(fields, note)
    if (!target || id === undefined) return []
    const ofGroup = `${textOf(item.type)} ${textOf(fields.monitor_group_id ?? fields.heartbeat_group_id)}`
    const group = groups.get(ofGroup)
    const tags = tagsOf([nameOf(group?.name, '')])
    const isPaused = [fields, fieldsOf(group)].some(
      ({ paused, paused_at, status }) =>
        paused === true || textOf(paused_at) !== '' || textOf(status) === 'paused',
    )
    if (textOf(fields.expiration_policy_id) !== '')
      note('that others are told of what expires: here its channels are')
    const monitor: ForeignMonitor = {
      ...{ id, origin: there, name },
      ...target,
      isActive: target.isActive !== false && !isPaused,
      ...(tags.length === 0 ? {} : { tags }),
      ...bound.get(there),
    }
    return { there, fields, monitor, id, note, ofGroup }
  })
  const grouped = new Map(
    [...Map.groupBy(made, ({ ofGroup }) => ofGroup)].map(
      ([group, some]) =>
        [group, some.slice(0, limits.pageMonitorsMax).map(({ id }) => id)] as const,
    ),
  )
  const pages = pagesOf(ofType, grouped, notes.of)
  const shown = new Map(pages.flatMap(({ names }) => [...names]))
  if (made.length > 0) {
    notes.of(null)(
      channels.length === 0
        ? 'who is told (calls, SMS, e-mail, push, escalation policies): create alert channels'
        : 'calls, text messages and push to telephones: create alert channels for them',
    )
    notes.of(null)('the regions that it looks from: set up probes, and choose them as locations')
  }
  const monitors = made.map(({ monitor, id }) => {
    if (!shown.has(id)) return monitor
    const publicName = shown.get(id) ?? ''
    const isOther = publicName !== '' && publicName !== monitor.name
    return { ...monitor, isPublic: true, ...(isOther ? { publicName } : {}) }
  })
  const known = new Set(made.map(({ id }) => id))
  return {
    // The ids are those of the whole service.
    source: { product: 'betterstack', installation: 'uptime.betterstack.com' },
    ...(channels.length === 0 ? {} : { channels, secretsOmitted }),
    monitors: [...monitors, ...domainsOf(made)],
    statusPages: pages.map(({ page }) => {
      const sections = page.sections.map(({ name, monitorIds }) => ({
        name,
        monitorIds: monitorIds.filter((id) => known.has(id)),
      }))
      const publicMonitorIds = page.publicMonitorIds.filter((id) => known.has(id))
      return { ...page, sections, publicMonitorIds }
    }),
    maintenance: made.flatMap(({ there, fields, monitor, id, note }) => {
      const times = windowOf(fields, note)
      return times
        ? { name: monitor.name, origin: `${there}/maintenance`, monitorIds: [id], ...times }
        : []
    }),
    history: pastOf(ofType('incident'), made, readAtMs, notes.of(null)),
    notes: notes.all(),
  }
}

interface StackMade extends StackWatched {
  readonly monitor: ForeignMonitor
}

/** A monitor for each domain whose registration is watched, with the most days that are asked for. */
function domainsOf(made: readonly StackMade[]): readonly ForeignMonitor[] {
  const watched = made.filter(({ fields }) => daysOf(fields) > 0)
  const byDays = [...Map.groupBy(watched, ({ fields }) => daysOf(fields))]
  const all = byDays
    .toSorted(([one], [other]) => other - one)
    .flatMap(([days, some]) =>
      domainMonitors(
        some.map(({ monitor }) => monitor),
        [days],
      ),
    )
  return [...new Map(all.toReversed().map((one) => [one.origin, one])).values()]
}

function daysOf({ domain_expiration }: ForeignFields): number {
  return within(numberOf(domain_expiration) ?? 0, 0, 365)
}

function heartbeatOf(fields: ForeignFields, note: Note): ForeignFields {
  note('its address for heartbeats is a new one: change it in the sender')
  const period = numberOf(fields.period) ?? 86_400
  return { checkType: 'push', ...pushPace(period, numberOf(fields.grace) ?? 0) }
}

function targetOf(fields: ForeignFields, note: Note): ForeignFields | undefined {
  const url = textOf(fields.url)
  const type = textOf(fields.monitor_type)
  // Several ports may stand with commas between them.
  const [port = '', ...ports] = textOf(fields.port).split(',')
  const host = hostText(URL.parse(url)?.hostname || url)
  const common = { ...paceOf(fields), ...familyOf(fields) }
  if (ports.length > 0)
    note(`its other ports ${clip(ports.join(', '), 40)}: make a monitor for each`)
  switch (type) {
    case 'status':
    case 'expected_status_code':
    case 'keyword':
    case 'keyword_absence':
      return { ...common, ...webOf(fields, type, url, note) }
    case 'ping':
      return { ...common, checkType: 'ping', url: `ping://${host}` }
    case 'tcp':
      return { ...common, checkType: 'tcp', url: `tcp://${host}:${port}` }
    case 'pop':
      return {
        ...common,
        checkType: 'pop3',
        url: `${port === '995' ? 'pop3s' : 'pop3'}://${host}:${port || 110}`,
      }
    case 'imap':
      return {
        ...common,
        checkType: 'imap',
        url: `${port === '993' ? 'imaps' : 'imap'}://${host}:${port || 143}`,
      }
    case 'udp': {
      const sent = textOf(fields.request_body)
      const word = textOf(fields.required_keyword)
      return {
        ...common,
        ...{ checkType: 'udp', url: `udp://${host}:${port}` },
        ...(sent === '' ? {} : { body: sentText(sent) }),
        ...(word === '' ? {} : { bodyContains: word }),
      }
    }
    case 'playwright': {
      const browser = browserOf(filledScript(fields, note), note)
      return browser && { ...common, ...browser }
    }
    case 'dns':
      return {
        ...common,
        checkType: 'dns',
        url: `dns://${textOf(fields.request_body)}?type=A&server=${host}`,
      }
    case 'smtp': {
      const isTls = port === '465'
      return {
        ...common,
        checkType: 'smtp',
        url: `${isTls ? 'smtps' : 'smtp'}://${host}:${port || 25}`,
      }
    }
    default:
      note(`its type "${type}" has no equivalent: the monitor was left out`)
      return undefined
  }
}

/** The service waits for a time; here as many checks as are made in it confirm. */
function paceOf(fields: ForeignFields): ForeignFields {
  const seconds = numberOf(fields.check_frequency) ?? 180
  const checksIn = (period: unknown) =>
    within(1 + Math.ceil((numberOf(period) ?? 0) / seconds), 1, thresholdMax)
  return {
    intervalSeconds: within(seconds, limits.intervalSecondsMin, limits.intervalSecondsMax),
    failureThreshold: checksIn(fields.confirmation_period),
    recoveryThreshold: checksIn(fields.recovery_period),
    ...timeoutOf(fields),
  }
}

const thresholdMax = 10
/** What has its timeout in milliseconds; all others have it in seconds. */
const serverType = /^(ping|tcp|udp|smtp|pop|imap|dns)$/

function timeoutOf({ request_timeout, monitor_type }: ForeignFields): ForeignFields {
  const timeout = numberOf(request_timeout)
  if (timeout === undefined) return {}
  const ms = serverType.test(textOf(monitor_type)) ? timeout : timeout * 1_000
  return { timeoutMs: within(ms, limits.timeoutMsMin, limits.timeoutMsMax) }
}

function familyOf({ ip_version }: ForeignFields): ForeignFields {
  const family = textOf(ip_version)
  return family === 'ipv4' || family === 'ipv6' ? { ipFamily: family } : {}
}

function webOf(fields: ForeignFields, type: string, url: string, note: Note): ForeignFields {
  const method = methods.find((one) => one === textOf(fields.http_method).toUpperCase()) ?? 'GET'
  const headers = listOf(fields.request_headers)
    .map(fieldsOf)
    .map(({ name, value }) => [textOf(name), textOf(value)] as const)
    .filter(([name]) => name !== '')
  const body = ['GET', 'HEAD'].includes(method) ? '' : textOf(fields.request_body)
  const word = textOf(fields.required_keyword)
  const statuses = listOf(fields.expected_status_codes).map(textOf)
  const isStated = type === 'expected_status_code' && statuses.length > 0
  const days = numberOf(fields.ssl_expiration) ?? -1
  if (textOf(fields.proxy_host) !== '') note('its proxy: the operator lists one in the settings')
  const username = textOf(fields.auth_username)
  const password = textOf(fields.auth_password)
  return {
    checkType: 'endpoint',
    url,
    method,
    acceptedStatuses: isStated ? statuses.slice(0, statusesMax) : ['200-299'],
    followRedirects: fields.follow_redirects !== false,
    certificateWarnDays: days > 0 ? [within(days, 1, 365)] : [],
    ...(fields.verify_ssl === false ? { ignoreTlsErrors: true } : {}),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(body === '' ? {} : { body }),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(type === 'keyword' && word !== '' ? { bodyContains: word } : {}),
    ...(type === 'keyword_absence' && word !== '' ? { bodyNotContains: word } : {}),
  }
}

const statusesMax = 20

/** The script with the values of its environment in the places of their names. */
function filledScript(fields: ForeignFields, note: Note): string {
  const text = typeof fields.playwright_script === 'string' ? fields.playwright_script : ''
  const values = fieldsOf(fields.environment_variables)
  if (Object.keys(values).length > 0)
    note('its variables stand as texts in its actions: name secrets in place of what is one')
  return text.replace(/\bprocess\.env\.([A-Za-z_]\w{0,100})/g, (all, name: string) =>
    Object.hasOwn(values, name) ? JSON.stringify(textOf(values[name])) : all,
  )
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** A time of day on some days; the same time twice means none. */
function windowOf(fields: ForeignFields, note: Note): ForeignFields | undefined {
  const from = minutesOf(fields.maintenance_from)
  const to = minutesOf(fields.maintenance_to)
  if (from === undefined || to === undefined || from === to) return undefined
  const zone = textOf(fields.maintenance_timezone) || 'UTC'
  const timezone = zoneOf(zone)
  if (timezone === undefined)
    note(`the time zone "${clip(zone, 60)}" of its maintenance: UTC in place of it`)
  const days = listOf(fields.maintenance_days).map((day) =>
    weekdays.indexOf(textOf(day).slice(0, 3)),
  )
  const on = [...new Set(days.filter((day) => day >= 0))].sort((a, b) => a - b)
  return {
    cron: `${from % 60} ${Math.floor(from / 60)} * * ${on.join(',') || '*'}`,
    durationMinutes: (to - from + 1_440) % 1_440,
    timezone: timezone ?? 'UTC',
  }
}

function minutesOf(time: unknown): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(textOf(time)) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}
