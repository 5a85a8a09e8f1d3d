// The API of users for the operator: list, switch off and on, administration.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { KnownUser } from '../../../services/system/operator.ts'
import { UserOut, userToWire } from '../../output/user-wire.ts'
import { list, patch, resource, wirePage } from '../../routing/route.ts'

const KnownUserOut = s.object({
  ...UserOut.properties,
  isDisabled: s.flag,
  hasTotp: s.flag,
  organizations: s.anyNumber,
})

const UserChanges = s.object({
  isDisabled: s.optional(s.flag),
  isSystemAdmin: s.optional(s.flag),
  resetTotp: s.optional(Type.Literal(true, { description: 'Turns the second factor off' })),
})

const toWire = ({ user, hasTotp, organizations }: KnownUser) => ({
  ...userToWire(user),
  hasTotp,
  organizations,
})

export const systemUsers = resource('/system', {
  users: list('/users', {
    who: { system: true },
    summary: 'Users, newest first',
    query: s.object({
      q: s.optional(
        s.text({
          charsMax: limits.emailCharsMax,
          description: 'The beginning of an address, or part of a name',
        }),
      ),
    }),
    out: KnownUserOut,
  }).handledBy(({ page, query }, { operator }) =>
    wirePage(operator.users({ ...page, ...query }), toWire),
  ),
  changeUser: patch('/users/:userId', {
    who: { system: true, sudo: true },
    summary: 'Switch a user off or on, grant or revoke administration, turn off a second factor',
    body: UserChanges,
    out: KnownUserOut,
    message: 'User changed',
  }).handledBy(async ({ caller, params, body, expectedRevision }, { operator }) =>
    toWire(await operator.changeUser(caller, params.userId, body, expectedRevision)),
  ),
})
