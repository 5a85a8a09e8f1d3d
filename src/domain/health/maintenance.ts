// Health under maintenance: it goes on, but nothing opens; what is still bad afterwards opens then.
import type { VerdictKind } from '../checks/verdict.ts'
import { foldVerdict } from './fold-verdict.ts'
import {
  type Health,
  type HealthChange,
  type HealthFold,
  type HealthPolicy,
  shownState,
} from './health.ts'
import { opening } from './health-statechart.ts'

/**
 * `foldVerdict` for a result under maintenance. No incident opens, reopens, gets worse or flaps; one
 * that was open before may end.
 */
export function foldUnderMaintenance(
  before: Health,
  verdict: VerdictKind,
  policy: HealthPolicy,
  atMs: number,
  options: { readonly explicit?: boolean } = {},
): HealthFold {
  // Going down and up is expected, so these turns are not counted.
  const calm = { ...before, turnsAtMs: [] }
  const folded = foldVerdict(calm, verdict, policy, atMs, options)
  if (folded.health === calm) return { health: before, change: null }
  const after = { ...folded.health, turnsAtMs: before.turnsAtMs }
  if (folded.change?.kind !== 'opened' && folded.change?.kind !== 'worsened') {
    return { health: after, change: folded.change }
  }
  const { openIncidentId, openSeverity, badSinceClosed } = before
  const health = { ...after, openIncidentId, openSeverity, badSinceClosed }
  return { health, change: shownChange(before, health) }
}

function shownChange(before: Health, after: Health): HealthChange | null {
  const from = shownState(before)
  const to = shownState(after)
  return from === to ? null : { kind: 'stateChanged', from, to }
}

/**
 * Whether maintenance held something back: the monitor is bad and has no incident, or one about
 * slowness although it is down. Without maintenance that cannot be.
 */
export function isHeldBack(health: Health, policy: HealthPolicy): boolean {
  const { state, openIncidentId, openSeverity, badSinceClosed, flapping } = health
  if (state === 'down') {
    if (openIncidentId === null) return badSinceClosed === null
    return openSeverity === 'degraded' && !flapping
  }
  if (state !== 'degraded' || !policy.degradedOpensIncident) return false
  return openIncidentId === null && badSinceClosed === null
}

/**
 * The health of a monitor that is still bad after maintenance, which it is from `startedAtMs` on. Only
 * for one that `isHeldBack`.
 */
export function releasedHealth(health: Health, startedAtMs: number, atMs: number): HealthFold {
  const { state, ...memory } = health
  const severity = state === 'down' ? 'down' : 'degraded'
  const opened = opening({ ...memory, change: null }, severity, startedAtMs, atMs, health.flapping)
  const { change = null, ...changes } = opened
  return { health: { ...health, ...changes }, change }
}
