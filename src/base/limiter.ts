// Rate limiting: GCRA (ITU-T I.371), one number for each key, and a bounded memory of keys.

export interface RatePolicy {
  /** How many in a window; also the largest burst. */
  readonly quota: number
  readonly windowSeconds: number
}

export interface RateVerdict {
  readonly isAllowed: boolean
  /** How many more would be allowed at once. */
  readonly remaining: number
  /** Until the whole quota is there again. */
  readonly resetMs: number
  /** Until one more is allowed; 0 where it is already. */
  readonly retryMs: number
  /** When the quota will be whole again: the only thing to remember of a key. */
  readonly fullAtMs: number
}

/** Takes one from a bucket that is full again at `fullAtMs` (any past time: a fresh one). */
export function takeOne(policy: RatePolicy, fullAtMs: number, nowMs: number): RateVerdict {
  const windowMs = policy.windowSeconds * 1000
  const costMs = windowMs / policy.quota
  const base = Math.max(fullAtMs, nowMs)
  const next = base + costMs
  // A thousandth of a millisecond of rounding must not cost the last one of a burst.
  const isAllowed = next - nowMs <= windowMs + 0.001
  const after = isAllowed ? next : base
  return {
    isAllowed,
    remaining: Math.max(0, Math.floor((windowMs - (after - nowMs)) / costMs + 0.000_001)),
    resetMs: after - nowMs,
    retryMs: isAllowed ? 0 : next - nowMs - windowMs,
    fullAtMs: after,
  }
}

export interface Limiter {
  /** Counts one for the key. */
  take(key: string, nowMs: number): RateVerdict
  /** Makes one that was taken count for nothing. */
  giveBack(key: string, nowMs: number): void
  /** Every key whose quota is not whole, with the time when it will be. */
  unfinished(nowMs: number): [key: string, fullAtMs: number][]
  /** Goes on from what another limiter of this policy had; what is known already stays. */
  restore(entries: Iterable<readonly [key: string, fullAtMs: number]>): void
  readonly policy: RatePolicy
}

/** A limiter that remembers the `keysMax` most recently seen keys. */
export function createLimiter(policy: RatePolicy, keysMax: number): Limiter {
  // Two generations in place of a linked list: a key that is seen moves to the young one, and the
  // old one is dropped whole when the young one is full.
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  const costMs = (policy.windowSeconds * 1000) / policy.quota

  function remember(key: string, fullAtMs: number): void {
    young.set(key, fullAtMs)
    if (young.size * 2 < keysMax) return
    old = young
    young = new Map()
  }

  return {
    policy,
    take(key, nowMs) {
      const verdict = takeOne(policy, young.get(key) ?? old.get(key) ?? 0, nowMs)
      remember(key, verdict.fullAtMs)
      return verdict
    },
    giveBack(key, nowMs) {
      const fullAtMs = young.get(key) ?? old.get(key)
      if (fullAtMs !== undefined && fullAtMs > nowMs) remember(key, fullAtMs - costMs)
    },
    unfinished(nowMs) {
      const known = new Map([...old, ...young])
      return [...known].filter(([, fullAtMs]) => fullAtMs > nowMs)
    },
    restore(entries) {
      for (const [key, fullAtMs] of entries) {
        if (!young.has(key) && !old.has(key)) remember(key, fullAtMs)
      }
    },
  }
}
