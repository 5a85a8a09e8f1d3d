// The API of organizations for the operator: their sizes and quotas.
import { nouns, quotaNouns, recordOf } from '../../../base/nouns.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { KnownOrg } from '../../../services/system/operator.ts'
import { list, patch, resource, wirePage } from '../../routing/route.ts'
import { QuotasOut } from '../orgs/summary.ts'

const KnownOrgOut = s.object({
  id: s.idOf('org'),
  name: s.anyText,
  isDisabled: s.flag,
  monitors: s.anyNumber,
  members: s.anyNumber,
  quotas: QuotasOut,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

const OrgChanges = s.object({
  isDisabled: s.optional(s.flag),
  quotas: s.optional(
    s.object(
      recordOf(quotaNouns, (name) => s.optional(s.nullable(s.integer(0, nouns[name].quota.max)))),
    ),
  ),
})

const toWire = ({ org, ...more }: KnownOrg) => ({
  id: org.id,
  name: org.name,
  isDisabled: org.isDisabled ?? false,
  revision: org.revision,
  ...more,
  createdAt: s.toIso(org.createdAtMs),
  updatedAt: s.toIso(org.updatedAtMs),
})

export const systemOrgs = resource('/system', {
  orgs: list('/orgs', {
    who: { system: true },
    summary: 'Organizations, newest first',
    query: s.object({
      q: s.optional(s.text({ charsMax: limits.nameCharsMax, description: 'A part of the name' })),
    }),
    out: KnownOrgOut,
  }).handledBy(({ page, query }, { operator }) =>
    wirePage(operator.orgs({ ...page, ...query }), toWire),
  ),
  changeOrg: patch('/orgs/:orgId', {
    who: { system: true, sudo: true },
    summary: 'Switch an organization off or on, or set its quotas; null restores the default',
    body: OrgChanges,
    out: KnownOrgOut,
    message: 'Organization changed',
  }).handledBy(async ({ caller, params, body, expectedRevision }, { operator }) =>
    toWire(await operator.changeOrg(caller, params.orgId, body, expectedRevision)),
  ),
})
