// The API of members: list, change roles, leave, and hand over the organization.

import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { roles } from '../../../domain/access.ts'
import type { ChangedMember } from '../../../services/orgs/members.ts'
import { withTimes } from '../../output/times.ts'
import { del, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { KeyOut, keyToWire } from './api-keys.ts'

const userId = s.idOf('user')
const RoleIn = s.object({
  userId: s.described(userId, 'The member whose role changes.'),
  role: s.described(s.oneOf(roles), 'The new role: at most your own.'),
})
const TransferIn = s.object({
  userId: s.described(userId, 'The member who becomes the owner.'),
})

const memberFields = {
  userId,
  name: s.nullable(s.anyText),
  email: s.anyText,
  role: s.oneOf(roles),
  joinedAt: s.isoTime,
}
export const MemberOut = s.object(memberFields)
const ChangedMemberOut = s.object({
  ...memberFields,
  apiKeys: s.described(
    Type.Array(KeyOut),
    'The API keys of this person that can do less or more because of this change, as they are now.',
  ),
})

export const memberToWire = withTimes('joinedAt')

const changedToWire = ({ apiKeys, ...member }: ChangedMember) => ({
  ...memberToWire(member),
  apiKeys: apiKeys.map(keyToWire),
})

const exampleUserId = 'usr_01kaqyd2f4h6k8n0q2s4v6x8z0'

export const members = resource('/orgs/:orgId/members', {
  about: 'The people of an organization and their roles: viewer, member, admin, owner.',
  list: list('/', {
    who: { role: 'viewer', sessionOnly: true },
    summary: 'Members, newest account first',
    out: MemberOut,
  }).handledBy(({ scope, page }, { members }) => wirePage(members.list(scope, page), memberToWire)),
  change: patch('/', {
    who: { role: 'admin', sessionOnly: true, sudo: true },
    summary: 'Give a member another role, effective at once',
    example: { userId: exampleUserId, role: 'admin' },
    body: RoleIn,
    out: ChangedMemberOut,
    message: 'Member changed',
  }).handledBy(async ({ scope, body }, { members }) =>
    changedToWire(await members.change(scope, body)),
  ),
  remove: del('/:userId', {
    // Everyone may leave; the service requires more for ending another's membership.
    who: { role: 'viewer', sessionOnly: true },
    summary: 'Leave, or end the membership of someone else (admin, recent sign-in)',
    out: ChangedMemberOut,
    message: 'Membership ended',
  }).handledBy(async ({ scope, params }, { members }) =>
    changedToWire(await members.remove(scope, params.userId)),
  ),
})

export const transfer = resource('/orgs/:orgId', {
  transfer: post('/transfer', {
    who: { role: 'owner', sessionOnly: true, sudo: true },
    summary: 'Hand the organization over to another member; you become an admin',
    example: { userId: exampleUserId },
    body: TransferIn,
    out: ChangedMemberOut,
    message: 'Organization handed over',
  }).handledBy(async ({ scope, body }, { members }) =>
    changedToWire(await members.transfer(scope, body.userId)),
  ),
})
