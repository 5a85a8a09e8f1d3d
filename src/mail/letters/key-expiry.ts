// The letter that warns of an API key that is about to expire.
import type { Language } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface EndingKey {
  readonly organizationName: string
  readonly keyName: string
  /** The first characters, by which people recognize the key. */
  readonly prefix: string
  readonly expiresAtMs: number
  /** How many days are left, rounded up. */
  readonly daysLeft: number
  /** Requests are refused already, because it ended with its maker. */
  readonly isRefused: boolean
  readonly language: Language
}

export function keyExpiryLetter(ending: EndingKey): Letter {
  const { organizationName: organization, keyName: name, prefix, language } = ending
  const { expiresAtMs, daysLeft: days, isRefused } = ending
  const { named, expiry } = textsOf('letters', language).keys
  const key = named({ name, prefix })
  const ends = expiry.ends({ key, organization, days, time: utcTimeText(expiresAtMs, language) })
  return letterOf({
    language,
    subject: expiry.subject({ name, days }),
    paragraphs: isRefused
      ? [ends, expiry.refusedNow]
      : [ends + marksOf(language).gap + expiry.refusedThen, expiry.rotate],
    footer: [expiry.why],
  })
}
