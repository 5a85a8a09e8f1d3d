// A table of what organizations own, by [org, id]: what the tables of nouns have in common.
import type { OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Env } from './env.ts'
import { openTable, type TableSpec } from './table.ts'
import type { Tx } from './write.ts'

interface OwnedRow {
  readonly orgId: OrgId
  readonly id: string
}

export function openRecords<Rec extends OwnedRow>(env: Env, spec: TableSpec<Rec>) {
  const table = openTable<Rec>(env, spec)
  type RecordId = Rec['id']

  return {
    /** For the queries that only one noun has. */
    table,

    get: (orgId: OrgId, id: RecordId) => table.get([orgId, id]),

    readable: (orgId: OrgId, id: RecordId) => table.readable([orgId, id]),

    /** Whether there is one, also a damaged one. */
    has: (orgId: OrgId, id: RecordId) => table.has([orgId, id]),

    isDamaged: (orgId: OrgId, id: RecordId) => table.isDamaged([orgId, id]),

    /** Newest first; `after` is the last id of the previous page. */
    list: (orgId: OrgId, limit: number, after?: RecordId): Rec[] =>
      table.range({ prefix: [orgId], reverse: true, limit, after }),

    count: (orgId: OrgId) => table.count([orgId], limits.quotaMax),

    put: (tx: Tx, record: Rec) => table.put(tx, [record.orgId, record.id], record),

    remove: (tx: Tx, { orgId, id }: OwnedRow) => table.remove(tx, [orgId, id]),

    /** Deletes a damaged record, of which only the place is known. */
    discard: (tx: Tx, orgId: OrgId, id: RecordId) => table.remove(tx, [orgId, id]),

    /** Deletes the records of a whole organization, at most `limit` at once, also damaged ones. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),
  }
}
