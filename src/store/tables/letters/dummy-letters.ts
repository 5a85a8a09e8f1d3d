// Written instead of a letter if there is no recipient: never read, and always the same.
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openDummyLetters(env: Env) {
  const dummyLetters = openTable<{ readonly sealed: string }>(env, { name: 'decoys' })
  const index = openTable<null>(env, { name: 'decoyIndex' })
  return {
    /** Occupies as many pages of the disk as a letter with its index. */
    put(tx: Tx, sealed: string): void {
      dummyLetters.put(tx, ['letter'], { sealed })
      index.put(tx, ['letter'], null)
    },
  }
}
