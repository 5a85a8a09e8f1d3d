// Status pages: what an organization publishes, and under which addresses.
import { notFound, refuseInvalid } from '../../base/fault.ts'
import { asId, newId, type OrgId, type PageId } from '../../base/ids.ts'
import { changedFields } from '../../domain/audit/audit.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type StatusPage, titleOf } from '../../domain/pages/page.ts'
import { slugFrom } from '../../domain/pages/page-address.ts'
import type { SubscriberCounts } from '../../domain/subscribers/subscriber.ts'
import { isOrgOff } from '../../store/org-state.ts'
import { type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'
import type { AddressChanges } from './address-changes.ts'
import { createPagePlaces, mergedPage, newPage, type PageChanges } from './page-fields.ts'
import type { PageUrls } from './page-urls.ts'

export interface NewPage extends PageChanges {
  readonly name: string
}

export interface PageRecord extends StatusPage {
  readonly url: string
  /** Null without a subdomain, or if the service has no status domain. */
  readonly subdomainUrl: string | null
  readonly subscribers: SubscriberCounts
}

export interface PagesDeps {
  readonly urls: PageUrls
  readonly addresses: AddressChanges
  /** False: strangers can make pages, so the front page of the service names none. */
  readonly listsPages: boolean
  readonly mustBeApproved: (orgId: OrgId) => void
}

/** Status pages that the front page names. */
const pagesListedMax = 200

/**
 * Every method throws not_found, and precondition_failed if the page is not at `expectedRevision`.
 */
export function createPages(core: Core, deps: PagesDeps) {
  const { store, clock, audit, quotas } = core
  const { urls } = deps
  const places = createPagePlaces(store, urls.ownHosts, deps.addresses)

  function withUrls(page: StatusPage): PageRecord {
    return {
      ...page,
      url: urls.slugUrl(page),
      subdomainUrl: urls.subdomainUrl(page),
      subscribers: store.subscribers.counts(page.orgId, page.id),
    }
  }

  function found(scope: OrgScope, pageId: string, expectedRevision?: number): StatusPage {
    const id = asId('page', pageId)
    const page = id && store.pages.get(scope.orgId, id)
    if (!page) throw notFound('status page')
    mustBeAt(expectedRevision, page, 'The status page')
    return page
  }

  return {
    /** What is wrong with fields whose shape is right. */
    problems: ({ orgId }: OrgScope, changes: PageChanges) => places.problems(orgId, changes),
    /** Throws validation_failed, slug_taken, kyc_required, and conflict beyond the quota. */
    async create(scope: OrgScope, input: NewPage): Promise<PageRecord> {
      const nowMs = clock.nowMs()
      const id: PageId = newId('page', nowMs)
      const blank = newPage({ id, orgId: scope.orgId, name: input.name, nowMs })
      const page = mergedPage(blank, input, nowMs)
      return store.write((tx) => {
        deps.mustBeApproved(scope.orgId)
        const have = store.pages.count(scope.orgId, limits.quotaMax)
        quotas.mustHaveRoom(scope.orgId, 'pages', have)
        const saved = places.save(tx, page, { ...input, slug: input.slug ?? null }, nowMs)
        audit.note(tx, scope, { action: 'page.created', objectId: saved.id })
        return withUrls(saved)
      })
    },
    /** What `create` would store, which stays unstored. Throws validation_failed. */
    draft(scope: OrgScope, input: NewPage): StatusPage {
      refuseInvalid(places.problems(scope.orgId, input))
      const nowMs = clock.nowMs()
      const id: PageId = newId('page', nowMs)
      const blank = newPage({ id, orgId: scope.orgId, name: input.name, nowMs })
      return { ...mergedPage(blank, input, nowMs), slug: input.slug || slugFrom(input.name) }
    },
    list(scope: OrgScope, { limit, after }: PageRequest): PageOf<PageRecord> {
      const afterId = after === undefined ? undefined : asId('page', after)
      const pages = store.pages.list(scope.orgId, limit + 1, afterId)
      return pageOf(pages.map(withUrls), limit)
    },
    get: (scope: OrgScope, pageId: string) => withUrls(found(scope, pageId)),
    /** What the front page of the service names: enabled pages whose owners list them, by name. */
    listed(): readonly StatusPage[] {
      if (!deps.listsPages) return []
      return store.pages
        .listListed(pagesListedMax)
        .filter((page) => page.isEnabled && page.passwordHash === null)
        .filter(({ orgId }) => !isOrgOff(store, orgId))
        .toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), 'en'))
    },
    /** Applies a merge patch (RFC 7396): null restores a field's default. */
    async change(
      scope: OrgScope,
      pageId: string,
      changes: PageChanges,
      expectedRevision?: number,
    ): Promise<PageRecord> {
      const nowMs = clock.nowMs()
      return store.write((tx) => {
        const before = found(scope, pageId, expectedRevision)
        const page = mergedPage(before, changes, nowMs)
        const saved = places.save(tx, { ...page, revision: before.revision + 1 }, changes, nowMs)
        const fields = changedFields(before, saved)
        audit.note(tx, scope, { action: 'page.changed', objectId: saved.id, fields })
        return withUrls(saved)
      })
    },
    async remove(scope: OrgScope, pageId: string, expectedRevision?: number): Promise<void> {
      const nowMs = clock.nowMs()
      const id = asId('page', pageId)
      await store.write((tx) => {
        const isDamaged = id !== undefined && store.pages.isDamaged(scope.orgId, id)
        if (isDamaged) store.pages.discard(tx, scope.orgId, id, nowMs)
        else store.pages.remove(tx, found(scope, pageId, expectedRevision), nowMs)
        // There may be thousands of subscribers: they are deleted in slices.
        if (id) store.subscriberNews.note(tx, scope.orgId, id, nowMs)
        audit.note(tx, scope, { action: 'page.deleted', objectId: id ?? null })
        const domains = id ? store.customDomains.removeOfPage(tx, scope.orgId, id) : []
        for (const domain of domains) {
          audit.note(tx, scope, { action: 'domain.deleted', objectId: domain.id })
        }
      })
    },
    /**
     * Null or '' removes it. A label that another organization released stays blocked for a time,
     * so that nobody inherits its visitors. Throws subdomain_taken, rate_limited.
     */
    async setSubdomain(
      scope: OrgScope,
      pageId: string,
      wanted: string | null,
      expectedRevision?: number,
    ): Promise<PageRecord> {
      const nowMs = clock.nowMs()
      const subdomain = wanted === '' ? null : wanted
      return store.write((tx) => {
        const before = found(scope, pageId, expectedRevision)
        if (subdomain !== null) places.takeSubdomain(before, subdomain, nowMs)
        const revision = before.revision + 1
        const page = { ...before, subdomain, updatedAtMs: nowMs, revision }
        store.pages.put(tx, page, nowMs)
        audit.note(tx, scope, {
          action: 'page.subdomain_changed',
          objectId: page.id,
          fields: changedFields(before, page),
        })
        return withUrls(page)
      })
    },
  }
}
