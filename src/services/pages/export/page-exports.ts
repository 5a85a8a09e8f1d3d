// Exports status pages as files: one when the operator asks, and all after each change if a directory is
// set. Any web server can serve them while this machine is gone.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../../base/clock.ts'
import { Fault, notFound } from '../../../base/fault.ts'
import type { OrgId } from '../../../base/ids.ts'
import type { Log } from '../../../base/log/log.ts'
import { createYielder } from '../../../base/yielding.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { isProtected, type StatusPage } from '../../../domain/pages/page.ts'
import { exportRoot } from '../../../pages/export/relative-links.ts'
import { staticPage } from '../../../pages/export/static-page.ts'
import type { Store } from '../../../store/store.ts'
import type { PublicPages } from '../public-pages.ts'
import { openExportDirectory, readMarker, removeExport } from './export-directory.ts'

export interface PageExportsDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly publicPages: Pick<PublicPages, 'find' | 'contextOf' | 'listen'>
  /** The directory below which each page gets one; null: no page is exported by itself. */
  readonly exportDir: string | null
}

export interface ExportedPage {
  readonly files: number
  /** How many of them are new or different. */
  readonly changed: number
}

export type PageExports = ReturnType<typeof createPageExports>

/** The wait after a change until pages are exported. */
const exportDelayMs = 2_000
export const exportSliceMs = 10

export function createPageExports(deps: PageExportsDeps) {
  const { store, clock, log, publicPages, exportDir } = deps
  const changedOrgs = new Set<OrgId>()
  const stopping = new AbortController()
  let timer: unknown
  /** Two at once would write the same files. */
  let last: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  async function write(slug: string, dir: string, isForced: boolean): Promise<ExportedPage> {
    const page = publicPages.find({ slug })
    const context = publicPages.contextOf(slug, exportRoot, clock.nowMs())
    if (!page || !context) throw notFound('status page')
    if (isProtected(page)) {
      throw new Fault(
        'conflict',
        'The page has a password, or is for members: an export would be open to all.',
      )
    }
    const directory = await openExportDirectory(dir, page.id, isForced)
    const yielder = createYielder(clock, exportSliceMs)
    let files = 0
    let changed = 0
    // There are no forms without the daemon.
    const view = { ...context.view, allowsSubscribers: false }
    for (const { path, body } of staticPage({ ...context, view })) {
      files += 1
      if (await directory.write(path, body)) changed += 1
      if (yielder.isDue()) await yielder.pause()
    }
    await directory.finish()
    return { files, changed }
  }

  const isExported = (page: StatusPage) =>
    !isProtected(page) && publicPages.find({ slug: page.slug })?.id === page.id

  /** One that fails does not keep the others from being written. */
  async function writeOne(root: string, { slug }: StatusPage): Promise<boolean> {
    try {
      const { changed } = await write(slug, join(root, slug), false)
      return changed > 0
    } catch (error) {
      log.warn('a status page could not be exported', { slug, error })
      return false
    }
  }

  /** Exports of pages that are gone, renamed, disabled or protected are removed at once. */
  async function sweep(root: string): Promise<number> {
    let removed = 0
    for (const entry of await readdir(root, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isDirectory()) continue
      const dir = join(root, entry.name)
      const marker = await readMarker(dir)
      if (!marker) continue
      const page = publicPages.find({ slug: entry.name })
      if (page?.id === marker.pageId && isExported(page)) continue
      await removeExport(dir)
      removed += 1
    }
    return removed
  }

  function* allOrgs(): Generator<OrgId> {
    let after: OrgId | undefined
    do {
      const slice = store.orgs.list(limits.scanSlice, after)
      for (const { id } of slice) yield id
      after = slice.at(-1)?.id
    } while (after !== undefined)
  }

  async function round(orgIds: Iterable<OrgId>, signal: AbortSignal): Promise<string> {
    if (exportDir === null) return 'no directory is set'
    let removed = await sweep(exportDir)
    const yielder = createYielder(clock, exportSliceMs)
    let changed = 0
    let pages = 0
    for (const orgId of orgIds) {
      // Most organizations may have no page to wait for.
      if (yielder.isDue()) await yielder.pause()
      for (const page of store.pages.list(orgId, limits.quotaMax)) {
        if (signal.aborted || stopping.signal.aborted) return 'stopped'
        if (!isExported(page)) continue
        pages += 1
        if (await writeOne(exportDir, page)) changed += 1
      }
    }
    // A page may have been protected meanwhile.
    removed += await sweep(exportDir)
    return `${changed} of ${pages} pages written, ${removed} removed`
  }

  function noteChange(orgId: OrgId): void {
    if (exportDir === null) return
    changedOrgs.add(orgId)
    timer ??= clock.setTimeout(() => {
      timer = undefined
      const orgIds = [...changedOrgs]
      changedOrgs.clear()
      inTurn(() => round(orgIds, stopping.signal)).catch((error: unknown) =>
        log.warn('status pages could not be exported', { error }),
      )
    }, exportDelayMs)
  }

  publicPages.listen(noteChange)

  return {
    /**
     * Writes a page to a directory, which is created if it is missing. Throws not_found, or conflict if
     * the page is protected, or the directory holds something else and `isForced` is false.
     */
    exportPage: (slug: string, dir: string, isForced: boolean): Promise<ExportedPage> =>
      inTurn(() => write(slug, dir, isForced)),
    /** Exports every page: its days and uptime change without an event. */
    exportAll: (signal: AbortSignal): Promise<string> => inTurn(() => round(allOrgs(), signal)),
    async stop() {
      stopping.abort()
      clock.clearTimeout(timer)
      await last
    },
  }
}
