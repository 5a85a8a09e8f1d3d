// The post: letters are owed in the transaction that causes them, and sent by the outbox.
import { hash } from 'node:crypto'
import type { Enclosed } from '../../actors/letters/letters.ts'
import type { Clock } from '../../base/clock.ts'
import { type LetterId, newId } from '../../base/ids.ts'
import { owedLetter } from '../../domain/letters/owed-letter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { domainOf, type Mailbox } from '../../mail/address.ts'
import type { Letter } from '../../mail/letter.ts'
import type { Box } from '../../seal/box.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface Mailer {
  /** Writes the letter as owed, sealed, in the caller's transaction. */
  enqueue(tx: Tx, to: string, letter: Letter): void
  /** Called once that transaction is on disk: sends what is owed. It does not wait for it. */
  wake(): void
}

/** What `owe` sealed, for the outbox of letters. */
export function enclosedIn(opened: string): Enclosed {
  return JSON.parse(opened)
}

export interface MailerDeps {
  readonly store: Store
  readonly clock: Clock
  readonly box: Pick<Box, 'seal'>
  readonly from: Mailbox
  /** Wakes the lane of a recipient. */
  readonly wakeLane: (recipientHash: string) => void
}

export function createMailer({ store, clock, box, from, wakeLane }: MailerDeps): Mailer {
  // Owed and perhaps not on disk yet: whose transaction is still open is woken by its own caller.
  const fresh = new Map<LetterId, { recipientHash: string; atMs: number }>()

  return {
    enqueue(tx, to, letter) {
      const nowMs = clock.nowMs()
      const id = newId('letter', nowMs)
      const recipientHash = hash('sha256', to.toLowerCase(), 'base64url')
      const enclosed: Enclosed = { to, letter }
      const sealed = box.seal(JSON.stringify(enclosed))
      const messageId = `<${id}@${domainOf(from.address)}>`
      store.letters.put(tx, owedLetter({ id, recipientHash, sealed, messageId }, nowMs))
      fresh.set(id, { recipientHash, atMs: nowMs })
    },

    wake() {
      const nowMs = clock.nowMs()
      for (const [id, { recipientHash, atMs }] of fresh) {
        const isOwed = store.letters.get(recipientHash, id) !== undefined
        if (isOwed) wakeLane(recipientHash)
        // A transaction that was undone leaves nothing behind to wake for.
        if (isOwed || nowMs - atMs > limits.requestMsMax) fresh.delete(id)
      }
    },
  }
}
