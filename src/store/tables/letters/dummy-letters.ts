// The dummy record that takes the place of a letter without a recipient. Both writes cost the same,
// so that the time of an answer does not reveal whether an account exists. It is never read.
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
