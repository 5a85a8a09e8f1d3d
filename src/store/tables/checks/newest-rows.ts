// The rows of a monitor, block by block, the newest first: the rows in its state, then the closed blocks.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { type CheckRow, readRows } from '../../../domain/checks/check-row.ts'
import type { MonitorState } from '../../../domain/monitors/monitor-state.ts'
import type { ChecksTable } from './checks.ts'

/** The part of a monitor's state that holds its newest rows. */
export type RecentRows = Pick<MonitorState, 'recentRows' | 'recentRowCount' | 'recentFromMs'>

export interface RowBlock {
  /** The time of the first row, which identifies the block. */
  readonly fromMs: number
  /** Oldest first. */
  readonly rows: readonly CheckRow[]
}

/** Blocks that began at a time or before, newest first; one of them is still being filled. */
export function* newestBlocks(
  checks: Pick<ChecksTable, 'newestFirst'>,
  { orgId, id }: { readonly orgId: OrgId; readonly id: MonitorId },
  { recentRows, recentFromMs, recentRowCount }: RecentRows,
  throughMs: number,
): Generator<RowBlock> {
  const recent = () => ({ fromMs: recentFromMs, rows: readRows(recentRows) })
  let isOpen = recentRowCount > 0 && recentFromMs <= throughMs
  for (const block of checks.newestFirst(orgId, id, throughMs)) {
    if (isOpen && block.fromMs <= recentFromMs) yield recent()
    isOpen &&= block.fromMs > recentFromMs
    yield { fromMs: block.fromMs, rows: readRows(block.rows) }
  }
  if (isOpen) yield recent()
}

/** The rows from a time on and before another, newest first; at most `rowsMax`. */
export function* newestRows(
  checks: Pick<ChecksTable, 'newestFirst'>,
  ids: { readonly orgId: OrgId; readonly id: MonitorId },
  recent: RecentRows,
  window: { readonly fromMs: number; readonly toMs: number; readonly rowsMax: number },
): Generator<CheckRow> {
  const { fromMs, toMs, rowsMax } = window
  let count = 0
  for (const block of newestBlocks(checks, ids, recent, toMs - 1)) {
    for (let at = block.rows.length - 1; at >= 0; at -= 1) {
      const row = block.rows[at]
      if (!row || row.atMs < fromMs || row.atMs >= toMs) continue
      if (count >= rowsMax) return
      count += 1
      yield row
    }
    if (block.fromMs <= fromMs) return
  }
}
