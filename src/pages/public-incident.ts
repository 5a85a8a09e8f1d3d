// Decides which parts of an incident are public: its title, its times, and published updates.
import type { IncidentId, MonitorId } from '../base/ids.ts'
import { dayMs } from '../domain/health/span.ts'
import {
  type Incident,
  isWritten,
  type Severity,
  statusTitles,
  type TimelineEntry,
} from '../domain/incidents/incident.ts'
import { limits } from '../domain/limits/limits.ts'
import type { PublicIncident, PublicUpdate } from './public-page.ts'

const kinds: Readonly<Record<Severity, PublicIncident['kind']>> = {
  down: 'outage',
  degraded: 'degraded',
  certificate: 'notice',
  domain: 'notice',
  declared: 'notice',
}

/** What a page shows of monitors, as far as incidents depend on it. */
export interface ShownMonitors {
  readonly names: ReadonlyMap<MonitorId, string>
  /** Incidents that a person closed, and whose monitors have been bad ever since. */
  readonly closedIncidentIds: ReadonlySet<IncidentId>
}

/**
 * The public part of an incident, or null if there is none: the incident must be public, recent or
 * open, and concern only shown monitors. One that a person declared may also concern none or some.
 * It goes on for readers while its service is bad, even if a person has closed it.
 */
export function toPublicIncident(
  incident: Incident,
  { names: shownNames, closedIncidentIds }: ShownMonitors,
  nowMs: number,
): PublicIncident | null {
  const { monitorIds, resolvedAtMs, severity, isDeclared } = incident
  const isOpen = incident.state !== 'resolved' || closedIncidentIds.has(incident.id)
  const isRecent = (resolvedAtMs ?? nowMs) > nowMs - limits.publicIncidentDays * dayMs
  if (!incident.isPublic || !(isOpen || isRecent)) return null
  // A title written by the daemon names its monitors: one hidden monitor hides the incident.
  const shown = monitorIds.filter((id) => shownNames.has(id))
  const isHidden = isDeclared
    ? monitorIds.length > 0 && shown.length === 0
    : shown.length < Math.max(1, monitorIds.length)
  if (isHidden) return null
  return {
    id: incident.id,
    title: incident.title,
    kind: kinds[severity],
    isOpen,
    startedAtMs: incident.startedAtMs,
    resolvedAtMs: isOpen ? null : resolvedAtMs,
    monitorNames: shown.map((id) => shownNames.get(id) ?? ''),
    updates: incident.timeline
      .map((entry) => toPublicUpdate(entry, incident))
      .filter((update) => update !== null)
      .toReversed()
      .slice(0, limits.publicUpdatesMax),
  }
}

/**
 * Entries that the daemon wrote may contain addresses, so they are shown in fixed words; only
 * published messages are shown as written. Acknowledgements are internal.
 */
function toPublicUpdate(entry: TimelineEntry, incident: Incident): PublicUpdate | null {
  const update = (label: string, message = '') => ({ atMs: entry.atMs, label, message })
  const isByHand = entry.id !== undefined || (incident.isDeclared && isWritten(entry))
  const written = isByHand && entry.isPublic ? entry.message : ''
  switch (entry.kind) {
    case 'opened':
      return update(incident.isDeclared ? 'Reported' : 'Detected', written)
    case 'reopened':
      return update('Detected again')
    case 'worsened':
      return update('Became an outage')
    case 'flapping':
      return update('Unstable', 'It keeps going down and up.')
    case 'settled':
      return update('No longer unstable')
    case 'update':
      return entry.isPublic
        ? update(entry.status ? statusTitles[entry.status] : 'Update', entry.message)
        : null
    case 'closed':
      // The service was still bad, so readers only learn what the person tells them.
      return written === '' ? null : update('Update', written)
    case 'resolved':
      return update('Resolved', written)
    case 'recovered':
      return update('Resolved')
    default:
      // An acknowledgement, or an entry of a kind that this version does not know.
      return null
  }
}
