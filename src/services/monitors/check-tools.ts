// How a monitor is checked once: its request decrypted, one probe, and our own failures recognised.
import type { Clock } from '../../base/clock.ts'
import type { Gate } from '../../base/gate.ts'
import { type Reading, setAside } from '../../domain/checks/reading.ts'
import { asExpected } from '../../domain/checks/upside-down.ts'
import type { EndpointTarget, Monitor } from '../../domain/monitors/monitor.ts'
import type { Checks } from '../../probes/checks.ts'
import { type Box, SealBroken } from '../../seal/box.ts'
import { type SecretsOf, targetOf } from './monitor-request.ts'

/** How checks are made, the same for monitors and for trials. */
export interface CheckTools {
  readonly gate: Gate
  /**
   * Checks the monitor's target once; never rejects. A reading across a stall of our own process is
   * set aside, unless it `mustCount`. `keepsAnswer`: it shows what the target answered.
   */
  readonly probe: (
    monitor: Monitor,
    signal: AbortSignal,
    mustCount?: boolean,
    keepsAnswer?: boolean,
  ) => Promise<Reading>
  /** The host that a check of this monitor contacts: the key for the gate. */
  readonly hostOf: (monitor: Monitor) => string
}

export interface CheckToolsDeps {
  readonly box: Box
  readonly secretsOf: SecretsOf
  readonly clock: Clock
  readonly gate: Gate
  readonly checks: Checks
  /** The reading to commit: `unknown` if the failure may be our own. */
  readonly believe: (reading: Reading, monitor: Monitor) => Reading | Promise<Reading>
}

export function createCheckTools(deps: CheckToolsDeps): CheckTools {
  const { clock, gate, checks, believe } = deps
  return {
    gate,
    hostOf: ({ checkType, url, connectTo }) =>
      url === null ? '' : checks.hostOf(checkType, url, connectTo),
    async probe(monitor, signal, mustCount = false, keepsAnswer = false) {
      // Created for each check: parsing a URL costs less than keeping 100,000 of them.
      const target = openTarget(deps, monitor)
      if (target) {
        const { reading, stalledMs } = await checks.check(target, { signal, keepsAnswer })
        return stalledMs > 0 && !mustCount
          ? setAside(reading, stalledMs)
          : asExpected(monitor, await believe(reading, monitor))
      }
      const message = 'the headers and body of this monitor cannot be decrypted: set them again'
      const error = { kind: 'blocked', message } as const
      return { atMs: clock.nowMs(), durationMs: 0, result: 'unknown', error }
    },
  }
}

/** Undefined if the master key that encrypted its request is gone: the target is not at fault. */
function openTarget(
  { box, secretsOf }: Pick<CheckToolsDeps, 'box' | 'secretsOf'>,
  monitor: Monitor,
): EndpointTarget | undefined {
  try {
    return targetOf(box, monitor, secretsOf)
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
