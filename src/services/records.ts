// What the services of nouns have in common: they find a record, page through a list, add within the
// quota, replace at a revision, and remove also what is damaged. The writes are steps of the caller's
// transaction, each with its entry in the audit log, so a noun does what else it needs before and after.
import { notFound } from '../base/fault.ts'
import { asId, type Id, type IdKind, kindTitles, type OrgId } from '../base/ids.ts'
import { type NounAction, nouns, type QuotaNoun } from '../base/nouns.ts'
import { changedFields } from '../domain/audit/audit.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Tx } from '../store/engine/write.ts'
import type { OrgScope, PageOf, PageRequest } from './context.ts'
import type { Core } from './core.ts'
import { mustBeAt } from './revision.ts'

type KindOf<Name extends QuotaNoun> = Extract<(typeof nouns)[Name]['kind'], IdKind>
type ActionOf<Name extends QuotaNoun> = Extract<
  NounAction,
  `${(typeof nouns)[Name]['kind']}.${string}`
>

interface OwnedRecord<Kind extends IdKind> {
  readonly id: Id<Kind>
  readonly orgId: OrgId
  /** Increases with every change; the ETag. */
  readonly revision: number
}

/** A table of records by organization and id. */
interface RecordTable<Kind extends IdKind, Rec> {
  get(orgId: OrgId, id: Id<Kind>): Rec | undefined
  isDamaged(orgId: OrgId, id: Id<Kind>): boolean
  /** Newest first; `after` is the last id of the previous page. */
  list(orgId: OrgId, limit: number, after?: Id<Kind>): readonly Rec[]
  count(orgId: OrgId): number
  put(tx: Tx, record: NoInfer<Rec>, nowMs: number, before?: NoInfer<Rec>): void
  remove(tx: Tx, record: NoInfer<Rec>, nowMs: number): void
  /** Deletes a damaged record, of which only the place is known. */
  discard(tx: Tx, orgId: OrgId, id: Id<Kind>, nowMs: number): void
}

interface Addition {
  /** The number of records that count; default: all that there are. */
  readonly have?: number
  readonly detail?: string
}

interface Replacement<Name extends QuotaNoun> {
  /** Default: changed. */
  readonly action?: ActionOf<Name>
  /** The names of the changed fields, where people know others than the record has. */
  readonly fields?: readonly string[]
}

/** `found`, and what finds a record, throws not_found, and precondition_failed at another revision. */
export function createRecords<const Name extends QuotaNoun, Rec extends OwnedRecord<KindOf<Name>>>(
  { clock, audit, quotas }: Core,
  name: Name,
  table: RecordTable<KindOf<Name>, Rec>,
) {
  const kind = nouns[name].kind as KindOf<Name>
  const title = kindTitles[kind]
  const action = (verb: string) => `${kind}.${verb}` as ActionOf<Name>

  function found(scope: Pick<OrgScope, 'orgId'>, id: string, expectedRevision?: number): Rec {
    const asked = asId(kind, id)
    const record = asked && table.get(scope.orgId, asked)
    if (!record) throw notFound(title)
    mustBeAt(expectedRevision, record, `The ${title}`)
    return record
  }

  return {
    found,

    /** Newest first. With `fits`, a page reads only a bounded number of records. */
    list(
      { orgId }: OrgScope,
      { limit, after }: PageRequest,
      fits: (record: Rec) => boolean = () => true,
    ): PageOf<Rec> {
      const items: Rec[] = []
      let last = after === undefined ? undefined : asId(kind, after)
      for (let scanned = 0; scanned < limits.listScanMax; ) {
        const slice = table.list(orgId, limit + 1, last)
        for (const record of slice) {
          if (items.length === limit) return { items, nextAfter: last ?? record.id }
          last = record.id
          if (fits(record)) items.push(record)
        }
        scanned += slice.length
        if (slice.length <= limit) return { items }
      }
      return last ? { items, nextAfter: last } : { items }
    },

    /** Throws conflict beyond the quota, before `make` is asked for the record. */
    add(
      tx: Tx,
      scope: OrgScope,
      make: (nowMs: number) => Rec,
      { have = table.count(scope.orgId), ...note }: Addition = {},
    ): Rec {
      const nowMs = clock.nowMs()
      quotas.mustHaveRoom(scope.orgId, name, have)
      const record = make(nowMs)
      table.put(tx, record, nowMs)
      audit.note(tx, scope, { action: action('created'), objectId: record.id, ...note })
      return record
    },

    /** `before` was found in this transaction; its revision goes up by one. */
    replace(
      tx: Tx,
      scope: OrgScope,
      before: Rec,
      changed: Rec,
      { action: done = action('changed'), ...note }: Replacement<Name> = {},
    ): Rec {
      const nowMs = clock.nowMs()
      const after = { ...changed, updatedAtMs: nowMs, revision: before.revision + 1 }
      table.put(tx, after, nowMs, before)
      const { fields = changedFields(before, after) } = note
      audit.note(tx, scope, { action: done, objectId: after.id, fields })
      return after
    },

    /** Returns the id, also of a damaged record, whose revision nobody knows. */
    remove(tx: Tx, scope: OrgScope, id: string, expectedRevision?: number): Id<KindOf<Name>> {
      const nowMs = clock.nowMs()
      const { orgId } = scope
      const asked = asId(kind, id)
      if (asked && table.isDamaged(orgId, asked)) table.discard(tx, orgId, asked, nowMs)
      else table.remove(tx, found(scope, id, expectedRevision), nowMs)
      // What is no id was not found.
      const objectId = asked ?? (id as Id<KindOf<Name>>)
      audit.note(tx, scope, { action: action('deleted'), objectId })
      return objectId
    },
  }
}
