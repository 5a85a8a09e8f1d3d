// Imports by [org, import], those that are being written beside them, and the steps and notes of both in parts by [org, import,
// number of the part].
import type { ImportId, OrgId } from '../../../base/ids.ts'
import type { ImportNote, ImportRecord, ImportStep } from '../../../domain/imports/import-record.ts'
import type { TableKey } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { openRecords } from '../../engine/records.ts'
import { jsonCodec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** Steps or notes in one record. */
const stepsTogether = 100
/** Parts of one import: as many as its items may need. */
const partsMax = 100_000

type ImportKey = Pick<ImportRecord, 'orgId' | 'id'>

/** Some steps of an import, where they are stored; read when they are asked for, because they may be large. */
export interface StepsPart {
  readonly key: TableKey
  readonly steps: readonly ImportStep[]
}

export function openImports(env: Env) {
  const imports = openRecords<ImportRecord>(env, { name: 'imports' })
  const running = openRecords<ImportRecord>(env, { name: 'runningImports' })
  const parts = openTable<readonly ImportStep[]>(env, { name: 'importSteps', codec: jsonCodec() })

  const noteParts = openTable<readonly ImportNote[]>(env, {
    name: 'importNotes',
    codec: jsonCodec(),
  })

  return {
    get: imports.get,
    readable: imports.readable,
    list: imports.list,
    /** One that is done; it is not being written any more. */
    put(tx: Tx, record: ImportRecord): void {
      imports.put(tx, record)
      if (running.has(record.orgId, record.id)) running.remove(tx, record)
    },

    /** One that is being written, in several transactions. */
    putRunning: running.put,
    running: running.readable,
    /** The imports that are being written, of all organizations. */
    listRunning: (limit: number) => running.table.range({ prefix: [], limit }),

    /** Writes steps behind those that there are, the next of which has number `from`; returns the number after them. */
    addSteps(tx: Tx, { orgId, id }: ImportKey, from: number, steps: readonly ImportStep[]): number {
      let next = from
      for (let at = 0; at < steps.length; at += stepsTogether) {
        parts.put(tx, [orgId, id, next], steps.slice(at, at + stepsTogether))
        next += 1
      }
      return next
    },

    /** What it did, in the order in which it was written, a part after the other. */
    *steps(orgId: OrgId, id: ImportId): Generator<readonly ImportStep[]> {
      for (let at = 0; ; at += 1) {
        const part = parts.readable([orgId, id, at])
        if (part === undefined && !parts.has([orgId, id, at])) return
        yield part ?? []
      }
    },

    /** In the order in which they were put. */
    notes: (orgId: OrgId, id: ImportId): readonly ImportNote[] =>
      noteParts.range({ prefix: [orgId, id], limit: partsMax }).flat(),

    /** In place of those that are there. */
    putNotes(tx: Tx, { orgId, id }: ImportRecord, notes: readonly ImportNote[]): void {
      noteParts.removeAll(tx, [orgId, id], partsMax)
      for (let at = 0; at * stepsTogether < notes.length; at += 1) {
        const some = notes.slice(at * stepsTogether, (at + 1) * stepsTogether)
        noteParts.put(tx, [orgId, id, at], some)
      }
    },

    /** The steps of all imports of all organizations, in parts, after another one. */
    partsOfAll: (limit: number, after?: StepsPart): StepsPart[] =>
      parts.keys({ prefix: [], limit, after: after?.key }).map((key) => ({
        key,
        get steps() {
          return parts.readable(key) ?? []
        },
      })),

    putPart: (tx: Tx, { key, steps }: StepsPart) => parts.put(tx, key, steps),

    remove(tx: Tx, record: ImportKey): void {
      imports.remove(tx, record)
      parts.removeAll(tx, [record.orgId, record.id], partsMax)
      noteParts.removeAll(tx, [record.orgId, record.id], partsMax)
    },

    /** Deletes the records of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) =>
      Math.max(
        imports.forget(tx, orgId, limit),
        running.forget(tx, orgId, limit),
        parts.removeAll(tx, [orgId], limit),
        noteParts.removeAll(tx, [orgId], limit),
      ),
  }
}
