// The documents of Atlassian's Statuspage (its public API, version 2), which many programs read.
//
// Their fields are described at https://www.atlassianstatus.com/api. Ids are our own.

import { createHash } from 'node:crypto'
import { madeAtMs } from '../../base/ids.ts'
import { once } from '../../base/per-object.ts'
import { placesIn } from '../../domain/locations/shown-places.ts'
import type { Language } from '../../texts/languages.ts'
import { type AreaTexts, textsOf } from '../../texts/texts.ts'
import { incidentTitle, updateMessage } from '../status/page-text.ts'
import type {
  DocumentContext,
  OverallKind,
  PageDocument,
  PublicIncident,
  PublicLocation,
  PublicMaintenance,
  PublicMonitor,
  PublicPage,
  PublicState,
  PublicUpdate,
  PublicUpdateKind,
} from '../view/public-page.ts'
import {
  incidentChangedAtMs,
  isoTime,
  maintenanceChangedAtMs,
  pageChangedAtMs,
} from './page-identity.ts'

export const statuspagePaths = [
  'summary',
  'status',
  'components',
  'incidents',
  'incidents/unresolved',
  'scheduled-maintenances',
  'scheduled-maintenances/upcoming',
  'scheduled-maintenances/active',
] as const
export type StatuspagePath = (typeof statuspagePaths)[number]

/** Undefined where the page does not show what the document is about. */
export function statuspageDocument(
  path: StatuspagePath,
  context: DocumentContext,
): PageDocument | undefined {
  const document = documentAt(path, context)
  if (!document) return undefined
  const body = { page: pageHead(context.view), ...document }
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** Incidents, and occurrences of maintenance, in a document for programs. */
const statuspageItemsMax = 50

function documentAt(path: StatuspagePath, context: DocumentContext) {
  const { view, language } = context
  const words = textsOf('status-page', language)
  const all = once(() => components(view, language))
  const incidents = (isWanted: (incident: PublicIncident) => boolean = () => true) =>
    (view.incidents ?? [])
      .filter(isWanted)
      .slice(0, statuspageItemsMax)
      .map((incident) => incidentEntry(view, incident, { words, language, components: all() }))
  const maintenance = (isWanted: (one: PublicMaintenance) => boolean = () => true) =>
    context.figures
      .maintenance()
      .filter(isWanted)
      .slice(0, statuspageItemsMax)
      .map((one) => maintenanceEntry(view, one, { words, language, components: all() }))
  const isOpen = (incident: PublicIncident) => incident.isOpen
  const isOn = (one: PublicMaintenance) => one.isOn
  switch (path) {
    case 'summary':
      return {
        components: all(),
        incidents: incidents(isOpen),
        scheduled_maintenances: maintenance(),
        status: overallStatus(view, words),
      }
    case 'status':
      return { status: overallStatus(view, words) }
    case 'components':
      return view.monitors ? { components: all() } : undefined
    case 'incidents':
      return view.incidents ? { incidents: incidents() } : undefined
    case 'incidents/unresolved':
      return view.incidents ? { incidents: incidents(isOpen) } : undefined
    case 'scheduled-maintenances':
      return { scheduled_maintenances: maintenance() }
    case 'scheduled-maintenances/upcoming':
      return { scheduled_maintenances: maintenance((one) => !one.isOn) }
    case 'scheduled-maintenances/active':
      return { scheduled_maintenances: maintenance(isOn) }
  }
}

function pageHead(view: PublicPage) {
  return {
    id: view.id,
    name: view.title,
    url: view.url,
    time_zone: view.timezone,
    updated_at: isoTime(pageChangedAtMs(view)),
  }
}

type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance'

const indicators: Readonly<Record<OverallKind, Indicator>> = {
  operational: 'none',
  degraded: 'minor',
  incident: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
  maintenance: 'maintenance',
  interrupted: 'none',
  waiting: 'none',
  no_data: 'none',
}

function overallStatus({ overall }: PublicPage, words: AreaTexts<'status-page'>) {
  return { indicator: indicators[overall.kind], description: words.overall[overall.kind] }
}

/** The worst first. */
const componentStatuses = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
  'operational',
] as const
type ComponentStatus = (typeof componentStatuses)[number]

/** The format has no state for paused, pending and unknown monitors. */
const statusOf: Readonly<Record<PublicState, ComponentStatus>> = {
  up: 'operational',
  degraded: 'degraded_performance',
  down: 'major_outage',
  maintenance: 'under_maintenance',
  pending: 'operational',
  waiting: 'operational',
  paused: 'operational',
  unknown: 'operational',
}

/** Sections that have a name are groups; each group comes before its components. */
function components(view: PublicPage, language: Language) {
  const monitors = new Map((view.monitors ?? []).map((monitor) => [monitor.id, monitor]))
  let position = 0
  return view.sections.flatMap(({ name, monitorIds }, at) => {
    const members = monitorIds.flatMap((id) => monitors.get(id) ?? [])
    const groupId = name === null ? null : groupIdOf(view, name, at)
    const group =
      name === null || groupId === null
        ? []
        : [{ ...groupEntry(view, groupId, name, members), position: ++position }]
    const entries = members.map((monitor, index) => ({
      ...componentEntry(view, monitor, groupId, language),
      position: groupId === null ? ++position : index + 1,
    }))
    return [...group, ...entries]
  })
}

/** The same as long as the page has a section of this name. */
function groupIdOf({ id, sections }: PublicPage, name: string, at: number): string {
  const before = sections.slice(0, at).filter((section) => section.name === name).length
  const content = JSON.stringify([id, name, before])
  return `grp_${createHash('sha256').update(content).digest('hex').slice(0, 26)}`
}

const commonFields = {
  description: null,
  showcase: false,
  start_date: null,
  only_show_if_degraded: false,
} as const

function groupEntry(
  view: PublicPage,
  groupId: string,
  name: string,
  members: readonly PublicMonitor[],
) {
  const statuses = members.map(({ state }) => statusOf[state])
  const worst = componentStatuses.find((status) => statuses.includes(status)) ?? 'operational'
  const isPartial = worst === 'major_outage' && statuses.some((status) => status !== worst)
  const changedAtMs = Math.max(madeAtMs(view.id), ...members.map(({ sinceMs }) => sinceMs ?? 0))
  return {
    ...commonFields,
    id: groupId,
    name,
    status: isPartial ? 'partial_outage' : worst,
    created_at: isoTime(madeAtMs(view.id)),
    updated_at: isoTime(changedAtMs),
    position: 0,
    group_id: null,
    page_id: view.id,
    group: true,
    components: members.map(({ id }) => id),
  }
}

function componentEntry(
  view: PublicPage,
  monitor: PublicMonitor,
  groupId: string | null,
  language: Language,
) {
  const createdAtMs = madeAtMs(monitor.id)
  return {
    ...commonFields,
    description: placesIn(language, monitor.failsFrom),
    id: monitor.id,
    name: monitor.name,
    status: statusOf[monitor.state],
    created_at: isoTime(createdAtMs),
    updated_at: isoTime(monitor.sinceMs ?? createdAtMs),
    position: 0,
    group_id: groupId,
    page_id: view.id,
    group: false,
    ...(monitor.locations.length > 0 && { locations: monitor.locations.map(locationEntry) }),
  }
}

/** The format knows no locations, so this is our own. */
function locationEntry({ name, state, p50Ms }: PublicLocation) {
  return { name, status: state && statusOf[state], response_time_ms: p50Ms }
}

type Component = ReturnType<typeof components>[number]

/** What the entries of a document have in common. */
interface Shared {
  readonly words: AreaTexts<'status-page'>
  readonly language: Language
  readonly components: readonly Component[]
}

/** The components that an incident or a window is for, as the document of components has them. */
function componentsOf({ components: all }: Shared, ids: readonly string[]): readonly Component[] {
  const wanted = new Set(ids)
  return all.filter(({ id, group }) => !group && wanted.has(id))
}

const impacts: Readonly<Record<PublicIncident['kind'], Indicator>> = {
  outage: 'major',
  degraded: 'minor',
  notice: 'none',
}

/** What a person declared about a service is at least a minor matter. */
function impactOf({ kind, isDeclared }: PublicIncident): Indicator {
  return kind === 'notice' && isDeclared ? 'minor' : impacts[kind]
}

const incidentStatuses: Readonly<Record<PublicIncident['kind'], ComponentStatus>> = {
  outage: 'major_outage',
  degraded: 'degraded_performance',
  notice: 'operational',
}

/** What a component was in while the incident went on: at least what its service shows. */
function statusDuring({ kind, isDeclared }: PublicIncident): ComponentStatus {
  return kind === 'notice' && isDeclared ? 'degraded_performance' : incidentStatuses[kind]
}

type IncidentStatus = 'investigating' | 'identified' | 'monitoring' | 'resolved'

/** Undefined: the status that the incident had before. */
const updateStatuses: Readonly<Record<PublicUpdateKind, IncidentStatus | undefined>> = {
  reported: 'investigating',
  detected: 'investigating',
  detected_again: 'investigating',
  worsened: 'investigating',
  unstable: undefined,
  settled: undefined,
  investigating: 'investigating',
  identified: 'identified',
  monitoring: 'monitoring',
  resolved: 'resolved',
  update: undefined,
}

function incidentEntry(view: PublicPage, incident: PublicIncident, shared: Shared) {
  const { words } = shared
  const { id, startedAtMs, resolvedAtMs, isOpen } = incident
  const updates = updateEntries(view, incident, shared)
  const stated = updates[0]?.status ?? 'investigating'
  const ongoing = stated === 'resolved' ? 'monitoring' : stated
  const monitoring = incident.updates.find(({ kind }) => kind === 'monitoring')
  return {
    id,
    name: incidentTitle(incident, words),
    status: isOpen ? ongoing : incident.postmortem === null ? 'resolved' : 'postmortem',
    created_at: isoTime(startedAtMs),
    updated_at: isoTime(incidentChangedAtMs(incident)),
    monitoring_at: monitoring ? isoTime(monitoring.atMs) : null,
    resolved_at: resolvedAtMs === null ? null : isoTime(resolvedAtMs),
    impact: impactOf(incident),
    shortlink: `${view.url}/incidents/${id}`,
    started_at: isoTime(startedAtMs),
    page_id: view.id,
    incident_updates: updates,
    components: componentsOf(shared, incident.monitorIds),
  }
}

/** The newest first, as everywhere. */
function updateEntries(
  view: PublicPage,
  incident: PublicIncident,
  texts: Omit<Shared, 'components'>,
) {
  const during = statusDuring(incident)
  const monitors = monitorsOf(view, incident.monitorIds)
  let status: IncidentStatus = 'investigating'
  const entries = incident.updates.toReversed().map((update, at) => {
    const isFirst = at === 0
    status = updateStatuses[update.kind] ?? status
    const isEnd = status === 'resolved'
    const affected = affectedOf(
      monitors,
      isFirst ? 'operational' : during,
      isEnd ? 'operational' : during,
    )
    return updateEntry(incident.id, at, {
      status,
      body: bodyOf(update, texts),
      atMs: update.atMs,
      affected,
    })
  })
  return entries.toReversed()
}

/** Programs show the body alone, so it is never empty. */
function bodyOf(update: PublicUpdate, { words, language }: Omit<Shared, 'components'>): string {
  const said = placesIn(language, update.places ?? []) ?? ''
  const body = `${updateMessage(update, words)} ${said}`.trim()
  return body || words.incident.updates[update.kind]
}

/** Null if there are none. */
function affectedOf(
  monitors: readonly PublicMonitor[],
  oldStatus: ComponentStatus,
  newStatus: ComponentStatus,
) {
  if (monitors.length === 0) return null
  return monitors.map(({ id, name }) => ({
    code: id,
    name,
    old_status: oldStatus,
    new_status: newStatus,
  }))
}

/** None if the page does not show them. */
function monitorsOf({ monitors }: PublicPage, ids: readonly string[]): readonly PublicMonitor[] {
  const wanted = new Set(ids)
  return (monitors ?? []).filter(({ id }) => wanted.has(id))
}

interface UpdateFields<Status> {
  readonly status: Status
  readonly body: string
  readonly atMs: number
  readonly affected: readonly object[] | null
}

function updateEntry<Status>(
  parentId: string,
  at: number,
  { status, body, atMs, affected }: UpdateFields<Status>,
) {
  return {
    id: `${parentId}-${Math.floor(atMs / 1000)}-${at}`,
    status,
    body,
    incident_id: parentId,
    created_at: isoTime(atMs),
    updated_at: isoTime(atMs),
    display_at: isoTime(atMs),
    affected_components: affected,
    deliver_notifications: true,
    custom_tweet: null,
    tweet_id: null,
  }
}

/** One for each occurrence. */
function maintenanceEntry(view: PublicPage, one: PublicMaintenance, shared: Shared) {
  const { words } = shared
  const id = `${one.windowId}-${Math.floor(one.startsAtMs / 1000)}`
  const createdAtMs = Math.min(one.changedAtMs, one.startsAtMs)
  const monitors = monitorsOf(view, one.monitorIds)
  const begun = updateEntry(id, 1, {
    status: 'in_progress' as const,
    body: words.maintenance.inProgress,
    atMs: one.startsAtMs,
    affected: affectedOf(monitors, 'operational', 'under_maintenance'),
  })
  const planned = updateEntry(id, 0, {
    status: 'scheduled' as const,
    body: one.description || words.maintenance.planned,
    atMs: createdAtMs,
    affected: affectedOf(monitors, 'operational', 'operational'),
  })
  return {
    id,
    name: one.name,
    status: one.isOn ? 'in_progress' : 'scheduled',
    created_at: isoTime(createdAtMs),
    updated_at: isoTime(maintenanceChangedAtMs(one)),
    monitoring_at: null,
    resolved_at: null,
    impact: 'maintenance' satisfies Indicator,
    shortlink: view.url,
    started_at: isoTime(one.startsAtMs),
    page_id: view.id,
    incident_updates: one.isOn ? [begun, planned] : [planned],
    components: componentsOf(shared, one.monitorIds),
    scheduled_for: isoTime(one.startsAtMs),
    scheduled_until: isoTime(one.endsAtMs),
  }
}
