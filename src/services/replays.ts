// Replays: repeating a creating request with the same key returns the first response.
import { Fault } from '../base/fault.ts'
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

/** A creation, and the answer to it. */
export interface AnsweredWork<Made> {
  /** Returns what its transaction returned. */
  readonly work: () => Promise<Made>
  readonly answerTo: (made: Made) => ReplayedAnswer
}

export interface ReplaysDeps {
  readonly store: Pick<Writer, 'writeJoined'> & { readonly replays: ReplaysTable }
  readonly box: Pick<Box, 'seal' | 'open'>
}

export type Replays = ReturnType<typeof createReplays>

const replayMs = 24 * 3_600_000

export function createReplays({ store, box }: ReplaysDeps) {
  const running = new Map<string, string>()

  function refuseOther(bodyHash: string, claim: ReplayClaim): void {
    if (bodyHash === claim.bodyHash) return
    throw new Fault(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with a different body',
    )
  }

  function refuseWhileRunning(name: string, claim: ReplayClaim): void {
    const runningBodyHash = running.get(name)
    if (runningBodyHash === undefined) return
    refuseOther(runningBodyHash, claim)
    throw new Fault('conflict', 'The first request with this Idempotency-Key is still running')
  }

  return {
    /**
     * Does the work and stores its answer for a day, in the transaction of the work: after a crash
     * both are there, or neither. Encrypted, because some answers contain a secret that is shown
     * once. Returns the stored answer if the same request was answered before; undefined if this is
     * the first. Throws conflict while the first request runs, idempotency_key_reused if the key came
     * with another body, and what the work throws; the key may then be used again.
     */
    async once<Made>(
      claim: ReplayClaim,
      { work, answerTo }: AnsweredWork<Made>,
      nowMs: number,
    ): Promise<ReplayedAnswer | undefined> {
      const name = `${claim.owner}/${claim.keyHash}`
      refuseWhileRunning(name, claim)
      const stored = store.replays.get(claim.owner, claim.keyHash)
      if (stored && stored.expiresAtMs > nowMs) {
        refuseOther(stored.bodyHash, claim)
        return JSON.parse(box.open(stored.sealedAnswer)) as ReplayedAnswer
      }
      running.set(name, claim.bodyHash)
      try {
        await store.writeJoined(work, (tx, made) => {
          const { body, etag } = answerTo(made)
          const sealedAnswer = box.seal(JSON.stringify({ body, etag }))
          const expiresAtMs = nowMs + replayMs
          store.replays.put(tx, { ...claim, sealedAnswer, expiresAtMs })
        })
      } finally {
        running.delete(name)
      }
      return undefined
    },
  }
}
