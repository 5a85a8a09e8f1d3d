// The projection: reduces an organization's monitors and incidents to what a status page may show.
import type { MonitorId } from '../../base/ids.ts'
import {
  dayMs,
  type Tally,
  uptimeRatio,
  workedRatio,
  workedTime,
} from '../../domain/health/span.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { defaultLocale, type Locale } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { type Monitor, publicNameOf } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import { mayBeShown } from '../../domain/monitors/shadow.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { toRecentIncident, toShownMonitors } from './public-incident.ts'
import { toPublicMaintenance } from './public-maintenance.ts'
import type {
  PublicDay,
  PublicIncident,
  PublicLocation,
  PublicMonitor,
  PublicPage,
  PublicResponseTimes,
  PublicSection,
  PublicState,
} from './public-page.ts'

/** One monitor as the store knows it. */
export interface MonitorSource {
  readonly monitor: Monitor
  /** Null before the first check. */
  readonly monitorState: Pick<MonitorState, 'health' | 'lastVerdict'> | null
  /** Its days, oldest first; the current one counts up to the moment shown. */
  readonly tallies: readonly Tally[]
  readonly isUnderMaintenance: boolean
  /** Only where the page shows them. */
  readonly responseTimes?: PublicResponseTimes | null
  /** Only where the page shows them. Places without a name are not shown, but count. */
  readonly locations?: readonly SeenLocation[]
}

export interface SeenLocation extends Omit<PublicLocation, 'name'> {
  readonly name: string | null
}

/** What a page depends on besides its own record and its monitors. */
export interface PageSurroundings {
  readonly windows?: readonly MaintenanceWindow[]
  /** The absolute address of the page, without a slash at its end. */
  readonly url?: string
  /** The address of the service, without a slash at its end. */
  readonly serviceUrl?: string
  /** The language and time zone of the organization. */
  readonly locale?: Locale
  /** Members subscribe with their addresses alone. Default: there is one. */
  readonly hasMailServer?: boolean
}

/** Checks whether a page shows a monitor: both the page and the monitor must allow it, and it is no silent shadow. */
export function shownBy({ orgId, publicMonitorIds }: StatusPage): (monitor: Monitor) => boolean {
  const listed = publicMonitorIds && new Set(publicMonitorIds)
  return (monitor) =>
    mayBeShown(monitor) && (listed?.has(monitor.id) ?? true) && monitor.orgId === orgId
}

/** The monitors that a page shows. Nothing of other monitors may be in any document of it. */
export function shownSources(
  page: StatusPage,
  sources: readonly MonitorSource[],
): readonly MonitorSource[] {
  const isShown = shownBy(page)
  return sources.filter(({ monitor }) => isShown(monitor))
}

/**
 * Returns the projection, or null for a page that is not enabled. Monitors that are not shown
 * affect nothing in it, including the overall state; hidden parts are absent from the result.
 */
export function toPublicPage(
  page: StatusPage,
  sources: readonly MonitorSource[],
  incidents: readonly Incident[],
  nowMs: number,
  surroundings: PageSurroundings = {},
): PublicPage | null {
  if (!page.isEnabled) return null
  const { windows = [], url = '', serviceUrl = '', locale = defaultLocale } = surroundings
  const { hasMailServer = true } = surroundings
  const shown = shownSources(page, sources)
  const shownMonitors = toShownMonitors(page, shown)
  const shownIncidents = incidents
    .filter(({ orgId }) => orgId === page.orgId)
    .map((incident) => toRecentIncident(incident, shownMonitors, nowMs))
    .filter((incident) => incident !== null)
    .toSorted((a, b) => b.startedAtMs - a.startedAtMs)
  const visibleIncidents = page.showIncidents ? shownIncidents : null
  const declared = declaredAbout(visibleIncidents ?? [])
  const monitors = shown.map((source) => {
    const about = declared.get(source.monitor.id) ?? []
    return withDeclared(toPublicMonitor(page, source, nowMs), about)
  })
  return {
    id: page.id,
    url,
    serviceUrl,
    language: page.language,
    fallbackLanguage: locale.language,
    timezone: page.timezone ?? locale.timezone,
    look: page.look,
    css: page.css,
    theme: page.theme,
    noindex: page.noindex,
    showMonitoredBy: page.showMonitoredBy,
    allowsSubscribers: page.allowsSubscribers && (page.visibility === 'everyone' || hasMailServer),
    title: page.title === '' ? page.name : page.title,
    description: page.description,
    logoUrl: page.logoUrl?.startsWith('https://') ? page.logoUrl : null,
    pictures: page.pictures,
    headLinks: page.headLinks,
    announcement: page.announcement,
    footer: page.footer,
    layout: page.layout,
    overall: overallOf(
      monitors.map(({ state }) => state),
      visibleIncidents ?? [],
    ),
    showUptime: page.showUptime,
    showHistory: page.showHistory,
    showResponseTimes: page.showResponseTimes,
    monitors: page.showMonitors ? monitors : null,
    sections: page.showMonitors ? toSections(page, shown) : [],
    incidents: visibleIncidents,
    maintenance: toPublicMaintenance(
      windows,
      shown.map(({ monitor }) => monitor),
      nowMs,
    ),
    generatedAtMs: nowMs,
  }
}

function toSections(page: StatusPage, shown: readonly MonitorSource[]): PublicSection[] {
  const shownIds = new Set(shown.map(({ monitor }) => monitor.id))
  const named = page.sections.map(({ name, monitorIds }) => ({
    name,
    monitorIds: monitorIds.filter((id) => shownIds.delete(id)),
  }))
  return [...named, { name: null, monitorIds: [...shownIds] }].filter(
    ({ monitorIds }) => monitorIds.length > 0,
  )
}

function toPublicMonitor(page: StatusPage, source: MonitorSource, nowMs: number): PublicMonitor {
  const { monitor, monitorState, tallies } = source
  const health = monitorState?.health
  const todayMs = Math.floor(nowMs / dayMs) * dayMs
  const firstMs = todayMs - (limits.historyDays - 1) * dayMs
  const recent = tallies.filter(({ startMs }) => startMs >= firstMs)
  const state = stateOf(source, recent)
  return {
    id: monitor.id,
    name: publicNameOf(monitor),
    state,
    sinceMs: health === undefined || health.state === 'pending' ? null : health.sinceMs,
    uptime90d: page.showUptime ? uptimeRatio(workedTime(recent)) : null,
    declaredIds: [],
    days: page.showHistory ? toPublicDays(recent, firstMs, limits.historyDays) : [],
    responseTimes: page.showResponseTimes ? (source.responseTimes ?? null) : null,
    ...publicLocations(page.showLocations ? (source.locations ?? []) : [], state),
  }
}

const hasName = <One extends Pick<SeenLocation, 'name'>>(one: One): one is One & { name: string } =>
  one.name !== null

/** Under maintenance, or paused, it does not matter from where it fails. */
function publicLocations(
  seen: readonly SeenLocation[],
  state: PublicState,
): Pick<PublicMonitor, 'locations' | 'failsFrom'> {
  const isTold = state === 'up' || state === 'degraded' || state === 'down'
  const told = isTold ? seen : seen.map((one) => ({ ...one, state: null }))
  const failing = told.flatMap(({ name, state: from }) =>
    from === 'degraded' || from === 'down' ? [{ name, state: from }] : [],
  )
  const isEverywhere = failing.length === told.length
  return {
    locations: told.filter(hasName),
    failsFrom: isEverywhere ? [] : failing.filter(hasName),
  }
}

/** The open incidents that people declared about each monitor. */
function declaredAbout(
  incidents: readonly PublicIncident[],
): ReadonlyMap<MonitorId, readonly PublicIncident[]> {
  const found = new Map<MonitorId, PublicIncident[]>()
  for (const incident of incidents) {
    if (!incident.isOpen || !incident.isDeclared) continue
    for (const id of incident.monitorIds) {
      const known = found.get(id)
      if (known) known.push(incident)
      else found.set(id, [incident])
    }
  }
  return found
}

/** What an incident says of its services: a notice, too, says that they are affected. */
const declaredStates = { outage: 'down', degraded: 'degraded', notice: 'degraded' } as const

/** From the best to the worst; the others are better. */
const badStates: readonly PublicState[] = ['degraded', 'down']

/** A person knows of trouble that no check sees. A state that is worse stays. */
function withDeclared(monitor: PublicMonitor, about: readonly PublicIncident[]): PublicMonitor {
  if (about.length === 0) return monitor
  const isDown = about.some(({ kind }) => declaredStates[kind] === 'down')
  const state = isDown ? 'down' : 'degraded'
  const declaredIds = about.map(({ id }) => id)
  if (badStates.indexOf(monitor.state) >= badStates.indexOf(state)) {
    return { ...monitor, declaredIds }
  }
  const causes = about.filter(({ kind }) => declaredStates[kind] === state)
  const sinceMs = Math.min(...causes.map(({ startedAtMs }) => startedAtMs))
  return { ...monitor, state, sinceMs, declaredIds }
}

function stateOf(
  { monitor, monitorState, isUnderMaintenance }: MonitorSource,
  tallies: readonly Tally[],
): PublicState {
  if (!monitor.isActive) return 'paused'
  if (isUnderMaintenance) return 'maintenance'
  const state = monitorState === null ? 'pending' : shownMonitorState(monitorState)
  return state === 'pending' && workedRatio(workedTime(tallies)) !== null ? 'waiting' : state
}

/** Each of `count` days from the first one on, also those without data. */
export function toPublicDays(
  tallies: readonly Tally[],
  firstMs: number,
  count: number,
): PublicDay[] {
  const byStart = new Map(tallies.map((tally) => [tally.startMs, tally]))
  return Array.from({ length: count }, (_, index) => {
    const startMs = firstMs + index * dayMs
    const tally = byStart.get(startMs)
    const worked = workedTime(tally ? [tally] : [])
    return {
      startMs,
      upRatio: workedRatio(worked),
      hasShare: uptimeRatio(worked) !== null,
      downMs: worked.downMs,
      degradedMs: tally?.degradedMs ?? 0,
      maintenanceMs: tally?.maintenanceMs ?? 0,
    }
  })
}

/**
 * The worst state shown. If more than half of the services are down, it is a major
 * outage. Paused, pending, waiting and unknown monitors count only if there are no others.
 */
function overallOf(
  states: readonly PublicState[],
  incidents: readonly PublicIncident[],
): PublicPage['overall'] {
  const count = (state: PublicState) => states.filter((one) => one === state).length
  const down = count('down')
  const known = count('up') + count('degraded') + down + count('maintenance')
  if (down > 0) {
    return { level: 'down', kind: down * 2 > known ? 'major_outage' : 'partial_outage' }
  }
  if (count('degraded') > 0) return { level: 'degraded', kind: 'degraded' }
  if (incidents.some(({ isOpen }) => isOpen)) {
    return { level: 'degraded', kind: 'incident' }
  }
  if (count('unknown') > 0) return { level: 'unknown', kind: 'interrupted' }
  if (count('maintenance') > 0) return { level: 'maintenance', kind: 'maintenance' }
  if (known === 0 && count('waiting') > 0) {
    return { level: 'unknown', kind: 'waiting' }
  }
  if (known === 0) return { level: 'unknown', kind: 'no_data' }
  return { level: 'up', kind: 'operational' }
}
