// The API of status pages: schemas and routes.

import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { titleOf } from '../../../domain/pages/page.ts'
import { labelPattern, slugPattern } from '../../../domain/pages/page-address.ts'
import type { PageChanges } from '../../../services/pages/page-fields.ts'
import type { PageRecord } from '../../../services/pages/pages.ts'
import { withTimes } from '../../output/times.ts'
import { documented } from '../../routing/documented.ts'
import {
  answer,
  type BodyRules,
  del,
  get,
  list,
  patch,
  post,
  resource,
  wirePage,
} from '../../routing/route.ts'

const PageIn = s.object({
  name: s.text({ charsMax: limits.nameCharsMax, pattern: '\\S', rule: 'must not be blank' }),
  slug: s.optional(
    s.text({
      charsMax: limits.slugCharsMax,
      // An empty text means none; then a slug is derived from the name.
      pattern: `^$|${slugPattern}`,
      rule: 'may contain a-z, 0-9 and hyphens',
    }),
  ),
  isEnabled: s.preset(s.flag, true),
  isDefault: s.preset(s.flag, false),
  isListed: s.preset(
    s.described(
      s.flag,
      'Whether the front page of the service, /, names this page. While anyone may register, it names none.',
    ),
    false,
  ),
  title: s.optional(s.text({ charsMax: limits.pageTitleCharsMax })),
  description: s.optional(s.text({ charsMax: limits.pageDescriptionCharsMax })),
  logoUrl: s.optional(
    s.nullable(
      documented(s.text({ charsMax: limits.urlCharsMax }), {
        pattern: '^$|^[hH][tT][tT][pP][sS]:',
      }),
    ),
  ),
  showHistory: s.preset(s.flag, true),
  showUptime: s.preset(s.flag, true),
  showIncidents: s.preset(s.flag, true),
  showMonitors: s.preset(s.flag, true),
  publicMonitorIds: s.optional(s.nullable(s.listOf(s.idOf('monitor'), limits.pageMonitorsMax))),
})

/** An empty text means none. */
const subdomainIn = s.nullable(
  documented(s.text({ charsMax: limits.subdomainTextCharsMax }), {
    pattern: `^$|${labelPattern}`,
  }),
)

/** A page in an exported document, and in one that is imported. */
export const pageItem = {
  out: s.object({ id: s.idOf('page'), ...PageIn.properties, subdomain: s.optional(subdomainIn) }),
  in: s.object({
    id: s.optional(s.idOf('page')),
    ...PageIn.properties,
    subdomain: s.optional(subdomainIn),
  }),
}
const SubdomainIn = s.object({ subdomain: subdomainIn })

const PageOut = s.object({
  id: s.idOf('page'),
  orgId: s.idOf('org'),
  name: s.anyText,
  slug: s.anyText,
  subdomain: s.nullable(s.anyText),
  url: s.anyText,
  subdomainUrl: s.nullable(s.anyText),
  isEnabled: s.flag,
  isDefault: s.flag,
  isListed: s.flag,
  title: s.anyText,
  description: s.anyText,
  logoUrl: s.nullable(s.anyText),
  showHistory: s.flag,
  showUptime: s.flag,
  showIncidents: s.flag,
  showMonitors: s.flag,
  publicMonitorIds: s.nullable(s.listOf(s.idOf('monitor'), limits.pageMonitorsMax)),
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
  revision: s.anyNumber,
})

const pageTimes = withTimes('createdAt', 'updatedAt')
const toWire = (page: PageRecord) => ({
  ...pageTimes(page),
  isListed: page.isListed ?? false,
  title: titleOf(page),
})

/** For requests with other problems; else the service refuses the same. */
const rules: BodyRules = (fields: PageChanges, { scope, services }) =>
  scope ? services.pages.problems(scope, fields) : []

const admin = { role: 'admin' } as const
const viewer = { role: 'viewer' } as const

export const statusPages = resource('/orgs/:orgId/status-pages', {
  create: post('/', {
    who: admin,
    summary: 'Create a status page',
    body: PageIn,
    rules,
    out: PageOut,
    hasRevision: true,
    message: 'Status page created',
  }).createdBy(({ scope, body }, { pages }) => pages.create(scope, body), toWire),
  list: list('/', { who: viewer, summary: 'Status pages, newest first', out: PageOut }).handledBy(
    (call, { pages }) => wirePage(pages.list(call.scope, call.page), toWire),
  ),
  get: get('/:statusPageId', {
    who: viewer,
    summary: 'One status page',
    out: PageOut,
    hasRevision: true,
  }).handledBy((call, { pages }) => toWire(pages.get(call.scope, call.params.statusPageId))),
  change: patch('/:statusPageId', {
    who: admin,
    summary: 'Change a status page',
    body: s.patchOf(PageIn),
    rules,
    out: PageOut,
    hasRevision: true,
    message: 'Status page updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { pages }) =>
    toWire(await pages.change(scope, params.statusPageId, body, expectedRevision)),
  ),
  remove: del('/:statusPageId', {
    who: admin,
    summary: 'Delete a status page',
    message: 'Status page deleted',
  }).handledBy(async ({ scope, params, expectedRevision }, { pages }) => {
    await pages.remove(scope, params.statusPageId, expectedRevision)
  }),
  setSubdomain: patch('/:statusPageId/subdomain', {
    who: admin,
    summary: 'Set the platform subdomain; null or an empty text removes it',
    body: SubdomainIn,
    out: PageOut,
    hasRevision: true,
  }).handledBy(async ({ scope, params, body, expectedRevision }, { pages }) => {
    const { statusPageId } = params
    const page = await pages.setSubdomain(scope, statusPageId, body.subdomain, expectedRevision)
    const message = page.subdomain === null ? 'Subdomain removed' : 'Subdomain set'
    return answer(toWire(page), { message })
  }),
})
