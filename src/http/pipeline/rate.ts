// Rate limits: one limiter per class, and the headers that report the state to callers.
import { Fault } from '../../base/fault.ts'
import {
  createLimiter,
  type Limiter,
  type RatePolicy,
  type RateVerdict,
} from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { RateClass } from '../routing/route.ts'

/** The limits per class; null switches a class off. */
export type RateSettings = Readonly<
  Record<Exclude<RateClass, 'bulk'>, RatePolicy | null> & { bulk?: RatePolicy | null }
>

export interface RateGate {
  /**
   * Counts one request for the key, and returns the header lines about the limit
   * (draft-ietf-httpapi-ratelimit-headers-10). Throws rate_limited with Retry-After.
   */
  take(key: string, nowMs: number): string
  /** True if the class is not limited, so that nothing needs to be counted. */
  readonly isOpen: boolean
}

export type RateGates = Readonly<Record<RateClass, RateGate>>

/** Creates a limiter; a persistent one restores its state by name. */
export type MakeLimiter = (name: string, policy: RatePolicy) => Limiter

/**
 * `keptLimiter` creates the limiter for sign-ins: it survives a restart, which must not reset the
 * number of guesses.
 */
export function createRateGates(
  settings: RateSettings,
  keptLimiter: MakeLimiter = freshLimiter,
): RateGates {
  return {
    api: createGate('api', settings.api),
    auth: createGate('auth', settings.auth, keptLimiter),
    push: createGate('push', settings.push),
    page: createGate('page', settings.page),
    bulk: createGate('bulk', settings.bulk ?? null),
  }
}

const freshLimiter: MakeLimiter = (_name, policy) => createLimiter(policy, limits.rateKeysMax)

const openGate: RateGate = { take: () => '', isOpen: true }

function createGate(
  name: RateClass,
  policy: RatePolicy | null,
  makeLimiter = freshLimiter,
): RateGate {
  if (!policy) return openGate
  const limiter = makeLimiter(name, policy)
  const policyValue = `"${name}";q=${policy.quota};w=${policy.windowSeconds}`
  const before = `\r\nRateLimit-Policy: ${policyValue}\r\nRateLimit: "${name}";r=`
  return {
    isOpen: false,
    take(key, nowMs) {
      const verdict = limiter.take(key, nowMs)
      if (!verdict.isAllowed) throw tooMany(name, policyValue, verdict)
      return `${before}${verdict.remaining};t=${Math.ceil(verdict.resetMs / 1000)}`
    },
  }
}

function tooMany(name: RateClass, policyValue: string, verdict: RateVerdict): Fault {
  const retrySeconds = Math.max(1, Math.ceil(verdict.retryMs / 1000))
  const detail = `Too many requests; try again in ${retrySeconds} s`
  return new Fault('rate_limited', detail, {
    headers: [
      ['Retry-After', String(retrySeconds)],
      ['RateLimit-Policy', policyValue],
      ['RateLimit', `"${name}";r=0;t=${Math.ceil(verdict.resetMs / 1000)}`],
    ],
  })
}
