// Decides which parts of an incident are public: its title, its times, and published updates.
import type { MonitorId } from '../base/ids.ts'
import { dayMs } from '../domain/health/span.ts'
import type {
  Incident,
  Severity,
  TimelineEntry,
  UpdateStatus,
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

const statusLabels: Readonly<Record<UpdateStatus, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
}

/**
 * The public part of an incident, or null if there is none: the incident must be public, recent or
 * open, and concern only shown monitors. One that a person declared may also concern none or some.
 */
export function toPublicIncident(
  incident: Incident,
  shownNames: ReadonlyMap<MonitorId, string>,
  nowMs: number,
): PublicIncident | null {
  const { monitorIds, resolvedAtMs, severity } = incident
  const isOpen = incident.state !== 'resolved'
  const isRecent = (resolvedAtMs ?? nowMs) > nowMs - limits.publicIncidentDays * dayMs
  if (!incident.isPublic || !(isOpen || isRecent)) return null
  // A title written by the daemon names its monitors: one hidden monitor hides the incident.
  const shown = monitorIds.filter((id) => shownNames.has(id))
  const isHidden =
    severity === 'declared'
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
 * published updates are shown as written. Acknowledgements are internal.
 */
function toPublicUpdate(entry: TimelineEntry, incident: Incident): PublicUpdate | null {
  if (!entry.isPublic) return null
  const update = (label: string, message = '') => ({ atMs: entry.atMs, label, message })
  const written = incident.severity === 'declared' && entry.by ? entry.message : ''
  switch (entry.kind) {
    case 'opened':
      return update(incident.severity === 'declared' ? 'Reported' : 'Detected', written)
    case 'reopened':
      return update('Detected again')
    case 'worsened':
      return update('Became an outage')
    case 'flapping':
      return update('Unstable', 'It keeps going down and up.')
    case 'settled':
      return update('No longer unstable')
    case 'update':
      return update(entry.status ? statusLabels[entry.status] : 'Update', entry.message)
    case 'resolved':
      return update('Resolved', written)
    default:
      // An acknowledgement, or an entry of a kind that this version does not know.
      return null
  }
}
