// Health: the confirmed state of a monitor, what people see of it, and its open incident.
import type { IncidentId } from '../../base/ids.ts'

const healthStates = ['pending', 'up', 'confirming', 'down', 'recovering', 'degraded'] as const
export type HealthState = (typeof healthStates)[number]

/** The state that people see: an unconfirmed failure or recovery does not show. */
export type ShownState = 'pending' | 'up' | 'degraded' | 'down'

/** The reasons for which a verdict can open an incident. */
export type HealthSeverity = 'down' | 'degraded'

/** The stored position of one monitor in the statechart. Plain data, never XState's snapshot. */
export interface Health {
  readonly state: HealthState
  /** The newest state outside an outage, which a confirming monitor still shows. */
  readonly held: 'pending' | 'up' | 'degraded'
  /** Since when the shown state holds, dated back to the first result that supports it. */
  readonly sinceMs: number
  /**
   * The number of results in a row that would end the shown state: slow ones while up, fast ones
   * while degraded, good ones while down. recentBits counts failures instead.
   */
  readonly streak: number
  readonly streakSinceMs: number | null
  /** The newest results outside an outage as bits, newest lowest, 1 = failed; 12 of them. */
  readonly recentBits: number
  /** When each failure in recentBits began, oldest first. */
  readonly failedAtMs: readonly number[]
  readonly openIncidentId: IncidentId | null
  /** The current reason of the open incident. */
  readonly openSeverity: HealthSeverity | null
  /** The last resolved incident, for reopening: its reason, and when it was resolved. */
  readonly lastIncidentId: IncidentId | null
  readonly lastSeverity: HealthSeverity | null
  readonly lastResolvedAtMs: number | null
  /** The first good result of the run that ended the newest outage. */
  readonly recoveredAtMs: number | null
  /** The newest confirmed changes between down and not down, oldest first; at most 4. */
  readonly turnsAtMs: readonly number[]
  readonly flapping: boolean
  /**
   * Bad results since a person closed the last incident while the monitor was bad; after enough of
   * them it reopens. Null if nobody did, or the monitor has recovered since.
   */
  readonly badSinceClosed: number | null
}

/** The thresholds that apply to a verdict. */
export interface HealthPolicy {
  readonly failureThreshold: number
  readonly recoveryThreshold: number
  readonly degradedThreshold: number
  readonly degradedOpensIncident: boolean
}

/** A change of health that must be written, and perhaps announced. */
export type HealthChange =
  /** Only the shown state changed: no incident opens or closes. */
  | { readonly kind: 'stateChanged'; readonly from: ShownState; readonly to: ShownState }
  /** An incident begins, or the named one reopens. The caller stores its id with withIncident. */
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
  /** The monitor of an incident that a person had closed before is good again. */
  | { readonly kind: 'recovered'; readonly incidentId: IncidentId; readonly recoveredAtMs: number }
  /** The incident stays open although the monitor is up: it changed too often. */
  | { readonly kind: 'flapping'; readonly incidentId: IncidentId }
  /** The flapping is over, and the monitor is still in this state. */
  | {
      readonly kind: 'settled'
      readonly incidentId: IncidentId
      readonly severity: HealthSeverity
    }

/** The thresholds of what needs no confirmation, because it was confirmed before. */
export const confirmedBefore = { failureThreshold: 1, recoveryThreshold: 1, degradedThreshold: 1 }

export interface HealthFold {
  readonly health: Health
  readonly change: HealthChange | null
}

/** The health of a monitor before its first check. */
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
    badSinceClosed: null,
  }
}

/** The health of a monitor if nothing is known but its open incident. */
export function healthInIncident(incident: {
  readonly id: IncidentId
  readonly severity: HealthSeverity
  readonly startedAtMs: number
}): Health {
  const { id, severity, startedAtMs } = incident
  const held = severity === 'degraded' ? severity : 'pending'
  const health = { ...initialHealth(startedAtMs), state: severity, held } as const
  return { ...health, openIncidentId: id, openSeverity: severity }
}

/** The state that people see for this health. */
export function shownState(health: Health): ShownState {
  if (health.state === 'confirming') return health.held
  if (health.state === 'recovering') return 'down'
  return health.state
}

/**
 * While a failure or a recovery is being confirmed, or the end of an incident that a person closed,
 * checks run at the retry interval.
 */
export function isConfirming({ state, badSinceClosed }: Health): boolean {
  return state === 'confirming' || state === 'recovering' || badSinceClosed !== null
}

/** The health after the incident that a change opened has its id. */
export function withIncident(health: Health, incidentId: IncidentId): Health {
  return { ...health, openIncidentId: incidentId }
}

/**
 * The health after a person closed its incident. If the monitor is still bad, bad results count from
 * now on.
 */
export function withClosedIncident(health: Health, nowMs: number): Health {
  const isBad = health.openSeverity !== null && shownState(health) === health.openSeverity
  return { ...withoutIncident(health, nowMs), badSinceClosed: isBad ? 0 : null }
}

/** The incident that a person closed, and whose monitor has been bad ever since; else null. */
export function closedIncidentId(health: Health): IncidentId | null {
  return health.badSinceClosed === null ? null : health.lastIncidentId
}

/** How many more bad results reopen the incident that a person closed. */
export function badUntilReopened(
  { lastSeverity, badSinceClosed }: Pick<Health, 'lastSeverity' | 'badSinceClosed'>,
  { failureThreshold, degradedThreshold }: HealthPolicy,
): number {
  const threshold = lastSeverity === 'degraded' ? degradedThreshold : failureThreshold
  return Math.max(1, threshold - (badSinceClosed ?? 0))
}

function withoutIncident(health: Health, nowMs: number): Health {
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

const flappingQuietMs = 30 * 60_000

/** When the flapping ends by itself if nothing changes before; null if nothing is flapping. */
export function flappingEndsAtMs(health: Health): number | null {
  const lastTurnAtMs = health.turnsAtMs.at(-1)
  if (!health.flapping || lastTurnAtMs === undefined) return null
  return lastTurnAtMs + flappingQuietMs
}

/**
 * Ends a flapping after 30 quiet minutes: the incident is resolved, or continues as an ordinary one
 * if the monitor is still bad. The count of changes starts again.
 */
export function settleFlapping(health: Health, nowMs: number): HealthFold {
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
