// Replays: repeating a creating request with the same key returns the first response.
import { Fault } from '../base/fault.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Box } from '../seal/box.ts'
import type { Writer } from '../store/engine/write.ts'
import type { ReplaysTable } from '../store/tables/system/replays.ts'

/** One caller's use of one key for one operation. */
export interface ReplayClaim {
  readonly owner: string
  readonly keyHash: string
  readonly bodyHash: string
}

export interface ReplayedAnswer {
  readonly body: string
  readonly etag?: string | undefined
}

export interface ReplaysDeps {
  readonly store: Pick<Writer, 'write'> & { readonly replays: ReplaysTable }
  readonly box: Pick<Box, 'seal' | 'open'>
}

export type Replays = ReturnType<typeof createReplays>

/**
 * Stored encrypted, because some contain a secret that is shown once. Written after the work: a
 * power cut between the two makes a repeated request do the work again.
 */
export function createReplays({ store, box }: ReplaysDeps) {
  const running = new Map<string, string>()
  const nameOf = ({ owner, keyHash }: ReplayClaim) => `${owner}/${keyHash}`

  function refuseOther(bodyHash: string, claim: ReplayClaim): void {
    if (bodyHash === claim.bodyHash) return
    throw new Fault(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with a different body',
    )
  }

  return {
    /**
     * Undefined: the caller does the work, and must call `finish` or `abandon`. Throws conflict
     * while the first request runs, idempotency_key_reused if the key came with another body.
     */
    begin(claim: ReplayClaim, nowMs: number): ReplayedAnswer | undefined {
      const name = nameOf(claim)
      const runningBodyHash = running.get(name)
      if (runningBodyHash !== undefined) {
        refuseOther(runningBodyHash, claim)
        throw new Fault('conflict', 'The first request with this Idempotency-Key is still running')
      }
      const stored = store.replays.get(claim.owner, claim.keyHash)
      if (stored && stored.expiresAtMs > nowMs) {
        refuseOther(stored.bodyHash, claim)
        return JSON.parse(box.open(stored.sealedAnswer)) as ReplayedAnswer
      }
      running.set(name, claim.bodyHash)
      return undefined
    },

    /** Stores the response for a day; resolves once it is on disk. */
    async finish(claim: ReplayClaim, answer: ReplayedAnswer, nowMs: number): Promise<void> {
      const sealedAnswer = box.seal(JSON.stringify(answer))
      const expiresAtMs = nowMs + limits.replayMs
      try {
        await store.write((tx) => store.replays.put(tx, { ...claim, sealedAnswer, expiresAtMs }))
      } finally {
        running.delete(nameOf(claim))
      }
    },

    /** The work failed: the key may be used again. */
    abandon(claim: ReplayClaim): void {
      running.delete(nameOf(claim))
    },
  }
}
