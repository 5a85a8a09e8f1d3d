// Monitors and their results as they leave: times as ISO 8601, secrets as their mask.
import { toIso, toIsoOrNull } from '../../../base/schema/schema.ts'
import type { CheckRow } from '../../../domain/checks/check-row.ts'
import type { Certificate, Evidence } from '../../../domain/checks/reading.ts'
import { retrySeconds } from '../../../domain/monitors/monitor.ts'
import type { FailureEvidence } from '../../../domain/monitors/monitor-state.ts'
import { secretMask } from '../../../domain/secret-mask.ts'
import type { LatestCheck } from '../../../services/checks/readings.ts'
import type { TrialResult } from '../../../services/monitors/monitor-trial.ts'
import type { MonitorView } from '../../../services/monitors/monitor-view.ts'
import type { RunResult } from '../../../services/monitors/monitors.ts'

export function monitorToWire(view: MonitorView) {
  const { monitor, monitorState } = view
  const { certificate, health } = monitorState
  return {
    ...monitor,
    headers: Object.fromEntries(monitor.headerNames.map((name) => [name, secretMask])),
    body: view.body,
    intervalMinutes: Math.ceil(monitor.intervalSeconds / 60),
    retryIntervalSeconds: monitor.checkType === 'push' ? null : retrySeconds(monitor),
    state: view.state,
    stateSince: toIso(health.sinceMs),
    lastCheckAt: toIsoOrNull(monitorState.lastAtMs),
    lastOutcome: monitorState.lastVerdict,
    lastError: monitorState.lastError,
    responseTimeMs: monitorState.responseTimeMs,
    nextCheckAt: toIsoOrNull(view.nextAtMs),
    openIncidentId: health.openIncidentId,
    uptime: view.uptime,
    certificate: certificateToWire(certificate),
    pushToken: view.pushToken,
    pushUrl: view.pushUrl,
    createdAt: toIso(monitor.createdAtMs),
    updatedAt: toIso(monitor.updatedAtMs),
  }
}

export function checkToWire(row: CheckRow) {
  return {
    at: toIso(row.atMs),
    outcome: row.verdict,
    responseTimeMs: row.durationMs,
    status: row.status ?? null,
    errorKind: row.errorKind ?? null,
    message: row.message ?? null,
    phases: row.phases ?? null,
  }
}

export function latestToWire({ monitorState, failure, report, found = null }: LatestCheck) {
  return {
    at: toIsoOrNull(monitorState.lastAtMs),
    outcome: monitorState.lastVerdict,
    responseTimeMs: monitorState.responseTimeMs,
    error: monitorState.lastError,
    phases: monitorState.lastPhases,
    address: monitorState.address,
    failure: failure ? evidenceToWire(failure) : null,
    report: report ? { at: toIso(report.atMs), metadata: JSON.parse(report.metadataJson) } : null,
    found,
  }
}

export function evidenceToWire({ atMs, error, evidence }: FailureEvidence) {
  return { at: toIso(atMs), error, ...evidenceFieldsOf(evidence) }
}

export function evidenceFieldsOf(evidence: Evidence) {
  return {
    status: evidence.status ?? null,
    headers: (evidence.headers ?? []).map(([name, value]) => ({ name, value })),
    url: evidence.url ?? null,
    redirects: evidence.redirects ?? null,
    body: evidence.body ?? null,
    failedAssertions: evidence.failedAssertions ?? [],
    note: evidence.note ?? null,
  }
}

/** What a check by hand came to. */
export function seenToWire({ reading, verdict }: TrialResult) {
  const { atMs, error = null, evidence, certificate } = reading
  return {
    at: toIso(atMs),
    outcome: verdict,
    responseTimeMs: Math.round(reading.durationMs),
    status: reading.status ?? null,
    error,
    message: reading.message ?? null,
    phases: reading.phases ?? null,
    address: reading.address ?? null,
    certificate: certificateToWire(certificate),
    failure: evidence ? evidenceToWire({ atMs, error, evidence }) : null,
    found: reading.found ?? null,
  }
}

export function runToWire({ reading, verdict, view }: RunResult) {
  const { health } = view.monitorState
  return {
    monitorId: view.monitor.id,
    ...seenToWire({ reading, verdict }),
    state: view.state,
    stateSince: toIso(health.sinceMs),
    openIncidentId: health.openIncidentId,
  }
}

function certificateToWire(certificate: Certificate | null | undefined) {
  if (!certificate) return null
  return { expiresAt: toIso(certificate.expiresAtMs), issuer: certificate.issuer }
}
