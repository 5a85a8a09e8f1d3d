// Keeps sign-in quotas over restarts: they are counted in memory and saved once a minute.
import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { createLimiter, type Limiter, type RatePolicy } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Store } from '../../store/store.ts'
import type { SavedBucket } from '../../store/tables/system/buckets.ts'

export type BucketKeeper = ReturnType<typeof startBucketKeeper>

export const bucketsSavedMs = 60_000

export function startBucketKeeper({ store, clock }: { store: Store; clock: Clock }) {
  const limiters = new Map<string, Limiter>()
  // Names whose snapshot on disk is empty, so that an idle daemon writes nothing.
  const empty = new Set<string>()
  let timer: unknown

  async function save(): Promise<void> {
    const nowMs = clock.nowMs()
    const snapshots = [...limiters].map(([name, limiter]) => {
      return { name, buckets: longest(limiter.unfinished(nowMs)) }
    })
    const changed = snapshots.filter(({ name, buckets }) => buckets.length > 0 || !empty.has(name))
    if (changed.length === 0) return
    await store.writeSoon((tx) => {
      for (const { name, buckets } of changed) store.buckets.put(tx, name, buckets)
    })
    for (const { name, buckets } of changed) {
      if (buckets.length === 0) empty.add(name)
      else empty.delete(name)
    }
  }

  function again(): void {
    timer = clock.setTimeout(() => {
      // If a write fails, the store ends the process, so there is nothing to handle here.
      save().then(again, () => {})
    }, bucketsSavedMs)
  }

  again()
  return {
    /**
     * A limiter that continues from the former one of this name, else from its saved state. Only
     * hashes of keys are saved.
     */
    limiter(name: string, policy: RatePolicy): Limiter {
      const limiter = createLimiter(policy, limits.rateKeysMax)
      const nowMs = clock.nowMs()
      const saved = limiters.get(name)?.unfinished(nowMs) ?? store.buckets.of(name)
      const windowMs = policy.windowSeconds * 1000
      // Saved times are capped, so that neither a clock that was set back nor a stricter policy
      // locks anyone out for longer.
      limiter.restore(saved.map(([key, atMs]) => [key, Math.min(atMs, nowMs + windowMs)]))
      if (saved.length === 0) empty.add(name)
      limiters.set(name, limiter)
      return {
        ...limiter,
        take: (key, atMs) => limiter.take(hashed(key), atMs),
        giveBack: (key, atMs) => limiter.giveBack(hashed(key), atMs),
      }
    },
    /** Saves a last time and stops. */
    async stop(): Promise<void> {
      clock.clearTimeout(timer)
      await save()
    },
  }
}

// Addresses and e-mails are personal data, so memory dumps and backups contain only hashes of them.
const keyBytes = 16
function hashed(key: string): string {
  return hash('sha256', key, 'buffer').toString('base64url', 0, keyBytes)
}

/** Buckets saved of each kind of limit: the ones that take longest to recover. */
export const bucketsSavedMax = 20_000

function longest(entries: readonly SavedBucket[]): readonly SavedBucket[] {
  if (entries.length <= bucketsSavedMax) return entries
  return entries.toSorted(([, a], [, b]) => b - a).slice(0, bucketsSavedMax)
}
