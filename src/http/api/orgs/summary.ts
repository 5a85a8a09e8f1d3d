// The API of an organization's summary: states, open incidents, worst monitors, quotas.

import { countedNouns, quotaNouns, recordOf } from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { incidentStates, severities } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Summary, WorstMonitor } from '../../../services/orgs/summaries.ts'
import { withTimes } from '../../output/times.ts'
import { get, resource } from '../../routing/route.ts'

export const QuotasOut = s.object(recordOf(quotaNouns, () => s.anyNumber))

const IncidentOut = s.object({
  id: s.idOf('incident'),
  title: s.anyText,
  cause: s.anyText,
  severity: s.oneOf(severities),
  state: s.oneOf(incidentStates),
  startedAt: s.isoTime,
  monitorIds: s.listOf(s.idOf('monitor'), limits.monitorsQuotaMax),
})

const MonitorOut = s.object({
  id: s.idOf('monitor'),
  name: s.anyText,
  state: s.oneOf(['down', 'degraded']),
  stateSince: s.isoTime,
  lastError: s.nullable(s.anyText),
  openIncidentId: s.nullable(s.idOf('incident')),
})

const SummaryOut = s.object({
  monitors: s.object({
    total: s.anyNumber,
    up: s.anyNumber,
    degraded: s.anyNumber,
    down: s.anyNumber,
    pending: s.anyNumber,
    unknown: s.anyNumber,
    paused: s.anyNumber,
    maintenance: s.anyNumber,
  }),
  openIncidents: s.object({
    count: s.anyNumber,
    newest: s.described(
      s.listOf(IncidentOut, limits.summaryItemsMax),
      `The newest ${limits.summaryItemsMax}, newest first.`,
    ),
  }),
  worstMonitors: s.described(
    s.listOf(MonitorOut, limits.summaryItemsMax),
    `Those that are down, then those that are degraded: at most ${limits.summaryItemsMax}.`,
  ),
  today: s.described(
    s.object({
      checks: s.anyNumber,
      uptime: s.nullable(s.anyNumber, 'Of all monitors together; null while none counts.'),
    }),
    'The present UTC day of all monitors, until the newest result of each.',
  ),
  shadowRuns: s.described(
    s.listOf(
      s.object({
        importId: s.idOf('import'),
        monitors: s.described(s.anyNumber, 'Its monitors of which nobody hears.'),
      }),
      limits.monitorsQuotaMax,
    ),
    'The imports whose monitors are in a shadow run.',
  ),
  usage: s.described(
    s.object(recordOf(countedNouns, () => s.anyNumber)),
    'How many the organization has.',
  ),
  quotas: s.described(QuotasOut, 'How many it may have.'),
})

const incidentToWire = withTimes('startedAt')

const monitorToWire = ({ monitor, monitorState, state }: WorstMonitor) => ({
  id: monitor.id,
  name: monitor.name,
  state: state === 'down' ? ('down' as const) : ('degraded' as const),
  stateSince: s.toIso(monitorState.health.sinceMs),
  lastError: monitorState.lastError?.message ?? null,
  openIncidentId: monitorState.health.openIncidentId,
})

const toWire = (summary: Summary) => {
  const { states, openIncidents, newestIncidents, worstMonitors, ...others } = summary
  const total = Object.values(states).reduce((sum, count) => sum + count, 0)
  return {
    monitors: { total, ...states },
    openIncidents: { count: openIncidents, newest: newestIncidents.map(incidentToWire) },
    worstMonitors: worstMonitors.map(monitorToWire),
    ...others,
  }
}

export const summary = resource('/orgs/:orgId', {
  summary: get('/summary', {
    who: { role: 'viewer' },
    summary: 'Summary of the organization: states, open incidents, worst monitors, quotas',
    out: SummaryOut,
  }).handledBy(async ({ scope }, { summaries }) => toWire(await summaries.of(scope))),
})
