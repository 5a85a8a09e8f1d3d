// Monitors of UptimeRobot: answers of version 2 of its API; uptimerobot-v3.ts has those of version 3.
//
// The fields: https://uptimerobot.com/api/legacy/
import type { Method } from '../../checks/check-type.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  ForeignFileRefused,
  type ForeignItem,
  type ForeignMonitor,
  fieldsOf,
  flagOf,
  itemsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  numberOf,
  pushPace,
  textOf,
  within,
} from '../foreign.ts'
import { historiesOfSpells, type Spell } from '../spells.ts'
import {
  bindingsOf,
  contactsOf,
  type RobotBinding,
  type RobotContact,
  silentIf,
} from './contacts.ts'
import { documentIdOf } from './ids.ts'
import { fromUptimerobotV3, isV3 } from './uptimerobot-v3.ts'
import { type RobotWindow, windowOf } from './windows.ts'

/**
 * `answers`: what is said at `fromUptimerobotV3`, or those of getMonitors, and with it of getAlertContacts, getMWindows and getPSPs; several pages, or one object
 * with all lists. `readAt`: when they were read, an ISO time.
 */
export function fromUptimerobot(answers: readonly unknown[]): ForeignDocument {
  const pages = answers.map(fieldsOf)
  if (isV3(pages)) return fromUptimerobotV3(pages)
  const lists = (name: string) => pages.flatMap((page) => listOf(page[name]))
  const items = itemsOf(lists('monitors'), 'monitors')
  if (items.length > 0 && items.every(({ friendly_name }) => friendly_name === undefined)) {
    throw new ForeignFileRefused('has no monitors in the form of uptimerobot')
  }
  const notes = createNotes()
  const bindings = items.flatMap((item) => listOf(item.alert_contacts).map(bindingIn))
  const given = lists('alert_contacts').map(fieldsOf).map(contactIn)
  const contacts = contactsOf(given, bindings, notes.of)
  const readAtMs = Math.max(...pages.map(({ readAt }) => Date.parse(textOf(readAt)) || 0), 0)
  const made = items.flatMap((item, index) => {
    const name = nameOf(item.friendly_name, `Monitor ${index + 1}`)
    const id = documentIdOf('mon', textOf(item.id))
    const origin = `monitor/${textOf(item.id)}`
    const note = notes.of(name, origin)
    const target = targetOf(item, note)
    if (!target || id === undefined) return []
    const bound = bindingsOf(listOf(item.alert_contacts).map(bindingIn), contacts.ids)
    const monitor: ForeignMonitor = {
      ...{ id, origin, name },
      ...target,
      isActive: numberOf(item.status) !== 0,
      ...bound,
      ...silentIf(item.alert_contacts),
    }
    return { item, origin, monitor, id }
  })
  const statusPages = lists('psps')
    .map(fieldsOf)
    .map((page) => pageOf(page, made, notes.of))
  const shown = new Set(statusPages.flatMap(({ publicMonitorIds }) => publicMonitorIds))
  const past = made.map(({ item, origin }) => ({ origin, spells: spellsOf(item) }))
  return {
    // The ids are those of the whole service.
    source: { product: 'uptimerobot', installation: 'uptimerobot.com' },
    ...(contacts.channels.length === 0
      ? {}
      : { channels: contacts.channels, secretsOmitted: contacts.secretsOmitted }),
    monitors: made.map(({ monitor, id }) =>
      shown.has(id) ? { ...monitor, isPublic: true } : monitor,
    ),
    statusPages,
    maintenance: lists('mwindows')
      .map(fieldsOf)
      .flatMap((one) => windowOf(windowIn(one, made, readAtMs), notes.of) ?? []),
    notes: notes.all(),
    history: readAtMs === 0 ? [] : historiesOfSpells(past, readAtMs),
  }
}

function contactIn({ id, friendly_name, type, status, value }: ForeignFields): RobotContact {
  return {
    there: textOf(id),
    name: friendly_name,
    type: numberOf(type) ?? 0,
    // 0: it was never activated; 1: it is paused.
    isActive: numberOf(status) === 2,
    value: textOf(value),
  }
}

function bindingIn(item: unknown): RobotBinding {
  const { id, threshold, recurrence } = fieldsOf(item)
  return {
    there: textOf(id),
    waitMinutes: numberOf(threshold) ?? 0,
    againMinutes: numberOf(recurrence) ?? 0,
  }
}

interface RobotMonitor {
  readonly item: ForeignFields
  readonly id: string
}

const subTypePorts: Readonly<Record<number, number>> = {
  1: 80,
  2: 443,
  3: 21,
  4: 25,
  5: 110,
  6: 143,
}

function targetOf(item: ForeignFields, note: Note): ForeignFields | undefined {
  const pace = {
    intervalSeconds: within(
      numberOf(item.interval) ?? 300,
      limits.intervalSecondsMin,
      limits.intervalSecondsMax,
    ),
  }
  const url = textOf(item.url)
  switch (numberOf(item.type)) {
    case 1:
      return { ...pace, ...webOf(item, url, note) }
    case 2:
      return { ...pace, ...webOf(item, url, note), ...keywordOf(item, note) }
    case 3:
      return { ...pace, checkType: 'ping', url: `ping://${hostOf(url)}` }
    case 4: {
      const port = numberOf(item.port) ?? subTypePorts[numberOf(item.sub_type) ?? 0]
      return { ...pace, checkType: 'tcp', url: `tcp://${hostOf(url)}:${port ?? ''}` }
    }
    case 5:
      note('its address for heartbeats is a new one: change it in the sender')
      return {
        checkType: 'push',
        ...pushPace(numberOf(item.interval) ?? 300, limits.importGraceSeconds),
      }
    default:
      note(`its type ${textOf(item.type)} has no equivalent: the monitor was left out`)
      return undefined
  }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host || address
}

const methodOf: Readonly<Record<number, Method>> = {
  1: 'HEAD',
  2: 'GET',
  3: 'POST',
  4: 'PUT',
  5: 'PATCH',
  6: 'DELETE',
  7: 'OPTIONS',
}

function webOf(item: ForeignFields, url: string, note: Note): ForeignFields {
  const method = methodOf[numberOf(item.http_method) ?? 2] ?? 'GET'
  const headers = Object.entries(fieldsOf(item.custom_http_headers)).map(
    ([name, value]) => [name, textOf(value)] as const,
  )
  const body = ['GET', 'HEAD'].includes(method) ? '' : bodyOf(item)
  const username = textOf(item.http_username)
  const password = textOf(item.http_password)
  const timeoutSeconds = numberOf(item.timeout)
  const ssl = fieldsOf(item.ssl)
  return {
    checkType: 'endpoint',
    url,
    method,
    acceptedStatuses: statusesOf(item, note),
    followRedirects: true,
    ...(headers.length === 0 && body === '' ? {} : { headers: headersOf(item, headers, body) }),
    ...(body === '' ? {} : { body }),
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(numberOf(item.http_auth_type) === 2 ? { auth: { type: 'digest' } } : {}),
    ...(timeoutSeconds === undefined
      ? {}
      : { timeoutMs: within(timeoutSeconds * 1_000, limits.timeoutMsMin, limits.timeoutMsMax) }),
    ...(flagOf(ssl.ignore_errors) ? { ignoreTlsErrors: true } : {}),
  }
}

function headersOf(
  item: ForeignFields,
  headers: readonly (readonly [string, string])[],
  body: string,
): ForeignFields {
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (body === '' || isTyped) return Object.fromEntries(headers)
  const isForm = numberOf(item.post_type) === 1
  const isJson = numberOf(item.post_content_type) === 1
  const type = isJson ? 'application/json' : 'text/html'
  return {
    ...Object.fromEntries(headers),
    'content-type': isForm ? 'application/x-www-form-urlencoded' : type,
  }
}

/** Key-value pairs come as an object, or as a form already. */
function bodyOf({ post_value, post_type }: ForeignFields): string {
  if (typeof post_value !== 'object' || post_value === null) return textOf(post_value)
  if (numberOf(post_type) !== 1) return JSON.stringify(post_value)
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(post_value)) fields.append(name, textOf(value))
  return fields.toString()
}

const statusesMax = 20

/** By default the service counts 2xx and 3xx as up. */
function statusesOf(item: ForeignFields, note: Note): readonly string[] {
  const { up, down } = fieldsOf(item.custom_http_statuses)
  const stated = (list: unknown) =>
    listOf(list)
      .map(textOf)
      .filter((one) => /^[1-5]\d\d$/.test(one))
  const bad = new Set(stated(down))
  const good = stated(up).filter((one) => !bad.has(one))
  if (bad.size > 0) note(`the statuses that are down there: ${[...bad].slice(0, 20).join(', ')}`)
  return ['200-399', ...good.filter((one) => Number(one) >= 400)].slice(0, statusesMax)
}

/** The type says when it alerts: 1 if the word is there, 2 if it is not. */
function keywordOf(item: ForeignFields, note: Note): ForeignFields {
  const word = textOf(item.keyword_value)
  if (word === '') return {}
  if (numberOf(item.keyword_case_type) === 1) {
    note(`that its keyword "${word}" may be in capitals or not: here it is as it is written`)
  }
  return numberOf(item.keyword_type) === 1 ? { bodyNotContains: word } : { bodyContains: word }
}

const down = 1
const up = 2

/** Logs tell since when a state was, and for how long. */
function spellsOf(item: ForeignFields): readonly Spell[] {
  const logs = listOf(item.logs)
    .map(fieldsOf)
    .map(({ type, datetime, duration, reason }) => ({
      type: numberOf(type),
      fromMs: (numberOf(datetime) ?? 0) * 1_000,
      durationMs: (numberOf(duration) ?? 0) * 1_000,
      text: textOf(fieldsOf(reason).detail) || 'down in UptimeRobot',
    }))
    .filter(({ type, fromMs }) => fromMs > 0 && (type === down || type === up))
    .sort((a, b) => a.fromMs - b.fromMs)
  const isDownNow = numberOf(item.status) === 9
  return logs.map(({ type, fromMs, durationMs, text }, index) => {
    const goesOn = index === logs.length - 1 && type === down && isDownNow
    return { fromMs, toMs: goesOn ? null : fromMs + durationMs, isUp: type === up, text }
  })
}

function windowIn(
  item: ForeignFields,
  made: readonly RobotMonitor[],
  readAtMs: number,
): RobotWindow {
  const there = textOf(item.id)
  return {
    there,
    name: nameOf(item.friendly_name, `Window ${there}`),
    isPaused: numberOf(item.status) === 0,
    monitorIds: made
      .filter(({ item: { mwindows } }) =>
        listOf(mwindows).some((one) => textOf(fieldsOf(one).id) === there),
      )
      .map(({ id }) => id),
    durationMinutes: numberOf(item.duration) ?? 60,
    on: timesOf(item),
    readAtMs,
    isLocal: false,
  }
}

/** 1: once, 2: daily, 3: on weekdays, 4: on days of the month; at a time such as 06:30. */
function timesOf({ type, value, start_time }: ForeignFields): RobotWindow['on'] {
  const time = textOf(start_time)
  const days = textOf(value).split(/[-,]/).map(Number)
  switch (numberOf(type)) {
    case 1:
      return { every: 'once', startMs: (numberOf(start_time) ?? 0) * 1_000 }
    case 2:
      return { every: 'day', time, days: [] }
    case 3:
      return { every: 'week', time, days }
    case 4:
      return { every: 'month', time, days }
    default:
      return undefined
  }
}

type FoundPage = ForeignItem & { readonly publicMonitorIds: readonly string[] }

function pageOf(item: ForeignFields, made: readonly RobotMonitor[], notesOf: NotesOf): FoundPage {
  const there = textOf(item.id)
  const origin = `psp/${there}`
  const name = nameOf(item.friendly_name, `Page ${there}`)
  const note = notesOf(name, origin)
  const named = new Set(listOf(item.monitors).map(textOf))
  // 0: all of them.
  const isAll = numberOf(item.monitors) === 0 || named.has('0')
  const shown = made.filter(({ item: { id } }) => isAll || named.has(textOf(id)))
  if (textOf(item.custom_url) !== '') {
    note(`its domain ${textOf(item.custom_url)}: add it to the page, and change its DNS record`)
  }
  note('this page is not enabled yet: look at it first')
  return {
    name,
    origin,
    isEnabled: false,
    publicMonitorIds: shown.slice(0, limits.pageMonitorsMax).map(({ id }) => id),
  }
}
