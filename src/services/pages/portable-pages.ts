// Exports and imports status pages; an import finds free addresses.
import { refuseInvalid } from '../../base/fault.ts'
import { type MonitorId, newId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type { ServiceDeps } from '../context.ts'
import { at } from '../monitors/part-problems.ts'
import { notedMonitor } from '../monitors/portable-monitors.ts'
import type { Portable, WithId } from '../portable.ts'
import { createPagePlaces, labelProblems, mergedPage, newPage } from './page-fields.ts'
import type { NewPage } from './pages.ts'

type PageItem = NewPage & WithId & { readonly subdomain?: string | null | undefined }

/** With the requested slug; whether it is free is decided when it is written. */
interface ReadyPage {
  readonly page: StatusPage
  readonly slug: string | null
}

export function portablePages({ store, clock }: ServiceDeps): Portable<PageItem, ReadyPage> {
  const places = createPagePlaces(store)
  return {
    async export(orgId) {
      const pages = store.pages.list(orgId, limits.quotaMax).toReversed()
      return pages.map((page) => ({ item: itemOf(page), secrets: [] }))
    },
    prepare({ id, subdomain, slug = null, publicMonitorIds, ...rest }, orgId, references) {
      const nowMs = clock.nowMs()
      const blank = newPage({ id: newId('page', nowMs), orgId, name: rest.name, nowMs })
      const shown = publicMonitorIds
        ? references.referred('monitor', publicMonitorIds, '/publicMonitorIds')
        : null
      const isPublic = (named: MonitorId) => {
        const monitorId = shown?.[publicMonitorIds?.indexOf(named) ?? -1]
        return notedMonitor(references, monitorId)?.isPublic !== false
      }
      refuseInvalid([
        ...places.problems(orgId, { ...rest, publicMonitorIds }, isPublic),
        ...(subdomain ? labelProblems(subdomain) : []),
      ])
      const merged = mergedPage(blank, { ...rest, publicMonitorIds: shown }, nowMs)
      return { page: references.note(id, { ...merged, subdomain: subdomain || null }), slug }
    },
    put(tx, _orgId, pages, list) {
      const nowMs = clock.nowMs()
      for (const [index, { page, slug }] of pages.entries()) {
        const { publicMonitorIds, subdomain } = page
        const pointer = `${list}/${index}`
        if (subdomain !== null) {
          at(pointer, () => places.checkSubdomain(page, subdomain, nowMs), '/subdomain')
        }
        const changes = { slug: slug || null, publicMonitorIds }
        at(pointer, () => places.save(tx, page, changes, nowMs), '/slug')
      }
    },
  }
}

/** Omits what belongs to this installation: owner and creation time. */
function itemOf({ orgId, createdAtMs, updatedAtMs, revision, ...own }: StatusPage): PageItem {
  return { ...own, isListed: own.isListed ?? false }
}
