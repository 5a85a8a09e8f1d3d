// A monitor's life for tests of its health: folds verdicts, names incidents, keeps what happened.
import type { IncidentId } from '../../src/base/ids.ts'
import type { VerdictKind } from '../../src/domain/checks/verdict.ts'
import { foldVerdict } from '../../src/domain/health/fold-verdict.ts'
import {
  type Health,
  type HealthChange,
  type HealthPolicy,
  initialHealth,
  settleFlapping,
  withIncident,
} from '../../src/domain/health/health.ts'

export const minuteMs = 60_000

export function makePolicy(policy: Partial<HealthPolicy> = {}): HealthPolicy {
  return {
    failureThreshold: 3,
    recoveryThreshold: 2,
    degradedThreshold: 3,
    degradedOpensIncident: false,
    ...policy,
  }
}

/** The n-th incident's id. */
export const incidentNo = (number: number) => `inc_${number}` as IncidentId

export interface Life {
  health: Health
  /** Every change, with the time of the verdict that led to it. */
  readonly changes: (HealthChange & { readonly atMs: number })[]
  /** Does as commit does: settles, folds, names what opened. */
  see(verdict: VerdictKind, atMs: number, options?: { explicit?: boolean }): HealthChange | null
  settle(nowMs: number): HealthChange | null
}

export function startLife(policy: HealthPolicy, atMs = 0): Life {
  let opened = 0
  const adopt = (folded: { health: Health; change: HealthChange | null }, nowMs: number) => {
    life.health = folded.health
    const { change } = folded
    if (change?.kind === 'opened' && change.reopens === null) {
      opened += 1
      life.health = withIncident(life.health, incidentNo(opened))
    }
    if (change !== null) life.changes.push({ ...change, atMs: nowMs })
    return change
  }
  const life: Life = {
    health: initialHealth(atMs),
    changes: [],
    see(verdict, nowMs, options) {
      life.settle(nowMs)
      return adopt(foldVerdict(life.health, verdict, policy, nowMs, options), nowMs)
    },
    settle: (nowMs) => adopt(settleFlapping(life.health, nowMs), nowMs),
  }
  return life
}

const letters = { u: 'up', s: 'degraded', d: 'down', '?': 'unknown' } as const

/** Verdicts from letters: u up, s slow, d down, ? unknown. */
export function verdictsOf(text: string): VerdictKind[] {
  return [...text].map((letter) => letters[letter as keyof typeof letters])
}
