// The remaining quotas of sign-in, by [kind, part], so that a restart does not reset them.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** A key's hash, and when its quota is whole again. */
export type SavedBucket = readonly [keyHash: string, fullAtMs: number]

const partBuckets = 1_000

export function openBuckets(env: Env) {
  const parts = openTable<readonly SavedBucket[]>(env, { name: 'buckets' })
  const keysOf = (kind: string) => parts.keys({ prefix: [kind], limit: Number.MAX_SAFE_INTEGER })

  return {
    of: (kind: string): SavedBucket[] =>
      keysOf(kind).flatMap((key) => [...(parts.readable(key) ?? [])]),

    /** Replaces the snapshot of a kind. */
    put(tx: Tx, kind: string, buckets: readonly SavedBucket[]): void {
      for (const key of keysOf(kind)) parts.remove(tx, key)
      for (let from = 0; from < buckets.length; from += partBuckets) {
        parts.put(tx, [kind, from], buckets.slice(from, from + partBuckets))
      }
    },
  }
}
