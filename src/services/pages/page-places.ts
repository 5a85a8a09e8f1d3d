// Writes a status page: ensures that its addresses are free, its monitors public, and one page the
// default.
import { Fault, invalidField } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { slugFrom, slugWithId, subdomainProblem } from '../../domain/pages/page-address.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { PageChanges } from './page-fields.ts'

/**
 * Everything runs in the writing transaction: of two requests for one address, the second fails.
 */
export function createPagePlaces(store: Store) {
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
      // The same response for unknown, foreign and private monitors, so that existence does not
      // leak.
      if (!store.monitors.get(page.orgId, monitorId)?.isPublic) {
        const rule = `${monitorId} must be a public monitor of this organization`
        throw invalidField(`/publicMonitorIds/${index}`, 'reference', rule)
      }
    }
  }

  function unsetOtherDefaults(tx: Tx, page: StatusPage, nowMs: number): void {
    for (const other of store.pages.list(page.orgId, limits.quotaMax)) {
      if (!other.isDefault || other.id === page.id) continue
      const revision = other.revision + 1
      store.pages.put(tx, { ...other, isDefault: false, updatedAtMs: nowMs, revision }, nowMs)
    }
  }

  return {
    /**
     * Throws validation_failed and slug_taken. An absent slug stays, null derives one from the
     * name.
     */
    save(tx: Tx, page: StatusPage, changes: PageChanges, nowMs: number): StatusPage {
      const { slug } = changes
      const saved = slug === undefined ? page : { ...page, slug: freeSlug(page, slug || null) }
      if (changes.publicMonitorIds) checkMonitors(saved)
      if (saved.isDefault) unsetOtherDefaults(tx, saved, nowMs)
      store.pages.put(tx, saved, nowMs)
      return saved
    },

    /** Throws validation_failed and subdomain_taken if the page cannot have this label. */
    checkSubdomain(page: StatusPage, label: string, nowMs: number): void {
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
    },
  }
}
