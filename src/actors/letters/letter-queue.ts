// The queue of letters: each recipient has its own, identified by the hash of the address.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { isDue, type Outcome } from '../../domain/alerts/delivery.ts'
import { attemptedLetter, type QueuedLetter } from '../../domain/letters/queued-letter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { domainOf, type Mailbox, maskedAddress } from '../../mail/address.ts'
import type { Letter } from '../../mail/letter.ts'
import type { SendLetter } from '../../mail/transport.ts'
import { type SubscriptionPlace, whyUnheard } from '../../store/page-audience.ts'
import type { Store } from '../../store/store.ts'
import { attempt, type Choice, type JobContext } from '../queue/machine.ts'
import { runQueue } from '../queue/queue.ts'
import { createSlots } from '../queue/slots.ts'

export interface LetterTraits {
  /** Equal for all letters about one matter, so that mail programs keep them together. */
  readonly matterId?: string
  /** Where the recipient ends letters of this kind. */
  readonly unsubscribeUrl?: string
  /** One of many that say the same: it must not delay what somebody waits for. */
  readonly isBulk?: true
  /** It is news of a status page: it is sent only if the subscriber still may hear of it. */
  readonly subscription?: SubscriptionPlace
}

/** The encrypted content in the store. */
export interface LetterContent extends LetterTraits {
  readonly to: string
  readonly letter: Letter
}

export type LetterQueue = ReturnType<typeof startLetterQueue>

export interface LetterQueueDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly from: () => Mailbox
  readonly send: SendLetter
  /** Sends bulk letters, on connections of their own. Default: `send`. */
  readonly sendBulk?: SendLetter | undefined
  /** Decrypts what the mailer encrypted. Throws if the key is gone. */
  readonly open: (sealed: string) => LetterContent
}

const bulkLettersInFlightMax = 3

export function startLetterQueue(deps: LetterQueueDeps) {
  const { store, clock, log, random } = deps
  const slots = createSlots(limits.lettersInFlightMax)
  const bulkSlots = createSlots(bulkLettersInFlightMax)

  /** The letter due first, so that a new one does not wait behind one that keeps failing. */
  async function choose(recipientHash: string): Promise<Choice> {
    const pendingLetters = store.letters.pending(recipientHash, limits.deliveriesPerLookMax)
    const [next] = pendingLetters.toSorted((a, b) => a.dueAtMs - b.dueAtMs)
    if (!next) return { kind: 'done' }
    if (!isDue(next, clock.nowMs())) return { kind: 'wait', untilMs: next.dueAtMs }
    return attempt(
      (sending) => send(next, sending),
      (outcome) => record(next, outcome),
    )
  }

  async function send(
    pendingLetters: QueuedLetter,
    { signal, within }: JobContext,
  ): Promise<Outcome> {
    const enclosed = openSafely(pendingLetters)
    if (!enclosed) return keyMissing
    const { messageId, createdAtMs: writtenAtMs } = pendingLetters
    const { matterId, isBulk, subscription, ...content } = enclosed
    const from = deps.from()
    const threadId = matterId === undefined ? undefined : `<${matterId}@${domainOf(from.address)}>`
    const envelope = { ...content, from, messageId, writtenAtMs, threadId, isBulk }
    const outcome = isBulk
      ? await within(bulkSlots, async () => {
          const reason = subscription ? whyUnheard(store, subscription, content.to) : null
          if (reason !== null) return { ...dropped, reason }
          return (deps.sendBulk ?? deps.send)(envelope, { signal })
        })
      : await within(slots, () => deps.send(envelope, { signal }))
    // The transport says what it did with a letter that left.
    if (outcome.ok || isDropped(outcome)) return outcome
    const about = { letterId: pendingLetters.id, to: maskedAddress(enclosed.to) }
    // One warning per letter: if a server is down all day, further attempts are not worth another.
    const level = pendingLetters.attempts === 0 ? 'warn' : 'debug'
    log[level]('letter not sent', { ...about, reason: outcome.reason })
    return outcome
  }

  function openSafely({ id, sealed }: QueuedLetter): LetterContent | undefined {
    try {
      return sealed === null ? undefined : deps.open(sealed)
    } catch (error) {
      log.error('letter cannot be opened', { letterId: id, error })
      return undefined
    }
  }

  function record({ recipientHash, id }: QueuedLetter, outcome: Outcome): Promise<void> {
    return store.write((tx) => {
      const before = store.letters.get(recipientHash, id)
      if (before?.state !== 'pending') return
      const after = attemptedLetter(before, outcome, clock.nowMs(), random())
      store.letters.put(tx, after)
      if (after.state !== 'dead') return
      const { attempts, lastError: reason } = after
      tx.afterCommit(() => {
        if (isDropped(outcome)) log.info('letter dropped', { letterId: id, reason })
        else log.error('letter given up', { letterId: id, attempts, reason })
      })
    })
  }

  const queue = runQueue<string>(
    {
      name: 'letters',
      keyOf: (recipientHash) => recipientHash,
      recipients: () => store.letters.owedRecipients(),
      choose,
      drainMs: limits.deliveryDrainMs,
    },
    deps,
  )
  return {
    ...queue,
    /** The number of letters that wait, of all recipients. */
    pending: () => store.letters.countPending(),
    /** The bulk letters that wait for a connection. */
    bulkWaiting: () => bulkSlots.waiting(),
  }
}

/** It was not tried: it is for nobody any more. */
const dropped = { ok: false, mayRetry: false, class: 'not_sent' } as const
const isDropped = (outcome: Outcome) => !outcome.ok && outcome.class === dropped.class

const keyMissing: Outcome = {
  ok: false,
  mayRetry: true,
  reason: 'The letter cannot be opened: the master key is missing.',
}
