// A user in the form that the API shows to the user.
import * as s from '../../base/schema/schema.ts'
import type { User } from '../../domain/people/person.ts'

export const UserOut = s.object({
  id: s.idOf('user'),
  email: s.anyText,
  emailVerifiedAt: s.nullable(s.isoTime),
  name: s.nullable(s.anyText),
  isSystemAdmin: s.flag,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

export const userToWire = (user: User) => ({
  ...user,
  emailVerifiedAt: s.toIsoOrNull(user.emailVerifiedAtMs),
  createdAt: s.toIso(user.createdAtMs),
  updatedAt: s.toIso(user.updatedAtMs),
})
