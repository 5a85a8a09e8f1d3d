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
    alternatives: [
      { raw: partOf('text/plain', letter.text) },
      { raw: partOf('text/html', letter.html) },
    ],
    // Suppresses automatic replies: an absence note would only come back to the sender.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

// RFC 5322 §2.1.1 allows 998; a few are left for what servers on the way add.
const lineCharsMax = 990

/**
 * A text as a MIME part: as it is where it is ASCII, so that a link can be copied out of the file,
 * otherwise as base64. Quoted-printable would cut links into pieces.
 */
function partOf(type: string, text: string): string {
  const lines = text.split('\n')
  const isPlain =
    /^[\t\n\x20-\x7e]*$/.test(text) && lines.every((line) => line.length <= lineCharsMax)
  const encoded = isPlain
    ? lines
    : (Buffer.from(text)
        .toString('base64')
        .match(/.{1,76}/g) ?? [])
  const head = [
    `Content-Type: ${type}; charset=utf-8`,
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
  ]
  return [...head, '', ...encoded].join('\r\n')
}
