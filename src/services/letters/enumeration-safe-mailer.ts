// Discreet post: the time that an answer takes does not tell whether a letter goes out.
import type { Clock } from '../../base/clock.ts'
import type { Letter } from '../../mail/letter.ts'
import type { Box } from '../../seal/box.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from './mailer.ts'

export interface EnumerationSafeMailer {
  /** Owes the letter; for nobody the same work is done, and nothing ever sent. */
  enqueue(tx: Tx, to: string | undefined, letter: Letter): void
  /** Called once the transaction is on disk: sends what is owed after the caller was answered. */
  wake(): void
}

export interface EnumerationSafeMailerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly box: Pick<Box, 'seal'>
  readonly mailer: Mailer
}

export function createEnumerationSafeMailer({
  store,
  clock,
  box,
  mailer,
}: EnumerationSafeMailerDeps): EnumerationSafeMailer {
  return {
    enqueue(tx, to, letter) {
      if (to === undefined) store.dummyLetters.put(tx, box.seal(JSON.stringify({ to: '', letter })))
      else mailer.enqueue(tx, to, letter)
    },
    wake() {
      clock.setTimeout(mailer.wake, 0)
    },
  }
}
