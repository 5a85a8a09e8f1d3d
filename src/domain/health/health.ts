// Health: where a monitor stands, what of it shows, and how an incident leaves it.
import type { IncidentId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'

export const healthStates = [
  'pending',
  'up',
  'confirming',
  'down',
  'recovering',
  'degraded',
] as const
export type HealthState = (typeof healthStates)[number]

/** What people are shown: an unconfirmed failure or recovery does not show. */
export type ShownState = 'pending' | 'up' | 'degraded' | 'down'

/** What a verdict can open an incident for. */
export type HealthSeverity = 'down' | 'degraded'

/** The stored position of one monitor in the statechart. Plain data, never XState's snapshot. */
export interface Health {
  readonly state: HealthState
  /** The newest state outside an outage: what a confirming monitor still shows. */
  readonly held: 'pending' | 'up' | 'degraded'
  /** Since when the shown state holds, dated back to the first result that spoke for it. */
  readonly sinceMs: number
  /**
   * Results in a row that would end the shown state, and the first of them: slow ones while up,
   * fast ones while degraded, good ones while down. Failures are counted by recentBits instead.
   */
  readonly streak: number
  readonly streakSinceMs: number | null
  /** The newest results outside an outage as bits, newest lowest, 1 = failed; 12 of them. */
  readonly recentBits: number
  /** When each failure in recentBits began, oldest first. */
  readonly failedAtMs: readonly number[]
  readonly openIncidentId: IncidentId | null
  /** What the open incident is about now. */
  readonly openSeverity: HealthSeverity | null
  /** The incident resolved last, for reopening: what it was about, when it was declared over. */
  readonly lastIncidentId: IncidentId | null
  readonly lastSeverity: HealthSeverity | null
  readonly lastResolvedAtMs: number | null
  /** First good result of the run that ended the newest outage. */
  readonly recoveredAtMs: number | null
  /** Newest confirmed turns between down and not down, oldest first; at most 4. */
  readonly turnsAtMs: readonly number[]
  readonly flapping: boolean
}

/** The thresholds a verdict is folded under. */
export interface HealthPolicy {
  readonly failureThreshold: number
  readonly recoveryThreshold: number
  readonly degradedThreshold: number
  readonly degradedOpensIncident: boolean
}

/** What must be written, and perhaps told, because the health moved. */
export type HealthChange =
  /** Only the shown state changed: there is no incident to open or to close. */
  | { readonly kind: 'stateChanged'; readonly from: ShownState; readonly to: ShownState }
  /** An incident begins, or the named one goes on. The caller then says so by withIncident. */
  | {
      readonly kind: 'opened'
      readonly severity: HealthSeverity
      readonly startedAtMs: number
      readonly confirmedAtMs: number
      readonly reopens: IncidentId | null
      readonly flapping: boolean
    }
  /** The monitor of an incident about slowness is now down. */
  | {
      readonly kind: 'worsened'
      readonly incidentId: IncidentId
      readonly startedAtMs: number
      readonly confirmedAtMs: number
      readonly flapping: boolean
    }
  | { readonly kind: 'resolved'; readonly incidentId: IncidentId; readonly resolvedAtMs: number }
  /** The incident stays open though the monitor is up: it turned too often to be believed. */
  | { readonly kind: 'flapping'; readonly incidentId: IncidentId }
  /** The flapping is over and the monitor is still as bad as this. */
  | {
      readonly kind: 'settled'
      readonly incidentId: IncidentId
      readonly severity: HealthSeverity
    }

export interface Folded {
  readonly health: Health
  readonly change: HealthChange | null
}

/** The health of a monitor that nobody has looked at. */
export function initialHealth(nowMs: number): Health {
  return {
    state: 'pending',
    held: 'pending',
    sinceMs: nowMs,
    streak: 0,
    streakSinceMs: null,
    recentBits: 0,
    failedAtMs: [],
    openIncidentId: null,
    openSeverity: null,
    lastIncidentId: null,
    lastSeverity: null,
    lastResolvedAtMs: null,
    recoveredAtMs: null,
    turnsAtMs: [],
    flapping: false,
  }
}

/** What people are shown for this health. */
export function shownState(health: Health): ShownState {
  if (health.state === 'confirming') return health.held
  if (health.state === 'recovering') return 'down'
  return health.state
}

/** While a failure or a recovery is being confirmed, checks go at the retry pace. */
export function isConfirming(health: Health): boolean {
  return health.state === 'confirming' || health.state === 'recovering'
}

/** The health once the incident that a change opened has its id. */
export function withIncident(health: Health, incidentId: IncidentId): Health {
  return { ...health, openIncidentId: incidentId }
}

/**
 * The health once its incident was resolved by a person. The monitor may still be down: the next
 * incident opens when it fails again after a recovery.
 */
export function withoutIncident(health: Health, nowMs: number): Health {
  return {
    ...health,
    openIncidentId: null,
    openSeverity: null,
    lastIncidentId: health.openIncidentId,
    lastSeverity: health.openSeverity,
    lastResolvedAtMs: nowMs,
    turnsAtMs: [],
    flapping: false,
  }
}

/** When the flapping ends by itself if nothing turns before; null where nothing flaps. */
export function flappingEndsAtMs(health: Health): number | null {
  const lastTurnAtMs = health.turnsAtMs.at(-1)
  if (!health.flapping || lastTurnAtMs === undefined) return null
  return lastTurnAtMs + limits.flappingQuietMs
}

/**
 * Ends a flapping that had its 30 quiet minutes: the incident is resolved, or goes on as an
 * ordinary one where the monitor ended on the bad side. Counting turns starts anew.
 */
export function settleFlapping(health: Health, nowMs: number): Folded {
  const endsAtMs = flappingEndsAtMs(health)
  if (endsAtMs === null || nowMs < endsAtMs) return { health, change: null }
  const quiet: Health = { ...health, flapping: false, turnsAtMs: [] }
  const incidentId = health.openIncidentId
  if (incidentId === null) return { health: quiet, change: null }
  if (health.openSeverity !== null && shownState(health) === health.openSeverity) {
    return { health: quiet, change: { kind: 'settled', incidentId, severity: health.openSeverity } }
  }
  const resolvedAtMs = health.recoveredAtMs ?? health.sinceMs
  return {
    health: withoutIncident(health, nowMs),
    change: { kind: 'resolved', incidentId, resolvedAtMs },
  }
}
