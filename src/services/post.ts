// The post: letters are owed in the transaction that causes them, and sent by the outbox.
import type { Letter } from '../mail/letter.ts'
import type { Tx } from '../store/write.ts'

export interface Post {
  /** Writes the letter as owed, sealed, in the caller's transaction. */
  owe(tx: Tx, to: string, letter: Letter): void
  /** Called once that transaction is on disk: sends what is owed. It does not wait for it. */
  wake(): void
}
