// The pages of a password link: a form for the new password, and the confirmation.
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { actionPage } from './action-page.ts'
import { entranceInputs } from './entrance-fields.ts'
import type { Html } from './html.ts'

export interface NewPasswordPage {
  readonly language: Language
  readonly email: string
  /** The path that the form is posted to. */
  readonly action: string
  readonly token: string
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

export function newPasswordPage(about: NewPasswordPage): Html {
  const { language, email, action, token, problem } = about
  const words = textsOf('entrance', language)
  const { password, fields } = words
  const input = { ...entranceInputs(words).newPassword, label: fields.newPassword }
  return actionPage({
    language,
    title: password.title,
    warning: problem,
    sentences: [password.about({ email })],
    form: { action, hidden: { token }, inputs: [input], button: password.button },
  })
}

export function passwordSetPage(language: Language): Html {
  const { password } = textsOf('entrance', language)
  return actionPage({
    language,
    title: password.done,
    sentences: [password.doneAbout],
    links: [{ label: password.signIn, href: '/sign-in' }],
  })
}

/** The page for a link that was used, was replaced or has expired. */
export function deadPasswordLinkPage(language: Language): Html {
  const { link, links } = textsOf('entrance', language)
  return actionPage({
    language,
    title: link.dead,
    sentences: [link.deadPassword],
    links: [{ label: links.requestNew, href: '/sign-in' }],
  })
}
