// The API of an organization's summary: states, open incidents, worst monitors, quotas.
import { countedNouns, quotaNouns, recordOf } from '../../../base/nouns.ts'
import {
  anyNumber,
  anyText,
  idOf,
  isoTime,
  listOf,
  nullable,
  object,
  oneOf,
  toIso,
} from '../../../base/schema/schema.ts'
import { type Incident, incidentStates, severities } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Summary, WorstMonitor } from '../../../services/orgs/summaries.ts'
import { get, resource } from '../../routing/route.ts'

export const QuotasOut = object(recordOf(quotaNouns, () => anyNumber))

const IncidentOut = object({
  id: idOf('incident'),
  title: anyText,
  cause: anyText,
  severity: oneOf(severities),
  state: oneOf(incidentStates),
  startedAt: isoTime,
  monitorIds: listOf(idOf('monitor'), limits.monitorsQuotaMax),
})

const MonitorOut = object({
  id: idOf('monitor'),
  name: anyText,
  state: oneOf(['down', 'degraded']),
  stateSince: isoTime,
  lastError: nullable(anyText),
  openIncidentId: nullable(idOf('incident')),
})

const SummaryOut = object({
  monitors: object({
    total: anyNumber,
    up: anyNumber,
    degraded: anyNumber,
    down: anyNumber,
    pending: anyNumber,
    unknown: anyNumber,
    paused: anyNumber,
  }),
  openIncidents: object({
    count: anyNumber,
    newest: listOf(IncidentOut, limits.summaryItemsMax),
  }),
  worstMonitors: listOf(MonitorOut, limits.summaryItemsMax),
  usage: object(recordOf(countedNouns, () => anyNumber)),
  quotas: QuotasOut,
})

const incidentToWire = (incident: Incident) => ({
  ...incident,
  startedAt: toIso(incident.startedAtMs),
})

const monitorToWire = ({ monitor, monitorState, state }: WorstMonitor) => ({
  id: monitor.id,
  name: monitor.name,
  state: state === 'down' ? ('down' as const) : ('degraded' as const),
  stateSince: toIso(monitorState.health.sinceMs),
  lastError: monitorState.lastError?.message ?? null,
  openIncidentId: monitorState.health.openIncidentId,
})

const toWire = (summary: Summary) => {
  const { states, openIncidents, newestIncidents, worstMonitors, usage, quotas } = summary
  const total = Object.values(states).reduce((sum, count) => sum + count, 0)
  return {
    monitors: { total, ...states },
    openIncidents: { count: openIncidents, newest: newestIncidents.map(incidentToWire) },
    worstMonitors: worstMonitors.map(monitorToWire),
    usage,
    quotas,
  }
}

export const summary = resource('/orgs/:orgId', {
  summary: get(
    '/summary',
    {
      who: { role: 'viewer' },
      summary: 'Summary of the organization: states, open incidents, worst monitors, quotas',
      out: SummaryOut,
    },
    async ({ scope }, { summaries }) => toWire(await summaries.of(scope)),
  ),
})
