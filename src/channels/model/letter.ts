// The letter that a channel sends by mail: what it says, to whom, and which letters it belongs to.
import type { Outcome } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { Language } from '../../texts/languages.ts'
import type { Tone } from './message.ts'

/** A letter in words; who sends it makes text and HTML of it. Every text is plain. */
export interface AlertLetter {
  readonly to: string
  readonly channel: Pick<Channel, 'id' | 'orgId'>
  /** The id of the message, the same for every attempt and every address. */
  readonly messageId: string
  /** Equal for all letters about one matter, so that mail programs keep them together. */
  readonly threadId: string | null
  /** When the event happened. */
  readonly atMs: number
  readonly language: Language
  readonly tone: Tone
  /** The same for all letters about one incident. */
  readonly subject: string
  /** What happened, in one line. */
  readonly title: string
  /** The most important ones come first. */
  readonly facts: readonly LetterFact[]
  /** Places to go to, the most important first. */
  readonly links: readonly LetterLink[]
  /** Why the recipient gets it. */
  readonly why: string
  /** The label of the link that ends these letters. */
  readonly unsubscribe: string
  /** The mail server of the channel, in place of the service's. */
  readonly server?: LetterServer
}

/** A mail server of an organization, and the sender that its letters have. */
interface LetterServer {
  /** `smtp://` or `smtps://`, including the credentials if the server needs them. */
  readonly url: string
  /** An address, or a name and the address in angle brackets. */
  readonly from: string
}

interface LetterFact {
  readonly label: string
  readonly value: string
  readonly url?: string
}

interface LetterLink {
  readonly label: string
  readonly url: string
}

export interface LetterResult {
  readonly outcome: Outcome
  /** False: a letter to another address would fail in the same way now. */
  readonly isReachable: boolean
}

/** Sends one letter. Never rejects. */
export type SendAlertLetter = (letter: AlertLetter, signal: AbortSignal) => Promise<LetterResult>
