// The API of invitations: create, list and withdraw.
import Type from 'typebox'
import {
  anyText,
  idOf,
  isoTime,
  object,
  oneOf,
  optional,
  text,
  toIso,
} from '../../../base/schema/schema.ts'
import { roles } from '../../../domain/access.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Invite } from '../../../domain/orgs/invite.ts'
import { del, list, post, resource, wirePage } from '../../routing/route.ts'

const InviteIn = object({
  email: text({ charsMax: limits.emailCharsMax, format: 'email' }),
  role: optional(oneOf(roles)),
})

const inviteFields = {
  id: idOf('invite'),
  email: anyText,
  role: oneOf(roles),
  invitedBy: idOf('user'),
  createdAt: isoTime,
  expiresAt: isoTime,
}
const InviteOut = object(inviteFields)
const MadeInviteOut = object({
  ...inviteFields,
  token: Type.String({ description: 'Authorizes accepting the invitation; shown only now' }),
  url: Type.String({ description: 'The address that the invited person opens; shown only now' }),
})
const toWire = <Kind extends Invite>(invite: Kind) => ({
  ...invite,
  createdAt: toIso(invite.createdAtMs),
  expiresAt: toIso(invite.expiresAtMs),
})

export const invites = resource('/orgs/:orgId/invites', {
  create: post(
    '/',
    {
      who: { role: 'admin', sessionOnly: true, sudo: true },
      summary: 'Invite an address with a role; a letter is sent, the token is shown once',
      creates: true,
      body: InviteIn,
      out: MadeInviteOut,
      message: 'Invitation sent',
    },
    async ({ scope, body }, { invites }) => toWire(await invites.create(scope, body)),
  ),
  list: list(
    '/',
    {
      who: { role: 'admin', sessionOnly: true },
      summary: 'Open invitations, newest first',
      out: InviteOut,
    },
    ({ scope, page }, { invites }) => wirePage(invites.list(scope, page), toWire),
  ),
  revoke: del(
    '/:inviteId',
    {
      who: { role: 'admin', sessionOnly: true },
      summary: 'Withdraw an invitation, effective at once',
      out: InviteOut,
      message: 'Invitation withdrawn',
    },
    async ({ scope, params }, { invites }) => toWire(await invites.revoke(scope, params.inviteId)),
  ),
})
