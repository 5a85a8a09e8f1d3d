// Looks whether stored records agree with each other, in a copy that may be changed: the repairs of
// the running daemon, and what they would do, are the findings.
import { createReconciler } from '../../actors/tasks/reconciler.ts'
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { type Log, silentLog } from '../../base/log/log.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Store } from '../../store/store.ts'

/** Something that does not agree, with the ids of what it is about. */
export interface Disagreement {
  readonly what: string
  readonly of: object
}

/** What does not agree, at most `limits.damagedRecordsMax`. The store is a copy: it is changed. */
export async function disagreementsIn(store: Store, clock: Clock): Promise<Disagreement[]> {
  const found = [...monitorFaults(store)]
  const log: Log = {
    ...silentLog,
    error(_message, { what, ...of } = {}) {
      found.push({ what: String(what), of })
    },
  }
  const reconciler = createReconciler({
    store,
    clock,
    log,
    enqueue: { incident: () => {} },
    // Only the running daemon keeps held alerts, in memory.
    holds: { note: () => {}, isWatched: () => true },
    wake: () => {},
  })
  // Each round looks at the next slice of monitors and of deliveries.
  const records = store.monitors.countAll(limits.systemCountMax) + countDeliveries(store)
  const rounds = Math.ceil(records / limits.reconcileSlice) + 1
  for (let round = 0; round < rounds; round += 1) await reconciler.round()
  return found.slice(0, limits.damagedRecordsMax)
}

/** Monitors without their organization, and push addresses that do not lead to their monitor. */
function* monitorFaults(store: Store): Generator<Disagreement> {
  const going = new Set(store.tombstones.listOrgs(limits.systemCountMax).map(({ orgId }) => orgId))
  let last: Monitor | undefined
  do {
    const slice = store.monitors.slice(limits.reconcileSlice, last)
    for (const { orgId, id: monitorId, pushTokenHash, keptAddresses = [] } of slice) {
      if (!store.orgs.has(orgId) && !going.has(orgId)) {
        yield { what: 'a monitor has no organization', of: { orgId, monitorId } }
      }
      const { findByPushToken, keepersOf } = store.monitors
      const byToken = (hash: string) => [findByPushToken(hash) ?? []].flat()
      const leadsHere = (find: typeof keepersOf, hash: string) =>
        ownersBy(find, hash).includes(monitorId)
      if (pushTokenHash !== null && !leadsHere(byToken, pushTokenHash)) {
        const what = 'the push address of a monitor does not lead to it'
        yield { what, of: { orgId, monitorId } }
      }
      if (!keptAddresses.every(({ hash }) => leadsHere(keepersOf, hash))) {
        const what = 'a kept address of a monitor does not lead to it'
        yield { what, of: { orgId, monitorId } }
      }
    }
    last = slice.length < limits.reconcileSlice ? undefined : slice.at(-1)
  } while (last)
}

/** None also for a damaged record, which is a finding of its own. */
function ownersBy(find: Store['monitors']['keepersOf'], hash: string): readonly MonitorId[] {
  try {
    return find(hash).map(({ monitorId }) => monitorId)
  } catch (error) {
    if (error instanceof Fault) return []
    throw error
  }
}

function countDeliveries(store: Store): number {
  let total = 0
  let slice = store.deliveries.sliceIndexed(limits.reconcileSlice)
  while (slice.length > 0) {
    total += slice.length
    if (slice.length < limits.reconcileSlice) break
    slice = store.deliveries.sliceIndexed(limits.reconcileSlice, slice.at(-1)?.delivery)
  }
  return total
}
