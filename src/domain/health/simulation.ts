// A simulation: what stored results would have led to under other thresholds, by the same chart.
import { required, unreachable } from '../../base/assert.ts'
import { asId, type IncidentId } from '../../base/ids.ts'
import type { CheckRow } from '../checks/check-row.ts'
import type { ErrorKind } from '../checks/reading.ts'
import type { VerdictKind } from '../checks/verdict.ts'
import { foldVerdict } from './fold-verdict.ts'
import {
  flappingEndsAtMs,
  type Health,
  type HealthChange,
  type HealthPolicy,
  type HealthSeverity,
  initialHealth,
  settleFlapping,
  shownState,
  withIncident,
} from './health.ts'
import { certainSpans, type Gap, type Span, spanColumns, withGaps } from './span.ts'

export interface SimulationRules extends HealthPolicy {
  /** Null: no result is slow. */
  readonly degradedThresholdMs: number | null
  /** Nothing is checked: reports are never slow, and need no confirmation. */
  readonly isPush: boolean
  /** A longer time without a result counts as unknown. */
  readonly explainedMs: number
}

/** An incident that would have been. */
export interface SimulatedIncident {
  readonly number: number
  readonly severity: HealthSeverity
  readonly startedAtMs: number
  readonly confirmedAtMs: number
  /** The first good result; null if it lasts beyond the end. */
  readonly endedAtMs: number | null
  readonly cause: string
  /** Null for slowness. */
  readonly errorKind: ErrorKind | null
  /** How often it began again. */
  readonly reopenings: number
  /** It was unstable at some time. */
  readonly flapping: boolean
}

/** Something that would have been announced to channels. */
export interface SimulatedNews {
  /** Null: nothing is announced, but the incident is stable again. */
  readonly event: 'incident.opened' | 'incident.updated' | 'incident.resolved' | null
  readonly atMs: number
  /** As it is after the event. */
  readonly incident: SimulatedIncident
  /** At present; an incident that was unstable at some time need not be so any more. */
  readonly isFlapping: boolean
}

interface SimulatedTime {
  readonly upMs: number
  readonly degradedMs: number
  readonly downMs: number
  /** Nothing is known of it. */
  readonly excludedMs: number
}

export interface SimulationResult {
  /** Oldest first. */
  readonly incidents: readonly SimulatedIncident[]
  readonly time: SimulatedTime
}

export interface SimulationOptions {
  readonly rules: SimulationRules
  readonly fromMs: number
  /** Oldest first: when nobody looked. */
  readonly gaps: readonly Gap[]
  readonly onNews: (news: SimulatedNews) => void
}

/** Begins without an earlier state. Results must come oldest first. */
export function startSimulation({ rules, fromMs, gaps, onNews }: SimulationOptions) {
  const incidents = new Map<IncidentId, SimulatedIncident>()
  const time = { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0 }
  let health: Health = initialHealth(fromMs)
  let accountedMs = fromMs
  let lastAtMs = fromMs

  function account(spans: readonly Span[]): void {
    for (const { state, fromMs, toMs } of withGaps(spans, gaps))
      time[spanColumns[state]] += toMs - fromMs
    accountedMs = spans.at(-1)?.toMs ?? accountedMs
  }

  function tell(
    incident: SimulatedIncident,
    event: SimulatedNews['event'],
    atMs: number,
    id: IncidentId,
  ): void {
    incidents.set(id, incident)
    onNews({ event, atMs, incident, isFlapping: health.flapping })
  }

  function open(change: Extract<HealthChange, { kind: 'opened' }>, row: CheckRow): void {
    const { severity, startedAtMs, confirmedAtMs, reopens, flapping } = change
    const earlier = reopens === null ? undefined : incidents.get(reopens)
    const id = reopens ?? simulatedId(incidents.size + 1)
    health = withIncident(health, id)
    const failure = { severity, ...causeOf(row, rules) }
    const incident = earlier
      ? { ...earlier, ...failure, endedAtMs: null, reopenings: earlier.reopenings + 1 }
      : { number: incidents.size + 1, ...failure, startedAtMs, ...fresh, confirmedAtMs }
    tell({ ...incident, flapping: incident.flapping || flapping }, 'incident.opened', row.atMs, id)
  }

  function follow(change: HealthChange | null, row: CheckRow, atMs: number): void {
    if (change === null || change.kind === 'stateChanged') return
    if (change.kind === 'opened') {
      open(change, row)
      return
    }
    const id = change.incidentId
    const incident = required(incidents.get(id), 'the incident of a change')
    switch (change.kind) {
      case 'worsened': {
        const flapping = incident.flapping || change.flapping
        const worse = { ...incident, severity: 'down', ...causeOf(row, rules), flapping } as const
        tell(worse, 'incident.updated', atMs, id)
        break
      }
      case 'flapping':
        tell({ ...incident, flapping: true }, 'incident.updated', atMs, id)
        break
      case 'resolved':
        tell({ ...incident, endedAtMs: change.resolvedAtMs }, 'incident.resolved', atMs, id)
        break
      case 'settled':
        tell(incident, null, atMs, id)
        break
      case 'recovered':
        // Nobody closes an incident by hand here.
        break
      default:
        unreachable(change)
    }
  }

  /** In reality a timer ends a flapping, so it does not wait for the next result. */
  function settle(untilMs: number, row: CheckRow): void {
    const endsAtMs = flappingEndsAtMs(health)
    if (endsAtMs === null || endsAtMs > untilMs) return
    const settled = settleFlapping(health, endsAtMs)
    health = settled.health
    follow(settled.change, row, endsAtMs)
  }

  return {
    add(row: CheckRow): void {
      const atMs = Math.max(row.atMs, accountedMs)
      settle(atMs, row)
      const verdict = judgedAgain(row, rules)
      if (verdict === 'unknown') {
        account([{ state: 'unknown', fromMs: accountedMs, toMs: atMs }])
        lastAtMs = atMs
        return
      }
      const before = health
      const folded = foldVerdict(before, verdict, rules, atMs, { explicit: rules.isPush })
      health = folded.health
      follow(folded.change, row, atMs)
      account(spansUntil(before, health, atMs))
      lastAtMs = atMs
    },

    /** The result, with the time until the end. */
    end(toMs: number): SimulationResult {
      settle(toMs, noRow)
      const known = Math.min(toMs, lastAtMs + rules.explainedMs)
      const isSilent = rules.isPush && shownState(health) === 'down'
      const untilMs = Math.max(accountedMs, isSilent ? toMs : known)
      account(
        [
          { state: shownState(health), fromMs: accountedMs, toMs: untilMs },
          { state: 'unknown', fromMs: untilMs, toMs },
        ].filter((span): span is Span => span.toMs > span.fromMs),
      )
      return { incidents: [...incidents.values()], time }
    },
  }

  /** The same as for real results: after a long time without one, only its beginning is known. */
  function spansUntil(before: Health, after: Health, atMs: number): readonly Span[] {
    const lookedMs = Math.max(accountedMs, lastAtMs)
    const isSilent = rules.isPush && shownState(before) === 'down'
    if (atMs - lookedMs <= rules.explainedMs || isSilent || before.state === 'pending') {
      return certainSpans(before, after, accountedMs, atMs)
    }
    return [
      { state: shownState(before), fromMs: accountedMs, toMs: lookedMs },
      { state: 'unknown', fromMs: lookedMs, toMs: atMs },
    ]
  }
}

const fresh = { endedAtMs: null, reopenings: 0, flapping: false } as const

const noRow: CheckRow = { atMs: 0, verdict: 'unknown', durationMs: 0 }

/** What failed stays failed: why it did is not asked again. */
function judgedAgain(row: CheckRow, { degradedThresholdMs, isPush }: SimulationRules): VerdictKind {
  if (row.verdict === 'unknown' || row.verdict === 'down') return row.verdict
  if (saidDegraded(row) !== undefined) return row.verdict
  if (isPush || degradedThresholdMs === null) return 'up'
  return row.durationMs > degradedThresholdMs ? 'degraded' : 'up'
}

/** Why the target itself said that it works less than fully; a slow result has no message. */
const saidDegraded = ({ verdict, message }: CheckRow) =>
  verdict === 'degraded' ? message : undefined

function causeOf(
  row: CheckRow,
  { degradedThresholdMs }: SimulationRules,
): Pick<SimulatedIncident, 'cause' | 'errorKind'> {
  const { errorKind, message, durationMs } = row
  if (errorKind !== undefined) return { cause: message ?? errorKind, errorKind }
  const said = saidDegraded(row)
  if (said !== undefined) return { cause: said, errorKind: null }
  const slow = `the check took ${durationMs} ms; the limit is ${degradedThresholdMs} ms`
  return { cause: slow, errorKind: null }
}

/** An id for the chart, which only compares it. */
function simulatedId(number: number): IncidentId {
  return required(asId('incident', `inc_${String(number).padStart(26, '0')}`), 'a well-formed id')
}
