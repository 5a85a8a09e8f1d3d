// Status pages by [org, page], with look-ups by slug and subdomain.
import { createHash } from 'node:crypto'
import type { OrgId, PageId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  defaultTheme,
  noPictures,
  type PagePictureKind,
  pagePictureKinds,
  type StatusPage,
} from '../../../domain/pages/page.ts'
import type { Env } from '../../engine/env.ts'
import { openRecords } from '../../engine/records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** The holder of a slug or a subdomain. */
export interface AddressHolder {
  readonly orgId: OrgId
  /** Null after its release. */
  readonly pageId: PageId | null
  readonly releasedAtMs: number | null
}

type PictureOwner = Pick<StatusPage, 'orgId' | 'id'>

/** What draws a picture of a page. */
interface PictureBytes {
  readonly bytes: Uint8Array
}

/** User text never becomes a key, only its hash does. */
function keyOf(label: string): [string] {
  return [createHash('sha256').update(label).digest('base64url')]
}

const everything = { prefix: [], limit: Number.MAX_SAFE_INTEGER }

/** Version 1 had neither sections nor a look of its own, and published no response times. */
function upgrade(record: unknown): StatusPage {
  return {
    ...(record as StatusPage),
    showResponseTimes: false,
    showMonitoredBy: true,
    sections: [],
    theme: defaultTheme,
    language: 'en',
    timezone: 'UTC',
    noindex: false,
    allowsSubscribers: false,
    passwordHash: null,
  }
}

export function openPages(env: Env, { pagesChanged, pageHostsChanged }: Signals) {
  const { table: pages, ...records } = openRecords<StatusPage>(env, {
    name: 'pages',
    version: 2,
    upgrade,
    added: {
      isListed: false,
      showLocations: false,
      headLinks: [],
      announcement: '',
      footer: '',
      layout: 'rows',
      look: 'plain',
      css: '',
      visibility: 'everyone',
      pictures: noPictures,
    },
  })
  const slugs = openTable<AddressHolder>(env, { name: 'pageSlugs' })
  const subdomains = openTable<AddressHolder>(env, { name: 'pageSubdomains' })
  const pictures = openTable<PictureBytes>(env, { name: 'pagePictures' })
  const listed = openTable<1>(env, { name: 'pagesListed' })

  function pageOf(holder: AddressHolder | undefined): StatusPage | undefined {
    return holder?.pageId ? pages.get([holder.orgId, holder.pageId]) : undefined
  }

  /** Deletes a damaged one, and the addresses that lead to it. */
  function discard(tx: Tx, orgId: OrgId, pageId: PageId, nowMs: number): void {
    for (const { key, record } of slugs.entries(everything)) {
      if (record.pageId === pageId) slugs.remove(tx, key)
    }
    for (const { key, record } of subdomains.entries(everything)) {
      if (record.pageId !== pageId) continue
      subdomains.put(tx, key, { orgId, pageId: null, releasedAtMs: nowMs })
    }
    listed.remove(tx, [orgId, pageId])
    pictures.removeAll(tx, [orgId, pageId], pagePictureKinds.length)
    pages.remove(tx, [orgId, pageId])
    pagesChanged.raise(tx, orgId)
    pageHostsChanged.raise(tx)
  }

  function remove(tx: Tx, page: StatusPage, nowMs: number): void {
    slugs.remove(tx, keyOf(page.slug))
    if (page.subdomain) {
      const released = { orgId: page.orgId, pageId: null, releasedAtMs: nowMs }
      subdomains.put(tx, keyOf(page.subdomain), released)
    }
    listed.remove(tx, [page.orgId, page.id])
    pictures.removeAll(tx, [page.orgId, page.id], pagePictureKinds.length)
    pages.remove(tx, [page.orgId, page.id])
    pagesChanged.raise(tx, page.orgId)
    pageHostsChanged.raise(tx)
  }

  return {
    ...records,

    /** The pages of all organizations that are to be listed, whether enabled or not. */
    listListed: (limit: number): StatusPage[] =>
      listed.keys({ prefix: [], limit }).flatMap((key) => pages.readable(key) ?? []),

    /** The pages with a subdomain of all organizations, whether enabled or not. */
    withSubdomain: (): StatusPage[] =>
      subdomains.range(everything).flatMap(({ orgId, pageId }) => {
        return (pageId && pages.readable([orgId, pageId])) || []
      }),

    /** The keys of subdomains after `after`, in their order. */
    subdomainKeys: (limit: number, after?: string): string[] =>
      subdomains
        .keys({ prefix: [], limit, ...(after !== undefined && { after }) })
        .map(([key]) => String(key)),

    /** Whether a subdomain was released before, so that it is as free as one that nobody had. */
    isFreeSince(key: string, beforeMs: number): boolean {
      const { pageId, releasedAtMs } = subdomains.readable([key]) ?? {}
      return pageId === null && releasedAtMs != null && releasedAtMs < beforeMs
    },

    forgetSubdomain: (tx: Tx, key: string) => subdomains.remove(tx, [key]),

    /** A few pages of any organizations. */
    some: (limit: number) => pages.range({ prefix: [], limit }),

    findBySlug: (slug: string) => pageOf(slugs.get(keyOf(slug))),
    findBySubdomain: (label: string) => pageOf(subdomains.get(keyOf(label))),
    slugHolder: (slug: string) => slugs.get(keyOf(slug)),
    subdomainHolder: (label: string) => subdomains.get(keyOf(label)),

    /**
     * Writes the record and updates both look-ups. The caller has checked in the same transaction
     * that the new slug and subdomain are free. A released subdomain remembers its last owner.
     */
    put(tx: Tx, page: StatusPage, nowMs: number): void {
      const before = pages.get([page.orgId, page.id])
      const holder = { orgId: page.orgId, pageId: page.id, releasedAtMs: null }
      if (before && before.slug !== page.slug) slugs.remove(tx, keyOf(before.slug))
      slugs.put(tx, keyOf(page.slug), holder)
      if (before?.subdomain && before.subdomain !== page.subdomain) {
        const released = { ...holder, pageId: null, releasedAtMs: nowMs }
        subdomains.put(tx, keyOf(before.subdomain), released)
      }
      if (page.subdomain) subdomains.put(tx, keyOf(page.subdomain), holder)
      if (page.isListed) listed.put(tx, [page.orgId, page.id], 1)
      else listed.remove(tx, [page.orgId, page.id])
      pages.put(tx, [page.orgId, page.id], page)
      pagesChanged.raise(tx, page.orgId)
      const isSameHost = before?.subdomain === page.subdomain && before.isEnabled === page.isEnabled
      if (!isSameHost) pageHostsChanged.raise(tx)
    },

    /** Undefined also if it is damaged. */
    picture: ({ orgId, id }: PictureOwner, kind: PagePictureKind) =>
      pictures.readable([orgId, id, kind])?.bytes,

    /** The caller writes the page too, which says what its pictures are; null removes one. */
    putPicture(
      tx: Tx,
      { orgId, id }: PictureOwner,
      kind: PagePictureKind,
      bytes: Uint8Array | null,
    ) {
      if (bytes === null) pictures.remove(tx, [orgId, id, kind])
      else pictures.put(tx, [orgId, id, kind], { bytes })
    },

    discard,
    remove,

    /** Deletes the pages of a whole organization, also damaged ones. */
    forget(tx: Tx, orgId: OrgId, nowMs: number): void {
      for (const key of pages.keys({ prefix: [orgId], limit: limits.quotaMax })) {
        const page = pages.readable(key)
        if (page) remove(tx, page, nowMs)
        else discard(tx, orgId, key[1] as PageId, nowMs)
      }
    },
  }
}
