// The report of a shadow run: the alerts of the other product beside those that ours would have sent, by their times.
import type { IncidentId, MonitorId } from '../../base/ids.ts'
import type { CheckRow } from '../checks/check-row.ts'
import { waitsForReports } from '../checks/check-type.ts'
import { type Incident, isHeld } from '../incidents/incident.ts'
import type { Interval } from '../maintenance/interval.ts'
import type { Monitor } from '../monitors/monitor.ts'
import type { TheirWord } from './their-word.ts'

export const shadowLineKinds = ['both', 'onlyTheirs', 'onlyOurs', 'notCompared'] as const
export type ShadowLineKind = (typeof shadowLineKinds)[number]

/** What a difference comes from, as far as what is stored shows it. */
export const shadowLikelies = [
  /** Our checks failed too, but not as often in a row as the monitor asks for. */
  'threshold',
  /** It was over before our next check. */
  'between_checks',
  /** All our checks in that time were good. */
  'seen_good',
  /** Ours was paused. */
  'paused',
  /** Ours waits for its first report. */
  'no_report',
  /** Ours was under maintenance. */
  'maintenance',
  /** Our own network failed, so what our checks found does not count. */
  'own_network',
  /** The daemon did not run. */
  'not_running',
  /** Nobody has told us what the other product said at that time. */
  'not_heard',
  /** A monitor above was down, so the alert would have been held. */
  'held',
  /** Ours tells of slow or degraded, too. */
  'slow',
  /** Ours waits less long for an answer. */
  'timeout',
  /** Ours asks more of the answer. */
  'condition',
  /** Ours examines the certificate. */
  'certificate',
  /** It was so short that theirs may have tried again first. */
  'short',
] as const
export type ShadowLikely = (typeof shadowLikelies)[number]

/** When somebody was told that a monitor is down, and when it was up again; `toMs` null: it still is down. */
interface ToldOutage {
  readonly fromMs: number
  readonly toMs: number | null
}

interface TheirAlert extends ToldOutage {
  readonly text: string
}

/** `fromMs`: when the alert would have been sent. */
interface OurAlert extends ToldOutage {
  readonly incidentId: IncidentId
  readonly cause: string
}

export interface ShadowLine {
  readonly monitorId: MonitorId
  readonly name: string
  readonly kind: ShadowLineKind
  readonly theirs: TheirAlert | null
  readonly ours: OurAlert | null
  readonly likely: ShadowLikely | null
}

/** All that is known of one monitor in its shadow run. */
export interface ShadowRunFacts {
  readonly monitor: Monitor
  readonly word: TheirWord
  /** The incidents of the run, oldest first. */
  readonly incidents: readonly Incident[]
  /** From its begin to its end, or to now. */
  readonly run: Interval
  /** Since when the other product tells us its alerts; null: it does not. */
  readonly toldFromMs: number | null
  /** Whether ours was under maintenance at some time between these, and whether the daemon did not run. */
  readonly maintenanceIn: (interval: Interval) => boolean
  readonly gapIn: (interval: Interval) => boolean
  /** Our results between these, newest first; a bounded number. */
  readonly rowsIn: (interval: Interval) => readonly CheckRow[]
}

/** Two alerts closer than this may be about the same outage. */
const toleranceMsMin = 120_000

/** How far apart the two may be: ours needs several checks for what theirs may see with one. */
export function toleranceMs({
  intervalSeconds,
  failureThreshold,
}: Pick<Monitor, 'intervalSeconds' | 'failureThreshold'>): number {
  return Math.max(toleranceMsMin, intervalSeconds * 1_000 * failureThreshold)
}

/** The lines of one monitor, oldest first. */
export function shadowLines(facts: ShadowRunFacts): ShadowLine[] {
  const { monitor, run } = facts
  const { id: monitorId, name } = monitor
  const slackMs = toleranceMs(monitor)
  const theirs = theirAlerts(facts)
  const ours = facts.incidents
    .map((incident) => ({ incident, alert: alertOf(incident) }))
    .toSorted((a, b) => a.alert.fromMs - b.alert.fromMs)
  const meets = (a: ToldOutage, b: ToldOutage) =>
    a.fromMs <= (b.toMs ?? run.toMs) + slackMs && b.fromMs <= (a.toMs ?? run.toMs) + slackMs
  const lines: ShadowLine[] = []
  // Both are in order, and neither overlaps itself: what ended long before the next one meets no later one.
  let first = 0
  const matched = new Set<object>()
  for (const their of theirs) {
    while (first < ours.length && endsBefore(ours[first]?.alert, their.fromMs - slackMs)) first += 1
    let same: (typeof ours)[number] | undefined
    for (let at = first; at < ours.length; at += 1) {
      const one = ours[at]
      if (!one || one.alert.fromMs > (their.toMs ?? run.toMs) + slackMs) break
      if (!meets(their, one.alert)) continue
      matched.add(one)
      same ??= one
    }
    const base = { monitorId, name, theirs: their }
    if (same) {
      const likely = isUntold(same.incident) ? 'held' : null
      lines.push({ ...base, kind: 'both', ours: same.alert, likely })
    } else lines.push({ ...base, ours: null, ...unseen(facts, their, slackMs) })
  }
  for (const one of ours) {
    if (matched.has(one)) continue
    const base = { monitorId, name, theirs: null, ours: one.alert }
    if (!isHeard(facts, one.alert)) {
      lines.push({ ...base, kind: 'notCompared', likely: 'not_heard' })
    } else lines.push({ ...base, kind: 'onlyOurs', likely: likelyOf(one.incident, slackMs) })
  }
  return lines.toSorted((a, b) => beganMs(a) - beganMs(b))
}

/** When the first of the two was told. */
export function beganMs({ theirs, ours }: Pick<ShadowLine, 'theirs' | 'ours'>): number {
  return Math.min(
    theirs?.fromMs ?? Number.POSITIVE_INFINITY,
    ours?.fromMs ?? Number.POSITIVE_INFINITY,
  )
}

/** Who told first, and by how much; null where only one did, and where ours was not there yet when theirs did. */
export function firstOf({ theirs, ours }: Pick<ShadowLine, 'theirs' | 'ours'>, sinceMs: number) {
  if (!theirs || !ours || theirs.fromMs < sinceMs) return null
  const differenceMs = ours.fromMs - theirs.fromMs
  const by = differenceMs > 0 ? ('theirs' as const) : ('ours' as const)
  return { by, differenceMs: Math.abs(differenceMs) }
}

function endsBefore(outage: ToldOutage | undefined, atMs: number): boolean {
  return outage?.toMs != null && outage.toMs < atMs
}

/** Within the run, in order; what two sources say of one outage is one. */
function theirAlerts({ word, run }: ShadowRunFacts): TheirAlert[] {
  const within = word.outages
    .filter(({ fromMs, toMs }) => fromMs < run.toMs && (toMs ?? run.toMs) >= run.fromMs)
    .toSorted((a, b) => a.fromMs - b.fromMs)
  const merged: TheirAlert[] = []
  for (const { fromMs, toMs, text } of within) {
    const last = merged.at(-1)
    if (!last || (last.toMs !== null && last.toMs < fromMs)) {
      merged.push({ fromMs, toMs, text })
      continue
    }
    // The one that knows of an end has it from there; an end that only one tells is the end.
    const ends = [last.toMs, toMs].filter((one) => one !== null)
    const endMs = ends.length === 0 ? null : Math.max(...ends)
    merged[merged.length - 1] = { ...last, toMs: endMs, text: last.text || text }
  }
  return merged
}

function alertOf({ id, cause, confirmedAtMs, startedAtMs, resolvedAtMs, timeline }: Incident) {
  // A reopening confirms it anew, and the first alert is the one that counts.
  const fromMs = Math.max(startedAtMs, timeline[0]?.atMs ?? confirmedAtMs)
  const toMs = resolvedAtMs === null ? null : Math.max(resolvedAtMs, fromMs)
  return { incidentId: id, cause, fromMs, toMs }
}

/** Its alert waited for a monitor above, to the end. */
function isUntold(incident: Incident): boolean {
  const { timeline } = incident
  const lastHold = timeline.findLastIndex(({ kind }) => kind === 'held')
  if (lastHold < 0) return false
  return isHeld(incident) || !timeline.slice(lastHold).some(({ kind }) => kind === 'released')
}

function isHeard({ word, toldFromMs }: ShadowRunFacts, { fromMs }: ToldOutage): boolean {
  return (toldFromMs !== null && fromMs >= toldFromMs) || fromMs <= (word.historyToMs ?? 0)
}

/** Why ours saw nothing of what theirs told. */
function unseen(
  { monitor, run, maintenanceIn, gapIn, rowsIn }: ShadowRunFacts,
  { fromMs, toMs }: ToldOutage,
  slackMs: number,
): Pick<ShadowLine, 'kind' | 'likely'> {
  const during = { fromMs, toMs: Math.max(fromMs + 1, toMs ?? run.toMs) }
  if (maintenanceIn(during)) return { kind: 'notCompared', likely: 'maintenance' }
  const rows = rowsIn({ fromMs: fromMs - slackMs, toMs: during.toMs + slackMs })
  const within = rows.filter(({ atMs }) => atMs >= during.fromMs && atMs <= during.toMs)
  if (rows.some(({ verdict }) => verdict === 'down'))
    return { kind: 'onlyTheirs', likely: 'threshold' }
  if (within.length === 0) {
    if (!monitor.isActive) return { kind: 'notCompared', likely: 'paused' }
    if (
      waitsForReports(monitor) &&
      rowsIn({ fromMs: run.fromMs, toMs: during.toMs }).length === 0
    ) {
      return { kind: 'notCompared', likely: 'no_report' }
    }
    if (gapIn(during)) return { kind: 'notCompared', likely: 'not_running' }
    // While theirs is still down, our next check is still to come.
    return { kind: 'onlyTheirs', likely: toMs === null ? null : 'between_checks' }
  }
  if (within.every(({ verdict }) => verdict === 'unknown')) {
    return { kind: 'notCompared', likely: 'own_network' }
  }
  return { kind: 'onlyTheirs', likely: 'seen_good' }
}

/** Why theirs may have told nothing of what ours saw. */
function likelyOf(incident: Incident, slackMs: number): ShadowLikely | null {
  const { severity, evidence, resolvedAtMs, startedAtMs } = incident
  if (isUntold(incident)) return 'held'
  if (severity === 'degraded') return 'slow'
  const kind = evidence?.error?.kind ?? evidence?.kind
  if (kind === 'timeout') return 'timeout'
  if (kind === 'assertion') return 'condition'
  if (kind === 'tls') return 'certificate'
  return resolvedAtMs !== null && resolvedAtMs - startedAtMs < slackMs ? 'short' : null
}
