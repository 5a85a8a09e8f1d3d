// A mailer that prevents enumeration: the response time does not reveal whether a letter is sent.
import type { Letter } from '../../mail/letter.ts'
import type { Tx } from '../../store/engine/write.ts'
import { createMailer, type MailerDeps } from './mailer.ts'

export type EnumerationSafeMailer = ReturnType<typeof createEnumerationSafeMailer>

export function createEnumerationSafeMailer(deps: MailerDeps) {
  const { store, clock, box } = deps
  // Sending begins after the caller was answered.
  const later = (run: () => void) => void clock.setTimeout(run, 0)
  const mailer = createMailer({ ...deps, wake: (hash) => later(() => deps.wake(hash)) })

  return {
    /** Queues the letter; without a recipient, does equal work and sends nothing. */
    enqueue(tx: Tx, to: string | undefined, letter: Letter): void {
      if (to !== undefined) {
        mailer.enqueue(tx, to, letter)
        return
      }
      store.dummyLetters.put(tx, box.seal(JSON.stringify({ to: '', letter })))
      tx.afterCommit(() => later(() => {}))
    },
  }
}
