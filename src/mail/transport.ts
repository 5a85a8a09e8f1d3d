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
  /** `<id@domain>` of the thread that the letter belongs to; no letter has that id itself. */
  readonly threadId?: string | undefined
  /** Ends letters of this kind: a GET shows a page, a POST is enough (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined
  /** One of many that say the same. */
  readonly isBulk?: boolean | undefined
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
export function composed(envelope: LetterEnvelope) {
  const { to, from, messageId, writtenAtMs, letter, threadId, unsubscribeUrl, isBulk } = envelope
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    messageId,
    ...(threadId === undefined ? {} : { inReplyTo: threadId, references: [threadId] }),
    date: new Date(writtenAtMs),
    subject: unencoded(letter.subject),
    alternatives: [
      { raw: partOf('text/plain', letter.text) },
      { raw: partOf('text/html', letter.html) },
    ],
    headers: {
      // Suppresses automatic replies: an absence note would only come back to the sender.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(isBulk ? { Precedence: 'bulk' } : {}),
      ...(unsubscribeUrl === undefined ? {} : unsubscribing(unsubscribeUrl)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/**
 * Mail programs decode what looks like an encoded word (RFC 2047), which nodemailer sends as it is. An
 * invisible joiner (U+2060) makes it plain text, and is then encoded itself.
 */
function unencoded(subject: string): string {
  return subject.replaceAll('=?', '=\u2060?')
}

/** RFC 8058 §3.1: one click is for https only. The URL stays in one piece, as some readers need. */
function unsubscribing(url: string) {
  const { href } = new URL(url)
  return {
    'List-Unsubscribe': { prepared: true, value: `<${href}>` },
    ...(href.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
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
