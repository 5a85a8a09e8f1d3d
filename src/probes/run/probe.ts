// What every probe is: one look at a target, told as a reading.
import type { Clock } from '../../base/clock.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'

export interface ProbeContext {
  /** Ends the check early, with an outcome of `unknown`. Leave it out where nothing will abort. */
  readonly signal?: AbortSignal
  readonly clock: Clock
}

/** Looks once. Ends within the target's timeout and never rejects: a down target is a value. */
export type Probe = (target: EndpointTarget, context: ProbeContext) => Promise<Reading>
