// The fold: what each verdict makes of a monitor's health, by the statechart or its shortcut.
import { transition } from 'xstate'
import type { VerdictKind } from '../checks/verdict.ts'
import {
  type Folded,
  type Health,
  type HealthChange,
  type HealthPolicy,
  shownState,
} from './health.ts'
import { healthChart } from './health-chart.ts'

/**
 * What a verdict makes of a monitor's health, and what follows from it. `explicit` is a failure
 * that needs no confirmation. Settle an overdue flapping first (settleFlapping).
 */
export function foldVerdict(
  before: Health,
  verdict: VerdictKind,
  policy: HealthPolicy,
  atMs: number,
  options: { readonly explicit?: boolean } = {},
): Folded {
  if (verdict === 'unknown' || steady(before, verdict)) return { health: before, change: null }
  return foldByChart(before, verdict, policy, atMs, options)
}

/**
 * Whether the chart would give back the very same health, whatever the policy. Nearly every
 * result of a fleet is such a one, and this answer costs a thousandth of a run of the chart.
 */
export function steady(before: Health, verdict: VerdictKind): boolean {
  if (verdict !== before.state) return false
  return verdict === 'down' || (before.recentBits === 0 && before.streak === 0)
}

/** foldVerdict without its shortcut: the chart alone. */
export function foldByChart(
  before: Health,
  verdict: Exclude<VerdictKind, 'unknown'>,
  policy: HealthPolicy,
  atMs: number,
  options: { readonly explicit?: boolean } = {},
): Folded {
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
