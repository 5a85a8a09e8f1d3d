// Rate limiting by GCRA (ITU-T I.371): one number per key, for a bounded number of keys.

export interface RatePolicy {
  /** The number allowed per window; also the largest burst. */
  readonly quota: number
  readonly windowSeconds: number
}

export interface RateVerdict {
  readonly isAllowed: boolean
  /** How many more are allowed at once. */
  readonly remaining: number
  /** Time until the whole quota is available again. */
  readonly resetMs: number
  /** Time until one more is allowed; 0 if it is allowed now. */
  readonly retryMs: number
  /** When the whole quota is available again: all that is stored per key. */
  readonly fullAtMs: number
}

/** Takes one from a bucket that is full again at `fullAtMs`; any past time means a full bucket. */
export function takeOne(policy: RatePolicy, fullAtMs: number, nowMs: number): RateVerdict {
  const windowMs = policy.windowSeconds * 1000
  const costMs = windowMs / policy.quota
  const base = Math.max(fullAtMs, nowMs)
  const next = base + costMs
  // A rounding error of a thousandth of a millisecond must not cost the last one of a burst.
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

export type Limiter = ReturnType<typeof createLimiter>

/** Creates a limiter that remembers the `keysMax` most recently used keys. */
export function createLimiter(policy: RatePolicy, keysMax: number) {
  // Two generations instead of a linked list: a used key moves to the young map, and when that is
  // full, it replaces the old one.
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

    /** Counts one for the key. */
    take(key: string, nowMs: number): RateVerdict {
      const verdict = takeOne(policy, young.get(key) ?? old.get(key) ?? 0, nowMs)
      remember(key, verdict.fullAtMs)
      return verdict
    },

    /** Takes back one that was counted. */
    giveBack(key: string, nowMs: number): void {
      const fullAtMs = young.get(key) ?? old.get(key)
      if (fullAtMs !== undefined && fullAtMs > nowMs) remember(key, fullAtMs - costMs)
    },

    /** Every key whose quota is not whole, with the time at which it is. */
    unfinished(nowMs: number): [key: string, fullAtMs: number][] {
      const known = new Map([...old, ...young])
      return [...known].filter(([, fullAtMs]) => fullAtMs > nowMs)
    },

    /** Adopts the state of another limiter with this policy; existing keys stay as they are. */
    restore(entries: Iterable<readonly [key: string, fullAtMs: number]>): void {
      for (const [key, fullAtMs] of entries) {
        if (!young.has(key) && !old.has(key)) remember(key, fullAtMs)
      }
    },
  }
}
