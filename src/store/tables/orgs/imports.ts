// Imports by [org, import], and their steps in parts by [org, import, number of the part].
import type { ImportId, OrgId } from '../../../base/ids.ts'
import type { ImportRecord, ImportStep } from '../../../domain/imports/import-record.ts'
import type { Env } from '../../engine/env.ts'
import { openRecords } from '../../engine/records.ts'
import { jsonCodec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** Steps in one record. */
const stepsTogether = 100
/** Parts of one import: as many as its items may need. */
const partsMax = 100_000

export function openImports(env: Env) {
  const imports = openRecords<ImportRecord>(env, { name: 'imports' })
  const parts = openTable<readonly ImportStep[]>(env, { name: 'importSteps', codec: jsonCodec() })

  return {
    get: imports.get,
    list: imports.list,
    put: imports.put,

    /** Writes a new one. */
    add(tx: Tx, record: ImportRecord, steps: readonly ImportStep[]): void {
      const { orgId, id } = record
      imports.put(tx, record)
      for (let at = 0; at * stepsTogether < steps.length; at += 1) {
        const some = steps.slice(at * stepsTogether, (at + 1) * stepsTogether)
        parts.put(tx, [orgId, id, at], some)
      }
    },

    /** What it did, in the order of the document, part by part. */
    steps: (orgId: OrgId, id: ImportId): readonly ImportStep[] =>
      parts.range({ prefix: [orgId, id], limit: partsMax }).flat(),

    remove(tx: Tx, record: ImportRecord): void {
      imports.remove(tx, record)
      parts.removeAll(tx, [record.orgId, record.id], partsMax)
    },

    /** Deletes the records of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) =>
      Math.max(imports.forget(tx, orgId, limit), parts.removeAll(tx, [orgId], limit)),
  }
}
