// Deletes windows that ended long ago, and what former ones covered once nobody can need it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { dayMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import type { Store } from '../../store/store.ts'

type WindowTables = Pick<Store, 'windows' | 'monitorStates' | 'writeSoon'>

/** Resolves with the number of deleted records. */
export async function tidyWindows(
  store: WindowTables,
  nowMs: number,
  mayGoOn: () => boolean,
): Promise<number> {
  let total = 0
  for (const orgId of store.windows.orgIds()) {
    if (!mayGoOn()) break
    const overOnes = () =>
      store.windows.list(orgId, limits.quotaMax).filter((one) => isOver(one, nowMs))
    const formerOnes = () => store.windows.formers(orgId, limits.deleteSliceRecords)
    if (overOnes().length + formerOnes().length === 0) continue
    // Before the transaction, because all writes wait for that. The counted time only grows meanwhile.
    const countedMs = await countedToMs(store, orgId)
    total += await store.writeSoon((tx) => {
      const over = overOnes()
      for (const window of over) store.windows.remove(tx, window, nowMs)
      const oldestMs = nowMs - limits.spanDaysMax * dayMs
      const needless = formerOnes().filter(
        ({ coversToMs }) => coversToMs <= Math.max(countedMs, oldestMs),
      )
      for (const former of needless) store.windows.removeFormer(tx, former)
      return over.length + needless.length
    })
  }
  return total
}

/** How long ago a window may have ended, or been changed, that is still kept. */
const maintenanceKeptDays = 365

function isOver({ times }: MaintenanceWindow, nowMs: number): boolean {
  return times.kind === 'once' && times.endsAtMs < nowMs - maintenanceKeptDays * dayMs
}

/** Up to when the time of every monitor is counted. Paused and pending ones count no time. */
async function countedToMs({ monitorStates }: WindowTables, orgId: OrgId): Promise<number> {
  let countedMs = Number.POSITIVE_INFINITY
  let after: MonitorId | undefined
  do {
    const slice = monitorStates.slice(orgId, limits.scanSlice, after)
    for (const { monitorState } of slice) {
      if (monitorState.isPaused || monitorState.health.state === 'pending') continue
      countedMs = Math.min(countedMs, monitorState.accountedToMs)
    }
    after = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.monitorId
    await nextTurn()
  } while (after)
  return countedMs
}
