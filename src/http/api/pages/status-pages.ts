// The API of status pages: schemas and routes.
import {
  anyNumber,
  anyText,
  flag,
  idOf,
  isoTime,
  listOf,
  nullable,
  object,
  optional,
  patchOf,
  preset,
  text,
  toIso,
} from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { labelPattern, slugPattern } from '../../../domain/pages/page-address.ts'
import type { PageRecord } from '../../../services/pages/pages.ts'
import { documented } from '../../routing/documented.ts'
import { answer, del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'

const PageIn = object({
  name: text({ charsMax: limits.nameCharsMax, pattern: '\\S', rule: 'must not be blank' }),
  slug: optional(
    text({
      charsMax: limits.slugCharsMax,
      // An empty text means none; then a slug is derived from the name.
      pattern: `^$|${slugPattern}`,
      rule: 'may contain a-z, 0-9 and hyphens',
    }),
  ),
  isEnabled: preset(flag, true),
  isDefault: preset(flag, false),
  title: optional(text({ charsMax: limits.pageTitleCharsMax })),
  description: optional(text({ charsMax: limits.pageDescriptionCharsMax })),
  logoUrl: optional(
    nullable(
      documented(text({ charsMax: limits.urlCharsMax }), { pattern: '^$|^[hH][tT][tT][pP][sS]:' }),
    ),
  ),
  showHistory: preset(flag, true),
  showUptime: preset(flag, true),
  showIncidents: preset(flag, true),
  showMonitors: preset(flag, true),
  publicMonitorIds: optional(nullable(listOf(idOf('monitor'), limits.pageMonitorsMax))),
})

/** An empty text means none. */
const subdomainIn = nullable(
  documented(text({ charsMax: limits.subdomainTextCharsMax }), {
    pattern: `^$|${labelPattern}`,
  }),
)

/** A page in an exported document, and in one that is imported. */
export const pageItem = {
  out: object({ id: idOf('page'), ...PageIn.properties, subdomain: optional(subdomainIn) }),
  in: object({
    id: optional(idOf('page')),
    ...PageIn.properties,
    subdomain: optional(subdomainIn),
  }),
}
const SubdomainIn = object({ subdomain: subdomainIn })

const PageOut = object({
  id: idOf('page'),
  orgId: idOf('org'),
  name: anyText,
  slug: anyText,
  subdomain: nullable(anyText),
  url: anyText,
  subdomainUrl: nullable(anyText),
  isEnabled: flag,
  isDefault: flag,
  title: anyText,
  description: anyText,
  logoUrl: nullable(anyText),
  showHistory: flag,
  showUptime: flag,
  showIncidents: flag,
  showMonitors: flag,
  publicMonitorIds: nullable(listOf(idOf('monitor'), limits.pageMonitorsMax)),
  createdAt: isoTime,
  updatedAt: isoTime,
  revision: anyNumber,
})

const toWire = (page: PageRecord) => ({
  ...page,
  title: page.title || page.name,
  createdAt: toIso(page.createdAtMs),
  updatedAt: toIso(page.updatedAtMs),
})

const admin = { role: 'admin' } as const
const viewer = { role: 'viewer' } as const

export const statusPages = resource('/orgs/:orgId/status-pages', {
  create: post(
    '/',
    {
      who: admin,
      creates: true,
      summary: 'Create a status page',
      body: PageIn,
      out: PageOut,
      message: 'Status page created',
    },
    async (call, { pages }) => toWire(await pages.create(call.scope, call.body)),
  ),
  list: list(
    '/',
    { who: viewer, summary: 'Status pages, newest first', out: PageOut },
    (call, { pages }) => wirePage(pages.list(call.scope, call.page), toWire),
  ),
  get: get(
    '/:statusPageId',
    { who: viewer, summary: 'One status page', out: PageOut },
    (call, { pages }) => toWire(pages.get(call.scope, call.params.statusPageId)),
  ),
  change: patch(
    '/:statusPageId',
    {
      who: admin,
      summary: 'Change a status page',
      body: patchOf(PageIn),
      out: PageOut,
      message: 'Status page updated',
    },
    async ({ scope, params, body, expectedRevision }, { pages }) =>
      toWire(await pages.change(scope, params.statusPageId, body, expectedRevision)),
  ),
  remove: del(
    '/:statusPageId',
    { who: admin, summary: 'Delete a status page', message: 'Status page deleted' },
    async ({ scope, params, expectedRevision }, { pages }) => {
      await pages.remove(scope, params.statusPageId, expectedRevision)
    },
  ),
  setSubdomain: patch(
    '/:statusPageId/subdomain',
    {
      who: admin,
      summary: 'Set the platform subdomain; null or an empty text removes it',
      body: SubdomainIn,
      out: PageOut,
    },
    async ({ scope, params, body, expectedRevision }, { pages }) => {
      const { statusPageId } = params
      const page = await pages.setSubdomain(scope, statusPageId, body.subdomain, expectedRevision)
      const message = page.subdomain === null ? 'Subdomain removed' : 'Subdomain set'
      return answer(toWire(page), { message })
    },
  ),
})
