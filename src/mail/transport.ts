// What takes a letter away, whichever way it goes, and the form that every letter has.
import type { Outcome } from '../domain/alerts/delivery.ts'
import type { Mailbox } from './address.ts'
import type { Letter } from './letter.ts'

/** One letter to one person. */
export interface Envelope {
  readonly to: string
  readonly from: Mailbox
  /** `<id@domain>`, the same for every attempt. */
  readonly messageId: string
  readonly writtenAtMs: number
  readonly letter: Letter
}

/**
 * Takes a letter away. Never rejects; a failure says in one sentence why, without anything of the
 * letter, its recipient or the server's credentials, and whether another attempt may help.
 */
export type SendLetter = (
  envelope: Envelope,
  options: { readonly signal: AbortSignal },
) => Promise<Outcome>

export interface Transport {
  readonly send: SendLetter
  /** Lets go of connections. What is under way is cut. */
  close(): void
}

/** The end of a letter to what is no address: a list of them would go to each. */
export const unaddressed: Outcome = {
  ok: false,
  mayRetry: false,
  reason: 'Letters cannot be sent to this address.',
}

/** The letter as nodemailer wants it. `to` is one address, see `isOneAddress`. */
export function composed({ to, from, messageId, writtenAtMs, letter }: Envelope) {
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId,
    date: new Date(writtenAtMs),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    // Nobody is to answer: an absence note would only come back to us.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
