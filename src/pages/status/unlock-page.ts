// The form of a status page with a password. It says nothing about the page.

import { limits } from '../../domain/limits/limits.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { actionPage } from '../action-page.ts'
import type { Html } from '../html.ts'

export interface UnlockForm {
  readonly language: Language
  readonly action: string
  /** Where the reader wanted to go, below the page; '' for the page itself. */
  readonly to: string
  readonly isWrong: boolean
}

export function unlockPage({ language, action, to, isWrong }: UnlockForm): Html {
  const { title, sentence, password, button, wrong } = textsOf('unlock', language)
  return actionPage({
    title,
    language,
    sentences: [sentence],
    warning: isWrong ? wrong : undefined,
    form: {
      action,
      hidden: to === '' ? {} : { to },
      inputs: [
        {
          name: 'password',
          label: password,
          type: 'password',
          autocomplete: 'current-password',
          charsMax: limits.passwordCharsMax,
        },
      ],
      button,
    },
  })
}
