// Pages of a sign-in through a provider: the form for a code, and why a sign-in failed.
import { actionPage } from './action-page.ts'
import type { Html } from './html.ts'
import { codeInput } from './sign-in-page.ts'

export interface CodePage {
  /** The path that the form is posted to. */
  readonly action: string
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

/** The provider let the person in; now comes the second factor. */
export function codePage({ action, problem }: CodePage): Html {
  return actionPage({
    title: 'Sign in',
    warning: problem,
    sentences: ['Your account has a second factor.'],
    form: { action, hidden: {}, inputs: [codeInput], button: 'Sign in' },
  })
}

/** `problem` is one or more sentences. */
export function notSignedInPage(problem: string): Html {
  return actionPage({ title: 'You are not signed in', sentences: [problem] })
}
