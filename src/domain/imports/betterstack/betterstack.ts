// Monitors, heartbeats and status pages of Better Stack: answers of its Uptime API.
//
// The fields: https://betterstack.com/docs/uptime/api/monitors-api-response-params/ and the pages beside it.

import { clip } from '../../../base/clip.ts'
import { methods } from '../../checks/check-type.ts'
import { isTimezone } from '../../language.ts'
import { limits } from '../../limits/limits.ts'
import { carriedSubscriber, type SubscriberPage } from '../carried-subscriber.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignItem,
  type ForeignMonitor,
  fieldsOf,
  hostText,
  itemsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  numberOf,
  pushPace,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'

/** `answers`: lists of resources, each with its `type`, in any order. */
export function fromBetterstack(answers: readonly unknown[]): ForeignDocument {
  const all = answers.flatMap((answer) => listOf(fieldsOf(answer).data)).map(fieldsOf)
  const ofType = (...types: string[]) => all.filter(({ type }) => types.includes(textOf(type)))
  const items = itemsOf(ofType('monitor', 'heartbeat'), 'monitors')
  const groups = new Map(
    ofType('monitor_group', 'heartbeat_group', 'hearbeat_group').map(({ id, type, attributes }) => [
      `${textOf(type).startsWith('monitor') ? 'monitor' : 'heartbeat'} ${textOf(id)}`,
      nameOf(fieldsOf(attributes).name, ''),
    ]),
  )
  const notes = createNotes()
  const made = items.flatMap((item) => {
    const there = `${textOf(item.type)}/${textOf(item.id)}`
    const fields = fieldsOf(item.attributes)
    const name = nameOf(fields.pronounceable_name ?? fields.name, textOf(fields.url) || there)
    const id = documentIdOf(item)
    const note = notes.of(name, there)
    const target = item.type === 'heartbeat' ? heartbeatOf(fields, note) : targetOf(fields, note)
    if (!target || id === undefined) return []
    const group = textOf(fields.monitor_group_id ?? fields.heartbeat_group_id)
    const tags = tagsOf([groups.get(`${textOf(item.type)} ${group}`) ?? ''])
    const monitor: ForeignMonitor = {
      ...{ id, origin: there, name },
      ...target,
      isActive: !textOf(fields.paused_at) && textOf(fields.status) !== 'paused',
      ...(tags.length === 0 ? {} : { tags }),
    }
    return { there, fields, monitor, id, note }
  })
  const pages = pagesOf(ofType, notes.of)
  const shown = new Map(pages.flatMap(({ names }) => [...names]))
  if (made.length > 0) {
    notes.of(null)(
      'who is told (calls, SMS, e-mail, push, escalation policies): create alert channels',
    )
    notes.of(null)('the regions that it looks from: set up probes, and choose them as locations')
  }
  return {
    // The ids are those of the whole service.
    source: { product: 'betterstack', installation: 'uptime.betterstack.com' },
    monitors: made.map(({ monitor, id }) => {
      if (!shown.has(id)) return monitor
      const publicName = shown.get(id) ?? ''
      const isOther = publicName !== '' && publicName !== monitor.name
      return { ...monitor, isPublic: true, ...(isOther ? { publicName } : {}) }
    }),
    statusPages: pages.map(({ page }) => {
      const known = new Set(made.map(({ id }) => id))
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
    notes: notes.all(),
  }
}

/** Ids of monitors and of heartbeats are counted apart. */
function documentIdOf({ type, id }: ForeignFields): string | undefined {
  const number = textOf(id)
  if (!/^\d{1,20}$/.test(number)) return undefined
  const mark = textOf(type) === 'heartbeat' ? '1' : '0'
  return `mon_${mark}${number.padStart(25, '0')}`
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
/** A timeout of a request is in seconds, one of a server in milliseconds: no request may take as many seconds. */
const timeoutSecondsMax = 120

function timeoutOf({ request_timeout }: ForeignFields): ForeignFields {
  const timeout = numberOf(request_timeout)
  if (timeout === undefined) return {}
  const ms = timeout > timeoutSecondsMax ? timeout : timeout * 1_000
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
  if ((numberOf(fields.domain_expiration) ?? -1) > 0) {
    note('that the registration of its domain is watched: make a monitor of the kind domain')
  }
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
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** A time of day on some days; the same time twice means none. */
function windowOf(fields: ForeignFields, note: Note): ForeignFields | undefined {
  const from = minutesOf(fields.maintenance_from)
  const to = minutesOf(fields.maintenance_to)
  if (from === undefined || to === undefined || from === to) return undefined
  const zone = textOf(fields.maintenance_timezone) || 'UTC'
  if (!isTimezone(zone))
    note(`the time zone "${clip(zone, 60)}" of its maintenance: UTC in place of it`)
  const days = listOf(fields.maintenance_days).map((day) =>
    weekdays.indexOf(textOf(day).slice(0, 3)),
  )
  const on = [...new Set(days.filter((day) => day >= 0))].sort((a, b) => a - b)
  return {
    cron: `${from % 60} ${Math.floor(from / 60)} * * ${on.join(',') || '*'}`,
    durationMinutes: (to - from + 1_440) % 1_440,
    timezone: isTimezone(zone) ? zone : 'UTC',
  }
}

function minutesOf(time: unknown): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(textOf(time)) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}

interface StackPage {
  readonly page: ForeignItem & {
    readonly publicMonitorIds: readonly string[]
    readonly sections: readonly { readonly name: string; readonly monitorIds: readonly string[] }[]
  }
  /** What the page calls its monitors, by their ids. */
  readonly names: ReadonlyMap<string, string>
}

function pagesOf(
  ofType: (...types: string[]) => readonly ForeignFields[],
  notesOf: NotesOf,
): readonly StackPage[] {
  const pages = ofType('status_page')
  const isOf = (page: string) => (one: ForeignFields) =>
    pages.length === 1 || textOf(one.statusPageId) === page
  return pages.map(({ id, attributes }) => {
    const there = textOf(id)
    const fields = fieldsOf(attributes)
    const name = nameOf(fields.company_name ?? fields.subdomain, `Page ${there}`)
    const note = notesOf(name, `status-page/${there}`)
    const domain = textOf(fields.custom_domain)
    if (domain !== '')
      note(`its domain ${clip(domain, 100)}: add it to the page, and change its DNS record`)
    note('this page is not enabled yet; its look and announcements stayed there')
    const names = new Map<string, string>()
    const bySection = new Map<string, string[]>()
    const sectionsOf = new Map<string, string>()
    for (const resource of ofType('status_page_resource').filter(isOf(there))) {
      const { resource_id, resource_type, public_name, status_page_section_id } = fieldsOf(
        resource.attributes,
      )
      const type = textOf(resource_type).toLowerCase()
      sectionsOf.set(textOf(resource.id), textOf(status_page_section_id))
      const monitorId =
        type === 'monitor' || type === 'heartbeat'
          ? documentIdOf({ type, id: resource_id })
          : undefined
      const isLeft =
        monitorId === undefined || names.has(monitorId) || names.size >= limits.pageMonitorsMax
      if (isLeft) {
        note(
          `its "${nameOf(public_name, type)}": only monitors and heartbeats, each once, are on pages here`,
        )
        continue
      }
      names.set(monitorId, nameOf(public_name, ''))
      const section = textOf(status_page_section_id)
      bySection.set(section, [...(bySection.get(section) ?? []), monitorId])
    }
    const shown = ofType('status_page_section').filter(isOf(there)).slice(0, limits.pageSectionsMax)
    const sectionNames = new Map(
      shown.map((section) => [
        textOf(section.id),
        nameOf(fieldsOf(section.attributes).name, 'Monitors'),
      ]),
    )
    const sections = [...sectionNames].map(([sectionId, sectionName]) => ({
      name: sectionName,
      monitorIds: bySection.get(sectionId) ?? [],
    }))
    const subscribers = subscribersOf(ofType('status_page_subscriber').filter(isOf(there)), {
      source: `${domain || name} (Better Stack)`,
      sectionNameOf: (resource) => sectionNames.get(sectionsOf.get(resource) ?? ''),
      note,
    })
    return {
      page: {
        name,
        origin: `status-page/${there}`,
        isEnabled: false,
        publicMonitorIds: [...names.keys()],
        sections,
        ...(subscribers.length === 0 ? {} : { subscribers }),
      },
      names,
    }
  })
}

interface StackSubscribers extends SubscriberPage {
  readonly note: Note
}

/** The subscribers who confirmed; one who chose resources hears of the sections that have them. */
function subscribersOf(
  given: readonly ForeignFields[],
  { note, ...page }: StackSubscribers,
): readonly object[] {
  let narrowed = 0
  const all = given.map(({ attributes }) => fieldsOf(attributes))
  const confirmed = all.filter(({ confirmed_at }) => textOf(confirmed_at) !== '')
  const subscribers = confirmed.map(({ email, confirmed_at, status_page_resource_ids }) => {
    const chosen = listOf(status_page_resource_ids).map(textOf)
    if (chosen.length > 0) narrowed += 1
    const one = { address: textOf(email), confirmedAt: textOf(confirmed_at), chosen }
    return carriedSubscriber(one, page)
  })
  const asked = all.length - confirmed.length
  if (asked > 0) note(`${asked} of its subscribers had not confirmed, and stayed there`)
  if (narrowed > 0) {
    note(`${narrowed} of its subscribers chose resources: they hear of the sections that have them`)
  }
  return subscribers
}
