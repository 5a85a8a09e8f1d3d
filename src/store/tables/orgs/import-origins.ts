// What items of other products became, by [org, hash of the source, list, hash of the origin].
import { hash } from 'node:crypto'
import type { OrgId } from '../../../base/ids.ts'
import type { ForeignSource } from '../../../domain/imports/foreign.ts'
import type { ImportOrigin } from '../../../domain/imports/import-record.ts'
import type { TableKey } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** User text never becomes a key. */
const hashOf = (text: string) => hash('sha256', text, 'base64url')
const sourceHash = ({ product, installation }: ForeignSource) =>
  hashOf(JSON.stringify([product, installation]))

type OriginPlace = Pick<ImportOrigin, 'orgId' | 'source' | 'list' | 'origin'>

export function openImportOrigins(env: Env) {
  const origins = openTable<ImportOrigin>(env, { name: 'importOrigins' })
  const keyOf = ({ orgId, source, list, origin }: OriginPlace) => [
    orgId,
    sourceHash(source),
    list,
    hashOf(origin),
  ]

  return {
    get: (place: OriginPlace) => origins.readable(keyOf(place)),

    /** The items of one source, at most `limit`, after another one. */
    list: (orgId: OrgId, source: ForeignSource, limit: number, after?: ImportOrigin) =>
      origins.range({
        prefix: [orgId, sourceHash(source)],
        limit,
        after: after && [after.list, hashOf(after.origin)],
      }),

    /** The items of all sources, at most `limit`, after another one. */
    ofAll: (orgId: OrgId, limit: number, after?: ImportOrigin) =>
      origins.range({ prefix: [orgId], limit, after: after && keyOf(after).slice(1) }),

    /** The keys of the items of all sources, at most `limit`, after another one: they are to be counted. */
    keys: (orgId: OrgId, limit: number, after?: TableKey) =>
      origins.keys({ prefix: [orgId], limit, after: after?.slice(1) }),

    put: (tx: Tx, record: ImportOrigin) => origins.put(tx, keyOf(record), record),

    remove: (tx: Tx, place: OriginPlace) => origins.remove(tx, keyOf(place)),

    /** Deletes the records of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => origins.removeAll(tx, [orgId], limit),
  }
}
