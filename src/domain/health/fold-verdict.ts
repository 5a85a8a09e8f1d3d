// The fold: how each verdict changes a monitor's health, computed by the statechart or a shortcut.
import { transition } from 'xstate'
import type { VerdictKind } from '../checks/verdict.ts'
import {
  type Health,
  type HealthChange,
  type HealthFold,
  type HealthPolicy,
  shownState,
} from './health.ts'
import { healthChart } from './health-statechart.ts'

/** A verdict that says something about the target. */
export type SeenVerdict = Exclude<VerdictKind, 'unknown'>

/**
 * The health after a verdict, and its consequences. `explicit` marks a failure that needs no
 * confirmation. Settle an overdue flapping first (settleFlapping).
 */
export function foldVerdict(
  before: Health,
  verdict: VerdictKind,
  policy: HealthPolicy,
  atMs: number,
  options: { readonly explicit?: boolean } = {},
): HealthFold {
  if (verdict === 'unknown' || steady(before, verdict)) return { health: before, change: null }
  return foldByChart(before, verdict, policy, atMs, options)
}

/**
 * Whether the chart would return the same health under any policy. That holds for almost every
 * result of a fleet, and this test costs a thousandth of running the chart.
 */
export function steady(before: Health, verdict: VerdictKind): boolean {
  return verdict === steadyVerdict(before)
}

/** The verdict after which the chart returns the same health under any policy; null: there is none. */
export function steadyVerdict(health: Health): SeenVerdict | null {
  const { state, recentBits, streak, badSinceClosed } = health
  if (badSinceClosed !== null) return null
  if (state === 'down') return state
  return (state === 'up' || state === 'degraded') && recentBits === 0 && streak === 0 ? state : null
}

/** foldVerdict without its shortcut: only the chart. */
export function foldByChart(
  before: Health,
  verdict: SeenVerdict,
  policy: HealthPolicy,
  atMs: number,
  options: { readonly explicit?: boolean } = {},
): HealthFold {
  const { state, ...memory } = before
  const from = healthChart.resolveState({ value: state, context: { ...memory, change: null } })
  const event = { type: verdict, atMs, policy, explicit: options.explicit ?? false }
  const [to] = transition(healthChart, from, event)
  const { change, ...rest } = to.context
  const health: Health = { state: to.value, ...rest }
  return { health, change: change ?? shownChange(before, health) }
}

function shownChange(before: Health, after: Health): HealthChange | null {
  const from = shownState(before)
  const to = shownState(after)
  return from === to ? null : { kind: 'stateChanged', from, to }
}
