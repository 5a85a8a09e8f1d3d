// Letters by [hash of the recipient, letter], with indexes of pending and of finished ones.
import type { LetterId } from '../../../base/ids.ts'
import type { QueuedLetter } from '../../../domain/letters/queued-letter.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openLetters(env: Env) {
  const letters = openTable<QueuedLetter>(env, { name: 'letters' })
  const pendingIndex = openTable<null>(env, { name: 'owedLetters' })
  const ended = openTable<null>(env, { name: 'endedLetters' })

  const get = (recipientHash: string, id: LetterId) => letters.readable([recipientHash, id])

  function dropIndexes(tx: Tx, { recipientHash, id, endedAtMs }: QueuedLetter): void {
    if (endedAtMs === null) pendingIndex.remove(tx, [recipientHash, id])
    else ended.remove(tx, [endedAtMs, recipientHash, id])
  }

  return {
    get,

    /** The pending letters of a recipient, oldest first. */
    pending: (recipientHash: string, limit: number): QueuedLetter[] =>
      namedRecords(pendingIndex, { prefix: [recipientHash], limit }, letters.readable),

    /** All letters, including finished ones, in slices. */
    slice: (limit: number, after?: QueuedLetter) =>
      letters.range({ prefix: [], limit, after: after && [after.recipientHash, after.id] }),

    /** The number of pending letters of all recipients. */
    countPending: (): number => pendingIndex.count([], Number.MAX_SAFE_INTEGER),

    /** The hash of every recipient with pending letters. */
    owedRecipients(): string[] {
      const found: string[] = []
      let [key] = pendingIndex.keys({ prefix: [], limit: 1 })
      while (key) {
        const recipientHash = String(key[0])
        found.push(recipientHash)
        // After every id of this recipient: one read each, however many are pending.
        key = pendingIndex.keys({ prefix: [], after: [recipientHash, '\uffff'], limit: 1 })[0]
      }
      return found
    },

    /** Writes the record and updates both indexes. */
    put(tx: Tx, letter: QueuedLetter): void {
      const { recipientHash, id, endedAtMs } = letter
      const before = get(recipientHash, id)
      if (before) dropIndexes(tx, before)
      if (endedAtMs === null) pendingIndex.put(tx, [recipientHash, id], null)
      else ended.put(tx, [endedAtMs, recipientHash, id], null)
      letters.put(tx, [recipientHash, id], letter)
    },

    /** Deletes at most `limit` that ended before `beforeMs`, oldest first; returns how many. */
    trim(tx: Tx, beforeMs: number, limit: number): number {
      const old = ended.keys({ prefix: [], until: beforeMs - 1, limit })
      for (const key of old) {
        letters.remove(tx, key.slice(1))
        ended.remove(tx, key)
      }
      return old.length
    },
  }
}
