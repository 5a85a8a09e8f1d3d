// What people see between a provider and us: the question for a code, or why they are not let in.
import { actionPage } from './action-page.ts'
import type { Html } from './html.ts'
import { codeInput } from './sign-in-page.ts'

export interface CodePage {
  /** The path that the form is posted to. */
  readonly action: string
  /** Why the form came back. */
  readonly problem?: string | undefined
}

/** The provider let somebody in; now the second factor. */
export function codePage({ action, problem }: CodePage): Html {
  return actionPage({
    title: 'Sign in',
    warning: problem,
    sentences: ['Your account has a second factor.'],
    form: { action, hidden: {}, inputs: [codeInput], button: 'Sign in' },
  })
}

/** `problem` is a sentence or more. */
export function notSignedInPage(problem: string): Html {
  return actionPage({ title: 'You are not signed in', sentences: [problem] })
}
