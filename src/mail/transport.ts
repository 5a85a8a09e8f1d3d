// The contract of the ways to send a letter, and the form that every letter has.
import type { Outcome } from '../domain/alerts/delivery.ts'
import type { Mailbox } from './address.ts'
import type { Letter } from './letter.ts'

/** One letter to one person. */
export interface LetterEnvelope {
  readonly to: string
  readonly from: Mailbox
  /** `<id@domain>`, the same for every attempt. */
  readonly messageId: string
  readonly writtenAtMs: number
  readonly letter: Letter
}

/**
 * Sends a letter. Never rejects; a failure gives one sentence, without any part of the letter, its
 * recipient or the server's credentials, and whether another attempt may help.
 */
export type SendLetter = (
  envelope: LetterEnvelope,
  options: { readonly signal: AbortSignal },
) => Promise<Outcome>

export interface Transport {
  readonly send: SendLetter
  /** Closes connections and aborts running attempts. */
  close(): void
}

/** The outcome for a recipient that is not a single address: a list would reach several people. */
export const unaddressed: Outcome = {
  ok: false,
  mayRetry: false,
  reason: 'Letters cannot be sent to this address.',
}

/** The letter as nodemailer expects it. `to` is one address, see `isOneAddress`. */
export function composed({ to, from, messageId, writtenAtMs, letter }: LetterEnvelope) {
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId,
    date: new Date(writtenAtMs),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    // Suppresses automatic replies: an absence note would only come back to the sender.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
