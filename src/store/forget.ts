// Takes away the history of a deleted monitor, in slices, so that no other write waits long.
import { limits } from '../domain/limits.ts'
import type { Store } from './store.ts'
import type { Gone } from './tables/garbage.ts'

/** May be cut off at any moment: the note in `garbage` goes last, and the janitor takes it up. */
export async function forgetMonitor(store: Store, gone: Gone): Promise<number> {
  const { orgId, monitorId } = gone
  const slice: number = limits.deleteSliceRecords
  const ever = Number.POSITIVE_INFINITY
  let total = 0
  for (let removed = slice; removed >= slice; total += removed) {
    removed = await store.writeSoon(
      (tx) =>
        store.checks.trim(tx, orgId, monitorId, ever, slice) +
        store.days.trim(tx, orgId, monitorId, ever, slice) +
        store.hours.trim(tx, orgId, monitorId, ever, slice),
    )
  }
  await store.writeSoon((tx) => store.garbage.remove(tx, gone))
  return total
}
