// Converts monitors and results for responses: times as ISO 8601, secrets masked.

import { perObject } from '../../../base/per-object.ts'
import { toIso, toIsoOrNull } from '../../../base/schema/schema.ts'
import { Parts } from '../../../base/schema/write.ts'
import type { CheckRow } from '../../../domain/checks/check-row.ts'
import type {
  Certificate,
  Evidence,
  LoadedRequest,
  StepReport,
  Traceroute,
} from '../../../domain/checks/reading.ts'
import { confirmationOf } from '../../../domain/health/confirmation.ts'
import type { PlaceId } from '../../../domain/locations/place.ts'
import { type Monitor, retrySeconds } from '../../../domain/monitors/monitor.ts'
import { fieldsWithout } from '../../../domain/monitors/monitor-fields.ts'
import type { FailureEvidence, MonitorState } from '../../../domain/monitors/monitor-state.ts'
import { isSilent } from '../../../domain/monitors/shadow.ts'
import { secretMask } from '../../../domain/secret-mask.ts'
import { checkKinds } from '../../../probes/registry.ts'
import type { LatestCheck } from '../../../services/checks/readings.ts'
import type { TrialResult } from '../../../services/monitors/monitor-trial.ts'
import type { MonitorSecrets, MonitorView } from '../../../services/monitors/monitor-view.ts'
import type { RunResult } from '../../../services/monitors/monitors.ts'

/**
 * A monitor on the wire, in parts, because the record and the last result stay the same for many
 * responses.
 */
export function monitorToWire(view: MonitorView) {
  const { monitor, monitorState, nextAtMs, failingFrom, uptime } = view
  if (!view.isRecalled) {
    // The largest first: only the first is copied as a whole, the others field by field.
    return { ...recordFields(monitor, view), ...stateFields(monitorState), ...changingFields(view) }
  }
  const record = (view.showsSecrets ? openRecordToWire : plainRecordToWire)(monitor, view)
  const before = lastShown.get(record)
  // Everything else that is shown follows from the record and these.
  const isSame =
    before?.view.monitorState === monitorState &&
    before.view.state === view.state &&
    before.view.sinceMs === view.sinceMs &&
    before.view.nextAtMs === nextAtMs &&
    before.view.failingFrom === failingFrom &&
    before.view.uptime === uptime
  if (isSame) return before.parts
  const parts = partsOf(view, record)
  lastShown.set(record, { view, parts })
  return parts
}

interface ShownMonitor {
  readonly view: MonitorView
  readonly parts: ReturnType<typeof partsOf>
}

/** The last view of each record, which is often shown again before anything changes. */
const lastShown = new WeakMap<object, ShownMonitor>()

function partsOf(view: MonitorView, record: ReturnType<typeof recordFields>) {
  return Parts.of(changingFields(view), record, stateToWire(view.monitorState))
}

function changingFields(view: MonitorView) {
  const { monitor, monitorState, state, sinceMs, failingFrom, nextAtMs, uptime } = view
  const { revision } = monitor
  const nextCheckAt = toIsoOrNull(nextAtMs)
  const confirming = confirmingOf(monitor, monitorState)
  const stateSince = toIso(sinceMs)
  return { revision, state, stateSince, confirming, failingFrom, nextCheckAt, uptime }
}

/** No check goes on to confirm anything while a monitor is paused. */
export function confirmingOf(
  monitor: Pick<Monitor, 'isActive' | 'failureThreshold'>,
  { health }: Pick<MonitorState, 'health'>,
) {
  return monitor.isActive ? confirmationOf(health, monitor) : null
}

const openRecordToWire = perObject(recordFields)
const plainRecordToWire = perObject(recordFields)
const stateToWire = perObject(stateFields)

function recordFields(monitor: Monitor, shownAs: MonitorSecrets & Pick<MonitorView, 'url'>) {
  const { url, body, username, password, secret, clientKey, auth, ...more } = shownAs
  const { steps, variables, actions, pushToken, pushUrl, keptAddresses } = more
  const { revision: _changing, ...fields } = monitor
  const shown = {
    ...fields,
    url,
    headers: Object.fromEntries(monitor.headerNames.map((name) => [name, secretMask])),
    body,
    username,
    auth,
    password,
    secret,
    clientKey,
    steps,
    variables,
    actions,
    intervalMinutes: Math.ceil(monitor.intervalSeconds / 60),
    retryIntervalSeconds: retrySeconds(monitor),
    pushToken,
    pushUrl,
    keptAddresses: keptAddresses ?? undefined,
    shadow: shadowToWire(monitor),
    createdAt: toIso(monitor.createdAtMs),
    updatedAt: toIso(monitor.updatedAtMs),
  }
  return { ...shown, ...absentFrom.get(monitor.checkType) }
}

function shadowToWire(monitor: Monitor) {
  const { shadow } = monitor
  if (!shadow || !isSilent(monitor)) return null
  return { importId: shadow.importId, since: toIso(shadow.sinceMs) }
}

/** Present without a value, because a lasting part always has the same fields. */
const absentFrom = new Map(
  checkKinds.map((kind) => [
    kind.type,
    Object.fromEntries(fieldsWithout(kind).map((name) => [name, undefined])),
  ]),
)

function stateFields({ certificate, health, ...last }: MonitorState) {
  return {
    lastCheckAt: toIsoOrNull(last.lastAtMs),
    lastOutcome: last.lastVerdict,
    lastError: last.lastError,
    responseTimeMs: last.responseTimeMs,
    openIncidentId: health.openIncidentId,
    certificate: certificateToWire(certificate),
  }
}

export function checkToWire(row: CheckRow, place: PlaceId | undefined) {
  const { errorKind: kind, message = null } = row
  return {
    at: toIso(row.atMs),
    location: place ?? null,
    outcome: row.verdict,
    responseTimeMs: row.durationMs,
    status: row.status ?? null,
    error: kind === undefined ? null : { kind, message: message ?? '' },
    message: kind === undefined ? message : null,
    phases: row.phases ?? null,
  }
}

export function latestToWire(latest: LatestCheck) {
  const { monitorState, message = null, failure, report, found = null } = latest
  return {
    at: toIsoOrNull(monitorState.lastAtMs),
    outcome: monitorState.lastVerdict,
    responseTimeMs: monitorState.responseTimeMs,
    error: monitorState.lastError,
    message,
    phases: monitorState.lastPhases,
    address: monitorState.address,
    failure: failure ? evidenceToWire(failure) : null,
    lastReportAt: toIsoOrNull(monitorState.lastReportAtMs),
    report: report ? { at: toIso(report.atMs), metadata: JSON.parse(report.metadataJson) } : null,
    found,
  }
}

function evidenceToWire({ atMs, error, evidence }: FailureEvidence) {
  return {
    at: toIso(atMs),
    error,
    ...evidenceFieldsOf(evidence),
    picture: evidence.picture ?? null,
    requests: (evidence.requests ?? []).map(requestToWire),
  }
}

function requestToWire({ method, url, type, startMs, ...request }: LoadedRequest) {
  const { durationMs = null, status = null, bytes = null, errorText = null } = request
  return { method, url, type, startMs, durationMs, status, bytes, error: errorText }
}

export function evidenceFieldsOf(evidence: Evidence) {
  return {
    status: evidence.status ?? null,
    headers: (evidence.headers ?? []).map(([name, value]) => ({ name, value })),
    url: evidence.url ?? null,
    redirects: evidence.redirects ?? null,
    body: evidence.body ?? null,
    failedAssertions: evidence.failedAssertions ?? [],
    steps: (evidence.steps ?? []).map(stepToWire),
    traceroute: tracerouteToWire(evidence.traceroute),
    note: evidence.note ?? null,
  }
}

function tracerouteToWire(traceroute: Traceroute | undefined) {
  if (traceroute === undefined) return null
  const hops = traceroute.hops.map(({ outcome, ...hop }) => ({
    outcome,
    address: hop.address ?? null,
    isPrivate: hop.isPrivate === true,
    roundTripMs: hop.roundTripMs ?? null,
  }))
  return { ageSeconds: Math.round(traceroute.ageMs / 1_000), hops }
}

function stepToWire({ headers = [], captures = {}, ...step }: StepReport) {
  const { name, outcome, isCleanUp, method, url } = step
  return {
    ...{ name, outcome, isCleanUp, method, url },
    status: step.status ?? null,
    responseTimeMs: step.durationMs ?? null,
    message: step.message ?? null,
    headers: headers.map(([name, value]) => ({ name, value })),
    body: step.body ?? null,
    captures,
  }
}

/** Converts the result of a manual check. */
function checkResultToWire({ reading, verdict }: TrialResult) {
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

/** A trial also shows what the target answered, good or not. */
export function trialToWire(result: TrialResult) {
  const { answer, steps, picture = null } = result.reading
  return {
    ...checkResultToWire(result),
    answer: answer
      ? { ...answer, headers: answer.headers.map(([name, value]) => ({ name, value })) }
      : null,
    steps: steps?.map(stepToWire) ?? null,
    picture,
  }
}

export function runToWire({ reading, verdict, view }: RunResult) {
  const { health } = view.monitorState
  return {
    monitorId: view.monitor.id,
    ...checkResultToWire({ reading, verdict }),
    state: view.state,
    stateSince: toIso(view.sinceMs),
    openIncidentId: health.openIncidentId,
  }
}

function certificateToWire(certificate: Certificate | null | undefined) {
  if (!certificate) return null
  return { expiresAt: toIso(certificate.expiresAtMs), issuer: certificate.issuer }
}
