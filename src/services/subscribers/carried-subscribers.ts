// Imports whose status pages bring subscribers: these are examined before it, and written in pieces once the pages
// are there. An import that was interrupted may be made again.
import { Fault, invalidField } from '../../base/fault.ts'
import { asId, newId, type PageId } from '../../base/ids.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type {
  SubscribersImported,
  SubscribersOfImport,
} from '../../domain/subscribers/consented.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { ImportOptions, ImportResult, Portability } from '../orgs/portability.ts'
import type { ImportedDocument } from '../portable.ts'
import {
  type ExaminedList,
  type SubscriberImports,
  type SubscriberList,
  sumOf,
} from './subscriber-imports.ts'
import { subscribersOfPageMax } from './subscriber-writer.ts'

export interface ImportSubscribersDeps {
  readonly portability: Portability
  readonly subscriberImports: SubscriberImports
}

interface CarriedList extends SubscriberList {
  /** The id of the page in the document. */
  readonly id: string
}

interface FoundList extends ExaminedList {
  readonly id: string
}

interface FoundLists {
  readonly lists: readonly FoundList[]
  readonly problems: SubscribersOfImport['problems']
  /** How many stay away because all of them do. */
  readonly refused: number
}

const none: FoundLists = { lists: [], problems: [], refused: 0 }

/** The same, with the subscribers that pages of documents carry. */
export function withSubscribers(
  { store, clock }: Core,
  { portability, subscriberImports }: ImportSubscribersDeps,
) {
  function pageOf(
    { orgId }: OrgScope,
    { source }: ImportedDocument,
    origin: unknown,
  ): StatusPage | null {
    if (!source || typeof origin !== 'string') return null
    const known = store.importOrigins.get({ orgId, source, list: 'statusPages', origin })
    return (known && store.pages.readable(orgId, known.id as PageId)) ?? null
  }

  /** Takes the subscribers off the pages. Throws validation_failed for what is no list. */
  function apart(scope: OrgScope, document: ImportedDocument) {
    const lists: CarriedList[] = []
    const ownIds = new Set<string>()
    const statusPages = (document.statusPages ?? []).map((item, index) => {
      if (!isRecord(item) || !('subscribers' in item)) return item
      const { subscribers, ...page } = item
      const pointer = `/statusPages/${index}/subscribers`
      if (!Array.isArray(subscribers)) throw invalidField(pointer, 'type', 'must be a list')
      if (subscribers.length > subscribersOfPageMax) {
        const most = `must have at most ${subscribersOfPageMax} subscribers`
        throw invalidField(pointer, 'maxItems', most)
      }
      const id = typeof page.id === 'string' ? page.id : newId('page', clock.nowMs())
      if (page.id === undefined) ownIds.add(id)
      const stored = pageOf(scope, document, page.origin)
      const sections = [...namesOf(page.sections), ...namesOf(stored?.sections)]
      lists.push({ id, page: stored, sections, pointer, given: subscribers })
      return page.id === undefined ? { ...page, id } : page
    })
    return { bare: { ...document, statusPages }, lists, ownIds }
  }

  /** Throws validation_failed, forbidden, conflict, rate_limited; where items may be left out, tells it. */
  async function examined(
    scope: OrgScope,
    lists: readonly CarriedList[],
    { leavesOut = false }: ImportOptions,
    takes: boolean,
  ): Promise<FoundLists> {
    if (lists.length === 0) return none
    try {
      const found = await subscriberImports.examine(scope, lists)
      const errors = found.flatMap(({ problems }) => problems).slice(0, limits.fieldProblemsMax)
      if (errors.length > 0 && !leavesOut)
        throw new Fault('validation_failed', undefined, { errors })
      if (takes) subscriberImports.take(scope, found)
      const named = found.map((list, index) => ({ ...list, id: lists[index]?.id ?? '' }))
      const problems = errors.map(({ pointer, message }) => ({ pointer, message }))
      return { lists: named, problems, refused: 0 }
    } catch (error) {
      if (!(error instanceof Fault) || !leavesOut) throw error
      const refused = lists.reduce((sum, { given }) => sum + given.length, 0)
      return { lists: [], problems: [{ pointer: '', message: error.message }], refused }
    }
  }

  /** Whose page is there: it may have been deleted here, or left out. */
  function onPages({ lists }: FoundLists, { ids }: ImportResult) {
    return lists.flatMap((list) => {
      const pageId = asId('page', ids[list.id] ?? '')
      return pageId ? [{ ...list, pageId }] : []
    })
  }

  function told(
    imported: ImportResult,
    ownIds: ReadonlySet<string>,
    { problems, refused }: FoundLists,
    sum: SubscribersImported,
  ): ImportResult {
    const ids = Object.entries(imported.ids).filter(([id]) => !ownIds.has(id))
    const subscribers = { ...sum, leftOut: sum.leftOut + refused, problems }
    return { ...imported, ids: Object.fromEntries(ids), subscribers }
  }

  async function carried(
    scope: OrgScope,
    { bare, lists, ownIds }: ReturnType<typeof apart>,
    options: ImportOptions,
  ): Promise<ImportResult> {
    const found = await examined(scope, lists, options, true)
    const imported = await portability.import(scope, bare, options)
    const present = onPages(found, imported)
    let added = 0
    for (const { pageId, coming } of present) {
      added += await subscriberImports.write(scope, pageId, coming, imported.importId)
    }
    const before = present.filter(({ page, coming }) => page !== null && coming.length > 0)
    if (before.length > 0) {
      await store.write((tx) => {
        const record = store.imports.get(scope.orgId, imported.importId)
        const subscriberPageIds = before.map(({ pageId }) => pageId)
        if (record) store.imports.put(tx, { ...record, subscriberPageIds })
      })
    }
    return told(imported, ownIds, found, { ...sumOf(present, 0), added })
  }

  return {
    ...portability,

    /** As that of the portability; throws also what an import of subscribers does. */
    async import(
      scope: OrgScope,
      document: ImportedDocument,
      options: ImportOptions = {},
    ): Promise<ImportResult> {
      const { bare, lists, ownIds } = apart(scope, document)
      if (lists.length === 0) return portability.import(scope, document, options)
      // What it answers is known after several writes.
      return store.apart(() => carried(scope, { bare, lists, ownIds }, options))
    },

    /** As that of the portability. */
    async tryImport(
      scope: OrgScope,
      document: ImportedDocument,
      options: ImportOptions = {},
    ): Promise<ImportResult> {
      const { bare, lists, ownIds } = apart(scope, document)
      const found = await examined(scope, lists, options, false)
      const imported = await portability.tryImport(scope, bare, options)
      return told(imported, ownIds, found, sumOf(onPages(found, imported), 0))
    },
  }
}

function namesOf(sections: unknown): readonly string[] {
  if (!Array.isArray(sections)) return []
  return sections.flatMap((one: unknown) =>
    isRecord(one) && typeof one.name === 'string' ? [one.name] : [],
  )
}
