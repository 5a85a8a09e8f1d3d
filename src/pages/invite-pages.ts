// The page of an invitation: what it offers, and two ways to accept it.
import { timeText } from '../base/time-text.ts'
import type { Role } from '../domain/access.ts'
import { actionPage, signInLink, startLink } from './action-page.ts'
import { newPasswordInput } from './entrance.ts'
import type { Html } from './html.ts'

export interface InvitePage {
  readonly organizationName: string
  readonly role: Role
  readonly email: string
  readonly expiresAtMs: number
  /** The path that creates an account. */
  readonly joinAction: string
  /** The path that accepts with the account of this browser; null if it is not signed in. */
  readonly acceptAction: string | null
  /** The path that signs in and leads back to this page. */
  readonly signInPath: string
  /** The problem with the previous attempt. */
  readonly problem?: string | undefined
}

/** The page is the same without an account: an inviter could otherwise probe any address. */
export function invitePage(invite: InvitePage): Html {
  const { organizationName, role, email, expiresAtMs, problem } = invite
  const about = {
    title: `Join ${organizationName}`,
    warning: problem,
    sentences: [
      `You are invited to ${organizationName} with the role ${role}.`,
      `The invitation is for ${email} and expires on ${timeText(expiresAtMs)}.`,
    ],
  }
  const join = {
    action: invite.joinAction,
    hidden: {},
    inputs: [newPasswordInput],
    button: 'Create an account and join',
  }
  const { acceptAction } = invite
  if (acceptAction === null) {
    const label = `I have an account with ${email}: sign in first`
    return actionPage({ ...about, form: join, links: [{ label, href: invite.signInPath }] })
  }
  return actionPage({
    ...about,
    form: { action: acceptAction, hidden: {}, button: 'Accept with the account of this browser' },
    otherWay: { sentence: `Or, without an account for ${email} yet:`, form: join },
    links: [startLink],
  })
}

/** The page for an invitation that no longer works, or fails for another reason. */
export function deadInvitePage(problem?: string): Html {
  return actionPage({
    title: 'This invitation no longer works',
    warning: problem,
    sentences: [
      'An invitation works once, for seven days, unless it is withdrawn.',
      'If you have accepted it, sign in. Else ask the person who invited you for a new one.',
    ],
    links: [signInLink],
  })
}
