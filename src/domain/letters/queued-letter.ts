// A queued letter: its attempts, and what remains of it after it was sent or given up.
import type { LetterId } from '../../base/ids.ts'
import { type Outcome, retryAtMs } from '../alerts/delivery.ts'
import { limits } from '../limits/limits.ts'

export interface QueuedLetter {
  readonly id: LetterId
  /** SHA-256 of the address: each recipient has its own queue, and another one for bulk letters. */
  readonly recipientHash: string
  /** The encrypted address and letter; null once the letter is finished. */
  readonly sealed: string | null
  /** The same for every attempt and after a crash, so that a repetition can be detected. */
  readonly messageId: string
  readonly state: 'pending' | 'sent' | 'dead'
  readonly attempts: number
  readonly dueAtMs: number
  readonly createdAtMs: number
  /** Time of the last possible attempt; a failure after it makes the letter dead. */
  readonly giveUpAtMs: number
  /** When it was sent or given up. */
  readonly endedAtMs: number | null
  /** Why the last attempt failed: one sentence, without secrets. */
  readonly lastError: string | null
}

/** A newly queued letter; it is due at once. */
export function queuedLetter(
  owed: Pick<QueuedLetter, 'id' | 'recipientHash' | 'sealed' | 'messageId'>,
  nowMs: number,
): QueuedLetter {
  return {
    ...owed,
    state: 'pending',
    attempts: 0,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    giveUpAtMs: nowMs + limits.deliveryAgeMsMax,
    endedAtMs: null,
    lastError: null,
  }
}

/**
 * The letter after an attempt: sent, due again on the schedule of alerts, or dead. Its content is
 * deleted when it is finished. `random` is a random number from 0 to 1.
 */
export function attemptedLetter(
  letter: QueuedLetter,
  outcome: Outcome,
  nowMs: number,
  random: number,
): QueuedLetter {
  const attempted = { ...letter, attempts: letter.attempts + 1 }
  const ended = { ...attempted, sealed: null, endedAtMs: nowMs }
  if (outcome.ok) return { ...ended, state: 'sent', lastError: null }
  const dueAtMs = retryAtMs(letter, outcome, nowMs, random)
  if (dueAtMs === undefined) return { ...ended, state: 'dead', lastError: outcome.reason }
  return { ...attempted, dueAtMs, lastError: outcome.reason }
}
