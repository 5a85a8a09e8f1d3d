// A user in the form that the API shows to the user.
import {
  anyText,
  flag,
  idOf,
  isoTime,
  nullable,
  object,
  toIso,
  toIsoOrNull,
} from '../../base/schema/schema.ts'
import type { User } from '../../domain/people/person.ts'

export const UserOut = object({
  id: idOf('user'),
  email: anyText,
  emailVerifiedAt: nullable(isoTime),
  name: nullable(anyText),
  isSystemAdmin: flag,
  createdAt: isoTime,
  updatedAt: isoTime,
})

export const userToWire = (user: User) => ({
  ...user,
  emailVerifiedAt: toIsoOrNull(user.emailVerifiedAtMs),
  createdAt: toIso(user.createdAtMs),
  updatedAt: toIso(user.updatedAtMs),
})
