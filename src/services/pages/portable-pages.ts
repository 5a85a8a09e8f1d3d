// Exports and imports status pages; an import finds free addresses.
import { refuseInvalid } from '../../base/fault.ts'
import { type MonitorId, newId, type PageId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  noPictures,
  type PagePictureKind,
  type PageSection,
  pagePictureKinds,
  type StatusPage,
} from '../../domain/pages/page.ts'
import type { PictureFile } from '../../domain/pages/picture-file.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Core } from '../core.ts'
import { at, createProblems } from '../monitors/part-problems.ts'
import { notedMonitor } from '../monitors/portable-monitors.ts'
import { type Portable, type WithId, withFields } from '../portable.ts'
import { createRecords } from '../records.ts'
import type { AddressChanges } from './address-changes.ts'
import { createPagePlaces, mergedPage, newPage } from './page-fields.ts'
import { mustBePicture, type PicturesInBase64, pictureOf } from './page-pictures.ts'
import type { PageUrls } from './page-urls.ts'
import type { NewPage } from './pages.ts'

type PageItem = NewPage &
  WithId & {
    readonly subdomain?: string | null | undefined
    readonly pictures?: PicturesInBase64 | undefined
  }

/** A page with the requested slug; whether that is free is decided when the page is written. */
interface ReadyPage {
  readonly page: StatusPage
  /** Null derives one; undefined keeps what it has. */
  readonly slug: string | null | undefined
  readonly files: readonly (readonly [PagePictureKind, PictureFile])[]
  /** Whether the page may show a monitor; undefined: as the stored ones say. */
  readonly isShown?: (monitorId: MonitorId) => boolean
}

/** Pictures of an exported document, in base64: an import takes documents of limits.importBytesMax. */
const exportedPictureCharsMax = 8 * 1024 * 1024

export interface PortablePagesDeps {
  readonly addresses: AddressChanges
  readonly urls: Pick<PageUrls, 'ownHosts'>
}

export function portablePages(
  core: Core,
  deps: PortablePagesDeps,
): Portable<PageItem, ReadyPage, StatusPage> {
  const { store, clock } = core
  const { urls } = deps
  const places = createPagePlaces(store, urls.ownHosts, deps.addresses)
  const records = createRecords(core, 'pages', store.pages)

  function putPage(tx: Tx, { page, slug, files, isShown }: ReadyPage, pointer: string): void {
    const nowMs = clock.nowMs()
    const { publicMonitorIds, sections, subdomain } = page
    if (subdomain !== null) {
      at(pointer, () => places.takeSubdomain(page, subdomain, nowMs), '/subdomain')
    }
    const changes = { slug: slug || null, publicMonitorIds, sections }
    const settled = at(pointer, () => places.settled(tx, page, changes, nowMs, isShown), '/slug')
    store.pages.put(tx, settled, nowMs)
    for (const [kind, { bytes }] of files) store.pages.putPicture(tx, settled, kind, bytes)
  }

  /** The monitors that readers see: of those that were chosen some may be deleted since, or private. */
  function shownOf({ orgId, publicMonitorIds, sections }: StatusPage) {
    const isShown = (id: MonitorId) => store.monitors.readable(orgId, id)?.isPublic === true
    return {
      publicMonitorIds: publicMonitorIds?.filter(isShown) ?? null,
      sections: sections.map((section) => ({
        ...section,
        monitorIds: section.monitorIds.filter(isShown),
      })),
    }
  }

  return {
    async export(orgId) {
      const pages = store.pages.list(orgId, limits.quotaMax).toReversed()
      let charsLeft = exportedPictureCharsMax
      return pages.map((page) => {
        const pictures: Partial<Record<PagePictureKind, string>> = {}
        const picturesOmitted: string[] = []
        for (const kind of pagePictureKinds) {
          const bytes = page.pictures[kind] && store.pages.picture(page, kind)
          if (!bytes) continue
          const data = Buffer.from(bytes).toString('base64')
          if (data.length > charsLeft) picturesOmitted.push(`/pictures/${kind}`)
          else {
            charsLeft -= data.length
            pictures[kind] = data
          }
        }
        return {
          item: { ...itemOf(page), ...shownOf(page), pictures },
          secrets: page.passwordHash === null ? [] : ['/password'],
          picturesOmitted,
        }
      })
    },
    prepare(item, orgId, references) {
      const { id, subdomain, slug = null, publicMonitorIds, sections, pictures, ...rest } = item
      // Without the password that it had it would be open to everyone.
      const isLost = references.omittedFrom(item).includes('/password')
      const nowMs = clock.nowMs()
      const blank = newPage({ id: newId('page', nowMs), orgId, name: rest.name, nowMs })
      const shown = publicMonitorIds
        ? references.referred('monitor', publicMonitorIds, '/publicMonitorIds')
        : null
      const inSections = sections?.map((section, at) => {
        const pointer = `/sections/${at}/monitorIds`
        return {
          ...section,
          monitorIds: references.referred('monitor', section.monitorIds, pointer),
        }
      })
      const named = [...(publicMonitorIds ?? []), ...(sections ?? []).flatMap(idsOf)]
      const meant = [...(shown ?? []), ...(inSections ?? []).flatMap(idsOf)]
      const newIds = new Map(named.map((one, index) => [one, meant[index]]))
      const isPublic = (one: MonitorId) =>
        notedMonitor(references, newIds.get(one))?.isPublic !== false
      refuseInvalid([
        ...places.problems(orgId, { ...rest, publicMonitorIds, sections }, isPublic),
        ...(subdomain ? places.labelProblems(subdomain) : []),
      ])
      const enabled = isLost ? { isEnabled: false } : {}
      const changes = { ...rest, ...enabled, publicMonitorIds: shown, sections: inSections }
      const files = filesIn(pictures)
      const about = files.map(([kind, file]) => [kind, pictureOf(file)])
      const merged = {
        ...mergedPage(blank, changes),
        subdomain: subdomain || null,
        pictures: { ...noPictures, ...Object.fromEntries(about) },
      }
      const page = references.note(id, merged)
      // A monitor of the document is as it says, even where it is not written yet.
      const isShown = (one: MonitorId) =>
        (store.monitors.readable(orgId, one) ?? notedMonitor(references, one))?.isPublic === true
      return { page, slug, files, isShown }
    },
    put(tx, _orgId, pages, list) {
      const problems = createProblems(clock)
      for (const [index, page] of pages.entries()) {
        problems.of(() => putPage(tx, page, `${list}/${index}`))
      }
      // A taken address of each, so that an import can do without all of them.
      problems.throwAny()
    },
    again: {
      find: (orgId, id) => store.pages.readable(orgId, id as PageId),
      merged(stored, { page, slug, files, ...rest }, fields) {
        const others = new Set([...fields].filter((name) => name !== 'slug'))
        return {
          page: withFields(stored, page, others),
          slug: fields.has('slug') ? slug : undefined,
          files: fields.has('pictures') ? files : [],
          ...rest,
        }
      },
      // Pictures that an import replaced are not kept.
      former: (record) => {
        const page = record as StatusPage
        const pictures = store.pages.readable(page.orgId, page.id)?.pictures ?? noPictures
        return { page: { ...page, pictures }, slug: page.slug, files: [] }
      },
      replace(tx, scope, stored, { page, slug, files, isShown }, fields) {
        const nowMs = clock.nowMs()
        const { subdomain, publicMonitorIds, sections } = page
        if (subdomain !== null && subdomain !== stored.subdomain) {
          at('', () => places.takeSubdomain(stored, subdomain, nowMs), '/subdomain')
        }
        const isShownAnew = ['publicMonitorIds', 'sections'].some((one) => fields.includes(one))
        const changes = { slug, ...(isShownAnew ? { publicMonitorIds, sections } : {}) }
        const settle = () => places.settled(tx, page, changes, nowMs, isShown)
        const settled = at('', settle, '/slug')
        records.replace(tx, scope, stored, settled, { fields })
        for (const [kind, { bytes }] of files) store.pages.putPicture(tx, settled, kind, bytes)
        return undefined
      },
    },
  }
}

const idsOf = ({ monitorIds }: PageSection) => monitorIds

/** Judged as when they are uploaded. Throws validation_failed. */
function filesIn(pictures: PicturesInBase64 = {}): ReadyPage['files'] {
  return pagePictureKinds.flatMap((kind) => {
    const data = pictures[kind]
    if (!data) return []
    return [[kind, mustBePicture(Buffer.from(data, 'base64'), `/pictures/${kind}`)] as const]
  })
}

/** Omits what belongs to this installation: owner, creation time and password; pictures are added. */
function itemOf(page: StatusPage): PageItem {
  const { orgId, createdAtMs, updatedAtMs, revision, passwordHash, pictures, ...own } = page
  return own
}
