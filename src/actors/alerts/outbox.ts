// The outbox of alerts: each channel has a queue of its own.
import type { Clock } from '../../base/clock.ts'
import {
  type ChannelId,
  type DeliveryId,
  type IncidentId,
  newId,
  type OrgId,
} from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import { messageOf, payloadOf } from '../../channels/model/message.ts'
import { sendsEach } from '../../channels/registry.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import {
  type AnnouncedState,
  begun,
  type Delivery,
  nextAttempt,
  type Outcome,
} from '../../domain/alerts/delivery.ts'
import { type DigestedEvent, digestedEvent, foldDigest } from '../../domain/alerts/digest.ts'
import { type QuietView, quietView } from '../../domain/alerts/held-messages.ts'
import {
  calm,
  planQueue,
  type QueuePlan,
  type QueueView,
  type StormLogs,
  withSent,
} from '../../domain/alerts/recipient-queue.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'
import type { Choice, Job, JobContext } from '../queue/machine.ts'
import { runQueue } from '../queue/queue.ts'
import { createSlots } from '../queue/slots.ts'

export type Outbox = ReturnType<typeof startOutbox>

export interface OutboxDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly sender: Sender
  /** The channel with its secrets. Throws if they cannot be decrypted. */
  readonly open: (channel: Channel) => OpenedChannel
  /** Whether the organization is deleted or switched off: nothing is sent for it. */
  readonly isOff: (orgId: OrgId) => boolean
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
}

export function startOutbox(deps: OutboxDeps) {
  const { store, clock, log, sender, isOff } = deps
  const slots = createSlots(limits.deliveriesInFlightMax)
  // Retries have slots of their own: a channel that failed may be slow, and must not delay the
  // others.
  const retrySlots = createSlots(Math.ceil(limits.deliveriesInFlightMax / 2))

  function openSafely(channel: Channel): OpenedChannel | undefined {
    try {
      return deps.open(channel)
    } catch (error) {
      log.error('channel secrets cannot be opened', { channelId: channel.id, error })
      return undefined
    }
  }

  async function send(
    { orgId, channelId }: ChannelKey,
    deliveryId: DeliveryId,
    { signal, within }: JobContext,
  ): Promise<Outcome> {
    const delivery = store.deliveries.get(orgId, channelId, deliveryId)
    const channel = store.channels.readable(orgId, channelId)
    if (!delivery || !channel) return channelGone
    const opened = openSafely(channel)
    if (!opened) return keyMissing
    return within(delivery.attempts === 0 ? slots : retrySlots, async () => {
      await noteBegun(delivery)
      const readers = { locale: localeOf(store.orgs.readable(orgId)), nowMs: clock.nowMs() }
      return sender(messageOf(delivery, readers), opened, { clock, signal })
    })
  }

  /**
   * From now on this message is sent under its own id or not at all, also after a crash: the
   * receiver may have got it. Messages to several channels share a commit.
   */
  async function noteBegun({ orgId, channelId, id, lastAtMs }: Delivery): Promise<void> {
    if (lastAtMs !== null) return
    await store.writeTogether((tx) => {
      const row = store.deliveries.get(orgId, channelId, id)
      if (row?.state === 'pending') store.deliveries.put(tx, begun(row, clock.nowMs()))
    })
  }

  const channelQueues = createChannelQueues({
    ...deps,
    send,
    onDisabled: (channel) => log.warn('channel switched off: its receiver is gone', { ...channel }),
  })
  const owedChannels = () => store.deliveries.owedChannels().filter(({ orgId }) => !isOff(orgId))
  const queue = runQueue<ChannelKey>(
    {
      name: 'outbox',
      keyOf: ({ channelId }) => channelId,
      recipients: owedChannels,
      choose: channelQueues.choose,
      drainMs: limits.deliveryDrainMs,
    },
    deps,
  )

  return {
    start: queue.start,
    stop: queue.stop,
    /** The number of pending messages of all channels. */
    pending: () => store.deliveries.countPending(),
    /** The channel has a new pending message, which is on disk. */
    wake(orgId: OrgId, channelId: ChannelId): void {
      if (!isOff(orgId)) queue.wake({ orgId, channelId })
    },
    /** Sends nothing more for the organization until it is resumed. Pending messages stay. */
    halt: (orgId: OrgId) => queue.halt((channel) => channel.orgId === orgId),
    /** Starts sending the pending messages of the organization. */
    resume(orgId: OrgId): void {
      for (const channel of owedChannels()) if (channel.orgId === orgId) queue.wake(channel)
    },
  }
}

const channelGone: Outcome = { ok: false, mayRetry: false, reason: 'The channel was deleted.' }
const keyMissing: Outcome = {
  ok: false,
  mayRetry: true,
  reason: "The channel's secrets cannot be opened: the master key is missing.",
}

interface ChannelQueuesDeps {
  readonly store: Store
  readonly clock: Clock
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number
  readonly send: (channel: ChannelKey, id: DeliveryId, sending: JobContext) => Promise<Outcome>
  /** A channel was switched off because its receiver is permanently gone. */
  readonly onDisabled: (channel: ChannelKey) => void
}

function createChannelQueues(deps: ChannelQueuesDeps) {
  const { store, clock } = deps
  // Kept in memory only. After a restart, a storm causes at most a few more messages.
  const storms = new Map<string, StormLogs>()

  const stormsOf = ({ channelId }: ChannelKey) => storms.get(channelId) ?? calmAll

  function view(channel: ChannelKey, limit: number): QueueView {
    const { orgId, channelId } = channel
    const isAnnounced = (id: IncidentId) =>
      store.announcements.get(orgId, id, channelId).announced !== 'none'
    const stored = store.channels.readable(orgId, channelId)
    const quiet = stored?.quietHours ? quietView(stored.quietHours, clock.nowMs()) : null
    return {
      pending: pendingOf(channel, limit, quiet),
      quiet,
      isOff: !stored?.isActive,
      isOrphan: ({ event, incidentId }: Delivery) =>
        incidentId !== null && !isComplete.has(event) && !isAnnounced(incidentId),
      storms: stored && takesDigests(stored) ? stormsOf(channel) : null,
    }
  }

  /**
   * Some messages may go out in quiet hours: then those that are held must not hide them, so more are
   * considered.
   */
  function pendingOf({ orgId, channelId }: ChannelKey, limit: number, quiet: QuietView | null) {
    const pending = store.deliveries.pending(orgId, channelId, limit)
    const mayHideOthers = pending.length === limit && quiet?.mayLetOut === true
    if (!mayHideOthers) return pending
    return store.deliveries.pending(orgId, channelId, limits.digestFoldsMax)
  }

  /** Carries out the plan for all pending deliveries if it changes some; returns the plan. */
  function tidy(tx: Tx, channel: ChannelKey): QueuePlan {
    const nowMs = clock.nowMs()
    const wide = view(channel, limits.digestFoldsMax)
    const next = planQueue(wide, nowMs)
    if (next.kind === 'drop') drop(tx, next.rows, wide.isOff ? switchedOff : neverOpened)
    if (next.kind === 'merge') putAll(tx, next.changed)
    if (next.kind === 'fold') {
      putAll(tx, foldDigest(wide.pending, next.members, newId('delivery', nowMs), nowMs))
    }
    return next
  }

  function drop(tx: Tx, rows: readonly Delivery[], lastError: string): void {
    putAll(
      tx,
      rows.map((row) => ({ ...row, state: 'dead', lastError })),
    )
    for (const row of rows) withdraw(tx, row)
  }

  function putAll(tx: Tx, rows: readonly Delivery[]): void {
    for (const row of rows) store.deliveries.put(tx, row)
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
    const channel = store.channels.readable(key.orgId, key.channelId)
    if (!channel?.isActive) return
    const revision = channel.revision + 1
    const off = { isActive: false, disabledReason, updatedAtMs: nowMs, revision }
    store.channels.put(tx, { ...channel, ...off })
    tx.afterCommit(() => deps.onDisabled(key))
  }

  function noteStorm(channel: ChannelKey, { event, payloadJson }: Delivery, nowMs: number): void {
    const note = (about: DigestedEvent, sent: 'each' | 'digest') => {
      const logs = stormsOf(channel)
      storms.set(channel.channelId, { ...logs, [about]: withSent(logs[about], sent, nowMs) })
    }
    if (event === 'incident.opened' || event === 'incident.resolved') note(event, 'each')
    const payload = payloadOf(payloadJson)
    if (payload.type === 'incident.digest') note(digestedEvent(payload), 'digest')
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
      while (changesDeliveries(next)) {
        const tidied = await store.write((tx) => (signal.aborted ? nothing : tidy(tx, channel)))
        if (signal.aborted) return nothing
        next = changesDeliveries(tidied) ? plan() : tidied
      }
      return next.kind === 'send' ? { kind: 'send', job: jobOf(channel, next.delivery) } : next
    },
  }
}

/** Whether many openings may reach it as one message. */
function takesDigests({ type, events }: Channel): boolean {
  return events.includes('incident.digest') && !sendsEach(type)
}

/** These events describe an incident completely; the others assume that the channel knows it. */
const isComplete: ReadonlySet<Delivery['event']> = new Set([
  'incident.opened',
  'incident.resolved',
  'incident.digest',
])

type Change = Extract<QueuePlan, { kind: 'drop' | 'merge' | 'fold' }>

function changesDeliveries(next: QueuePlan): next is Change {
  return next.kind === 'drop' || next.kind === 'merge' || next.kind === 'fold'
}

const nothing = { kind: 'done' } as const

const calmAll: StormLogs = { 'incident.opened': calm, 'incident.resolved': calm }

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
