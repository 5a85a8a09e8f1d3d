// The records of imports: the newest ones of an organization are kept, for a year.
import type { ImportId } from '../../../base/ids.ts'
import { actorOf } from '../../../domain/audit/audit.ts'
import type { ImportRecord, ImportStep } from '../../../domain/imports/import-record.ts'
import type { Tx } from '../../../store/engine/write.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'

/** Imports of an organization that are kept: the newest ones. */
const importsKeptMax = 50
/** How long a record is kept. */
const importKeptMs = 365 * 86_400_000

export function createImportRecords({ store, clock }: Pick<Core, 'store' | 'clock'>) {
  return {
    /** Adds one, in place of those that are too old, or too many. */
    add(
      tx: Tx,
      { orgId, caller }: OrgScope,
      made: Pick<ImportRecord, 'source' | 'counts' | 'pingKeyHashes'> & { readonly id: ImportId },
      steps: readonly ImportStep[],
    ): void {
      const atMs = clock.nowMs()
      const kept = store.imports.list(orgId, importsKeptMax + 1)
      for (const [index, old] of kept.entries()) {
        const isOver = index >= importsKeptMax - 1 || old.atMs < atMs - importKeptMs
        if (isOver) store.imports.remove(tx, old)
      }
      const by = actorOf(caller.principal)
      const state = { state: 'applied', undoneAtMs: null, pastIds: [] } as const
      // What was left alone is counted.
      const told = steps.filter(({ line }) => line.action !== 'keep')
      store.imports.add(tx, { orgId, atMs, by, ...made, ...state }, told)
    },
  }
}
