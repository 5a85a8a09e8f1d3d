// Makes restored data fit for the present: what would act on the world as if no time had passed, or
// give back rights that were ended, is left behind.
import type { IncidentId } from '../../base/ids.ts'
import { mayHaveArrived } from '../../domain/alerts/attempt.ts'
import type { Delivery } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'

export interface SettledCounts {
  /** Alerts that waited when the backup was taken. */
  readonly deliveries: number
  readonly letters: number
  readonly sessions: number
  readonly links: number
}

const reason = 'The data was put back from a backup: whether it was sent before is not known.'

/** May be run again from the start. */
export async function settleRestored(store: Store, nowMs: number): Promise<SettledCounts> {
  const counts = {
    deliveries: await endDeliveries(store, nowMs),
    letters: await endLetters(store, nowMs),
    sessions: await removeAll(store, store.sessions),
    links: await removeAll(store, store.links),
  }
  // A device that was forgotten since would need no code again.
  await removeAll(store, store.trustedDevices)
  await dropNews(store)
  return counts
}

async function endDeliveries(store: Store, nowMs: number): Promise<number> {
  let total = 0
  for (const { orgId, channelId } of store.deliveries.owedChannels()) {
    const pending = store.deliveries.pending(orgId, channelId, Number.MAX_SAFE_INTEGER)
    for (const slice of slicesOf(pending)) {
      await store.write((tx) => {
        for (const delivery of slice) endDelivery(store, tx, delivery, nowMs)
      })
      total += slice.length
    }
  }
  return total
}

/** After a restore: how long the alert of an outage that may be over waits for the checks. */
export const restoredQuietMs = 15 * 60_000

/**
 * The opening of an incident that is still open waits until the checks have decided: if the outage is
 * over, it is never sent. Everything else is dead; people can send it again.
 */
function endDelivery(store: Store, tx: Tx, delivery: Delivery, nowMs: number): void {
  const { orgId, channelId, incidentId, event } = delivery
  const incident = incidentId === null ? undefined : store.incidents.readable(orgId, incidentId)
  if (event === 'incident.opened' && incident && incident.state !== 'resolved') {
    keepWaiting(store, tx, delivery, incident.id, nowMs)
    return
  }
  store.deliveries.put(tx, { ...delivery, state: 'dead', lastError: reason })
  // News in between changes nothing of what the channel was promised.
  if (incidentId === null || (event !== 'incident.opened' && event !== 'incident.resolved')) return
  const { delivered } = store.announcements.get(orgId, incidentId, channelId)
  if (!store.announcements.has(orgId, incidentId, channelId)) return
  const record = { announced: delivered, delivered, delayedId: null }
  store.announcements.put(tx, orgId, incidentId, channelId, record)
}

function keepWaiting(
  store: Store,
  tx: Tx,
  delivery: Delivery,
  incidentId: IncidentId,
  nowMs: number,
): void {
  const { id, orgId, channelId } = delivery
  const dueAtMs = nowMs + restoredQuietMs
  const giveUpAtMs = Math.max(delivery.giveUpAtMs, dueAtMs + limits.deliveryAgeMsMax)
  const waiting = { ...delivery, dueAtMs, giveUpAtMs }
  if (mayHaveArrived(delivery)) {
    // A receiver that may have got it must hear of the end, too: it stays in its place of the queue.
    store.deliveries.put(tx, waiting)
    return
  }
  // As with a channel's delay: later messages do not wait for it, and the end takes it back.
  store.deliveries.put(tx, { ...waiting, lastAtMs: null })
  const before = store.announcements.get(orgId, incidentId, channelId)
  store.announcements.put(tx, orgId, incidentId, channelId, { ...before, delayedId: id })
}

async function endLetters(store: Store, nowMs: number): Promise<number> {
  let total = 0
  for (const recipientHash of store.letters.owedRecipients()) {
    const pending = store.letters.pending(recipientHash, Number.MAX_SAFE_INTEGER)
    for (const slice of slicesOf(pending)) {
      await store.write((tx) => {
        for (const letter of slice) {
          const ended = {
            state: 'dead',
            sealed: null,
            endedAtMs: nowMs,
            lastError: reason,
          } as const
          store.letters.put(tx, { ...letter, ...ended })
        }
      })
      total += slice.length
    }
  }
  return total
}

/** A session or link that was ended or used since would work again. */
async function removeAll<Rec>(
  store: Store,
  table: { slice(limit: number): Rec[]; remove(tx: Tx, record: Rec): void },
): Promise<number> {
  let total = 0
  for (;;) {
    const slice = table.slice(limits.deleteSliceRecords)
    if (slice.length === 0) return total
    await store.write((tx) => {
      for (const record of slice) table.remove(tx, record)
    })
    total += slice.length
  }
}

/** Drops the news that subscribers of status pages were about to get. */
async function dropNews(store: Store): Promise<void> {
  for (const orgId of store.subscriberNews.orgIds()) {
    await store.write((tx) => store.subscriberNews.drop(tx, orgId))
  }
  for (const { orgId } of store.subscriberNews.owed()) {
    await store.write((tx) => store.subscriberNews.drop(tx, orgId))
  }
}

function slicesOf<Item>(items: readonly Item[]): Item[][] {
  const slices: Item[][] = []
  for (let at = 0; at < items.length; at += limits.deleteSliceRecords) {
    slices.push(items.slice(at, at + limits.deleteSliceRecords))
  }
  return slices
}
