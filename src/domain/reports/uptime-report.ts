// The uptime report of a monitor for a month: the content of a signed statement.
import type { IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import { toIso, toIsoOrNull } from '../../base/schema/schema.ts'
import type { ErrorKind } from '../checks/reading.ts'
import type { Incident, Severity } from '../incidents/incident.ts'
import { limits } from '../limits/limits.ts'
import { type Monitor, publicNameOf } from '../monitors/monitor.ts'

/** Time of a month in each state; together the whole of it. */
interface ReportedTimes {
  readonly upMs: number
  readonly degradedMs: number
  readonly downMs: number
  readonly pausedMs: number
  readonly maintenanceMs: number
  /** Nothing is known of it. */
  readonly unknownMs: number
}

export interface ReportedIncident {
  readonly id: IncidentId
  readonly severity: Severity
  /** A person declared it: the seconds of the states do not know of it. */
  readonly isDeclared: boolean
  /** Null for slowness, and for what a person declared. */
  readonly causeKind: ErrorKind | null
  readonly startedAt: string
  /** Null: it was still open when the report was made. */
  readonly endedAt: string | null
  /** As far as it lies in the period. */
  readonly seconds: number
}

export interface UptimeReport {
  readonly type: 'stillup.uptime-report'
  readonly version: 1
  readonly keyId: string
  readonly generatedAt: string
  readonly product: { readonly name: 'stillup'; readonly version: string }
  /** Where the service is, and so where its public key can be found. */
  readonly service: string
  readonly organization: { readonly id: OrgId; readonly name: string }
  readonly monitor: { readonly id: MonitorId; readonly name: string; readonly checkType: string }
  readonly period: {
    readonly month: string
    readonly from: string
    /** The first moment after it; in a running month the time up to which it counts. */
    readonly to: string
    readonly isComplete: boolean
  }
  /** Together the whole period. */
  readonly seconds: {
    readonly total: number
    readonly up: number
    readonly degraded: number
    readonly down: number
    readonly maintenance: number
    readonly paused: number
    readonly unknown: number
  }
  /** The share of the period in which it was up, degraded or down, from 0 to 1. */
  readonly coverage: number
  /** The share of that time in which it was up or degraded, cut after 6 digits; null: none counts. */
  readonly uptimeRatio: number | null
  readonly objectivePercent: number | null
  /** Oldest first. */
  readonly incidents: readonly ReportedIncident[]
  /** All incidents of the month, of which the report lists the first. */
  readonly incidentsTotal: number
}

export interface ReportFacts {
  readonly keyId: string
  readonly nowMs: number
  readonly productVersion: string
  readonly service: string
  readonly organizationName: string
  readonly monitor: Monitor
  readonly month: string
  readonly fromMs: number
  readonly toMs: number
  readonly isComplete: boolean
  readonly times: ReportedTimes
  /** The incidents that overlap with the period, oldest first. */
  readonly incidents: readonly Incident[]
}

export function uptimeReport(facts: ReportFacts): UptimeReport {
  const { monitor, times, fromMs, toMs, incidents } = facts
  const { upMs, degradedMs, downMs } = times
  const countedMs = upMs + degradedMs + downMs
  return {
    type: 'stillup.uptime-report',
    version: 1,
    keyId: facts.keyId,
    generatedAt: toIso(facts.nowMs),
    product: { name: 'stillup', version: facts.productVersion },
    service: facts.service,
    organization: { id: monitor.orgId, name: facts.organizationName },
    monitor: { id: monitor.id, name: publicNameOf(monitor), checkType: monitor.checkType },
    period: {
      month: facts.month,
      from: toIso(fromMs),
      to: toIso(toMs),
      isComplete: facts.isComplete,
    },
    seconds: wholeSeconds(times),
    coverage: toMs > fromMs ? cut(countedMs / (toMs - fromMs)) : 0,
    uptimeRatio: countedMs === 0 ? null : cut((upMs + degradedMs) / countedMs),
    objectivePercent: monitor.sloPercent,
    incidents: incidents
      .slice(0, limits.reportIncidentsMax)
      .map((incident) => reportedIncident(incident, fromMs, toMs)),
    incidentsTotal: incidents.length,
  }
}

/** Never more than it is: 1 means that nothing is missing. */
function cut(ratio: number): number {
  return Math.floor(ratio * 1_000_000 + 1e-6) / 1_000_000
}

function reportedIncident(incident: Incident, fromMs: number, toMs: number): ReportedIncident {
  const { id, severity, startedAtMs, resolvedAtMs, evidence } = incident
  const endMs = Math.min(resolvedAtMs ?? toMs, toMs)
  return {
    id,
    severity,
    isDeclared: incident.isDeclared ?? false,
    causeKind: evidence?.error?.kind ?? evidence?.kind ?? null,
    startedAt: toIso(startedAtMs),
    endedAt: toIsoOrNull(resolvedAtMs),
    seconds: Math.max(0, Math.round((endMs - Math.max(startedAtMs, fromMs)) / 1_000)),
  }
}

/** Rounded so that the parts are exactly the whole: the parts with the largest rests are rounded up. */
function wholeSeconds(times: ReportedTimes): UptimeReport['seconds'] {
  const parts = [
    ['up', times.upMs],
    ['degraded', times.degradedMs],
    ['down', times.downMs],
    ['maintenance', times.maintenanceMs],
    ['paused', times.pausedMs],
    ['unknown', times.unknownMs],
  ] as const
  const total = Math.round(parts.reduce((sum, [, ms]) => sum + ms, 0) / 1_000)
  const seconds = { total, up: 0, degraded: 0, down: 0, maintenance: 0, paused: 0, unknown: 0 }
  let rest = total
  for (const [name, ms] of parts) {
    seconds[name] = Math.floor(ms / 1_000)
    rest -= seconds[name]
  }
  const byRest = parts.toSorted(([, a], [, b]) => (b % 1_000) - (a % 1_000))
  for (const [name] of byRest) {
    if (rest <= 0) break
    seconds[name] += 1
    rest -= 1
  }
  return seconds
}
