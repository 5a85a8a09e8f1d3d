// The page of the link that ends letters of an alert channel. Opening it changes nothing; its button
// does, because mail scanners open links too.
import type { Language } from '../../domain/language.ts'
import { actionPage } from '../action-page.ts'
import type { Html } from '../html.ts'
import { type EndingLetters, unsubscribeWords } from './unsubscribe-words.ts'

export interface UnsubscribePage {
  readonly language: Language
  /** A path of this service. */
  readonly action: string
  readonly letters: EndingLetters
}

export function unsubscribePage({ language, action, letters }: UnsubscribePage): Html {
  const words = unsubscribeWords(language)
  return actionPage({
    language,
    title: words.question,
    sentences: [words.about(letters), words.consequence],
    form: { action, hidden: {}, button: words.button },
  })
}

/** Also for an address that was taken out before. */
export function unsubscribedPage(language: Language): Html {
  const words = unsubscribeWords(language)
  return actionPage({ language, title: words.ended, sentences: [words.endedBody] })
}
