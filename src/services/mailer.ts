// Queues letters in the transaction that causes them; the letter queue sends them.

import { hash } from 'node:crypto'
import type { LetterContent, LetterTraits } from '../actors/letters/letter-queue.ts'
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { queuedLetter } from '../domain/letters/queued-letter.ts'
import { domainOf, type Mailbox } from '../mail/address.ts'
import type { Letter } from '../mail/letter.ts'
import type { Box } from '../seal/box.ts'
import type { Tx } from '../store/engine/write.ts'
import type { Store } from '../store/store.ts'

/** Decodes what `enqueue` encrypted, for the letter queue. */
export function enclosedIn(opened: string): LetterContent {
  return JSON.parse(opened)
}

export interface MailerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly box: Pick<Box, 'seal'>
  readonly from: () => Mailbox
  readonly wake: (recipientHash: string) => void
}

export type Mailer = ReturnType<typeof createMailer>

export function createMailer({ store, clock, box, from, wake }: MailerDeps) {
  return {
    /** Queues the encrypted letter; it is sent once the transaction is on disk. */
    enqueue(tx: Tx, to: string, letter: Letter, traits: LetterTraits = {}): void {
      const nowMs = clock.nowMs()
      const id = newId('letter', nowMs)
      const address = to.toLowerCase()
      // Bulk letters wait for few connections: they have a queue of their own.
      const recipient = traits.isBulk ? `bulk ${address}` : address
      const recipientHash = hash('sha256', recipient, 'base64url')
      const enclosed: LetterContent = { to, letter, ...traits }
      const sealed = box.seal(JSON.stringify(enclosed))
      const messageId = `<${id}@${domainOf(from().address)}>`
      store.letters.put(tx, queuedLetter({ id, recipientHash, sealed, messageId }, nowMs))
      tx.afterCommit(() => wake(recipientHash))
    },
  }
}

export type EnumerationSafeMailer = ReturnType<typeof createEnumerationSafeMailer>

/** The response time does not reveal whether a letter is sent. */
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
