// The page of an invitation: what it offers, and two ways to accept it.
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
  /** The paths that create an account, and that accept with the signed-in account. */
  readonly joinAction: string
  readonly acceptAction: string
  /** The problem with the previous attempt. */
  readonly problem?: string | undefined
}

/** The page is the same without an account: an inviter could otherwise probe any address. */
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

/** For an invitation that no longer works, or fails for another reason. */
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
