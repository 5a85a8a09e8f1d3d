// Users and organizations in the form that several resources show.
import * as s from '../../base/schema/schema.ts'
import { roles } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { OwnOrganization } from '../../services/orgs/orgs.ts'

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

export const organizationName = s.text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  pattern: '\\S',
  rule: 'must not be blank',
})

export const OrganizationOut = s.object({
  id: s.idOf('org'),
  name: s.text({ charsMax: limits.nameCharsMax }),
  role: s.oneOf(roles),
  /** Switched off by the operator. */
  isDisabled: s.flag,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

export const organizationToWire = (org: OwnOrganization) => ({
  ...org,
  isDisabled: org.isDisabled ?? false,
  createdAt: s.toIso(org.createdAtMs),
  updatedAt: s.toIso(org.updatedAtMs),
})
