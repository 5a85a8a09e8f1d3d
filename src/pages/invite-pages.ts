// The page of an invitation: what it offers, and two ways to accept it.
import type { Role } from '../domain/access.ts'
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { actionPage, signInLink, startLink } from './action-page.ts'
import { entranceInputs } from './entrance-fields.ts'
import type { Html } from './html.ts'
import { pageFormats } from './page-formats.ts'

export interface InvitePage {
  readonly language: Language
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
  const { language, organizationName: organization, role, email, expiresAtMs, problem } = invite
  const words = textsOf('entrance', language)
  const { invitation } = words
  const time = pageFormats(language, 'UTC').dateTime(expiresAtMs)
  const about = {
    language,
    isOfService: true,
    title: invitation.title({ organization }),
    warning: problem,
    sentences: [invitation.about[role]({ organization }), invitation.until({ email, time })],
  }
  const join = {
    action: invite.joinAction,
    hidden: {},
    inputs: [entranceInputs(words).newPassword],
    button: invitation.join,
  }
  const { acceptAction } = invite
  if (acceptAction === null) {
    const label = invitation.signInFirst({ email })
    return actionPage({ ...about, form: join, links: [{ label, href: invite.signInPath }] })
  }
  return actionPage({
    ...about,
    form: { action: acceptAction, hidden: {}, button: invitation.accept },
    otherWay: { sentence: invitation.orJoin({ email }), form: join },
    links: [startLink(language)],
  })
}

/** The page for an invitation that no longer works. */
export function deadInvitePage(language: Language): Html {
  const { dead, deadRule, deadNext } = textsOf('entrance', language).invitation
  return actionPage({
    language,
    isOfService: true,
    title: dead,
    sentences: [deadRule, deadNext],
    links: [signInLink(language)],
  })
}
