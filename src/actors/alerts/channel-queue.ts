// The queue of one channel: the next delivery, merging of messages, and outcomes.
import type { Clock } from '../../base/clock.ts'
import { type DeliveryId, type IncidentId, newId } from '../../base/ids.ts'
import {
  type AnnouncedState,
  type Delivery,
  mergeOvertaken,
  nextAttempt,
  type Outcome,
} from '../../domain/alerts/delivery.ts'
import { foldDigest, isDelayed, isOpening } from '../../domain/alerts/digest.ts'
import {
  calm,
  planQueue,
  type QueueView,
  type StormLog,
  stormAdvice,
  withSent,
} from '../../domain/alerts/recipient-queue.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'
import type { Choice, Job, JobContext } from '../queue/machine.ts'

export interface ChannelQueuesDeps {
  readonly store: Store
  readonly clock: Clock
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number
  readonly send: (channel: ChannelKey, id: DeliveryId, sending: JobContext) => Promise<Outcome>
  /** A channel was switched off because its receiver is permanently gone. */
  readonly onDisabled: (channel: ChannelKey) => void
}

export function createChannelQueues(deps: ChannelQueuesDeps) {
  const { store, clock } = deps
  // Kept in memory only. After a restart, a storm causes at most a few more messages.
  const storms = new Map<string, StormLog>()

  const stormOf = ({ channelId }: ChannelKey) => storms.get(channelId) ?? calm

  function undeliveredTo({ orgId, channelId }: ChannelKey) {
    return (id: IncidentId) => store.announcements.get(orgId, id, channelId).delivered !== 'open'
  }

  function view(channel: ChannelKey, limit: number): QueueView {
    const { orgId, channelId } = channel
    const isAnnounced = (id: IncidentId) =>
      store.announcements.get(orgId, id, channelId).announced !== 'none'
    return {
      pending: store.deliveries.pending(orgId, channelId, limit),
      isOff: !store.channels.get(orgId, channelId)?.isActive,
      isUndelivered: undeliveredTo(channel),
      isOrphan: ({ event, incidentId }: Delivery) =>
        incidentId !== null && !isComplete.has(event) && !isAnnounced(incidentId),
      storm: stormOf(channel),
    }
  }

  /** Drops deliveries that can no longer be sent, and merges those that fit into fewer messages. */
  function tidy(tx: Tx, channel: ChannelKey, nowMs: number): void {
    const { pending, isOff, isOrphan, isUndelivered, storm } = view(channel, limits.digestFoldsMax)
    const dropped = pending.filter((row) => isOff || isOrphan(row))
    for (const row of dropped) {
      const lastError = isOff ? switchedOff : neverOpened
      store.deliveries.put(tx, { ...row, state: 'dead', lastError })
    }
    for (const row of dropped) withdraw(tx, row)
    if (dropped.length > 0) return
    const due = pending.filter((row) => !isDelayed(row, nowMs))
    const openings = due.filter((row) => isOpening(row, isUndelivered))
    const isStorm = stormAdvice(openings, storm, nowMs).kind === 'digest'
    const digestId = newId('delivery', nowMs)
    const digest = isStorm ? foldDigest(due, isUndelivered, digestId, nowMs) : []
    const changed = digest.length > 0 ? digest : mergeOvertaken(due, nowMs)
    for (const row of changed) store.deliveries.put(tx, row)
  }

  /** The message itself, and the messages that were merged into it. */
  function carriedBy(delivery: Delivery): Delivery[] {
    return [delivery, ...store.deliveries.mergedInto(delivery)]
  }

  function noteDelivered(tx: Tx, delivery: Delivery): void {
    const { orgId, channelId } = delivery
    // Applied from the oldest to the newest, so that the newest state remains.
    for (const { incidentId, event } of carriedBy(delivery).toSorted(byId)) {
      if (incidentId === null) continue
      const before = store.announcements.get(orgId, incidentId, channelId)
      const delivered = stateAfter(event) ?? before.delivered
      const announced = before.announced === 'none' ? delivered : before.announced
      const delayedId = before.delayedId === delivery.id ? null : before.delayedId
      const record = { announced, delivered, delayedId }
      store.announcements.put(tx, orgId, incidentId, channelId, record)
    }
  }

  /** A message that was given up announced nothing, so the record returns to what was delivered. */
  function withdraw(tx: Tx, delivery: Delivery): void {
    const { orgId, channelId } = delivery
    const waiting = store.deliveries.pending(orgId, channelId, limits.digestFoldsMax)
    const stillOwed = new Set(
      waiting.filter((row) => isComplete.has(row.event)).map((row) => row.incidentId),
    )
    for (const { incidentId } of carriedBy(delivery)) {
      if (incidentId === null || stillOwed.has(incidentId)) continue
      const { delivered } = store.announcements.get(orgId, incidentId, channelId)
      const record = { announced: delivered, delivered, delayedId: null }
      store.announcements.put(tx, orgId, incidentId, channelId, record)
    }
  }

  function switchOff(tx: Tx, key: ChannelKey, disabledReason: string, nowMs: number): void {
    const channel = store.channels.get(key.orgId, key.channelId)
    if (!channel?.isActive) return
    const revision = channel.revision + 1
    const off = { isActive: false, disabledReason, updatedAtMs: nowMs, revision }
    store.channels.put(tx, { ...channel, ...off })
    tx.afterCommit(() => deps.onDisabled(key))
  }

  function noteStorm(channel: ChannelKey, delivery: Delivery, nowMs: number): void {
    const storm = stormOf(channel)
    if (delivery.event === 'incident.digest') {
      storms.set(channel.channelId, withSent(storm, 'digest', nowMs))
    } else if (isOpening(delivery, undeliveredTo(channel))) {
      storms.set(channel.channelId, withSent(storm, 'opening', nowMs))
    }
  }

  function record(tx: Tx, channel: ChannelKey, id: DeliveryId, outcome: Outcome): void {
    const nowMs = clock.nowMs()
    const before = store.deliveries.get(channel.orgId, channel.channelId, id)
    // The channel was deleted while its message was being sent.
    if (before?.state !== 'pending') return
    const after = nextAttempt(before, outcome, nowMs, deps.random())
    store.deliveries.put(tx, after)
    if (after.state === 'delivered') {
      noteStorm(channel, after, nowMs)
      noteDelivered(tx, after)
    }
    if (after.state === 'dead') withdraw(tx, after)
    if (!outcome.ok && outcome.disablesChannel) switchOff(tx, channel, outcome.reason, nowMs)
  }

  function jobOf(channel: ChannelKey, { id }: Delivery): Job {
    return {
      async send(sending) {
        const outcome = await deps.send(channel, id, sending)
        return () => store.write((tx) => record(tx, channel, id, outcome))
      },
    }
  }

  return {
    /**
     * Chooses what the channel's queue does next. Merges nothing once the signal is aborted,
     * because a later choice may already be sending one of the messages.
     */
    async choose(channel: ChannelKey, signal: AbortSignal): Promise<Choice> {
      // Each plan reads the time again, because messages may have arrived while a transaction
      // waited.
      const plan = () => planQueue(view(channel, limits.deliveriesPerLookMax), clock.nowMs())
      let next = plan()
      // A merged message is stored before it is sent, so that the same one is sent again after a
      // crash.
      while (next.kind === 'tidy') {
        await store.write((tx) => tidy(tx, channel, clock.nowMs()))
        if (signal.aborted) return { kind: 'done' }
        next = plan()
      }
      return next.kind === 'send' ? { kind: 'send', job: jobOf(channel, next.delivery) } : next
    },
  }
}

/** These events describe an incident completely; the others assume that the channel knows it. */
const isComplete: ReadonlySet<Delivery['event']> = new Set([
  'incident.opened',
  'incident.resolved',
  'incident.digest',
])

const switchedOff = 'The channel is switched off.'
const neverOpened = 'The opening of this incident was never delivered.'

/** What a channel knows of an incident after this event; undefined if that does not change. */
function stateAfter(event: Delivery['event']): AnnouncedState | undefined {
  if (event === 'incident.opened') return 'open'
  return event === 'incident.resolved' ? 'resolved' : undefined
}

function byId(a: Delivery, b: Delivery): number {
  return a.id < b.id ? -1 : 1
}
