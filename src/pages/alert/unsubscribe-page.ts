// The page of the link that ends letters of an alert channel. Opening it changes nothing; its button
// does, because mail scanners open links too.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { actionPage } from '../action-page.ts'
import type { Html } from '../html.ts'

export interface UnsubscribePage {
  readonly language: Language
  /** A path of this service. */
  readonly action: string
  readonly letters: {
    readonly address: string
    readonly channel: string
    readonly organization: string
  }
}

export function unsubscribePage({ language, action, letters }: UnsubscribePage): Html {
  const words = textsOf('unsubscribe', language)
  return actionPage({
    language,
    title: words.question,
    sentences: [words.about(letters), words.consequence],
    form: { action, hidden: {}, button: words.button },
  })
}

/** The page after an address was taken out, also if that was before. */
export function unsubscribedPage(language: Language): Html {
  const words = textsOf('unsubscribe', language)
  return actionPage({ language, title: words.ended, sentences: [words.endedBody] })
}
