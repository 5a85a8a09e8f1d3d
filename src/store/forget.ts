// Deletes the records of deleted objects, and expired ones, in slices: no other write waits long.
import type { OrgId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import { isSessionAlive } from '../domain/people/person.ts'
import type { Tx } from './engine/write.ts'
import { nounDeletions } from './nouns.ts'
import type { Store } from './store.ts'
import type { TrustedDevice } from './tables/sign-in/trusted-devices.ts'
import type { MonitorTombstone } from './tables/system/tombstones.ts'

/**
 * May be interrupted at any moment, or stopped between two slices by `mayGoOn`: its tombstone goes
 * last, so the janitor can continue.
 */
export async function forgetMonitor(
  store: Store,
  gone: MonitorTombstone,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const { orgId, monitorId } = gone
  const ever = Number.POSITIVE_INFINITY
  const trimAll: Removal = (tx, limit) =>
    store.monitors.leaveDependents(tx, orgId, monitorId, limit) +
    store.checks.trim(tx, orgId, monitorId, ever, limit) +
    store.days.trim(tx, orgId, monitorId, ever, limit) +
    store.hours.trim(tx, orgId, monitorId, ever, limit) +
    store.runs.trim(tx, orgId, monitorId, limit) +
    store.placed.removeMonitor(tx, orgId, monitorId, limit)
  const total = await removeInSlices(store, trimAll, mayGoOn)
  if (mayGoOn()) await store.writeSoon((tx) => store.tombstones.remove(tx, gone))
  return total
}

/** Deletes at most `limit` records and returns how many; fewer means that there are no more. */
export type Removal = (tx: Tx, limit: number) => number

/** Runs a removal slice by slice, until it finds less than a slice or `mayGoOn` stops it. */
export async function removeInSlices(
  store: Pick<Store, 'writeSoon'>,
  remove: Removal,
  mayGoOn: () => boolean,
  slice: number = limits.deleteSliceRecords,
): Promise<number> {
  let total = 0
  for (let removed = slice; removed >= slice && mayGoOn(); total += removed) {
    removed = await store.writeSoon((tx) => remove(tx, slice))
  }
  return total
}

/**
 * Deletes everything of a deleted organization; resolves with the number of records. May be
 * interrupted at any moment, as above, or stopped between two slices by `mayGoOn`.
 */
export async function forgetOrg(
  store: Store,
  orgId: OrgId,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  let total = 0
  for (const [remove, slice] of removalsOf(store, orgId)) {
    total += await removeInSlices(store, remove, mayGoOn, slice)
  }
  if (mayGoOn()) await store.writeSoon((tx) => store.tombstones.removeOrg(tx, orgId))
  return total
}

/**
 * The order matters, because earlier requests may still be running: a record goes before the records
 * that are only written together with it, so that nothing recreates deleted data.
 */
function removalsOf(store: Store, orgId: OrgId): readonly [Removal, slice: number][] {
  const { checks, days, hours, tombstones, deliveries, announcements, channelHealth, audit } = store
  const { certificates, placed, runs } = store
  const ofNouns = Object.values(nounDeletions).flatMap((deletion): [Removal, number][] =>
    'inSlices' in deletion
      ? [[(tx, limit) => deletion.inSlices(store, tx, orgId, limit), deletion.limit]]
      : [],
  )
  const histories = [
    checks,
    days,
    hours,
    placed,
    tombstones,
    deliveries,
    announcements,
    channelHealth,
    certificates,
    store.objectives,
    store.importOrigins,
    store.imports,
    store.theirWords,
    runs,
    store.pingKeys,
    audit,
  ]
  const ofHistories = histories.map((table): [Removal, number] => [
    (tx, limit) => table.forget(tx, orgId, limit),
    limits.deleteSliceRecords,
  ])
  const ofQuarantine: [Removal, number] = [
    (tx) => store.quarantine.forget(tx, orgId),
    limits.damagedRecordsMax + 1,
  ]
  return [...ofNouns, ...ofHistories, ofQuarantine]
}

/** A table that is read in the order of its hashes. */
interface TokenTable<Rec extends { readonly tokenHash: string }> {
  slice(limit: number, after?: string): Rec[]
  find(tokenHash: string): Rec | undefined
  remove(tx: Tx, record: Rec): void
}

/**
 * Resolves with the number of deleted records. They have no effect any more and would only
 * accumulate. `mayGoOn` can stop it between two slices.
 */
export async function forgetExpired(
  store: Store,
  nowMs: number,
  mayGoOn: () => boolean = () => true,
): Promise<number> {
  const { links, sessions } = store
  const isLinkOver = ({ expiresAtMs }: { expiresAtMs: number }) => nowMs >= expiresAtMs
  const sessionTable = { ...sessions, find: sessions.findByToken }
  return (
    (await clear(store, links, isLinkOver, mayGoOn)) +
    (await clear(store, sessionTable, (session) => !isSessionAlive(session, nowMs), mayGoOn)) +
    (await clearDevices(store, nowMs, mayGoOn))
  )
}

async function clearDevices(
  { trustedDevices, writeSoon }: Store,
  nowMs: number,
  mayGoOn: () => boolean,
): Promise<number> {
  let total = 0
  let last: TrustedDevice | undefined
  if (!mayGoOn()) return total
  do {
    const slice = trustedDevices.slice(limits.deleteSliceRecords, last)
    last = slice.length < limits.deleteSliceRecords ? undefined : slice.at(-1)
    const over = slice.filter(({ expiresAtMs }) => nowMs >= expiresAtMs)
    total += over.length
    if (over.length > 0) {
      await writeSoon((tx) => {
        for (const device of over) trustedDevices.remove(tx, device)
      })
    }
  } while (last && mayGoOn())
  return total
}

async function clear<Rec extends { readonly tokenHash: string }>(
  store: Store,
  table: TokenTable<Rec>,
  isOver: (record: Rec) => boolean,
  mayGoOn: () => boolean,
): Promise<number> {
  let total = 0
  let last: string | undefined
  if (!mayGoOn()) return total
  do {
    const slice = table.slice(limits.deleteSliceRecords, last)
    last = slice.length < limits.deleteSliceRecords ? undefined : slice.at(-1)?.tokenHash
    const over = slice.filter(isOver)
    if (over.length > 0) total += await store.writeSoon((tx) => removeAll(tx, table, over, isOver))
  } while (last !== undefined && mayGoOn())
  return total
}

/** Checks again, because a session may have been used while the write was waiting. */
function removeAll<Rec extends { readonly tokenHash: string }>(
  tx: Tx,
  table: TokenTable<Rec>,
  records: readonly Rec[],
  isOver: (record: Rec) => boolean,
): number {
  const still = records.flatMap(({ tokenHash }) => table.find(tokenHash) ?? []).filter(isOver)
  for (const record of still) table.remove(tx, record)
  return still.length
}
