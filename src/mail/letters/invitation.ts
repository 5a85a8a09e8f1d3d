// The letter that invites somebody to an organization.
import { timeText } from '../../base/time-text.ts'
import type { Role } from '../../domain/access.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface Invitation {
  readonly organizationName: string
  /** Name and address of the inviter; the name may be missing. */
  readonly inviterName: string | null
  readonly inviterEmail: string
  readonly role: Role
  readonly url: string
  readonly expiresAtMs: number
}

const duties: Readonly<Record<Role, string>> = {
  viewer: 'You can view its monitors and incidents.',
  member: 'You can manage its monitors and incidents.',
  admin: 'You can manage everything in it, including its members and API keys.',
  owner: 'You can manage everything in it, hand it over, and delete it.',
}

export function invitationLetter(invitation: Invitation): Letter {
  const { organizationName, inviterName, inviterEmail, role, url, expiresAtMs } = invitation
  const inviter = inviterName === null ? inviterEmail : `${inviterName} (${inviterEmail})`
  return letterOf({
    subject: `Invitation to ${organizationName}`,
    paragraphs: [
      `${inviter} invites you to join “${organizationName}” on stillup with the role ${role}.`,
      duties[role],
      `The invitation is for this address only, works once, and expires on ${timeText(expiresAtMs)}.`,
    ],
    button: { label: 'View the invitation', url },
    footer: ['If you did not expect this, ignore this letter: nothing happens unless you accept.'],
  })
}
