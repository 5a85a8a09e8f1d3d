// Public pages as bytes: each document of a page is made once, then served until something changes.
//
// A change shows with the next request. Rendering takes a bounded share of the time, so that in a
// storm of changes, or of requests for documents that nobody reads, readers get a document that is a
// little older. A change that a page does not show makes no new document.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, startWork } from '../../base/clock.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { atMostBytes, atMostEntries } from '../../base/memory/bounds.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import { mayBeShown } from '../../domain/monitors/shadow.ts'
import { isProtected, type PagePictureKind, type StatusPage } from '../../domain/pages/page.ts'
import type {
  DocumentContext,
  PageDocument,
  PublicFigures,
  PublicPage,
} from '../../pages/view/public-page.ts'
import { type MonitorSource, toPublicPage } from '../../pages/view/public-view.ts'
import { leftOutOf } from '../../store/left-out.ts'
import { isOrgOff } from '../../store/org-state.ts'
import { type PlaceNameOf, placeNames } from '../../store/place-names.ts'
import type { Store } from '../../store/store.ts'
import type { Language } from '../../texts/languages.ts'
import { createNewestResponseTimes } from '../checks/newest-response-times.ts'
import { createNewestDays } from '../checks/tally-memory.ts'
import { isMaintained } from '../maintenance/covered.ts'
import type { PageUrls } from './page-urls.ts'
import { createPublicFigures } from './public-figures.ts'
import { publicReader } from './public-history.ts'
import { createPublicLocations } from './public-locations.ts'
import { createBytePacker, type DocumentBytes } from './serving/document-bytes.ts'
import {
  createRenderBudget,
  newRenderAccount,
  type RenderAccount,
  type Rendering,
} from './serving/render-budget.ts'

export interface RenderedDocument extends Pick<DocumentBytes, 'take' | 'plain'> {
  readonly contentType: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Weak, because all codings are the same document. */
  readonly etag: string
  /** Some people may not read the page. */
  readonly isPrivate: boolean
  /** The version of what the page shows; it stays while only times in the document have aged. */
  readonly version: string
  readonly madeAtMs: number
  /** Whether it may still be served. */
  isFresh(nowMs: number): boolean
  /** False if something changed since, and it was too early to make it anew. */
  isNewest(): boolean
}

/** Where a page was asked for. */
export type PageAddress = { readonly slug: string } | { readonly host: string }

/** What of a page is wanted. */
export interface WantedDocument {
  /** Tells it apart from all other documents of the page. */
  readonly key: string
  /** Whether it is the page itself, which no number of other documents may keep from being made. */
  readonly isPage?: boolean
  /** The language of the reader; a page may have one of its own. */
  readonly language: Language | null
  /** The path below which the page is served; '' at a host of its own. */
  readonly root: string
  /** Undefined if there is no such document. */
  readonly make: (context: DocumentContext) => PageDocument | undefined
}

/** Increases with every change; documents store its value at the time they were rendered. */
interface PageMark {
  moved: number
  /** Increases when what may be shown has changed: earlier documents are not served again. */
  forgotten: number
  readonly account: RenderAccount
}

/** An address of a page, as long as the page is the same. */
interface KnownAddress {
  readonly page: StatusPage
  readonly fallbackLanguage: Language
  readonly mark: PageMark
  readonly forgotten: number
}

/** What documents are made from, at one moment. */
interface Projection {
  readonly view: PublicPage
  readonly figures: PublicFigures
  readonly version: string
  readonly moved: number
  readonly forgotten: number
}

interface CachedDocument extends RenderedDocument {
  readonly key: string
  readonly isPage: boolean
  readonly agesAtMs: number
  usedAtMs: number
  readonly place: KnownAddress
  /** What changed since then did not show. */
  moved: number
  /** Whether the document shows more than the projection, so that any change may concern it. */
  readonly hasReadMore: boolean
  readonly bytes: DocumentBytes
}

export interface PublicPagesDeps {
  readonly store: Store
  readonly clock: Pick<Clock, 'monoMs' | 'cpuMs'>
  readonly urls: PageUrls
  /** Default: there is one. */
  readonly hasMailServer?: () => boolean
  /** Default: where the service runs has no name. */
  readonly placeName?: PlaceNameOf
}

export type PublicPages = ReturnType<typeof createPublicPages>

const publicIncidentsScanned = 200
/** After a change a document is made with the next request, but not more often than this. */
export const pageRenderGapMs = 20
/** The bytes of all documents together. */
const pageCacheBytesMax = 32 * 1024 * 1024
/** How often at most a document counts as used. */
const pageUsedMs = 1_000
/** Addresses of pages that are kept with what they lead to. */
const pagePlacesKept = 5_000
/** Style sheets of previews, whose frames load them at once. */
const draftStylesKept = 200
export const draftStylesPath = '/assets/draft'
/** What documents are made from is large, so only the newest is kept. */
const pageViewsKept = 2
export const pageViewMsMax = 1_000

export function createPublicPages(deps: PublicPagesDeps) {
  const { store, clock, urls, hasMailServer } = deps
  const newestDays = createNewestDays(store.days, leftOutOf(store))
  const figuresOf = createPublicFigures(store)
  const newestResponseTimes = createNewestResponseTimes(store)
  const locationsOf = createPublicLocations(store, deps.placeName ?? placeNames(store, () => null))
  const marks = new Map<OrgId, PageMark>()
  const places = new LRUCache<string, KnownAddress>(atMostEntries(pagePlacesKept))
  const projections = new LRUCache<StatusPage, Projection>({ max: pageViewsKept })
  const packer = createBytePacker()
  const made = new LRUCache<string, CachedDocument>(
    atMostBytes({
      entriesMax: limits.pagesCachedMax,
      bytesMax: pageCacheBytesMax,
      // Besides its bytes, a document takes about a kilobyte.
      bytesOf: ({ bytes }) => bytes.keptBytes + 1_024,
    }),
  )
  const draftStyles = new LRUCache<string, string>(atMostEntries(draftStylesKept))
  const listeners: ((orgId: OrgId) => void)[] = []
  const budget = createRenderBudget()

  function markOf(orgId: OrgId): PageMark {
    const mark = marks.get(orgId) ?? { moved: 0, forgotten: 0, account: newRenderAccount() }
    marks.set(orgId, mark)
    return mark
  }

  function sourceOf(page: StatusPage, monitorId: MonitorId, nowMs: number): MonitorSource[] {
    const monitor = store.monitors.readable(page.orgId, monitorId)
    if (!monitor || !mayBeShown(monitor)) return []
    const monitorState = store.monitorStates.get(page.orgId, monitorId)
    const isUnderMaintenance = isMaintained(store, monitor, nowMs)
    // There were no checks yet, so there are no days either.
    if (!monitorState) return [{ monitor, monitorState: null, tallies: [], isUnderMaintenance }]
    const isCounted = page.showMonitors && (page.showHistory || page.showUptime)
    const tallies = isCounted ? newestDays(monitor, monitorState, nowMs) : []
    const responseTimes =
      page.showMonitors && page.showResponseTimes
        ? newestResponseTimes(monitor, monitorState, nowMs)
        : null
    const locations = page.showMonitors ? locationsOf(page, monitor, nowMs) : []
    return [{ monitor, monitorState, tallies, isUnderMaintenance, responseTimes, locations }]
  }

  /** Its pictures with their bytes. */
  function withBytes(page: StatusPage): PublicPage['pictures'] {
    const picture = (kind: PagePictureKind) => {
      const about = page.pictures[kind]
      const bytes = about && store.pages.picture(page, kind)
      return about && bytes ? { ...about, base64: Buffer.from(bytes).toString('base64') } : null
    }
    return { logo: picture('logo'), cover: picture('cover'), favicon: picture('favicon') }
  }

  /** Its own style sheet, at an address for the preview alone. */
  function withDraftStyle({ css }: StatusPage): Pick<PublicPage, 'draftCssPath'> {
    if (css === '') return {}
    const file = `${digestOf(css)}.css`
    draftStyles.set(file, css)
    return { draftCssPath: `${draftStylesPath}/${file}` }
  }

  function incidentsOf(page: StatusPage) {
    if (!page.showIncidents) return []
    const limit = publicIncidentsScanned
    const open = store.incidents.listOpen(page.orgId, limit)
    const newest = store.incidents.list(page.orgId, { limit })
    return [...new Map([...open, ...newest].map((incident) => [incident.id, incident])).values()]
  }

  /** All that documents of the page are made from. */
  function publicDataOf(page: StatusPage, nowMs: number) {
    const ids =
      page.publicMonitorIds ?? store.monitors.listPublic(page.orgId, limits.pageMonitorsMax)
    const sources = ids.flatMap((id) => sourceOf(page, id, nowMs))
    const view = toPublicPage(page, sources, incidentsOf(page), nowMs, {
      hasMailServer: hasMailServer?.() ?? true,
      windows: store.windows.announced(page.orgId),
      url: urls.of(page),
      serviceUrl: urls.serviceUrl,
      locale: localeOf(store.orgs.get(page.orgId)),
    })
    return view && { view, figures: figuresOf(page, sources, nowMs) }
  }

  /** Many documents are made from one projection after a change. */
  function projectionOf({ page, mark }: KnownAddress, nowMs: number): Projection | undefined {
    // Read first: what changes while it is made must make it stale.
    const { moved, forgotten } = mark
    const known = projections.get(page)
    if (known?.moved === moved && known.forgotten === forgotten) {
      const ageMs = nowMs - known.view.generatedAtMs
      if (ageMs >= 0 && ageMs < pageViewMsMax) return known
    }
    const data = publicDataOf(page, nowMs)
    if (!data) return undefined
    const projection = { ...data, version: versionOf(data.view), moved, forgotten }
    projections.set(page, projection)
    return projection
  }

  function make(
    place: KnownAddress,
    { view, figures, version, moved }: Projection,
    wanted: WantedDocument,
    key: string,
  ): CachedDocument | undefined {
    const language = view.language ?? wanted.language ?? view.fallbackLanguage
    let hasReadMore = false
    const document = wanted.make({
      view,
      get figures() {
        hasReadMore = true
        return figures
      },
      get reader() {
        hasReadMore = true
        const { timezone, generatedAtMs } = view
        return publicReader(store, { page: place.page, timezone, nowMs: generatedAtMs })
      },
      language,
      root: wanted.root,
    })
    if (!document) return undefined
    const madeAtMs = view.generatedAtMs
    const times = { madeAtMs, usedAtMs: madeAtMs, agesAtMs: agesAtMs(view) }
    return packed(document, {
      key,
      isPage: wanted.isPage === true,
      place,
      version,
      moved,
      hasReadMore,
      ...times,
    })
  }

  /**
   * Packs a document. Its functions keep everything in their scope alive, so the view must not be in that
   * scope.
   */
  function packed(
    { contentType, headers = [], body, etagPlace }: PageDocument,
    about: Pick<
      CachedDocument,
      | 'key'
      | 'isPage'
      | 'place'
      | 'version'
      | 'moved'
      | 'hasReadMore'
      | 'madeAtMs'
      | 'usedAtMs'
      | 'agesAtMs'
    >,
  ): CachedDocument {
    const { key, place } = about
    const etag = `W/"${digestOf(body)}"`
    const plain = Buffer.from(
      etagPlace === undefined ? body : String(body).replace(etagPlace, `data-etag='${etag}'`),
    )
    const bytes = packer.pack(contentType, plain, () => {
      if (made.peek(key) === entry) made.set(key, entry)
    })
    const entry: CachedDocument = {
      ...about,
      contentType,
      headers,
      etag,
      isPrivate: isProtected(place.page),
      bytes,
      take: bytes.take,
      get plain() {
        return bytes.plain
      },
      isFresh: (nowMs) => isFresh(entry, nowMs),
      isNewest: () => entry.moved === place.mark.moved && place.forgotten === place.mark.forgotten,
    }
    return entry
  }

  function isFresh(entry: CachedDocument, nowMs: number): boolean {
    const { place, isPage, moved, madeAtMs } = entry
    keepWhatIsRead(entry, nowMs)
    if (place.forgotten !== place.mark.forgotten) return false
    if (nowMs < madeAtMs) return false
    if (!hasAged(entry, nowMs)) {
      if (moved === place.mark.moved || nowMs - madeAtMs < pageRenderGapMs) return true
    }
    return !budget.allows(place.mark.account, isPage ? 'page' : 'again', nowMs)
  }

  /** Most requests are answered without looking here, so what is read must not seem unused. */
  function keepWhatIsRead(entry: CachedDocument, nowMs: number): void {
    if (nowMs - entry.usedAtMs < pageUsedMs) return
    entry.usedAtMs = nowMs
    made.get(entry.key)
  }

  function invalidate(orgId: OrgId): void {
    const mark = marks.get(orgId)
    if (!mark) return
    mark.moved += 1
    for (const listener of listeners) listener(orgId)
  }

  store.signals.incidentChanged.listen(({ incident }) => invalidate(incident.orgId))
  function forget(orgId: OrgId): void {
    const mark = marks.get(orgId)
    if (!mark) return
    mark.forgotten += 1
    for (const listener of listeners) listener(orgId)
  }
  store.signals.pagesChanged.listen((orgId) => {
    // A location that all organizations share.
    for (const one of orgId === sharedOwner ? [...marks.keys()] : [orgId]) forget(one)
  })

  function placeAt(address: PageAddress): KnownAddress | undefined {
    const name = nameOf(address)
    if (name.length > limits.hostnameCharsMax) return undefined
    const known = places.get(name)
    if (known && known.forgotten === known.mark.forgotten) return known
    const page =
      'slug' in address ? store.pages.findBySlug(address.slug) : urls.pageAt(address.host)
    if (!page?.isEnabled || isOrgOff(store, page.orgId)) {
      places.delete(name)
      return undefined
    }
    const mark = markOf(page.orgId)
    const { language: fallbackLanguage } = localeOf(store.orgs.get(page.orgId))
    const place = { page, fallbackLanguage, mark, forgotten: mark.forgotten }
    places.set(name, place)
    return place
  }

  return {
    /** Undefined if there is none or it is disabled, without a difference. */
    find: (address: PageAddress): StatusPage | undefined => placeAt(address)?.page,
    /** The language of a page for a reader whose browser asks for `wanted`. */
    languageOf: (page: StatusPage, wanted: Language | null): Language =>
      page.language ?? wanted ?? localeOf(store.orgs.get(page.orgId)).language,
    /** What all documents of a page are made from, with links that begin with `root`. */
    contextOf(slug: string, root: string, nowMs: number): DocumentContext | undefined {
      const place = placeAt({ slug })
      const projection = place && projectionOf(place, nowMs)
      if (!projection) return undefined
      const { view, figures } = projection
      return {
        view,
        figures,
        reader: publicReader(store, { page: place.page, timezone: view.timezone, nowMs }),
        language: view.language ?? view.fallbackLanguage,
        root,
      }
    },
    /** What the document of a page would be made from that nobody can open yet. */
    draftOf(
      page: StatusPage,
      nowMs: number,
    ): Pick<DocumentContext, 'view' | 'language' | 'root'> | undefined {
      const data = publicDataOf({ ...page, isEnabled: true }, nowMs)
      if (!data) return undefined
      const { language, fallbackLanguage } = data.view
      return {
        view: { ...data.view, pictures: withBytes(page), ...withDraftStyle(page) },
        language: language ?? fallbackLanguage,
        root: `/status/${page.slug}`,
      }
    },
    /** The style sheet of a draft that was drawn lately. */
    draftStyle: (file: string): string | undefined => draftStyles.get(file),
    /**
     * Undefined if there is no such page or document. Usually a cache hit. Throws unavailable if it
     * was not made before, and too many others are made.
     */
    render(
      address: PageAddress,
      wanted: WantedDocument,
      nowMs: number,
    ): RenderedDocument | undefined {
      const place = placeAt(address)
      if (!place) return undefined
      const language = place.page.language ?? wanted.language ?? place.fallbackLanguage
      const key = `${nameOf(address)} ${language} ${wanted.key}`
      const before = made.get(key)
      if (before && isFresh(before, nowMs)) return before
      const isFirst = before?.place !== place
      const which: Rendering = wanted.isPage ? 'page' : isFirst ? 'first' : 'again'
      const { account } = place.mark
      if (isFirst) budget.refuseTooMany(account, which, nowMs)
      const workedMs = startWork(clock)
      const projection = projectionOf(place, nowMs)
      const isUnchanged =
        before !== undefined &&
        before.place === place &&
        !before.hasReadMore &&
        before.version === projection?.version &&
        !hasAged(before, nowMs)
      if (isUnchanged) before.moved = projection?.moved ?? before.moved
      const entry = isUnchanged ? before : projection && make(place, projection, wanted, key)
      if (!entry) made.delete(key)
      else if (entry !== before) made.set(key, entry)
      budget.pay(account, which, workedMs(), nowMs)
      return entry
    },
    /** What the organization's pages show may have changed. */
    invalidate,
    /** Called after each such change, if a page of the organization was read before. */
    listen: (listener: (orgId: OrgId) => void) => void listeners.push(listener),
  }
}

function hasAged({ madeAtMs, agesAtMs }: CachedDocument, nowMs: number): boolean {
  // A clock that was set back must not keep a page forever.
  return nowMs >= agesAtMs || nowMs < madeAtMs
}

/** The age at which a document is made anew, because times and durations in it have aged. */
const pageAgeMsMax = 30_000

/** Maintenance begins and ends without an event. */
function agesAtMs({ generatedAtMs, maintenance }: PublicPage): number {
  const turns = maintenance.flatMap(({ startsAtMs, endsAtMs }) => [startsAtMs, endsAtMs])
  const coming = turns.filter((atMs) => atMs > generatedAtMs)
  return Math.min(generatedAtMs + pageAgeMsMax, ...coming)
}

function nameOf(address: PageAddress): string {
  return 'slug' in address ? `/${address.slug}` : address.host
}

function digestOf(text: string | Uint8Array): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}

/** Finished days stay as they are, so the newest stands for all. */
function versionOf(view: PublicPage): string {
  const monitors = view.monitors?.map((monitor) => ({ ...monitor, days: monitor.days.slice(-1) }))
  return digestOf(JSON.stringify({ ...view, monitors, generatedAtMs: 0 }))
}
