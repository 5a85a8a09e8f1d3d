// The letter to the administrators with news of the service itself.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, letterOf } from '../letter.ts'

interface NoticeWords {
  readonly title: string
  /** Whole sentences. */
  readonly text: string
}

/** `language`: that of the notice. */
export function noticeLetter({ title, text }: NoticeWords, language: Language): Letter {
  const { why } = textsOf('letters', language)
  return letterOf({ language, subject: title, paragraphs: [text], footer: [why.administer] })
}
