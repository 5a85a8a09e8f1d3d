// One check, wherever it is made: in this thread, or in another one.
import type { Clock } from '../base/clock.ts'
import type { Reading } from '../domain/checks/reading.ts'
import type { EndpointTarget } from '../domain/monitors/monitor.ts'
import type { Probes } from './registry.ts'
import type { TargetRules } from './targets.ts'

export interface CheckOptions {
  /** Ends the check early, with the result `unknown`. */
  readonly signal: AbortSignal
  /** Whether the reading shows what the target answered. */
  readonly keepsAnswer: boolean
}

/** A reading, and how long the thread that took it stood still meanwhile. */
export interface Checked {
  readonly reading: Reading
  readonly stalledMs: number
}

export interface Checks extends TargetRules {
  /** Checks a target once; never rejects. */
  readonly check: (target: EndpointTarget, options: CheckOptions) => Promise<Checked>
}

/** Makes checks in this thread. */
export function createChecks({ probe, ...targetRules }: Probes, clock: Clock): Checks {
  return {
    ...targetRules,
    async check(target, options) {
      const sinceMs = clock.monoMs()
      const reading = await probe(target, { clock, ...options })
      return { reading, stalledMs: clock.stalledMs(sinceMs) }
    },
  }
}
