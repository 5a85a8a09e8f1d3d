// Limits manual checks: how often they run, and how long a caller waits for one.
import type { Clock } from '../../base/clock.ts'
import { Fault, rateLimited } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { createLimiter, type Limiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface RunLimitsDeps {
  readonly clock: Clock
  /** False if the operator switched the API's limits off. */
  readonly isOn: () => boolean
}

export type RunLimits = ReturnType<typeof createRunLimits>

export function createRunLimits({ clock, isOn }: RunLimitsDeps) {
  const ofMonitor = createLimiter(limits.runsOfMonitor, limits.rateKeysMax)
  const ofOrg = createLimiter(limits.runsOfOrg, limits.rateKeysMax)

  function mustTake(limiter: Limiter, key: string, whose: string): void {
    const { isAllowed, retryMs } = limiter.take(key, clock.nowMs())
    if (isAllowed) return
    const most = `At most ${limiter.policy.quota} checks a minute by hand for ${whose}`
    throw rateLimited(retryMs, (seconds) => `${most}; again in ${seconds} s.`)
  }

  return {
    /** Counts for the organization, and for the monitor if there is one. Throws rate_limited. */
    take(orgId: OrgId, monitorId?: MonitorId): void {
      if (!isOn()) return
      if (monitorId !== undefined) mustTake(ofMonitor, monitorId, 'one monitor')
      try {
        mustTake(ofOrg, orgId, 'one organization')
      } catch (error) {
        // It does not run, so it does not count for the monitor either.
        if (monitorId !== undefined) ofMonitor.giveBack(monitorId, clock.nowMs())
        throw error
      }
    },
  }
}

/** Throws unavailable if it takes much longer, because too many checks are in progress. */
export async function waitForRun<T>(
  clock: Clock,
  timeoutMs: number,
  running: Promise<T>,
): Promise<T> {
  let timer: unknown
  const late = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(tooBusy()), timeoutMs + limits.runWaitMsMax)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clock.clearTimeout(timer)
  }
}

export function tooBusy(): Fault {
  return new Fault(
    'unavailable',
    'Too many checks are running: this one could not start in time.',
    {
      headers: [['Retry-After', String(limits.retryAfterSeconds)]],
    },
  )
}
