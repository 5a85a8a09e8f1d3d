// The letter that invites somebody to an organization.
import type { Role } from '../../domain/access.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface Invitation {
  readonly organizationName: string
  /** Name and address of the inviter; the name may be missing. */
  readonly inviterName: string | null
  readonly inviterEmail: string
  readonly role: Role
  readonly url: string
  readonly expiresAtMs: number
  readonly language: Language
}

export function invitationLetter(invitation: Invitation): Letter {
  const { organizationName: organization, inviterName, inviterEmail, language } = invitation
  const { role, url, expiresAtMs } = invitation
  const texts = textsOf('letters', language).invitation
  const inviter = inviterName === null ? inviterEmail : `${inviterName} (${inviterEmail})`
  return letterOf({
    language,
    subject: texts.subject({ organization }),
    paragraphs: [
      texts.invites({ inviter, organization, role: texts.roles[role] }),
      texts.duties[role],
      texts.works({ time: utcTimeText(expiresAtMs, language) }),
    ],
    button: { label: texts.button, url },
    footer: [texts.otherwise],
  })
}
