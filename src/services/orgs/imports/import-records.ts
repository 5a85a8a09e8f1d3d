// The records of imports: the newest ones of an organization are kept, for a year, as far as they have room.
import type { ImportId, OrgId } from '../../../base/ids.ts'
import { recordOf } from '../../../base/nouns.ts'
import { actorOf } from '../../../domain/audit/audit.ts'
import { type ImportRecord, planActions } from '../../../domain/imports/import-record.ts'
import type { Tx } from '../../../store/engine/write.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'

/** Imports of an organization that are kept: the newest ones. */
export const importsKeptMax = 50
/** With those that are kept for their silent monitors. */
const importsRecordedMax = 10_000
/** How long a record is kept. */
const importKeptMs = 365 * 86_400_000
/** The steps of all imports of an organization, with what changed objects were before; those of the newest one stay. */
export const stepsBytesMax = 64 * 1024 * 1024

const outagesOf = ({ outages = 0, formerOutages = 0 }: ImportRecord) => outages + formerOutages

export function createImportRecords({ store, clock }: Pick<Core, 'store' | 'clock'>) {
  return {
    /** The record of an import that begins. */
    made(
      { orgId, caller }: OrgScope,
      own: Pick<ImportRecord, 'source' | 'shadow'> & { readonly id: ImportId },
    ): ImportRecord {
      const counts = recordOf(planActions, () => 0)
      const state = { state: 'applied', undoneAtMs: null, pastIds: [] } as const
      return {
        ...{ orgId, atMs: clock.nowMs(), by: actorOf(caller.principal), counts },
        ...own,
        ...state,
      }
    },

    /** Adds one that is done, in place of those that are too old, too many, or too large together. */
    add(tx: Tx, record: ImportRecord): void {
      const { orgId, stepsBytes = 0 } = record
      const oldestMs = clock.nowMs() - importKeptMs
      let bytes = stepsBytes
      let formerOutages = 0
      const silent = store.monitors.silentCounts(orgId)
      for (const [index, old] of store.imports.list(orgId, importsRecordedMax).entries()) {
        bytes += old.stepsBytes ?? 0
        const isOver = index >= importsKeptMax - 1 || old.atMs < oldestMs || bytes > stepsBytesMax
        // Silent monitors go live by the record of their import.
        if (!isOver || silent.has(old.id)) continue
        formerOutages += outagesOf(old)
        store.imports.remove(tx, old)
      }
      store.imports.put(tx, formerOutages > 0 ? { ...record, formerOutages } : record)
    },

    /** How many outages of the past imports have brought to the organization. */
    outages: (orgId: OrgId): number =>
      store.imports.list(orgId, importsRecordedMax).reduce((sum, one) => sum + outagesOf(one), 0),
  }
}
