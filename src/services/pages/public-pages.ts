// Public pages as bytes: rendered and compressed once, then served until something changes.
import { createHash } from 'node:crypto'
import { constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { toText } from '../../pages/html.ts'
import { type MonitorSource, toPublicPage } from '../../pages/public-view.ts'
import { statusPage } from '../../pages/status-page.ts'
import { leftOutOf } from '../../store/left-out.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import { createNewestDays } from '../checks/tally-memory.ts'
import { maintenanceAt } from '../maintenance/covered.ts'

export interface RenderedPage {
  readonly html: Uint8Array
  readonly gzip: Uint8Array
  /** Weak, because both encodings are the same page. */
  readonly etag: string
}

/** Increases with every change; pages store its value at the time they were rendered. */
interface PageMark {
  moved: number
  /** Increases when what may be shown has changed: earlier pages are not served again. */
  forgotten: number
}

interface CachedPage extends RenderedPage {
  readonly mark: PageMark
  readonly moved: number
  readonly forgotten: number
  readonly madeAtMs: number
}

function isFresh(entry: CachedPage, nowMs: number): boolean {
  if (entry.forgotten !== entry.mark.forgotten) return false
  const ageMs = nowMs - entry.madeAtMs
  // A clock that was set back must not keep a page forever.
  if (ageMs < 0) return false
  return ageMs < (entry.moved === entry.mark.moved ? limits.pageFreshMsMax : limits.pageFreshMsMin)
}

export type PublicPages = ReturnType<typeof createPublicPages>

export function createPublicPages({ store }: { readonly store: Store }) {
  const newestDays = createNewestDays(store.days, leftOutOf(store))
  const marks = new Map<OrgId, PageMark>()
  const made = new LRUCache<string, CachedPage>({
    max: limits.pagesCachedMax,
    maxSize: limits.pageCacheBytesMax,
    sizeCalculation: ({ html, gzip }) => html.length + gzip.length,
  })

  function markOf(orgId: OrgId): PageMark {
    const mark = marks.get(orgId) ?? { moved: 0, forgotten: 0 }
    marks.set(orgId, mark)
    return mark
  }

  function sourceOf(page: StatusPage, monitorId: MonitorId, nowMs: number): MonitorSource[] {
    const monitor = store.monitors.readable(page.orgId, monitorId)
    if (!monitor?.isPublic) return []
    const monitorState = store.monitorStates.get(page.orgId, monitorId)
    // There were no checks yet, so there are no days either.
    const isUnderMaintenance = maintenanceAt(store, monitor, nowMs) !== null
    if (!monitorState) return [{ monitor, monitorState: null, tallies: [], isUnderMaintenance }]
    const isCounted = page.showMonitors && (page.showHistory || page.showUptime)
    const tallies = isCounted ? newestDays(monitor, monitorState, nowMs) : []
    return [{ monitor, monitorState, tallies, isUnderMaintenance }]
  }

  function incidentsOf(page: StatusPage) {
    if (!page.showIncidents) return []
    const limit = limits.publicIncidentsScanned
    const open = store.incidents.listOpen(page.orgId, limit)
    const newest = store.incidents.list(page.orgId, { limit })
    return [...new Map([...open, ...newest].map((incident) => [incident.id, incident])).values()]
  }

  function make(page: StatusPage, nowMs: number): CachedPage | undefined {
    const mark = markOf(page.orgId)
    const ids =
      page.publicMonitorIds ?? store.monitors.listPublic(page.orgId, limits.pageMonitorsMax)
    const sources = ids.flatMap((id) => sourceOf(page, id, nowMs))
    const announced = store.windows.announced(page.orgId)
    const view = toPublicPage(page, sources, incidentsOf(page), nowMs, announced)
    if (!view) return undefined
    const html = Buffer.from(toText(statusPage(view)))
    const digest = createHash('sha256').update(html).digest('base64url').slice(0, 22)
    const { moved, forgotten } = mark
    return {
      html,
      gzip: gzipSync(html, { level: constants.Z_BEST_SPEED }),
      etag: `W/"${digest}"`,
      mark,
      moved,
      forgotten,
      madeAtMs: nowMs,
    }
  }

  function invalidate(orgId: OrgId): void {
    const mark = marks.get(orgId)
    if (mark) mark.moved += 1
  }

  store.signals.incidentChanged.listen(({ incident }) => invalidate(incident.orgId))
  store.signals.pagesChanged.listen((orgId) => {
    const mark = marks.get(orgId)
    if (mark) mark.forgotten += 1
  })

  return {
    /**
     * Undefined if there is none or it is disabled, without a difference. Usually a cache hit; at
     * most about two seconds behind the store.
     */
    render(
      address: { slug: string } | { subdomain: string },
      nowMs: number,
    ): RenderedPage | undefined {
      const isSlug = 'slug' in address
      const label = isSlug ? address.slug : address.subdomain
      if (label.length > limits.slugCharsMax) return undefined
      const key = isSlug ? `/${label}` : label
      const before = made.get(key)
      if (before && isFresh(before, nowMs)) return before
      const page = isSlug ? store.pages.findBySlug(label) : store.pages.findBySubdomain(label)
      const isShown = page?.isEnabled && !isOrgOff(store, page.orgId)
      const entry = isShown ? make(page, nowMs) : undefined
      if (entry) made.set(key, entry)
      else made.delete(key)
      return entry
    },
    /**
     * What the organization's pages show has changed: renders each on its next request, but at most
     * once a second.
     */
    invalidate,
  }
}
