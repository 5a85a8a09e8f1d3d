// Monitors of UptimeRobot: answers of version 3 of its API.
//
// The fields: https://uptimerobot.com/api/v3/
import { clip } from '../../../base/clip.ts'
import { channelEvents } from '../../alerts/channel.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignItem,
  type ForeignMonitor,
  type ForeignOutage,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  numberOf,
  tagsOf,
  textOf,
} from '../foreign.ts'
import { historiesOfSpells, spellsOfOutages } from '../spells.ts'
import { domainMonitors } from '../watched-domains.ts'
import {
  bindingsOf,
  contactsOf,
  type RobotBinding,
  type RobotContact,
  silentIf,
} from './contacts.ts'
import { documentIdOf } from './ids.ts'
import { targetsOf } from './v3-target.ts'
import { type RobotWindow, windowOf } from './windows.ts'

/** The lists of the API by what only their items have; `monitors` is last, since its items have most. */
const lists = {
  integrations: 'enableNotificationsFor',
  incidents: 'startedAt',
  maintenanceWindows: 'autoAddMonitors',
  psps: 'urlKey',
  monitorGroups: 'updatedAt',
  monitors: 'friendlyName',
} as const

type RobotList = keyof typeof lists

export function isV3(pages: readonly ForeignFields[]): boolean {
  return itemsIn(pages, 'monitors').length > 0
}

/** An answer has its items in `data`; what `uptimerobotApi` reads has them by the name of their list. */
function itemsIn(pages: readonly ForeignFields[], list: RobotList): readonly ForeignFields[] {
  return pages.flatMap((page) => {
    const named = listOf(page[list]).map(fieldsOf)
    const listed = listOf(page.data)
      .map(fieldsOf)
      .filter((item) => listOfItem(item) === list)
    return [...named.filter((item) => lists[list] in item), ...listed]
  })
}

function listOfItem(item: ForeignFields): RobotList | undefined {
  // Object.keys loses the type of the names.
  return (Object.keys(lists) as RobotList[]).find((list) => lists[list] in item)
}

/**
 * `pages`: answers about monitors, integrations, maintenance windows, status pages, groups of monitors and incidents, in
 * any order. `readAt`: when they were read, an ISO time.
 */
export function fromUptimerobotV3(pages: readonly ForeignFields[]): ForeignDocument {
  const items = itemsOf(itemsIn(pages, 'monitors'), 'monitors')
  const notes = createNotes()
  const readAtMs = Math.max(...pages.map(({ readAt }) => Date.parse(textOf(readAt)) || 0), 0)
  const bindings = items.flatMap((item) => listOf(item.assignedAlertContacts).map(bindingIn))
  const given = itemsIn(pages, 'integrations').map(contactIn)
  const contacts = contactsOf(given, bindings, notes.of)
  const groups = new Map(
    itemsIn(pages, 'monitorGroups').map(({ id, name }) => [textOf(id), plainText(name)]),
  )
  const made = items.flatMap((item, index) =>
    madeOf(item, index, { contacts, groups, notesOf: notes.of }),
  )
  const statusPages = itemsIn(pages, 'psps').map((page) => pageOf(page, made, notes.of))
  const shown = new Set(statusPages.flatMap(({ publicMonitorIds }) => publicMonitorIds))
  const watched = made.filter(({ item }) => item.domainExpirationReminder === true)
  const monitors = made.map(({ monitor, id }) =>
    shown.has(id) ? { ...monitor, isPublic: true } : monitor,
  )
  return {
    // The ids are those of the whole service.
    source: { product: 'uptimerobot', installation: 'uptimerobot.com' },
    ...(contacts.channels.length === 0
      ? {}
      : { channels: contacts.channels, secretsOmitted: contacts.secretsOmitted }),
    monitors: [
      ...monitors,
      ...domainMonitors(
        watched.map(({ monitor }) => monitor),
        domainWarnDays,
      ),
    ],
    statusPages,
    maintenance: itemsIn(pages, 'maintenanceWindows').flatMap(
      (one) => windowOf(windowIn(one, made, readAtMs), notes.of) ?? [],
    ),
    history: historyOf(itemsIn(pages, 'incidents'), made, readAtMs, notes.of(null)),
    notes: notes.all(),
  }
}

/** When the service warns. */
const domainWarnDays = [30, 14, 7, 1]

interface RobotMade {
  readonly item: ForeignFields
  readonly there: string
  readonly id: string
  readonly origin: string
  readonly monitor: ForeignMonitor
}

interface RobotContext {
  readonly contacts: ReturnType<typeof contactsOf>
  /** The names of groups, by their ids. */
  readonly groups: ReadonlyMap<string, string>
  readonly notesOf: NotesOf
}

function madeOf(
  item: ForeignFields,
  index: number,
  { contacts, groups, notesOf }: RobotContext,
): readonly RobotMade[] {
  const there = textOf(item.id)
  const first = documentIdOf('mon', there)
  const name = nameOf(plainText(item.friendlyName), `Monitor ${index + 1}`)
  const note = notesOf(name, `monitor/${there}`)
  if (first === undefined) {
    note('it has no id: the monitor was left out')
    return []
  }
  const names = listOf(item.tags).map((tag) => textOf(fieldsOf(tag).name))
  const tags = tagsOf([...names, groups.get(textOf(item.groupId)) ?? ''])
  const description = descriptionOf(item)
  const bound = bindingsOf(listOf(item.assignedAlertContacts).map(bindingIn), contacts.ids)
  return targetsOf(item, note).map(({ fields, part }, at) => {
    const origin = part === undefined ? `monitor/${there}` : `monitor/${there}/${part}`
    const id =
      at === 0 ? first : `${first.slice(0, 'mon_'.length)}${at}${first.slice('mon_0'.length)}`
    const monitor = {
      ...{ id, origin, name: part === undefined ? name : nameOf(`${name} (${part})`, name) },
      ...fields,
      isActive: textOf(item.status) !== 'PAUSED',
      ...(tags.length === 0 ? {} : { tags }),
      ...(description === '' ? {} : { description }),
      ...bound,
      ...silentIf(item.assignedAlertContacts),
    }
    return { item, there, id, origin, monitor }
  })
}

/** Names come as text for HTML. */
function plainText(value: unknown): string {
  return textOf(value)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Fields that people added, a line for each. */
function descriptionOf({ customFields }: ForeignFields): string {
  const lines = Object.entries(fieldsOf(customFields)).map(
    ([name, value]) => `${name}: ${textOf(value)}`,
  )
  return clip(lines.join('\n'), limits.descriptionCharsMax)
}

/** The numbers of version 2 by the types of version 3, in small letters. */
const typeNumbers: Readonly<Record<string, number>> = {
  ...{ emailtosms: 1, email: 2, webhook: 5, pushbullet: 6, zapier: 7, prosms: 8, pushover: 9 },
  ...{ slack: 11, mobileappios: 12, mobileappold: 12, mobileappandroid: 13, mobileapp: 13 },
  ...{ voice: 14, splunk: 15, pagerduty: 16, opsgenie: 17, telegram: 18, msteams: 20 },
  ...{ googlechat: 21, discord: 23, mattermost: 24 },
}

const expiries = ['certificate.expiring', 'domain.expiring']

function contactIn(item: ForeignFields): RobotContact {
  const typeName = textOf(item.type)
  const told = textOf(item.enableNotificationsFor)
  // PagerDuty: whether an end is told there.
  const isKeptOpen =
    typeName.toLowerCase() === 'pagerduty' && ['0', 'false'].includes(textOf(item.customValue))
  const isResolving = told !== 'Down' && !isKeptOpen
  const events = channelEvents.filter((event) => {
    if (expiries.includes(event)) return item.sslExpirationReminder === true
    if (event === 'incident.resolved') return isResolving
    return told !== 'Up' || !event.startsWith('incident.')
  })
  return {
    there: textOf(item.id),
    name: plainText(item.friendlyName),
    type: typeNumbers[typeName.toLowerCase()] ?? 0,
    typeName,
    isActive: textOf(item.status) === 'Active' && told !== 'None',
    value: textOf(item.value),
    ...(events.length === channelEvents.length ? {} : { events }),
    more: item,
  }
}

function bindingIn(item: unknown): RobotBinding {
  const { alertContactId, threshold, recurrence } = fieldsOf(item)
  return {
    there: textOf(alertContactId),
    waitMinutes: numberOf(threshold) ?? 0,
    againMinutes: numberOf(recurrence) ?? 0,
  }
}

const everies = { daily: 'day', weekly: 'week', monthly: 'month' } as const

function windowIn(item: ForeignFields, made: readonly RobotMade[], readAtMs: number): RobotWindow {
  const there = textOf(item.id)
  const named = new Set(listOf(item.monitorIds).map(textOf))
  const isAll = item.autoAddMonitors === true || named.has('0')
  const isNamed = ({ there: id, item: { maintenanceWindows } }: RobotMade) =>
    named.has(id) || listOf(maintenanceWindows).some((one) => textOf(fieldsOf(one).id) === there)
  return {
    there,
    name: nameOf(plainText(item.name), `Window ${there}`),
    isPaused: textOf(item.status) === 'paused',
    monitorIds: made.filter((one) => isAll || isNamed(one)).map(({ id }) => id),
    durationMinutes: numberOf(item.duration) ?? 60,
    on: timesOf(item),
    readAtMs,
    isLocal: true,
  }
}

function timesOf({ interval, date, time, days }: ForeignFields): RobotWindow['on'] {
  const at = textOf(time)
  if (textOf(interval) === 'once') {
    const startMs = Date.parse(`${textOf(date).slice(0, 10)}T${at}Z`)
    return Number.isNaN(startMs) ? undefined : { every: 'once', startMs }
  }
  const every = Object.entries(everies).find(([name]) => name === textOf(interval))?.[1]
  if (every === undefined) return undefined
  return { every, time: at, days: listOf(days).map((day) => numberOf(day) ?? Number.NaN) }
}

type RobotPage = ForeignItem & { readonly publicMonitorIds: readonly string[] }

function pageOf(item: ForeignFields, made: readonly RobotMade[], notesOf: NotesOf): RobotPage {
  const there = textOf(item.id)
  const origin = `psp/${there}`
  const name = nameOf(plainText(item.friendlyName), `Page ${there}`)
  const note = notesOf(name, origin)
  const named = new Set(listOf(item.monitorIds).map(textOf))
  const tags = new Set(listOf(item.tagIds).map(textOf))
  const isTagged = ({ item: one }: RobotMade) =>
    listOf(one.tags).some((tag) => tags.has(textOf(fieldsOf(tag).id)))
  // 0: all of them.
  const shown = made.filter((one) => named.has('0') || named.has(one.there) || isTagged(one))
  if (tags.size > 0)
    note('that monitors with its tags are added by themselves: add them to the page')
  const { page, features, colors, font } = fieldsOf(item.customSettings)
  const { theme, density } = fieldsOf(page)
  const accent = textOf(fieldsOf(colors).main)
  const home = textOf(item.homepageLink)
  const mode = textOf(theme).toLowerCase()
  notePage(item, fieldsOf(features), textOf(fieldsOf(font).family), note)
  const logoUrl = textOf(item.logo)
  return {
    name,
    origin,
    isEnabled: false,
    publicMonitorIds: shown.slice(0, limits.pageMonitorsMax).map(({ id }) => id),
    noindex: item.noIndex === true,
    allowsSubscribers: item.subscription === true,
    showMonitoredBy: item.hideUrlLinks !== true,
    showHistory: isShown(features, 'showBars'),
    showUptime: isShown(features, 'showUptimePercentage'),
    showIncidents: isShown(features, 'showOutageDetails'),
    ...(textOf(density).toLowerCase() === 'compact' ? { layout: 'compact' } : {}),
    ...(/^https:/.test(logoUrl) ? { logoUrl } : {}),
    ...(/^https?:/.test(home)
      ? { headLinks: [{ label: URL.parse(home)?.host ?? home, url: home }] }
      : {}),
    theme: {
      ...(/^#[0-9a-f]{6}$/i.test(accent) ? { accent } : {}),
      ...(mode === 'light' || mode === 'dark' ? { mode } : {}),
    },
  }
}

function isShown(features: unknown, name: string): boolean {
  const shown = fieldsOf(features)[name]
  return shown !== false && shown !== 'false'
}

function notePage(item: ForeignFields, features: ForeignFields, family: string, note: Note): void {
  const domain = textOf(item.customDomain)
  if (domain !== '') {
    note(`its domain ${clip(domain, 100)}: add it to the page, and change its DNS record`)
  }
  if (item.isPasswordSet === true) note('its password is not told: set one before it is enabled')
  if (textOf(item.gaCode) !== '') note('that Google Analytics counts its readers')
  if (numberOf(item.pinnedAnnouncementId)) note('its announcements')
  if (family !== '') note(`its typeface ${clip(family, 40)}: choose a look`)
  if (features.hidePausedMonitors === false || features.hidePausedMonitors === 'false') {
    note('that it shows monitors that are paused')
  }
  note('this page is not enabled yet: look at it first')
}

/** Incidents tell when a monitor was down; it was up otherwise, or nobody looked. */
function historyOf(
  incidents: readonly ForeignFields[],
  made: readonly RobotMade[],
  readAtMs: number,
  note: Note,
) {
  if (readAtMs === 0) return []
  const isOfType =
    (wanted: string) =>
    ({ type, includeInReports }: ForeignFields) =>
      textOf(type) === wanted && includeInReports !== false
  const isDowntime = isOfType('Downtime')
  const isSlow = isOfType('SlowResponse')
  const outages = Map.groupBy(incidents.filter(isDowntime), ({ monitor }) =>
    textOf(fieldsOf(monitor).id),
  )
  const slow = Map.groupBy(incidents.filter(isSlow), ({ monitor }) => textOf(fieldsOf(monitor).id))
  const left = incidents.filter((one) => !isDowntime(one) && !isSlow(one)).length
  if (left > 0) note(`${left} incidents of other types, or that its reports leave out`)
  if (incidents.length > 0) {
    note('in the history a monitor is up whenever no incident is told, also while it was paused')
  }
  const sinceMs = incidents.length === 0 ? readAtMs : readAtMs - historyMs
  const past = made.map(({ item, there, origin }) => ({
    origin,
    spells: spellsOfOutages(
      (outages.get(there) ?? []).map(outageOf),
      Math.max(sinceMs, Date.parse(textOf(item.createDateTime)) || 0),
      readAtMs,
    ),
  }))
  const slowOf = new Map(
    made.map(({ there, origin }) => [
      origin,
      (slow.get(there) ?? [])
        .slice(-slowMax)
        .map((one) => ({ ...outageOf(one), isDegraded: true })),
    ]),
  )
  // What was slow was up.
  return historiesOfSpells(past, readAtMs).map((one) => ({
    ...one,
    outages: [...one.outages, ...(slowOf.get(one.origin) ?? [])].toSorted(
      (a, b) => a.fromMs - b.fromMs,
    ),
  }))
}

/** The newest times in which one monitor was slow. */
const slowMax = 1_000

function outageOf({ type, startedAt, resolvedAt, duration, reason }: ForeignFields): ForeignOutage {
  const fromMs = Date.parse(textOf(startedAt))
  const endMs =
    Date.parse(textOf(resolvedAt)) || fromMs + (numberOf(duration) ?? Number.NaN) * 1_000
  const word = textOf(type) === 'SlowResponse' ? 'slow' : 'down'
  return {
    fromMs,
    toMs: Number.isNaN(endMs) ? null : endMs,
    text: textOf(reason) || `${word} in UptimeRobot`,
  }
}

/** As far back as incidents are asked for. */
export const historyMs = 365 * 86_400_000
