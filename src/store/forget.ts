// Takes away what was deleted, in slices, so that no other write waits long.
import type { OrgId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Tx } from './engine/write.ts'
import { nounDeletions } from './nouns.ts'
import type { Store } from './store.ts'
import type { Gone } from './tables/system/tombstones.ts'

/**
 * May be cut off at any moment, or stopped between two slices by `mayGoOn`: the note in `garbage`
 * goes last, and the janitor takes it up.
 */
export async function forgetMonitor(
  store: Store,
  gone: Gone,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const { orgId, monitorId } = gone
  const slice: number = limits.deleteSliceRecords
  const ever = Number.POSITIVE_INFINITY
  let total = 0
  for (let removed = slice; removed >= slice; total += removed) {
    if (!mayGoOn()) return total
    removed = await store.writeSoon(
      (tx) =>
        store.checks.trim(tx, orgId, monitorId, ever, slice) +
        store.days.trim(tx, orgId, monitorId, ever, slice) +
        store.hours.trim(tx, orgId, monitorId, ever, slice),
    )
  }
  if (mayGoOn()) await store.writeSoon((tx) => store.tombstones.remove(tx, gone))
  return total
}

/** Removes at most `limit` records and returns how many; fewer than that: there are no more. */
type Removal = (tx: Tx, limit: number) => number

/**
 * Everything of a deleted organization; resolves with how many records went. May be cut off at any
 * moment, as above, or stopped between two slices by `mayGoOn`.
 */
export async function forgetOrg(
  store: Store,
  orgId: OrgId,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let total = 0
  for (const [remove, slice] of removalsOf(store, orgId)) {
    for (let removed = slice; removed >= slice; total += removed) {
      if (!mayGoOn()) return total
      removed = await store.writeSoon((tx) => remove(tx, slice))
    }
  }
  if (mayGoOn()) await store.writeSoon((tx) => store.tombstones.removeOrg(tx, orgId))
  return total
}

/**
 * The order matters, because requests that began before may still end: a record goes before what
 * is only ever written beside it, so that nothing recreates what was deleted.
 */
function removalsOf(store: Store, orgId: OrgId): readonly [Removal, slice: number][] {
  const { checks, days, hours, tombstones, deliveries, told, audit } = store
  const ofNouns = Object.values(nounDeletions).flatMap((deletion): [Removal, number][] =>
    'inSlices' in deletion
      ? [[(tx, limit) => deletion.inSlices(store, tx, orgId, limit), deletion.limit]]
      : [],
  )
  const histories = [checks, days, hours, tombstones, deliveries, told, audit]
  const ofHistories = histories.map((table): [Removal, number] => [
    (tx, limit) => table.forget(tx, orgId, limit),
    limits.deleteSliceRecords,
  ])
  return [...ofNouns, ...ofHistories]
}
