// The schemas of an organization: the form that members see, and its name.
import * as s from '../../base/schema/schema.ts'
import { roles } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OwnOrganization } from '../../services/orgs/orgs.ts'

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
