// Status pages: what an organization shows to the public, and under which addresses.
import { required } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import { Fault, invalidField } from '../base/fault.ts'
import { asId, newId, type OrgId, type PageId } from '../base/ids.ts'
import { limits } from '../domain/limits.ts'
import type { StatusPage } from '../domain/page.ts'
import { slugFrom, slugWithId, subdomainProblem } from '../domain/page-address.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/write.ts'
import type { OrgScope, PageOf, PageRequest } from './context.ts'
import { mergedPage, newPage, type PageChanges } from './page-fields.ts'
import { mustBeAt } from './revision.ts'

export interface NewPage extends PageChanges {
  readonly name: string
}

/** A page and the addresses it answers at. */
export interface PageRecord extends StatusPage {
  readonly url: string
  /** Null without a subdomain, or where the service has no status domain. */
  readonly subdomainUrl: string | null
}

/**
 * Every verb throws Fault('not_found') for a page that is unknown or another organization's, and
 * those that change one Fault('precondition_failed') where it is not at `expectedRevision`.
 */
export interface Pages {
  /** Throws validation_failed, slug_taken, and conflict where the organization has enough pages. */
  create(scope: OrgScope, input: NewPage): Promise<PageRecord>
  list(scope: OrgScope, page: PageRequest): PageOf<PageRecord>
  get(scope: OrgScope, pageId: string): PageRecord
  /** A merge patch (RFC 7396): null brings a field back to its default. */
  change(
    scope: OrgScope,
    pageId: string,
    changes: PageChanges,
    expectedRevision?: number,
  ): Promise<PageRecord>
  remove(scope: OrgScope, pageId: string, expectedRevision?: number): Promise<PageRecord>
  /**
   * Sets the platform subdomain, or removes it with null or ''. A label that another organization
   * gave up stays closed for a time, so that nobody inherits its visitors. Throws subdomain_taken.
   */
  setSubdomain(
    scope: OrgScope,
    pageId: string,
    subdomain: string | null,
    expectedRevision?: number,
  ): Promise<PageRecord>
}

export interface PagesDeps {
  readonly store: Store
  readonly clock: Clock
  /** The service's own origin, without a slash at the end. */
  readonly baseUrl: string
  readonly statusDomain: string | null
  /** Called once a change is on disk, before the caller hears of it. */
  readonly changed: (orgId: OrgId) => void
}

export function createPages({ store, clock, baseUrl, statusDomain, changed }: PagesDeps): Pages {
  function withUrls(page: StatusPage): PageRecord {
    const base = new URL(baseUrl)
    const host = page.subdomain && statusDomain ? `${page.subdomain}.${statusDomain}` : null
    const subdomainUrl = host && `${base.protocol}//${host}${base.port && `:${base.port}`}/`
    return { ...page, url: `${baseUrl}/status/${page.slug}`, subdomainUrl }
  }

  function found(scope: OrgScope, pageId: string, expectedRevision?: number): StatusPage {
    const id = asId('page', pageId)
    const page = id && store.pages.get(scope.orgId, id)
    if (!page) throw new Fault('not_found', 'There is no such status page.')
    mustBeAt(expectedRevision, page, 'The status page')
    return page
  }

  /** Runs in the transaction that writes: of two that want one slug, the second sees the first. */
  function freeSlug(page: StatusPage, wanted: string | null): string {
    const isFree = (slug: string) => {
      const holder = store.pages.slugHolder(slug)
      return !holder || holder.pageId === page.id
    }
    if (wanted === null) {
      const slug = slugFrom(page.name)
      return isFree(slug) ? slug : slugWithId(slug, page.id)
    }
    if (!isFree(wanted)) throw new Fault('slug_taken', `The slug ${wanted} is taken.`)
    return wanted
  }

  function checkMonitors(page: StatusPage): void {
    for (const [index, monitorId] of (page.publicMonitorIds ?? []).entries()) {
      // One answer for unknown, foreign and private ones: existence never leaks.
      if (!store.monitors.get(page.orgId, monitorId)?.isPublic) {
        const rule = `${monitorId} must be a public monitor of this organization`
        throw invalidField(`/publicMonitorIds/${index}`, 'reference', rule)
      }
    }
  }

  function unsetOtherDefaults(tx: Tx, page: StatusPage, nowMs: number): void {
    for (const other of store.pages.list(page.orgId, limits.pagesPerOrgMax)) {
      if (!other.isDefault || other.id === page.id) continue
      const revision = other.revision + 1
      store.pages.put(tx, { ...other, isDefault: false, updatedAtMs: nowMs, revision }, nowMs)
    }
  }

  function save(tx: Tx, page: StatusPage, changes: PageChanges, nowMs: number): StatusPage {
    const { slug } = changes
    const saved = slug === undefined ? page : { ...page, slug: freeSlug(page, slug || null) }
    if (changes.publicMonitorIds) checkMonitors(saved)
    if (saved.isDefault) unsetOtherDefaults(tx, saved, nowMs)
    store.pages.put(tx, saved, nowMs)
    return saved
  }

  function checkSubdomain(page: StatusPage, label: string, nowMs: number): void {
    const problem = subdomainProblem(label)
    if (problem) throw invalidField('/subdomain', problem.keyword, problem.message)
    const holder = store.pages.subdomainHolder(label)
    if (!holder || holder.pageId === page.id) return
    const isOwnAgain = holder.pageId === null && holder.orgId === page.orgId
    const releasedAtMs = holder.pageId === null ? holder.releasedAtMs : null
    const isOver = releasedAtMs !== null && nowMs - releasedAtMs >= limits.subdomainQuarantineMs
    if (!isOwnAgain && !isOver) {
      throw new Fault('subdomain_taken', `The subdomain ${label} is taken.`)
    }
  }

  async function announced(written: Promise<StatusPage>): Promise<PageRecord> {
    const page = await written
    changed(page.orgId)
    return withUrls(page)
  }

  return {
    async create(scope, input) {
      const nowMs = clock.nowMs()
      const id: PageId = newId('page', nowMs)
      const blank = newPage({ id, orgId: scope.orgId, name: input.name, nowMs })
      const page = mergedPage(blank, input, nowMs)
      return announced(
        store.write((tx) => {
          const most = limits.pagesPerOrgMax
          if (store.pages.count(scope.orgId, most) >= most) {
            throw new Fault('conflict', `An organization has at most ${most} status pages.`)
          }
          return save(tx, page, { ...input, slug: input.slug ?? null }, nowMs)
        }),
      )
    },
    list(scope, { limit, after }) {
      const afterId = after === undefined ? undefined : asId('page', after)
      const pages = store.pages.list(scope.orgId, limit + 1, afterId)
      const items = pages.slice(0, limit).map(withUrls)
      if (pages.length <= limit) return { items }
      return { items, nextAfter: required(items.at(-1), 'the last item of a full page').id }
    },
    get: (scope, pageId) => withUrls(found(scope, pageId)),
    async change(scope, pageId, changes, expectedRevision) {
      const nowMs = clock.nowMs()
      return announced(
        store.write((tx) => {
          const before = found(scope, pageId, expectedRevision)
          const page = mergedPage(before, changes, nowMs)
          return save(tx, { ...page, revision: before.revision + 1 }, changes, nowMs)
        }),
      )
    },
    async remove(scope, pageId, expectedRevision) {
      const nowMs = clock.nowMs()
      return announced(
        store.write((tx) => {
          const page = found(scope, pageId, expectedRevision)
          store.pages.remove(tx, page, nowMs)
          return page
        }),
      )
    },
    async setSubdomain(scope, pageId, wanted, expectedRevision) {
      const nowMs = clock.nowMs()
      const subdomain = wanted === '' ? null : wanted
      return announced(
        store.write((tx) => {
          const before = found(scope, pageId, expectedRevision)
          if (subdomain !== null) checkSubdomain(before, subdomain, nowMs)
          const revision = before.revision + 1
          const page = { ...before, subdomain, updatedAtMs: nowMs, revision }
          store.pages.put(tx, page, nowMs)
          return page
        }),
      )
    },
  }
}
