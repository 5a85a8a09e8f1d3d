// Decides which parts of an incident are public: its title, its times, and published updates.
import type { IncidentId, MonitorId } from '../../base/ids.ts'
import { closedIncidentId } from '../../domain/health/health.ts'
import { dayMs } from '../../domain/health/span.ts'
import {
  basisOfEntry,
  type Condition,
  type Incident,
  isOfHealth,
  publishedMessage,
  type Severity,
  type TimelineEntry,
  titleOf,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Monitor, publicNameOf } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type {
  PublicIncident,
  PublicPlace,
  PublicTitleKind,
  PublicUpdate,
  PublicUpdateKind,
} from './public-page.ts'

const kinds: Readonly<Record<Severity, PublicIncident['kind']>> = {
  down: 'outage',
  degraded: 'degraded',
  certificate: 'notice',
  domain: 'notice',
  declared: 'notice',
}

type NamedMonitor = Pick<Monitor, 'id' | 'name' | 'publicName'>

/** What a page shows of monitors, as far as incidents depend on it. */
export interface ShownMonitors {
  readonly named: ReadonlyMap<MonitorId, NamedMonitor>
  /** Incidents that a person closed, and whose monitors have been bad ever since. */
  readonly closedIncidentIds: ReadonlySet<IncidentId>
  /** Whether readers learn from where they failed. */
  readonly showLocations: boolean
}

export function toShownMonitors(
  { showLocations }: Pick<StatusPage, 'showLocations'>,
  shown: readonly {
    readonly monitor: NamedMonitor
    readonly monitorState: Pick<MonitorState, 'health'> | null | undefined
  }[],
): ShownMonitors {
  const closedIds = shown.flatMap(
    ({ monitorState }) => (monitorState && closedIncidentId(monitorState.health)) ?? [],
  )
  return {
    named: new Map(shown.map(({ monitor }) => [monitor.id, monitor])),
    closedIncidentIds: new Set(closedIds),
    showLocations,
  }
}

const publicUpdatesMax = 20

/** The public part of an incident that is recent or open; null if it has none, or is long over. */
export function toRecentIncident(
  incident: Incident,
  monitors: ShownMonitors,
  nowMs: number,
): PublicIncident | null {
  const made = toPublicIncident(incident, monitors)
  if (made === null) return null
  const isRecent = (made.resolvedAtMs ?? nowMs) > nowMs - limits.publicIncidentDays * dayMs
  if (!made.isOpen && !isRecent) return null
  return { ...made, updates: made.updates.slice(0, publicUpdatesMax) }
}

/**
 * The public part of an incident, or null if there is none: the incident must be public, and concern
 * only shown monitors. One that a person declared may also concern none or some. It goes on for
 * readers while its service is bad, even if a person has closed it.
 */
export function toPublicIncident(
  incident: Incident,
  { named, closedIncidentIds, showLocations }: ShownMonitors,
): PublicIncident | null {
  const { monitorIds, resolvedAtMs, severity, isDeclared } = incident
  const isOpen = incident.state !== 'resolved' || closedIncidentIds.has(incident.id)
  if (!incident.isPublic) return null
  // A title written by the daemon names its monitors: one hidden monitor hides the incident.
  const monitors = monitorIds.flatMap((id) => named.get(id) ?? [])
  const shown = monitors.map(({ id }) => id)
  const isHidden = isDeclared
    ? monitorIds.length > 0 && shown.length === 0
    : shown.length < Math.max(1, monitorIds.length)
  if (isHidden) return null
  return {
    id: incident.id,
    ...titleFor(incident, monitors[0]),
    kind: kinds[severity],
    isDeclared: isDeclared === true,
    monitorIds: shown,
    isOpen,
    startedAtMs: incident.startedAtMs,
    resolvedAtMs: isOpen ? null : resolvedAtMs,
    monitorNames: monitors.map(publicNameOf),
    updates: incident.timeline
      .map((entry) => toPublicUpdate(entry, incident, showLocations))
      .filter((update) => update !== null)
      .toReversed(),
    postmortem: incident.postmortem,
  }
}

const titleKinds: readonly (readonly [PublicTitleKind, Condition, 'is' | 'was'])[] = [
  ['is_down', 'down', 'is'],
  ['is_slow', 'slow', 'is'],
  ['is_degraded', 'degraded', 'is'],
  ['was_down', 'down', 'was'],
  ['was_slow', 'slow', 'was'],
  ['was_degraded', 'degraded', 'was'],
]

/**
 * A title that the daemon made names the monitor as the public does. It may name the monitor as it was
 * called before; then it stays as it is, unless there is a public name to take the place of any other.
 */
function titleFor(
  incident: Incident,
  monitor: NamedMonitor | undefined,
): Pick<PublicIncident, 'title' | 'titleKind'> {
  const { title, hasOwnTitle } = incident
  if (!monitor) return { title, titleKind: null }
  const hidesNames = monitor.publicName != null && !hasOwnTitle && isOfHealth(incident)
  for (const [titleKind, condition, verb] of titleKinds) {
    const isThis =
      title === titleOf(monitor.name, condition, verb) ||
      (hidesNames && title.endsWith(titleOf('', condition, verb)))
    if (isThis) return { title: titleOf(publicNameOf(monitor), condition, verb), titleKind }
  }
  return { title, titleKind: null }
}

/**
 * Entries that the daemon wrote may contain addresses, so only their kinds are shown; only published
 * messages are shown as written. Acknowledgements are internal.
 */
function toPublicUpdate(
  entry: TimelineEntry,
  incident: Incident,
  showLocations: boolean,
): PublicUpdate | null {
  const places = showLocations ? placesOf(incident, entry) : []
  const update = (kind: PublicUpdateKind, message = ''): PublicUpdate => ({
    atMs: entry.atMs,
    kind,
    message,
    ...(places.length > 0 && { places }),
  })
  const written = publishedMessage(entry, incident)
  switch (entry.kind) {
    case 'opened':
      return update(incident.isDeclared ? 'reported' : 'detected', written)
    case 'reopened':
      return update('detected_again')
    case 'worsened':
      return update('worsened')
    case 'flapping':
      return update('unstable')
    case 'settled':
      return update('settled')
    case 'update':
      return entry.isPublic ? update(entry.status ?? 'update', entry.message) : null
    case 'closed':
      // The service was still bad, so readers only learn what the person tells them.
      return written === '' ? null : update('update', written)
    case 'resolved':
      return update('resolved', written)
    case 'recovered':
      return update('resolved')
    default:
      // An acknowledgement, or an entry of a kind that this version does not know.
      return null
  }
}

/** What the places said that decided it: places with a name, which were heard. */
function placesOf(incident: Incident, entry: TimelineEntry): PublicPlace[] {
  const { places = [] } = basisOfEntry(incident, entry) ?? {}
  return places.flatMap(({ name, state }) =>
    name === undefined || state === 'silent' || state === 'pending' ? [] : [{ name, state }],
  )
}
