// Pages that links in letters about e-mail addresses open. Opening one changes nothing; its button
// does, because mail scanners open links too.
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { actionPage, startLink } from './action-page.ts'
import type { Html } from './html.ts'

interface FormTarget {
  readonly language: Language
  /** The path that the form is posted to. */
  readonly action: string
  readonly token: string
}

export interface VerifyEmailPage extends FormTarget {
  readonly email: string
}

export function verifyEmailPage({ language, email, action, token }: VerifyEmailPage): Html {
  const words = textsOf('entrance', language).email
  return actionPage({
    language,
    title: words.verifyTitle,
    sentences: [words.verifyAbout({ email })],
    form: { action, hidden: { token }, button: words.confirm },
  })
}

export interface ChangeEmailPage extends FormTarget {
  readonly from: string
  readonly to: string
  /** The mailbox that the link was sent to. */
  readonly side: 'old' | 'new'
}

export function changeEmailPage(about: ChangeEmailPage): Html {
  const { language, from, to, side, action, token } = about
  const words = textsOf('entrance', language).email
  return actionPage({
    language,
    title: words.changeTitle,
    sentences: [
      words.changeAbout({ from, to }),
      side === 'old' ? words.changeOld : words.changeNew,
    ],
    form: {
      action,
      hidden: { token },
      button: side === 'old' ? words.agree : words.confirm,
      otherButton: { label: words.refuse, name: 'answer', value: 'refuse' },
    },
  })
}

export const emailOutcomes = ['verified', 'changed', 'waiting', 'refused'] as const
export type EmailOutcome = (typeof emailOutcomes)[number]

export function emailDonePage(language: Language, outcome: EmailOutcome): Html {
  const { title, about } = textsOf('entrance', language).email.outcomes[outcome]
  return actionPage({ language, title, sentences: [about], links: [startLink(language)] })
}

/** The page for a link that was used, was replaced, has expired or fails for another reason. */
export function deadEmailLinkPage(language: Language, problem?: string): Html {
  const { link } = textsOf('entrance', language)
  return actionPage({ language, title: link.dead, warning: problem, sentences: [link.deadEmail] })
}
