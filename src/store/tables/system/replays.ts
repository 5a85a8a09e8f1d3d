// Responses to creating requests by [owner, key hash], for repeated requests; and by expiry.
import type { Env } from '../../engine/env.ts'
import { expiryOf } from '../../engine/expiry.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface ReplayRecord {
  /** The owner of the key: a user, an API key or the system. */
  readonly owner: string
  /** SHA-256 over the operation and the caller's key. */
  readonly keyHash: string
  /** SHA-256 of the request's body. */
  readonly bodyHash: string
  /** The encrypted response, because it may contain a secret that is shown once. */
  readonly sealedAnswer: string
  readonly expiresAtMs: number
}

export type ReplaysTable = ReturnType<typeof openReplays>

export function openReplays(env: Env) {
  const replays = openTable<ReplayRecord>(env, { name: 'replays' })
  const byExpiry = openTable<null>(env, { name: 'replayExpiries' })

  return {
    get: (owner: string, keyHash: string) => replays.get([owner, keyHash]),

    /** The records of all owners, in slices. */
    slice: (limit: number, after?: ReplayRecord) =>
      replays.range({ prefix: [], limit, after: after && [after.owner, after.keyHash] }),

    put(tx: Tx, replay: ReplayRecord): void {
      const { owner, keyHash, expiresAtMs } = replay
      const before = replays.readable([owner, keyHash])
      if (before) byExpiry.remove(tx, [before.expiresAtMs, owner, keyHash])
      replays.put(tx, [owner, keyHash], replay)
      byExpiry.put(tx, [expiresAtMs, owner, keyHash], null)
    },

    /** Deletes at most `limit` expired ones, oldest first; returns how many. */
    removeExpired: expiryOf(replays, byExpiry),
  }
}
