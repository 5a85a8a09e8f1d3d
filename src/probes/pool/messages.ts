// What the daemon and a thread of checks tell each other.
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { ClockDoubt } from '../../net/connection/clock-trust.ts'
import type { Listener, TargetPolicyRules } from '../../net/egress-policy.ts'
import type { Checked } from '../checks.ts'

/** Whom checks may ask, contact and trust. */
export interface PoolRules {
  readonly targets: TargetPolicyRules
  readonly ownListeners: readonly Listener[]
  readonly nameServers: readonly string[]
  /** Authorities in PEM besides Node's; the same array as long as they are the same. */
  readonly addedCa: readonly string[] | undefined
}

export interface PoolJob {
  readonly id: number
  /** When it was given, by the clock that threads have in common. */
  readonly givenAtMs: number
  readonly target: EndpointTarget
  readonly keepsAnswer: boolean
}

/** All that is told a thread in one turn of the event loop. */
export interface ToThread {
  /** Absent while they are the same. */
  readonly rules?: PoolRules
  readonly hidesPrivate: boolean
  readonly jobs: readonly PoolJob[]
  /** The ids of jobs that are to end early. */
  readonly stopped: readonly number[]
}

/** A check that was made, or the bug that kept it from being made. */
export type DoneJob = { readonly id: number } & (Checked | { readonly error: unknown })

/** All that a thread tells in one turn. */
export interface FromThread {
  readonly done: readonly DoneJob[]
  /** What certificates told of the clock last; absent if none did. */
  readonly clock?: ClockDoubt | 'confirmed'
  /** Bugs of probes. */
  readonly bugs: readonly unknown[]
}
