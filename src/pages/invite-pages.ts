// Where an invitation leads in a browser: what it is to, and two ways to accept it.
import { toIso } from '../base/schema/schema.ts'
import type { Role } from '../domain/access.ts'
import { limits } from '../domain/limits/limits.ts'
import { actionPage } from './action-page.ts'
import type { Html } from './html.ts'

export interface InvitePage {
  readonly organizationName: string
  readonly role: Role
  readonly email: string
  readonly expiresAtMs: number
  /** The paths that make an account, and that accept with the one that is signed in. */
  readonly joinAction: string
  readonly acceptAction: string
  /** What was wrong the last time. */
  readonly problem?: string | undefined
}

/** The same whether or not the address has an account: whoever invites could ask for any. */
export function invitePage(invite: InvitePage): Html {
  const { organizationName, role, email, expiresAtMs, problem } = invite
  return actionPage({
    title: `Join ${organizationName}`,
    warning: problem,
    sentences: [
      `You are invited to ${organizationName} with the role ${role}.`,
      `The invitation is for ${email} and expires at ${toIso(expiresAtMs)}.`,
    ],
    form: {
      action: invite.joinAction,
      hidden: {},
      inputs: [
        {
          name: 'password',
          label: 'Choose a password',
          type: 'password',
          autocomplete: 'new-password',
          charsMax: limits.passwordCharsMax,
          hint: `At least ${limits.passwordCharsMin} characters`,
        },
      ],
      button: 'Create an account and join',
    },
    otherWay: {
      sentence: `If you have an account with ${email} and are signed in with this browser:`,
      form: { action: invite.acceptAction, hidden: {}, button: 'Accept with this account' },
    },
  })
}

export function joinedPage(): Html {
  return actionPage({
    title: 'You are now a member',
    sentences: ['The invitation is accepted, and this browser is signed in.'],
  })
}

/** For an invitation that does not work, and for what stands against it now. */
export function deadInvitePage(problem?: string): Html {
  return actionPage({
    title: 'This invitation no longer works',
    warning: problem,
    sentences: [
      'An invitation works once, for seven days, unless it is withdrawn.',
      'Ask the person who invited you for a new one.',
    ],
  })
}
