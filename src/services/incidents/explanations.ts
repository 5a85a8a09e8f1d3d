// Why an incident opened, and to whom it was announced or not, and why.

import { notFound } from '../../base/fault.ts'
import type { IncidentId } from '../../base/ids.ts'
import { reaches } from '../../domain/access.ts'
import type { CheckRow } from '../../domain/checks/check-row.ts'
import type { IncidentBasis } from '../../domain/incidents/basis.ts'
import {
  basisOfEntry,
  type Incident,
  type TimelineEntry,
  type TimelineKind,
  timelineKinds,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Readings } from '../checks/readings.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { IncidentTellings, Tellings } from './tellings.ts'

export interface ExplanationsDeps {
  readonly readings: Pick<Readings, 'checks'>
  readonly tellings: Tellings
}

/** A result around a decision, and whether it counted. */
export interface ExplainedCheck {
  readonly row: CheckRow
  readonly counted: boolean
}

/** Something that happened to the incident, and what it was decided on. */
export interface ExplainedDecision {
  readonly entry: TimelineEntry
  /** Null if nothing was measured, or a version before this one decided it. */
  readonly basis: IncidentBasis | null
  /** Oldest first; empty if they are no longer kept. */
  readonly checks: readonly ExplainedCheck[]
}

export interface IncidentExplanation extends IncidentTellings {
  readonly incident: Incident
  readonly decisions: readonly ExplainedDecision[]
  /** Viewers do not see the words of results. */
  readonly showsWords: boolean
  readonly nowMs: number
}

/** What is explained with results; people's own acts explain themselves. */
const decided: ReadonlySet<TimelineKind> = new Set(
  timelineKinds.filter((kind) => kind !== 'acknowledged' && kind !== 'update'),
)

/** Results that an explanation shows before the first that counted. */
const explainedChecksBefore = 3

export function createExplanations(
  { store, clock }: Core,
  { readings, tellings }: ExplanationsDeps,
) {
  function checksOf(scope: OrgScope, basis: IncidentBasis): ExplainedCheck[] {
    const { monitorId, atMs, rule, countedAtMs, needed } = basis
    const isKept = store.monitorStates.get(scope.orgId, monitorId) !== undefined
    if (!isKept || rule === 'unstable') return []
    const limit = limits.explainedChecksMax
    const rows = readings.checks(scope, monitorId, { toMs: atMs, limit }).items
    const fromMs = Math.min(...countedAtMs)
    const bad = rows.filter(({ verdict }) => verdict === 'down' || verdict === 'degraded')
    // Each place had confirmed by all that it saw since it began to fail.
    const confirmed = new Set(bad.filter((row) => row.atMs >= fromMs))
    const again = new Set(bad.slice(0, needed))
    const times = new Set(countedAtMs)
    const counts = (row: CheckRow) => {
      if (rule === 'still_failing' || rule === 'held_back') return again.has(row)
      if (rule === 'locations') return confirmed.has(row)
      if (rule === 'slow' || rule === 'degraded')
        return row.verdict === 'degraded' && row.atMs >= fromMs
      const isTold = rule === 'set' || rule === 'members'
      const isBad = isTold ? bad.includes(row) : row.verdict === 'down'
      return isBad && times.has(row.atMs)
    }
    const checks = rows.map((row) => ({ row, counted: counts(row) })).toReversed()
    const first = checks.findIndex(({ counted }) => counted)
    return checks.slice(first < 0 ? 0 : Math.max(0, first - explainedChecksBefore))
  }

  function decisionsOf(scope: OrgScope, incident: Incident): ExplainedDecision[] {
    const entries = incident.timeline.filter(({ kind }) => decided.has(kind))
    entries.splice(1, Math.max(0, entries.length - limits.explainedDecisionsMax))
    return entries.map((entry) => {
      const basis = basisOfEntry(incident, entry)
      return { entry, basis, checks: basis ? checksOf(scope, basis) : [] }
    })
  }

  return {
    /** Throws not_found. */
    explain(scope: OrgScope, incidentId: IncidentId): IncidentExplanation {
      const { orgId } = scope
      const incident = store.incidents.get(orgId, incidentId)
      if (!incident) throw notFound('incident')
      const nowMs = clock.nowMs()
      return {
        ...tellings.of(incident),
        incident,
        decisions: decisionsOf(scope, incident),
        showsWords: reaches(scope.role, 'member'),
        nowMs,
      }
    },
  }
}
