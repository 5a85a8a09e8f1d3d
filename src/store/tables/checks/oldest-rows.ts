// The rows of a monitor, block by block, the oldest first: the closed blocks, then the rows in its state.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { type CheckRow, readRows } from '../../../domain/checks/check-row.ts'
import type { TimeWindow } from '../../../domain/health/time-window.ts'
import type { ChecksTable } from './checks.ts'
import type { RecentRows } from './newest-rows.ts'

/** Blocks that are read at once. */
const blocksRead = 16

/**
 * The rows from a time on and before another. Between two blocks the caller may let others write: no row is
 * lost or comes twice. `recent` reads the state as it is then.
 */
export function* oldestRows(
  checks: Pick<ChecksTable, 'oldestFirst'>,
  { orgId, id }: { readonly orgId: OrgId; readonly id: MonitorId },
  recent: () => RecentRows,
  { fromMs, toMs }: TimeWindow,
): Generator<readonly CheckRow[]> {
  const within = (rows: Uint8Array) =>
    readRows(rows).filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  let from: { readonly atMs: number } | { readonly behindMs: number } = { atMs: fromMs }
  for (;;) {
    // The newest block may grow. So a block is read for good only if there is one behind it, or together with
    // the rows in the state.
    const found = checks.oldestFirst(orgId, id, from, blocksRead + 1)
    const isEnd = found.length <= blocksRead
    const rest = isEnd ? recent().recentRows : undefined
    for (const block of found.slice(0, blocksRead)) {
      if (block.fromMs < toMs) yield within(block.rows)
    }
    if (rest) {
      yield within(rest)
      return
    }
    from = { behindMs: found[blocksRead - 1]?.fromMs ?? toMs }
  }
}
