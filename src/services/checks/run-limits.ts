// Checks that people ask for: how often, and how long they wait for one.
import type { Clock } from '../../base/clock.ts'
import { Fault, rateLimited } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { createLimiter, type Limiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface RunLimits {
  /**
   * Counts one check for the organization, and for the monitor where it is one that exists. Throws
   * Fault('rate_limited') with Retry-After where it is one too many.
   */
  take(orgId: OrgId, monitorId?: MonitorId): void
}

export interface RunLimitsDeps {
  readonly clock: Clock
  /** False where the operator switched the limits of the API off. */
  readonly isOn: boolean
}

export function createRunLimits({ clock, isOn }: RunLimitsDeps): RunLimits {
  const ofMonitor = createLimiter(limits.runsOfMonitor, limits.rateKeysMax)
  const ofOrg = createLimiter(limits.runsOfOrg, limits.rateKeysMax)

  function mustTake(limiter: Limiter, key: string, whose: string): void {
    const { isAllowed, retryMs } = limiter.take(key, clock.nowMs())
    if (isAllowed) return
    const most = `At most ${limiter.policy.quota} checks a minute by hand for ${whose}`
    throw rateLimited(retryMs, (seconds) => `${most}; again in ${seconds} s.`)
  }

  return {
    take(orgId, monitorId) {
      if (!isOn) return
      if (monitorId !== undefined) mustTake(ofMonitor, monitorId, 'one monitor')
      try {
        mustTake(ofOrg, orgId, 'one organization')
      } catch (error) {
        // It is not run, so it does not count for the monitor either.
        if (monitorId !== undefined) ofMonitor.giveBack(monitorId, clock.nowMs())
        throw error
      }
    },
  }
}

/**
 * What a check of at most `timeoutMs` comes to. Throws Fault('unavailable') where that takes more
 * than a moment longer: so many are under way that it is not its turn yet.
 */
export async function waitForRun<T>(
  clock: Clock,
  timeoutMs: number,
  running: Promise<T>,
): Promise<T> {
  let timer: unknown
  const late = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(tooBusy()), timeoutMs + limits.runPatienceMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clock.clearTimeout(timer)
  }
}

/** So many checks are under way that one more does not come to its turn. */
export function tooBusy(): Fault {
  return new Fault(
    'unavailable',
    'Too many checks are running: this one could not start in time.',
    {
      headers: [['Retry-After', String(limits.retryAfterSeconds)]],
    },
  )
}
