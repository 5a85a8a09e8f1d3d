// The letter that invites somebody to an organization.
import { toIso } from '../../base/schema/schema.ts'
import type { Role } from '../../domain/access.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface Invitation {
  readonly organizationName: string
  /** Whoever invites: the name, where there is one, and the address. */
  readonly inviterName: string | null
  readonly inviterEmail: string
  readonly role: Role
  readonly url: string
  readonly expiresAtMs: number
}

const duties: Readonly<Record<Role, string>> = {
  viewer: 'You can look at its monitors and incidents.',
  member: 'You can manage its monitors and incidents.',
  admin: 'You can manage everything in it, its members and API keys included.',
  owner: 'You can manage everything in it, and hand over or delete it.',
}

export function invitationLetter(invitation: Invitation): Letter {
  const { organizationName, inviterName, inviterEmail, role, url, expiresAtMs } = invitation
  const inviter = inviterName === null ? inviterEmail : `${inviterName} (${inviterEmail})`
  return letterOf({
    subject: `Invitation to ${organizationName}`,
    paragraphs: [
      `${inviter} invites you to join “${organizationName}” on stillup with the role ${role}.`,
      duties[role],
      `The invitation is for this address only, works once, and ends at ${toIso(expiresAtMs)}.`,
    ],
    button: { label: 'Look at the invitation', url },
    footer: ['You did not expect this? Then ignore this letter: without you nothing happens.'],
  })
}
