// Discreet post: the time that an answer takes does not tell whether a letter goes out.
import type { Clock } from '../../base/clock.ts'
import type { Letter } from '../../mail/letter.ts'
import type { Box } from '../../seal/box.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Post } from './mailer.ts'

export interface DiscreetPost {
  /** Owes the letter; for nobody the same work is done, and nothing ever sent. */
  owe(tx: Tx, to: string | undefined, letter: Letter): void
  /** Called once the transaction is on disk: sends what is owed after the caller was answered. */
  wake(): void
}

export interface DiscreetPostDeps {
  readonly store: Store
  readonly clock: Clock
  readonly box: Pick<Box, 'seal'>
  readonly post: Post
}

export function createDiscreetPost({ store, clock, box, post }: DiscreetPostDeps): DiscreetPost {
  return {
    owe(tx, to, letter) {
      if (to === undefined) store.decoys.put(tx, box.seal(JSON.stringify({ to: '', letter })))
      else post.owe(tx, to, letter)
    },
    wake() {
      clock.setTimeout(post.wake, 0)
    },
  }
}
