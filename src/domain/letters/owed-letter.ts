// A letter that is owed: its attempts, and what is left of it once it went out or cannot.
import type { LetterId } from '../../base/ids.ts'
import { type Outcome, retryAtMs } from '../alerts/delivery.ts'
import { limits } from '../limits/limits.ts'

export interface OwedLetter {
  readonly id: LetterId
  /** SHA-256 of the address: what is owed to one recipient is a lane of its own. */
  readonly recipientHash: string
  /** The address and the letter, sealed; null as soon as nothing is owed any more. */
  readonly sealed: string | null
  /** The same for every attempt and after a crash, so that a repetition can be told. */
  readonly messageId: string
  readonly state: 'pending' | 'sent' | 'dead'
  readonly attempts: number
  readonly dueAtMs: number
  readonly createdAtMs: number
  /** Time of the last attempt at all; a failure after it makes the letter dead. */
  readonly giveUpAtMs: number
  /** When it was sent or given up. */
  readonly endedAtMs: number | null
  /** Why the last attempt failed: one sentence, without secrets. */
  readonly lastError: string | null
}

/** A letter that has just become owed; it is due at once. */
export function owedLetter(
  owed: Pick<OwedLetter, 'id' | 'recipientHash' | 'sealed' | 'messageId'>,
  nowMs: number,
): OwedLetter {
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
 * The letter after an attempt: sent, due again on the schedule of alerts, or dead. What it said is
 * gone with its end. `unit` is a random number in 0..1.
 */
export function attemptedLetter(
  letter: OwedLetter,
  outcome: Outcome,
  nowMs: number,
  unit: number,
): OwedLetter {
  const attempted = { ...letter, attempts: letter.attempts + 1 }
  const ended = { ...attempted, sealed: null, endedAtMs: nowMs }
  if (outcome.ok) return { ...ended, state: 'sent', lastError: null }
  const dueAtMs = retryAtMs(letter, outcome, nowMs, unit)
  if (dueAtMs === undefined) return { ...ended, state: 'dead', lastError: outcome.reason }
  return { ...attempted, dueAtMs, lastError: outcome.reason }
}
