// The pages of a password link: a form for the new password, and the confirmation.
import { limits } from '../domain/limits/limits.ts'
import { actionPage } from './action-page.ts'
import type { Html } from './html.ts'

export interface NewPasswordPage {
  readonly email: string
  /** The path that the form is posted to. */
  readonly action: string
  readonly token: string
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

export function newPasswordPage({ email, action, token, problem }: NewPasswordPage): Html {
  return actionPage({
    title: 'Choose a new password',
    warning: problem,
    sentences: [`For the account of ${email}. All its sessions end.`],
    form: {
      action,
      hidden: { token },
      inputs: [
        {
          name: 'password',
          label: 'New password',
          type: 'password',
          autocomplete: 'new-password',
          charsMax: limits.passwordCharsMax,
          hint: `At least ${limits.passwordCharsMin} characters. A few unrelated words are good.`,
        },
      ],
      button: 'Set the password',
    },
  })
}

export function passwordSetPage(): Html {
  return actionPage({
    title: 'Your password is set',
    sentences: ['All earlier sessions have ended.'],
    links: [{ label: 'Sign in with it', href: '/sign-in' }],
  })
}

/** The page for a link that was used, was replaced or has expired. */
export function deadPasswordLinkPage(): Html {
  return actionPage({
    title: 'This link no longer works',
    sentences: ['A link works once, for one hour. Only the newest one works.'],
    links: [{ label: 'Request a new one', href: '/sign-in' }],
  })
}
