// Letters about passwords: the link to choose a new one, and the notice of a change.
import { browserInWords } from '../../domain/sign-in/browser.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface PasswordResetLetter {
  readonly url: string
  /** The network address of the request. */
  readonly address: string
  readonly userAgent: string
  readonly language: Language
}

export function passwordReset(letter: PasswordResetLetter): Letter {
  const { url, address, userAgent, language } = letter
  const { subject, asked, works, requested, otherwise } = textsOf('letters', language).password
    .reset
  const browser = browserInWords(userAgent, language)
  return letterOf({
    language,
    subject,
    paragraphs: [asked],
    button: { label: subject, url },
    footer: [works, requested({ address, browser }), otherwise],
  })
}

export interface PasswordChangedLetter {
  /** `reset`: by a mailed link; `change`: by somebody who knew the old one. */
  readonly how: 'reset' | 'change'
  /** They still sign in. */
  readonly hasPasskeys: boolean
  readonly address: string
  readonly userAgent: string
  readonly language: Language
}

export function passwordChanged(letter: PasswordChangedLetter): Letter {
  const { how, hasPasskeys, address, userAgent, language } = letter
  const texts = textsOf('letters', language).password.changed
  const browser = browserInWords(userAgent, language)
  return letterOf({
    language,
    subject: texts.subject,
    paragraphs: [
      how === 'reset' ? texts.byReset : texts.byChange,
      texts.sessions,
      ...(hasPasskeys ? [texts.passkeys] : []),
    ],
    footer: [texts.done({ address, browser }), texts.otherwise],
  })
}
