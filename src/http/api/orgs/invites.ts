// The API of invitations: create, list and withdraw.

import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { roles } from '../../../domain/access.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { withTimes } from '../../output/times.ts'
import { del, list, post, resource, wirePage } from '../../routing/route.ts'

const InviteIn = s.object({
  email: s.text({
    charsMax: limits.emailCharsMax,
    format: 'email',
    description: 'The address of the person. Only an account with this address can accept.',
  }),
  role: s.optional(s.oneOf(roles), 'The role of the new member: at most your own. Absent: viewer.'),
})

const inviteFields = {
  id: s.idOf('invite'),
  email: s.anyText,
  role: s.oneOf(roles),
  invitedBy: s.idOf('user'),
  createdAt: s.isoTime,
  expiresAt: s.isoTime,
}
const InviteOut = s.object(inviteFields)
const CreatedInviteOut = s.object({
  ...inviteFields,
  token: Type.String({ description: 'Authorizes accepting the invitation; shown only now' }),
  url: Type.String({ description: 'The address that the invited person opens; shown only now' }),
})
const toWire = withTimes('createdAt', 'expiresAt')

export const invites = resource('/orgs/:orgId/invites', {
  about: 'Invitations to an organization, sent by letter, and their acceptance.',
  create: post('/', {
    who: { role: 'admin', sessionOnly: true, sudo: true },
    summary: 'Invite an address with a role; a letter is sent, the token is shown once',
    example: { email: 'grace@example.com', role: 'member' },
    body: InviteIn,
    out: CreatedInviteOut,
    message: 'Invitation sent',
  }).createdBy(({ scope, body }, { invites }) => invites.create(scope, body), toWire),
  list: list('/', {
    who: { role: 'admin', sessionOnly: true },
    summary: 'Open invitations, newest first',
    out: InviteOut,
  }).handledBy(({ scope, page }, { invites }) => wirePage(invites.list(scope, page), toWire)),
  revoke: del('/:inviteId', {
    who: { role: 'admin', sessionOnly: true },
    summary: 'Withdraw an invitation, effective at once',
    out: InviteOut,
    message: 'Invitation withdrawn',
  }).handledBy(async ({ scope, params }, { invites }) =>
    toWire(await invites.revoke(scope, params.inviteId)),
  ),
})
