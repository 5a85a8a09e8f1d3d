// Uptime Kuma: a backup of version 1, the list of monitors that its API clients save, and its database.
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignSource,
  fieldsOf,
  flagOf,
  installationByItems,
  itemsOf,
  listOf,
  type Note,
  nameOf,
  numberOf,
  textOf,
} from '../foreign.ts'
import { domainMonitors } from '../watched-domains.ts'
import { type BoundMonitor, kumaChannels } from './channels/kuma-channels.ts'
import { monitorIdOf, originOf } from './kuma-columns.ts'
import { type KumaSchedule, windowOf } from './kuma-maintenance.ts'
import { type KumaHost, monitorOf } from './kuma-monitor.ts'
import { pageOf } from './kuma-pages.ts'
import { type KumaLists, type KumaTables, listsOf } from './kuma-rows.ts'
import { noteProxy, noteSurroundings } from './kuma-surroundings.ts'
import { tagColorsOf } from './kuma-tags.ts'

/** `document`: an object with `monitorList`, or the list itself. */
export function fromKuma(document: unknown): ForeignDocument {
  const { monitorList = document, notificationList, proxyList } = fieldsOf(document)
  const marks = itemsOf(monitorList, 'monitors').map(({ id, type, name, pushToken }) =>
    [id, type, name, pushToken].map(textOf),
  )
  return documentOf({
    lists: { ...listsOf({}), monitorList, notificationList, proxyList },
    source: { product: 'kuma', installation: installationByItems(JSON.stringify(marks)) },
    nowMs: 0,
    unknown: [],
    // Pages are in the database only, and so are those that show a monitor.
    untoldFields: ['isPublic', ...(notificationList === undefined ? ['notifyChannelIds'] : [])],
  })
}

export interface KumaContent {
  readonly tables: KumaTables
  /** Tables and columns that are there and not known, such as `monitor.colour`. */
  readonly unknown: readonly string[]
  readonly installation: string
  readonly nowMs: number
}

export function fromKumaDatabase(content: KumaContent): ForeignDocument {
  const { tables, unknown, installation, nowMs } = content
  const source = { product: 'kuma', installation }
  return documentOf({ lists: listsOf(tables), source, unknown, nowMs })
}

interface KumaGiven {
  readonly lists: KumaLists
  readonly source: ForeignSource
  readonly unknown: readonly string[]
  readonly nowMs: number
  readonly untoldFields?: readonly string[]
}

function documentOf({ lists, source, unknown, nowMs, untoldFields }: KumaGiven): ForeignDocument {
  const items = itemsOf(lists.monitorList, 'monitors')
  const notes = createNotes()
  const tree = treeOf(items)
  const host = hostOf(lists)
  const made = items.flatMap((item, index): BoundMonitor[] => {
    const name = nameOf(item.name, `Monitor ${index + 1}`)
    const note = notes.of(name, originOf('monitor', item).origin)
    const monitor = monitorOf(item, name, { ...host, group: tree.groupOf(item) }, note)
    return monitor
      ? [{ item, monitor: tree.isHeld(item) ? { ...monitor, isActive: false } : monitor }]
      : []
  })
  const onPages = monitorsOnPages(lists)
  const ids = new Map(made.flatMap(({ item }) => [[item.id, monitorIdOf(item)] as const]))
  const bound = made.map(({ item, monitor }) => {
    const memberIds = tree.membersOf(item).flatMap((member) => ids.get(member.id) ?? [])
    noteMembers(memberIds.length, notes.of(monitor.name, originOf('monitor', item).origin))
    const id = ids.get(item.id)
    const whole = {
      ...(id === undefined ? {} : { id }),
      ...originOf('monitor', item),
      ...monitor,
      ...(memberIds.length > 0 ? { memberIds: memberIds.slice(0, limits.groupMembersMax) } : {}),
      ...(onPages.has(item.id) ? { isPublic: true } : {}),
    }
    return { item, monitor: whole }
  })
  const alerting = kumaChannels(listOf(lists.notificationList).map(fieldsOf), bound, notes)
  const { channels, secretsOmitted } = alerting
  const pairs = alerting.monitors.map((monitor, index) => ({
    item: bound[index]?.item ?? {},
    monitor,
  }))
  const domains = domainMonitors(
    pairs.flatMap(({ item, monitor }) => (flagOf(item.domainExpiryNotification) ? monitor : [])),
    warnDaysOf(lists.settings.domainExpiryNotifyDays),
  )
  if (domains.length > 0) {
    const names = domains.map(({ name }) => name).join(', ')
    notes.of(null)(`the expiry of domains, which got monitors of their own: ${names}`)
  }
  const monitors = [...alerting.monitors, ...domains]
  if (tree.hasGroups) notes.of(null)('its groups: they became groups, and tags of their monitors')
  for (const row of listOf(lists.proxyList).map(fieldsOf)) noteProxy(row, notes)
  const statusPages = lists.statusPageList.map((row) => {
    return pageOf(
      row,
      (id) => ids.get(id),
      notes.of(nameOf(row.title, ''), originOf('status_page', row).origin),
    )
  })
  const schedule: KumaSchedule = {
    nowMs,
    serverTimezone: textOf(lists.settings.serverTimezone),
    monitorIdsOf: (id) => tree.within(id).flatMap((one) => ids.get(one) ?? []),
    pageTitles: new Map(lists.statusPageList.map(({ id, title }) => [id, textOf(title)])),
  }
  const maintenance = lists.maintenanceList.flatMap((row) => {
    const note = notes.of(nameOf(row.title, ''), originOf('maintenance', row).origin)
    return windowOf(row, schedule, note) ?? []
  })
  noteSurroundings(lists, notes)
  const tagColors = tagColorsOf(items)
  for (const name of unknown) notes.of(null)(`${name}, which this version of stillup does not know`)
  return {
    source,
    ...(channels.length > 0 ? { channels } : {}),
    ...(secretsOmitted.length > 0 ? { secretsOmitted } : {}),
    ...(tagColors.length > 0 ? { tagColors } : {}),
    monitors,
    ...(untoldFields ? { untoldFields } : {}),
    ...(statusPages.length > 0 ? { statusPages } : {}),
    ...(maintenance.length > 0 ? { maintenance } : {}),
    notes: notes.all(),
  }
}

function noteMembers(count: number, note: Note): void {
  const most = limits.groupMembersMax
  if (count > most) note(`of its ${count} members, ${most}`)
}

function monitorsOnPages({ statusPageList }: KumaLists): ReadonlySet<unknown> {
  const groups = statusPageList.flatMap((page) => listOf(page.groups).map(fieldsOf))
  const rows = groups.flatMap(({ monitors }) => listOf(monitors).map(fieldsOf))
  return new Set(rows.map(({ monitor_id }) => monitor_id))
}

/** What the settings of the installation say of all monitors. */
function hostOf({
  settings,
  dockerHostList,
  remoteBrowserList,
}: KumaLists): Omit<KumaHost, 'group'> {
  const certificateWarnDays = warnDaysOf(settings.tlsExpiryNotifyDays)
  const browsers = new Map(remoteBrowserList.map(({ id, name }) => [id, ` (${textOf(name)})`]))
  const engines = new Map(dockerHostList.map((row) => [row.id, engineOf(row)]))
  return {
    certificateWarnDays,
    engineOf: (id) => (engines.size > 1 ? engines.get(id) : undefined) ?? 'local',
    browserOf: (id) => browsers.get(id) ?? '',
  }
}

/** The days of a monitor's warnings; Kuma's own, where nothing else is set. */
const warningsMax = 10
const usualWarnDays = [21, 14, 7]

function warnDaysOf(setting: unknown): readonly number[] {
  if (!Array.isArray(setting)) return usualWarnDays
  const days = setting.flatMap((day) => numberOf(day) ?? []).map(Math.round)
  const fitting = days.filter((day) => day > 0 && day <= limits.certificateWarnDaysMax)
  return [...new Set(fitting)].slice(0, warningsMax)
}

/** The name of an engine of containers, as the operator lists it. */
function engineOf({ id, name }: ForeignFields): string {
  const words = textOf(name)
    .slice(0, limits.slugCharsMax)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.filter((word) => word !== '').join('-') || `docker-${textOf(id)}`
}

const isOff = ({ active }: ForeignFields) => active !== undefined && !flagOf(active)

/** Groups within groups, which a hand-made file may close to a circle. */
function treeOf(items: readonly ForeignFields[]) {
  const groups = new Map(
    items.filter(({ type }) => type === 'group').map((item) => [item.id, item]),
  )
  const children = Map.groupBy(items, ({ parent }) => parent)
  const membersOf = ({ id, type }: ForeignFields) => (type === 'group' && children.get(id)) || []

  const held = new Map<ForeignFields, boolean>()

  /** Whether a group, or one around it, is paused. Each is looked at once, however deep they are. */
  function isPaused(inner: ForeignFields | undefined): boolean {
    const path = new Set<ForeignFields>()
    let group = inner
    while (group !== undefined && !held.has(group) && !path.has(group)) {
      path.add(group)
      group = groups.get(group.parent)
    }
    const within = [...path]
    // Those of a circle are around each other.
    const circle = group !== undefined && path.has(group) ? within.slice(within.indexOf(group)) : []
    let isHeld = (group !== undefined && held.get(group)) || circle.some(isOff)
    for (const one of within.reverse()) {
      isHeld ||= isOff(one)
      held.set(one, isHeld)
    }
    return isHeld
  }

  return {
    hasGroups: groups.size > 0,
    membersOf,
    groupOf: ({ parent }: ForeignFields) => {
      const group = groups.get(parent)
      return group === undefined ? undefined : nameOf(group.name, '')
    },
    /** Whether a group around it is paused: then Kuma does not check it. */
    isHeld: (item: ForeignFields) => isPaused(groups.get(item.parent)),
    /** Its own id, and those of all in it, where it is a group. */
    within(id: unknown): readonly unknown[] {
      const found = new Set<unknown>([id])
      for (const one of found) {
        for (const member of (groups.has(one) && children.get(one)) || []) found.add(member.id)
      }
      return [...found]
    },
  }
}
