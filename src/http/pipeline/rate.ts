// Rate limits: one limiter per class, and the headers that report the state to callers.
import { isDeepStrictEqual } from 'node:util'
import { Fault } from '../../base/fault.ts'
import {
  createLimiter,
  type Limiter,
  type RatePolicy,
  type RateVerdict,
} from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { RateClass } from '../routing/route.ts'

/** The limits per class; null switches a class off. That of assets follows from that of pages. */
export type RateSettings = Readonly<
  Record<Exclude<RateClass, 'bulk' | 'asset' | 'probe'>, RatePolicy | null> & {
    bulk?: RatePolicy | null
  }
>

/** How many assets may be asked for with each page: browsers keep them, and some readers share an address. */
const assetsPerPage = 10

/** Requests of one remote probe: a failure is sent at once, so there are many while much fails. */
const probeRate: RatePolicy = { quota: 600, windowSeconds: 60 }

export interface RateGate {
  /**
   * Counts one request for the key, and returns the header lines about the limit
   * (draft-ietf-httpapi-ratelimit-headers-10). Throws rate_limited with Retry-After.
   */
  take(key: string, nowMs: number): string
  /** Counts one request if it is allowed; else `take` refuses it. */
  isAllowed(key: string, nowMs: number): boolean
  /** True if the class is not limited, so that nothing needs to be counted. */
  readonly isOpen: boolean
}

export type RateGates = ReturnType<typeof createRateGates>

/** Creates a limiter; a persistent one restores its state by name. */
export type MakeLimiter = (name: string, policy: RatePolicy) => Limiter

/**
 * `keptLimiter` creates the limiter for sign-ins: it survives a restart, which must not reset the
 * number of guesses.
 */
export function createRateGates(settings: RateSettings, keptLimiter: MakeLimiter = freshLimiter) {
  const gates = {
    api: createGate('api', settings.api),
    auth: createGate('auth', settings.auth, keptLimiter),
    push: createGate('push', settings.push),
    page: createGate('page', settings.page),
    asset: createGate('asset', assetPolicy(settings.page)),
    bulk: createGate('bulk', settings.bulk ?? null),
    probe: createGate('probe', probeRate),
  }
  return {
    of: (rate: RateClass): RateGate => gates[rate],
    /** Changes the limits. A class whose limit stays keeps its counts. */
    setLimits({ api, auth, push, page, bulk = null }: RateSettings): void {
      gates.api.setLimit(api)
      gates.auth.setLimit(auth)
      gates.push.setLimit(push)
      gates.page.setLimit(page)
      gates.asset.setLimit(assetPolicy(page))
      gates.bulk.setLimit(bulk)
    },
  }
}

function assetPolicy(page: RatePolicy | null): RatePolicy | null {
  return page && { ...page, quota: page.quota * assetsPerPage }
}

const freshLimiter: MakeLimiter = (_name, policy) => createLimiter(policy, limits.rateKeysMax)

const openGate: RateGate = { take: () => '', isAllowed: () => true, isOpen: true }

/** A gate whose limit can be changed. */
function createGate(name: RateClass, policyAtStart: RatePolicy | null, makeLimiter = freshLimiter) {
  let policy = policyAtStart
  let gate = gateOf(name, policy, makeLimiter)
  return {
    get isOpen(): boolean {
      return gate.isOpen
    },
    take: (key: string, nowMs: number): string => gate.take(key, nowMs),
    isAllowed: (key: string, nowMs: number): boolean => gate.isAllowed(key, nowMs),
    setLimit(next: RatePolicy | null): void {
      if (isDeepStrictEqual(next, policy)) return
      policy = next
      gate = gateOf(name, policy, makeLimiter)
    },
  }
}

function gateOf(name: RateClass, policy: RatePolicy | null, makeLimiter: MakeLimiter): RateGate {
  if (!policy) return openGate
  const limiter = makeLimiter(name, policy)
  const policyValue = `"${name}";q=${policy.quota};w=${policy.windowSeconds}`
  const before = `\r\nRateLimit-Policy: ${policyValue}\r\nRateLimit: "${name}";r=`
  return {
    isOpen: false,
    // What is refused is not counted.
    isAllowed: (key, nowMs) => limiter.take(key, nowMs).isAllowed,
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
