// Brings subscribers who confirmed elsewhere: they are not asked again. Whoever left a page here stays away, unless
// the consent is later.
import { Fault, type FieldProblem, invalidField, notFound, rateLimited } from '../../base/fault.ts'
import { asId, type ImportId, type OrgId, type PageId } from '../../base/ids.ts'
import type { RateVerdict } from '../../base/limiter.ts'
import { createYielder } from '../../base/yielding.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import {
  type ConsentedSubscriber,
  readConsented,
  type SubscribersImported,
} from '../../domain/subscribers/consented.ts'
import { endedMark } from '../../domain/subscribers/subscriber.ts'
import {
  columnOf,
  readSubscriberTable,
  type SubscriberRow,
} from '../../domain/subscribers/subscriber-table.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { type SubscriberWriter, subscribersOfPageMax } from './subscriber-writer.ts'

export interface SubscriberImportsDeps {
  readonly writer: SubscriberWriter
  /** Whether the operator lets organizations do so. */
  readonly isAllowed: () => boolean
  /** Counts subscribers that an organization brings; absent, or undefined, if members are trusted. */
  readonly takeImported?: (orgId: OrgId, count: number) => RateVerdict | undefined
  readonly mustBeApproved: (orgId: OrgId) => void
}

/** The subscribers of one page in a document, in any shape. */
export interface SubscriberList {
  /** Null: an import is about to make it. */
  readonly page: StatusPage | null
  readonly sections: readonly string[]
  readonly pointer: string
  readonly given: readonly unknown[]
}

/** What becomes of one: it comes, is a subscriber already, or has left since it confirmed. */
type Fate = 'added' | 'known' | 'ended'

/** What was found in a list. */
export interface ExaminedList {
  readonly page: StatusPage | null
  readonly coming: readonly ConsentedSubscriber[]
  readonly known: number
  readonly ended: number
  readonly problems: readonly FieldProblem[]
  /** How many have problems. */
  readonly refused: number
}

/** Addresses that one transaction writes: each is sealed. */
const writtenTogether = 25

export type SubscriberImports = ReturnType<typeof createSubscriberImports>

export function createSubscriberImports(core: Core, deps: SubscriberImportsDeps) {
  const { store, clock, audit, quotas } = core
  const { writer } = deps

  function isEnded(orgId: OrgId, pageId: PageId | null, one: ConsentedSubscriber): boolean {
    const mark = endedMark(orgId, one.kind, one.address)
    return store.endedSubscriptions.of(orgId, mark).some(
      ([leftId, endedAtMs]) =>
        endedAtMs >= one.consent.confirmedAtMs &&
        // The new page may be the one that was deleted.
        (leftId === pageId || !store.pages.readable(orgId, leftId)),
    )
  }

  function fateOf(orgId: OrgId, page: StatusPage | null, one: ConsentedSubscriber): Fate {
    const mark = page && writer.markOf(page, one.kind, one.address)
    const before = page && mark && store.subscribers.findByMark(orgId, page.id, mark)
    if (before && before.state !== 'pending') return 'known'
    return isEnded(orgId, page?.id ?? null, one) ? 'ended' : 'added'
  }

  /** Yields to other work. */
  async function examined(orgId: OrgId, list: SubscriberList): Promise<ExaminedList> {
    const { page, given, pointer } = list
    const yielder = createYielder(clock, limits.turnMs)
    const sections = new Set(list.sections)
    const reading = { nowMs: clock.nowMs(), sections, normalized: writer.normalized }
    const coming: ConsentedSubscriber[] = []
    const seen = new Set<string>()
    const problems: FieldProblem[] = []
    const counts = { known: 0, ended: 0, refused: 0 }
    for (const [index, value] of given.entries()) {
      if (yielder.isDue()) await yielder.pause()
      const one = readConsented(value, reading)
      if (!('address' in one)) {
        counts.refused += 1
        const within = one.map((wrong) => ({
          ...wrong,
          pointer: `${pointer}/${index}${wrong.pointer}`,
        }))
        if (problems.length < limits.fieldProblemsMax) problems.push(...within)
        continue
      }
      const key = `${one.kind} ${one.address}`
      if (seen.has(key)) continue
      seen.add(key)
      const fate = fateOf(orgId, page, one)
      if (fate === 'added') coming.push(one)
      else counts[fate] += 1
    }
    return { page, coming, problems, ...counts }
  }

  /** Throws forbidden, conflict (quota), rate_limited. */
  function mustTake(orgId: OrgId, lists: readonly ExaminedList[]): void {
    const more = lists.reduce((sum, { coming }) => sum + coming.length, 0)
    if (more === 0) return
    if (!deps.isAllowed()) throw new Fault('forbidden', notAllowed)
    deps.mustBeApproved(orgId)
    quotas.mustHaveRoom(orgId, 'subscribers', store.subscribers.count(orgId), more)
    for (const { page, coming } of lists) {
      const { pending, active, failed } = page
        ? store.subscribers.counts(orgId, page.id)
        : { pending: 0, active: 0, failed: 0 }
      if (pending + active + failed + coming.length <= subscribersOfPageMax) continue
      const most = subscribersOfPageMax
      throw new Fault('conflict', `A status page may have at most ${most} subscribers.`)
    }
  }

  function mustBeInTime(orgId: OrgId, count: number): void {
    const verdict = count > 0 ? deps.takeImported?.(orgId, count) : undefined
    if (!verdict || verdict.isAllowed) return
    const most = limits.subscribersImportedByOrg.quota
    throw rateLimited(
      verdict.retryMs,
      (seconds) => `At most ${most} subscribers a day may be imported: try again in ${seconds} s.`,
    )
  }

  function put(tx: Tx, page: StatusPage, one: ConsentedSubscriber, importId: ImportId | null) {
    const language = one.language ?? page.language
    writer.consented(tx, page, {
      ...one,
      language: language ?? localeOf(store.orgs.readable(page.orgId)).language,
      consent: { ...one.consent, importedAtMs: clock.nowMs(), importId },
    })
  }

  /** In pieces; one that was interrupted may be begun again. Returns how many came. */
  async function written(
    scope: OrgScope,
    pageId: PageId,
    coming: readonly ConsentedSubscriber[],
    importId: ImportId | null,
  ): Promise<number> {
    const { orgId } = scope
    let added = 0
    for (let at = 0; at < coming.length; at += writtenTogether) {
      const isFirst = at === 0
      await store.write((tx) => {
        const page = store.pages.readable(orgId, pageId)
        if (!page) return
        if (isFirst) {
          const detail = `${coming.length} from ${sourcesOf(coming)}`
          audit.note(tx, scope, { action: 'subscriber.imported', objectId: pageId, detail })
        }
        for (const one of coming.slice(at, at + writtenTogether)) {
          if (fateOf(orgId, page, one) !== 'added') continue
          put(tx, page, one, importId)
          added += 1
        }
        if (at + writtenTogether >= coming.length) {
          // The windows that are planned already are announced too.
          for (const window of store.windows.announced(orgId)) {
            store.subscriberNews.note(tx, orgId, window.id, clock.nowMs())
          }
        }
      })
    }
    return added
  }

  function noteNone(tx: Tx, scope: OrgScope): void {
    audit.note(tx, scope, { action: 'subscriber.imported', objectId: null, detail: '0' })
  }

  function pageOf({ orgId }: OrgScope, text: string): StatusPage | undefined {
    const id = asId('page', text)
    if (id) return store.pages.readable(orgId, id)
    const pages = store.pages.list(orgId, limits.quotaMax)
    const bySlug = pages.find(({ slug }) => slug === text)
    const named = pages.filter(({ name }) => name === text)
    return bySlug ?? (named.length === 1 ? named[0] : undefined)
  }

  /** The rows by page. Throws validation_failed, with the number of the row. */
  function byPage(
    scope: OrgScope,
    rows: readonly SubscriberRow[],
    usual: string | undefined,
  ): readonly SubscriberList[] {
    const lists = new Map<string, { page: StatusPage; rows: SubscriberRow[] }>()
    for (const row of rows) {
      const named = row.page || usual
      if (named === undefined) throw rowProblem(row.no, 'page', 'must name a status page')
      const known = lists.get(named)
      if (known) {
        known.rows.push(row)
        continue
      }
      const page = pageOf(scope, named)
      if (!page && row.page === '') throw notFound('status page')
      if (!page) throw rowProblem(row.no, 'page', 'must be the id, slug or name of a status page')
      lists.set(named, { page, rows: [row] })
    }
    return [...lists.values()].map(({ page, rows: own }) => ({
      page,
      sections: page.sections.map(({ name }) => name),
      pointer: '',
      given: own.map(({ given }) => given),
    }))
  }

  /** The lists of a table, in which rows have numbers. Throws validation_failed for the first ones that are wrong. */
  async function ofTable(
    scope: OrgScope,
    { csv, consent, statusPageId }: GivenTable,
  ): Promise<{ readonly lists: readonly ExaminedList[]; readonly unconfirmed: number }> {
    const { rows, unconfirmed } = tableIn(csv, consent)
    const lists: ExaminedList[] = []
    const problems: FieldProblem[] = []
    for (const list of byPage(scope, rows, statusPageId)) {
      const found = await examined(scope.orgId, list)
      const own = new Map(rows.map(({ given, no }) => [given, no]))
      for (const { pointer, keyword, message } of found.problems) {
        const [, index = '', ...rest] = pointer.split('/')
        const no = own.get(list.given[Number(index)] as object) ?? 0
        const column = columnOf(`/${rest.join('/')}`)
        problems.push({ pointer: '/csv', keyword, message: `row ${no}: ${column} ${message}` })
      }
      lists.push(found)
    }
    if (problems.length > 0) {
      const errors = problems.slice(0, limits.fieldProblemsMax)
      throw new Fault('validation_failed', undefined, { errors })
    }
    mustTake(scope.orgId, lists)
    return { lists, unconfirmed }
  }

  return {
    /**
     * What a list of a document says, and what would become of it. Nothing is written. Throws forbidden, conflict
     * (quota), rate_limited; what is wrong with single ones is told.
     */
    async examine(
      { orgId }: OrgScope,
      lists: readonly SubscriberList[],
    ): Promise<readonly ExaminedList[]> {
      const found: ExaminedList[] = []
      for (const list of lists) found.push(await examined(orgId, list))
      mustTake(orgId, found)
      return found
    },

    /** Counts what is about to be written. Throws rate_limited. */
    take: ({ orgId }: OrgScope, lists: readonly ExaminedList[]): void =>
      mustBeInTime(
        orgId,
        lists.reduce((sum, { coming }) => sum + coming.length, 0),
      ),

    /** Writes what an examination found for a page; yields to other work. Returns how many came. */
    write: written,

    /**
     * Brings the subscribers of a table in CSV, all or none. Throws validation_failed with the rows, forbidden,
     * conflict (quota), rate_limited, not_found.
     */
    async importTable(scope: OrgScope, table: GivenTable): Promise<SubscribersImported> {
      const { lists, unconfirmed } = await ofTable(scope, table)
      const sum = sumOf(lists, unconfirmed)
      mustBeInTime(scope.orgId, sum.added)
      if (sum.added === 0) await store.write((tx) => noteNone(tx, scope))
      let added = 0
      for (const { page, coming } of lists) {
        if (page) added += await written(scope, page.id, coming, null)
      }
      return { ...sum, added }
    },

    /** What `importTable` would do, or throws as it does. */
    async tryTable(scope: OrgScope, table: GivenTable): Promise<SubscribersImported> {
      const { lists, unconfirmed } = await ofTable(scope, table)
      return sumOf(lists, unconfirmed)
    },
  }
}

export interface GivenTable {
  readonly csv: string
  /** Where those confirmed whose row does not say it. */
  readonly consent?: string | undefined
  /** The page of rows that name none: its id, slug or name. */
  readonly statusPageId?: string | undefined
}

const notAllowed =
  'Subscribers who confirmed elsewhere may not be imported here: the operator decides it with pages.importSubscribers.'

function tableIn(csv: string, consent: string | undefined) {
  try {
    return readSubscriberTable(csv, consent)
  } catch (error) {
    if (!(error instanceof ForeignFileRefused)) throw error
    throw invalidField('/csv', 'format', error.message)
  }
}

function rowProblem(no: number, column: string, rule: string): Fault {
  return invalidField('/csv', 'reference', `row ${no}: ${column} ${rule}`)
}

export function sumOf(lists: readonly ExaminedList[], unconfirmed: number): SubscribersImported {
  const sum = (of: (list: ExaminedList) => number) =>
    lists.reduce((total, one) => total + of(one), 0)
  return {
    added: sum(({ coming }) => coming.length),
    known: sum(({ known }) => known),
    ended: sum(({ ended }) => ended),
    leftOut: unconfirmed + sum(({ refused }) => refused),
  }
}

/** The sources, as an audit log says them. */
function sourcesOf(coming: readonly ConsentedSubscriber[]): string {
  const [first = '', ...others] = new Set(coming.map(({ consent }) => consent.source))
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
