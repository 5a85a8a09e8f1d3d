// The outbox of letters: what is owed to people, each recipient a lane of its own.
import type { Clock } from '../../base/clock.ts'
import type { LetterId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { isDue, type Outcome } from '../../domain/alerts/delivery.ts'
import { attemptedLetter, type OwedLetter } from '../../domain/letters/owed-letter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Mailbox, maskedAddress } from '../../mail/address.ts'
import type { Letter } from '../../mail/letter.ts'
import type { SendLetter } from '../../mail/transport.ts'
import type { Store } from '../../store/store.ts'
import { type RunningDesk, runDesk } from '../queue/queue.ts'
import { createSlots } from '../queue/slots.ts'
import type { Choice, Departure } from '../queue/types.ts'

/** What lies sealed in the store. */
export interface Enclosed {
  readonly to: string
  readonly letter: Letter
}

/** Its lanes are the hashes of the recipients. */
export type LetterOutbox = RunningDesk<string>

export interface LetterOutboxDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** A random number in 0..1, for the jitter of retries. */
  readonly unit: () => number
  readonly from: Mailbox
  readonly send: SendLetter
  /** What `seal` of the post made. Throws where the key is gone. */
  readonly open: (sealed: string) => Enclosed
}

export function startLetters(deps: LetterOutboxDeps): LetterOutbox {
  const { store, clock, log, unit, from } = deps
  const slots = createSlots(limits.lettersInFlightMax)

  /** The one that is due first: a fresh letter does not wait behind one that keeps failing. */
  function choose(recipientHash: string): Choice {
    const owed = store.letters.pending(recipientHash, limits.deliveriesPerLookMax)
    const [next] = owed.toSorted((a, b) => a.dueAtMs - b.dueAtMs)
    if (!next) return { kind: 'done' }
    if (!isDue(next, clock.nowMs())) return { kind: 'wait', untilMs: next.dueAtMs }
    return {
      kind: 'send',
      errand: {
        send: (departure) => send(next, departure),
        record: (outcome) => record(next, outcome),
      },
    }
  }

  async function send(owed: OwedLetter, { signal, within }: Departure): Promise<Outcome> {
    const enclosed = openSafely(owed)
    if (!enclosed) return unopened
    const { messageId, createdAtMs: writtenAtMs } = owed
    const envelope = { ...enclosed, from, messageId, writtenAtMs }
    const outcome = await within(slots, () => deps.send(envelope, { signal }))
    const about = { letterId: owed.id, to: maskedAddress(enclosed.to) }
    if (outcome.ok) {
      log.info('letter sent', about)
      return outcome
    }
    // Said once for each letter: a server that is down all day is no news with every attempt.
    const level = owed.attempts === 0 ? 'warn' : 'debug'
    log[level]('letter not sent', { ...about, reason: outcome.reason })
    return outcome
  }

  function openSafely({ id, sealed }: OwedLetter): Enclosed | undefined {
    try {
      return sealed === null ? undefined : deps.open(sealed)
    } catch (error) {
      log.error('letter cannot be opened', { letterId: id, error })
      return undefined
    }
  }

  async function record({ recipientHash, id }: OwedLetter, outcome: Outcome): Promise<void> {
    const after = await store.write((tx) => {
      const before = store.letters.get(recipientHash, id)
      if (before?.state !== 'pending') return undefined
      const attempted = attemptedLetter(before, outcome, clock.nowMs(), unit())
      store.letters.put(tx, attempted)
      return attempted
    })
    if (after?.state === 'dead') noteDead(id, after)
  }

  function noteDead(letterId: LetterId, { attempts, lastError: reason }: OwedLetter): void {
    log.error('letter given up', { letterId, attempts, reason })
  }

  return runDesk(
    {
      name: 'letters',
      keyOf: (recipientHash) => recipientHash,
      owedLanes: () => store.letters.owedRecipients(),
      pending: () => store.letters.countPending(),
      choose: async (recipientHash) => choose(recipientHash),
    },
    deps,
  )
}

const unopened: Outcome = {
  ok: false,
  mayRetry: true,
  reason: 'The letter cannot be opened: the master key is missing.',
}
