// The schemas of an organization: the form that members see, and its name.
import { flag, idOf, isoTime, object, oneOf, text, toIso } from '../../base/schema/schema.ts'
import { roles } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OwnOrganization } from '../../services/orgs/orgs.ts'

export const organizationName = text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  pattern: '\\S',
  rule: 'must not be blank',
})

export const OrganizationOut = object({
  id: idOf('org'),
  name: text({ charsMax: limits.nameCharsMax }),
  role: oneOf(roles),
  /** Switched off by the operator. */
  isDisabled: flag,
  createdAt: isoTime,
  updatedAt: isoTime,
})

export const organizationToWire = (org: OwnOrganization) => ({
  ...org,
  isDisabled: org.isDisabled ?? false,
  createdAt: toIso(org.createdAtMs),
  updatedAt: toIso(org.updatedAtMs),
})
