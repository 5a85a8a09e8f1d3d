// Status pages: what an organization publishes, and under which addresses.
import { notFound, refuseInvalid } from '../../base/fault.ts'
import { newId, type OrgId } from '../../base/ids.ts'
import {
  isProtected,
  type PagePictureKind,
  pagePictureKinds,
  type StatusPage,
  titleOf,
} from '../../domain/pages/page.ts'
import { slugFrom } from '../../domain/pages/page-address.ts'
import type { SubscriberCounts } from '../../domain/subscribers/subscriber.ts'
import { isOrgOff } from '../../store/org-state.ts'
import { silentCounter } from '../../store/page-audience.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'
import type { AddressChanges } from './address-changes.ts'
import { createPagePlaces, mergedPage, newPage, type PageChanges } from './page-fields.ts'
import { mustBePicture, pictureOf } from './page-pictures.ts'
import type { PageUrls } from './page-urls.ts'

export interface NewPage extends PageChanges {
  readonly name: string
}

export interface PageRecord extends StatusPage {
  readonly url: string
  /** Null without a subdomain, or if the service has no status domain. */
  readonly subdomainUrl: string | null
  /** `silent`: the active ones who hear nothing while the page is for members. */
  readonly subscribers: SubscriberCounts & { readonly silent: number }
}

export interface PagesDeps {
  readonly urls: PageUrls
  readonly addresses: AddressChanges
  /** False: strangers can make pages, so the front page of the service names none. */
  readonly listsPages: () => boolean
  readonly mustBeApproved: (orgId: OrgId) => void
}

/** Status pages that the front page names. */
const pagesListedMax = 200

/** Every method throws not_found, and precondition_failed if the page is not at `expectedRevision`. */
export function createPages(core: Core, deps: PagesDeps) {
  const { store, clock, audit } = core
  const { urls } = deps
  const places = createPagePlaces(store, urls.ownHosts, deps.addresses)
  const records = createRecords(core, 'pages', store.pages)

  function withUrls(page: StatusPage, silent = silentCounter(store, page.orgId)): PageRecord {
    return {
      ...page,
      url: urls.slugUrl(page),
      subdomainUrl: urls.subdomainUrl(page),
      subscribers: {
        ...store.subscribers.counts(page.orgId, page.id),
        silent: silent(page),
      },
    }
  }

  function drafted({ orgId }: OrgScope, input: NewPage): StatusPage {
    const nowMs = clock.nowMs()
    const blank = newPage({ id: newId('page', nowMs), orgId, name: input.name, nowMs })
    return mergedPage(blank, input)
  }

  return {
    /** What is wrong with fields whose shape is right. */
    problems: ({ orgId }: OrgScope, changes: PageChanges) => places.problems(orgId, changes),
    /** Throws validation_failed, slug_taken, kyc_required, and conflict beyond the quota. */
    async create(scope: OrgScope, input: NewPage): Promise<PageRecord> {
      const page = drafted(scope, input)
      return store.write((tx) => {
        deps.mustBeApproved(scope.orgId)
        const changes = { ...input, slug: input.slug ?? null }
        const made = records.add(tx, scope, (nowMs) => places.settled(tx, page, changes, nowMs))
        return withUrls(made)
      })
    },
    /**
     * What `create` would store, which stays unstored. `ofId`: with the pictures of this page. Throws
     * validation_failed, not_found.
     */
    draft(scope: OrgScope, input: NewPage, ofId?: string): StatusPage {
      refuseInvalid(places.problems(scope.orgId, input))
      const draft = { ...drafted(scope, input), slug: input.slug || slugFrom(input.name) }
      if (ofId === undefined) return draft
      const { id, pictures } = records.found(scope, ofId)
      return { ...draft, id, pictures }
    },
    list(scope: OrgScope, page: PageRequest): PageOf<PageRecord> {
      const found = records.list(scope, page)
      const silent = silentCounter(store, scope.orgId)
      return { ...found, items: found.items.map((one) => withUrls(one, silent)) }
    },
    get: (scope: OrgScope, pageId: string) => withUrls(records.found(scope, pageId)),
    /** What the front page of the service names: enabled pages whose owners list them, by name. */
    listed(): readonly StatusPage[] {
      if (!deps.listsPages()) return []
      return store.pages
        .listListed(pagesListedMax)
        .filter((page) => page.isEnabled && !isProtected(page))
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
      return store.write((tx) => {
        const before = records.found(scope, pageId, expectedRevision)
        const nowMs = clock.nowMs()
        const page = places.settled(tx, mergedPage(before, changes), changes, nowMs)
        return withUrls(records.replace(tx, scope, before, page))
      })
    },
    async remove(scope: OrgScope, pageId: string, expectedRevision?: number): Promise<void> {
      await store.write((tx) => {
        const id = records.remove(tx, scope, pageId, expectedRevision)
        // There may be thousands of subscribers: they are deleted in slices.
        store.subscriberNews.note(tx, scope.orgId, id, clock.nowMs())
        for (const domain of store.customDomains.removeOfPage(tx, scope.orgId, id)) {
          audit.note(tx, scope, { action: 'domain.deleted', objectId: domain.id })
        }
      })
    },
    /** A picture of a page with its bytes. Throws not_found if there is none. */
    picture(scope: OrgScope, pageId: string, kindText: string) {
      const page = records.found(scope, pageId)
      const kind = pictureKind(kindText)
      const about = page.pictures[kind]
      const bytes = about ? store.pages.picture(page, kind) : undefined
      if (!about || !bytes) throw notFound('picture')
      return { ...about, bytes }
    },
    /** Null removes it. Throws validation_failed. */
    async setPicture(
      scope: OrgScope,
      pageId: string,
      kindText: string,
      sent: Buffer | null,
      expectedRevision?: number,
    ): Promise<PageRecord> {
      // Looks for the page first: a page that is not there needs no judgement of the file.
      records.found(scope, pageId, expectedRevision)
      const kind = pictureKind(kindText)
      const file = sent === null ? null : mustBePicture(sent, '/data')
      return store.write((tx) => {
        const before = records.found(scope, pageId, expectedRevision)
        store.pages.putPicture(tx, before, kind, file?.bytes ?? null)
        const pictures = { ...before.pictures, [kind]: file && pictureOf(file) }
        return withUrls(records.replace(tx, scope, before, { ...before, pictures }))
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
      const subdomain = wanted === '' ? null : wanted
      return store.write((tx) => {
        const before = records.found(scope, pageId, expectedRevision)
        if (subdomain !== null) places.takeSubdomain(before, subdomain, clock.nowMs())
        const note = { action: 'page.subdomain_changed' } as const
        return withUrls(records.replace(tx, scope, before, { ...before, subdomain }, note))
      })
    },
  }
}

/** Throws not_found. */
function pictureKind(text: string): PagePictureKind {
  const kind = pagePictureKinds.find((one) => one === text)
  if (!kind) throw notFound('picture')
  return kind
}
