// Monthly reports of uptime, signed so that anybody can verify them without this service.
import { LRUCache } from 'lru-cache'
import { invalidParameter, notFound } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { monthWindow, type TimeWindow } from '../../domain/health/time-window.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type UptimeReport, uptimeReport } from '../../domain/reports/uptime-report.ts'
import type { Readings } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { ReportKeys } from './report-keys.ts'

export interface SignedReport {
  /** The signed text: JSON of the report. */
  readonly statement: string
  /** The signature of the UTF-8 bytes of the statement, as base64. */
  readonly signature: string
  readonly publicKey: string
  readonly keyId: string
  readonly report: UptimeReport
}

export interface ReportsDeps {
  readonly keys: Pick<ReportKeys, 'signer'>
  readonly uptimeOf: Readings['uptimeOf']
  /** The version of the program. */
  readonly version: string
}

/** Incidents that are looked through for a monthly report. */
const reportIncidentsScanned = 5_000
/** Signed reports kept in memory. */
const reportsKept = 500
/** A report of a running month is as old as this at most. */
export const reportAgeMsMax = 60_000

export function createReports(
  { store, clock, baseUrl }: Core,
  { keys, uptimeOf, version }: ReportsDeps,
) {
  // A signature takes a millisecond, and most reports are asked for more than once.
  const kept = new LRUCache<string, SignedReport>({ max: reportsKept })

  /** The incidents of the monitor that overlap with the window, oldest first. */
  function incidentsIn({ orgId, id }: Monitor, { fromMs, toMs }: TimeWindow): Incident[] {
    const found: Incident[] = []
    let scanned = 0
    const filter = { monitorId: id, limit: limits.pageItemsMax }
    for (const incident of store.incidents.newestFirst(orgId, filter)) {
      if (++scanned > reportIncidentsScanned) break
      if (incident.startedAtMs >= toMs || (incident.resolvedAtMs ?? toMs) < fromMs) continue
      // Its own figures count the time; nobody was told of it.
      if (incident.isShadow) continue
      found.push(incident)
    }
    return found.sort((a, b) => a.startedAtMs - b.startedAtMs)
  }

  /** The same report was signed before, or a moment ago in a running month. */
  function isFresh({ report }: SignedReport, latest: UptimeReport): boolean {
    if (report.keyId !== latest.keyId) return false
    if (!latest.period.isComplete) {
      const ageMs = Date.parse(latest.generatedAt) - Date.parse(report.generatedAt)
      return (
        ageMs >= 0 &&
        ageMs < reportAgeMsMax &&
        report.monitor.name === latest.monitor.name &&
        report.incidentsTotal === latest.incidentsTotal
      )
    }
    const { generatedAt } = report
    return JSON.stringify(report) === JSON.stringify({ ...latest, generatedAt })
  }

  return {
    /**
     * The report of a month, given as `YYYY-MM` in UTC; by default the last complete month. Throws
     * not_found, and invalid_parameter for a month that has not begun.
     */
    of(scope: OrgScope, monitorId: MonitorId, asked?: string): SignedReport {
      const { orgId } = scope
      const nowMs = clock.nowMs()
      const month = asked ?? lastMonth(nowMs)
      const window = monthWindow(month, nowMs)
      if (!window || window.fromMs > nowMs) {
        throw invalidParameter('month', 'format', 'must be a month that has begun, as YYYY-MM')
      }
      const { keyId, publicKey, sign } = keys.signer()
      const monitor = store.monitors.get(orgId, monitorId)
      const monitorState = monitor && store.monitorStates.get(orgId, monitorId)
      if (!monitor || !monitorState) throw notFound('monitor')
      const report = uptimeReport({
        keyId,
        nowMs,
        productVersion: version,
        service: baseUrl,
        organizationName: store.orgs.readable(orgId)?.name ?? '',
        monitor,
        month,
        ...window,
        isComplete: window.toMs < nowMs,
        times: uptimeOf(monitor, monitorState, window),
        incidents: incidentsIn(monitor, window),
      })
      const key = `${monitorId}/${month}`
      const before = kept.get(key)
      if (before && isFresh(before, report)) return before
      const statement = JSON.stringify(report)
      const signed = { statement, signature: sign(statement), publicKey, keyId, report }
      kept.set(key, signed)
      return signed
    },
  }
}

function lastMonth(nowMs: number): string {
  const now = new Date(nowMs)
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
  return before.toISOString().slice(0, 'YYYY-MM'.length)
}
