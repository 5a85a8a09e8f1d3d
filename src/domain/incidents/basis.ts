// The basis of a decision about an incident: which results counted, and against which threshold. It is
// stored with the incident, so that a later change of the monitor does not falsify the story.

import type { MonitorId } from '../../base/ids.ts'
import { isGroup, isTold, waitsForReports } from '../checks/check-type.ts'
import type { ErrorKind } from '../checks/reading.ts'
import { type Health, type HealthChange, shownState } from '../health/health.ts'
import { failuresAmong } from '../health/health-statechart.ts'
import { limits } from '../limits/limits.ts'
import { type ShownPlace, shownPlace } from '../locations/shown-places.ts'
import type { PlaceGrounds, PlaceStory } from '../locations/vote.ts'

export const basisRules = [
  /** So many of the newest results failed. */
  'failures',
  /** So many results in a row were slow. */
  'slow',
  /** So many results in a row said that the target works less than fully. */
  'degraded',
  /** The sender reported an error. */
  'reported',
  /** People said so. */
  'set',
  /** The members of a group were as bad as that. */
  'members',
  /** An expected report did not come. */
  'missed',
  /** So many bad results since a person closed the incident. */
  'still_failing',
  /** It was still bad after the maintenance that had held the incident back. */
  'held_back',
  /** So many changes between down and up within an hour. */
  'unstable',
  /** So many of the places that vote saw it. */
  'locations',
] as const
type BasisRule = (typeof basisRules)[number]

export interface IncidentBasis {
  /** The time of the timeline's entry. */
  readonly atMs: number
  readonly monitorId: MonitorId
  readonly rule: BasisRule
  /** So many results, or changes, had to count. */
  readonly needed: number
  /** Among so many of the newest ones. */
  readonly among: number
  /**
   * When each result that counted began, oldest first. With `slow` and `degraded` the first and the last result; with
   * `held_back` the end of the maintenance.
   */
  readonly countedAtMs: readonly number[]
  /** With `slow`: the monitor's limit. */
  readonly slowAboveMs?: number
  /** What each of its places saw then; absent where there is no vote. */
  readonly places?: readonly PlaceStory[]
}

/** The thresholds and the kind of a monitor. */
interface DecidingMonitor {
  readonly id: MonitorId
  readonly checkType: string
  readonly failureThreshold: number
  readonly degradedThreshold: number
  readonly degradedThresholdMs: number | null
}

/** The decisive result. */
interface DecidingReading {
  readonly error?: { readonly kind: ErrorKind }
  readonly isDegraded?: true
}

/** What a change of health was decided on; null for a change that needs no explanation. */
export function basisOf(
  before: Health,
  change: HealthChange,
  { monitor, reading, atMs, grounds }: BasisSubject,
): IncidentBasis | null {
  const { id: monitorId, failureThreshold, degradedThreshold, degradedThresholdMs } = monitor
  const base = { atMs, monitorId, ...(grounds ? { places: grounds.places } : {}) }
  if (change.kind === 'flapping') {
    const countedAtMs = [...before.turnsAtMs, atMs].slice(-limits.flappingTurns)
    const needed = limits.flappingTurns
    return { ...base, rule: 'unstable', needed, among: needed, countedAtMs }
  }
  if (change.kind !== 'opened' && change.kind !== 'worsened') return null
  const severity = change.kind === 'opened' ? change.severity : 'down'
  const one = { needed: 1, among: 1, countedAtMs: [atMs] }
  const wasBad = shownState(before) === severity
  if (wasBad && before.badSinceClosed !== null) {
    const threshold = severity === 'degraded' ? degradedThreshold : failureThreshold
    const needed = Math.min(threshold, before.badSinceClosed + 1)
    return { ...base, ...one, rule: 'still_failing', needed, among: needed }
  }
  if (wasBad) return { ...base, ...one, rule: 'held_back', countedAtMs: [change.startedAtMs] }
  if (grounds) {
    const { needed, voting, places } = grounds
    const counted = places.filter(({ state }) => state === 'down' || state === severity)
    const countedAtMs = counted.map(({ sinceMs }) => sinceMs).sort((a, b) => a - b)
    return { ...base, rule: 'locations', needed, among: voting, countedAtMs }
  }
  if (isTold(monitor)) return { ...base, ...one, rule: isGroup(monitor) ? 'members' : 'set' }
  if (severity === 'degraded') {
    const countedAtMs = [...new Set([before.streakSinceMs ?? atMs, atMs])]
    const slow = { needed: degradedThreshold, among: degradedThreshold, countedAtMs }
    if (reading.isDegraded) return { ...base, rule: 'degraded', ...slow }
    const slowAboveMs = degradedThresholdMs ?? 0
    return { ...base, rule: 'slow', ...slow, slowAboveMs }
  }
  // One report is enough.
  if (waitsForReports(monitor)) {
    return { ...base, ...one, rule: reading.error?.kind === 'reported' ? 'reported' : 'missed' }
  }
  const count = failuresAmong(before.recentBits * 2 + 1, failureThreshold)
  const countedAtMs = [...before.failedAtMs, atMs].slice(-count)
  const among = failureThreshold + limits.sparedResults
  return { ...base, rule: 'failures', needed: failureThreshold, among, countedAtMs }
}

export interface BasisSubject {
  readonly monitor: DecidingMonitor
  readonly reading: DecidingReading
  /** When it was decided. */
  readonly atMs: number
  readonly grounds?: PlaceGrounds | undefined
}

/** What its places saw when a decision about an incident was made; null without a vote. */
export function placesOf(basis: IncidentBasis | null | undefined): readonly ShownPlace[] | null {
  return basis?.places?.map(shownPlace) ?? null
}

/** Decisions about an incident whose grounds are stored. */
export const basisKept = 20

/** The incident with one more; a full list keeps the first and the newest ones. */
export function withBasis<Rec extends { readonly basis?: readonly IncidentBasis[] }>(
  incident: Rec,
  basis: IncidentBasis | null,
): Rec {
  if (basis === null) return incident
  const all = [...(incident.basis ?? []), basis]
  const tooMany = Math.max(0, all.length - basisKept)
  return { ...incident, basis: all.toSpliced(1, tooMany) }
}
