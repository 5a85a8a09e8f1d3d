// Dependencies: the monitors above one, directly or further up, and which of them are down.

import type { MonitorId } from '../../base/ids.ts'
import { waitsForReports } from '../checks/check-type.ts'
import type { Health } from '../health/health.ts'
import { limits } from '../limits/limits.ts'
import type { Monitor } from './monitor.ts'
import type { MonitorState } from './monitor-state.ts'

export type DependentMonitor = Pick<Monitor, 'id' | 'name' | 'dependsOn'>

type Find<Found extends DependentMonitor> = (id: MonitorId) => Found | undefined

/** One monitor above another one, and the step from which it was reached; null at the bottom. */
interface Arc<Found> {
  readonly monitor: Found
  readonly below: Arc<Found> | null
}

/** Monitors on which one may depend directly or through others, and one more. */
export const dependencyReachMax = 201

/** The monitors above one, the nearest first, each once; at most dependencyReachMax. */
function* stepsAbove<Found extends DependentMonitor>(
  dependsOn: readonly MonitorId[],
  find: Find<Found>,
): Generator<Arc<Found>> {
  const known = new Set<MonitorId>()
  let level: Arc<Found>[] = []
  const climb = (ids: readonly MonitorId[], below: Arc<Found> | null): Arc<Found>[] =>
    ids.flatMap((id) => {
      if (known.has(id)) return []
      known.add(id)
      const monitor = find(id)
      return monitor ? [{ monitor, below }] : []
    })
  level = climb(dependsOn, null)
  let count = 0
  while (level.length > 0) {
    for (const step of level) {
      yield step
      count += 1
      if (count >= dependencyReachMax) return
    }
    level = level.flatMap((step) => climb(step.monitor.dependsOn, step))
  }
}

/** The monitors above, the nearest first; at most dependencyReachMax. */
export function* monitorsAbove<Found extends DependentMonitor>(
  { dependsOn }: Pick<Monitor, 'dependsOn'>,
  find: Find<Found>,
): Generator<Found> {
  for (const { monitor } of stepsAbove(dependsOn, find)) yield monitor
}

/**
 * How far an outage of a monitor explains the outages of monitors that depend on it. It may be
 * unconfirmed, because it is often confirmed a moment later than theirs. An outage that nobody ends is no
 * news that may hide others: it explains nothing from some age on.
 */
export function explains(
  { state, sinceMs }: Pick<Health, 'state' | 'sinceMs'>,
  nowMs: number,
): 'nothing' | 'outage' | 'failure' {
  if (state === 'confirming') return 'failure'
  if (state !== 'down' && state !== 'recovering') return 'nothing'
  return nowMs - sinceMs < limits.heldInAllMsMax ? 'outage' : 'nothing'
}

/** Whether it is in its outage. While it recovers, the next results decide. */
export function isBad({ state }: Pick<Health, 'state'>): boolean {
  return state === 'down' || state === 'degraded'
}

type SeenState = Pick<MonitorState, 'health' | 'lastAtMs' | 'lastVerdict'>

/** How long an incident without a new result is held after what explained it is over. */
const heldMsMax = 5 * 60_000

/**
 * Whether a monitor is still in its outage although nothing above it is down since `clearedAtMs`. A
 * check that began after that says so. Without one it counts as failing after a while; a push
 * monitor, which has no checks, gets the time of its next report.
 */
export function failsByItself(
  monitor: Pick<Monitor, 'checkType' | 'intervalSeconds' | 'graceSeconds'>,
  { health, lastAtMs, lastVerdict }: SeenState,
  clearedAtMs: number,
  nowMs: number,
): boolean {
  if (!isBad(health)) return false
  const isFresh = lastAtMs !== null && lastAtMs >= clearedAtMs
  if (isFresh && lastVerdict !== 'unknown') return lastVerdict !== 'up'
  const { checkType, intervalSeconds, graceSeconds } = monitor
  const periodMs = (intervalSeconds + graceSeconds) * 1_000
  const waitMs = waitsForReports({ checkType }) ? Math.min(periodMs, heldMsMax) : heldMsMax
  return nowMs - clearedAtMs >= waitMs
}

export interface DependencyProblem {
  /** The index in `dependsOn`. */
  readonly index: number
  readonly keyword: string
  readonly message: string
}

/**
 * The problems of the dependencies that a monitor is to have. `self` is the monitor as it is; absent for
 * a new one, on which nothing depends yet.
 */
export function dependencyProblems(
  dependsOn: readonly MonitorId[],
  find: Find<DependentMonitor>,
  self?: DependentMonitor,
): DependencyProblem[] {
  const problems = dependsOn.flatMap((id, index): DependencyProblem[] => {
    if (id === self?.id) return [{ index, keyword: 'circle', message: 'is the monitor itself' }]
    if (find(id)) return []
    const message = `is ${id}, which is not a monitor of this organization`
    return [{ index, keyword: 'reference', message }]
  })
  if (problems.length > 0) return problems
  let reached = 0
  for (const step of stepsAbove(dependsOn, find)) {
    reached += 1
    if (step.monitor.id !== self?.id) continue
    const path = pathOf(step)
    const index = dependsOn.indexOf(path[0]?.id ?? self.id)
    const message = `makes a circle: ${circleText([self, ...path])}`
    return [{ index, keyword: 'circle', message }]
  }
  if (reached < dependencyReachMax) return []
  const most = dependencyReachMax - 1
  const message = `leads to more than ${most} monitors, directly or further up`
  return [{ index: 0, keyword: 'maxItems', message }]
}

/** The monitors from the bottom to this step. */
function pathOf<Found extends DependentMonitor>(step: Arc<Found>): Found[] {
  const path: Found[] = []
  for (let at: Arc<Found> | null = step; at !== null; at = at.below) path.unshift(at.monitor)
  return path
}

/** Names in the sentence that refuses a circle of dependencies. */
const circleNamesMax = 6

/** "A" depends on "B", which depends on "A". */
function circleText(path: readonly DependentMonitor[]): string {
  const named = path.map(({ name }) => `"${name}"`)
  const most = circleNamesMax
  const shown =
    named.length <= most ? named : [...named.slice(0, most - 2), '…', ...named.slice(-1)]
  const [first = '', second = '', ...rest] = shown
  return [`${first} depends on ${second}`, ...rest.map((name) => `which depends on ${name}`)].join(
    ', ',
  )
}
