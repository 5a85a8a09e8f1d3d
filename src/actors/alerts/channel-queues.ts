// The queue of each channel: chooses what is sent next, and records what became of it.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { type DeliveryId, type IncidentId, newId, type OrgId } from '../../base/ids.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import { payloadOf } from '../../channels/model/message.ts'
import { sendsEach } from '../../channels/registry.ts'
import { mayHaveArrived, type Outcome } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { type AnnouncedState, type Delivery, nextAttempt } from '../../domain/alerts/delivery.ts'
import { type DigestedEvent, digestedEvent, foldDigest } from '../../domain/alerts/digest.ts'
import { quietView } from '../../domain/alerts/held-messages.ts'
import {
  calm,
  isOver,
  planQueue,
  type QueuePlan,
  type QueueView,
  type StormLogs,
  withSent,
} from '../../domain/alerts/recipient-queue.ts'
import { endedUnannounced } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'
import type { Choice, Job, JobContext } from '../queue/machine.ts'
import type { ChannelWatch } from './channel-watch.ts'
import { escalationHeldUntilMs } from './held-alerts.ts'

/** What an attempt came to, and when it began. */
export interface SendReport {
  readonly outcome: Outcome
  readonly startedAtMs: number
  /** What the platform answered, encrypted. */
  readonly answerBox?: string
}

export interface ChannelQueuesDeps {
  readonly store: Store
  readonly clock: Clock
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number
  readonly send: (channel: ChannelKey, id: DeliveryId, sending: JobContext) => Promise<SendReport>
  readonly watch: ChannelWatch
  /** Where people find all incidents of an organization. */
  readonly incidentsUrl: (orgId: OrgId) => string
  /** An attempt was made and its outcome is on disk; the delivery is as it is then. */
  readonly onAttempt: (delivery: Delivery) => void
  /** Counts messages that were given up without an attempt. */
  readonly onGivenUp: (count: number) => void
}

/** The channels whose newest messages are remembered to notice a storm, deleted ones among them. */
const stormChannelsKept = 10_000
/**
 * The pause between two looks at all messages of a channel, and the share of the time that such
 * looks for one organization may take.
 */
const wideLookMsMin = 1_000
const wideLookShare = 1 / 20
/** Messages that a channel may hold back. If there are more, the oldest are given up together. */
export const wideLookRowsMax = 5_000
const crowdGivenUpTogether = 500

export function createChannelQueues(deps: ChannelQueuesDeps) {
  const { store, clock } = deps
  // Kept in memory only, and of a bounded number of channels: a storm that is forgotten causes at most
  // a few more messages.
  const storms = new LRUCache<string, StormLogs>(atMostEntries(stormChannelsKept))

  /** When all deliveries of a channel may be looked at again; in a storm that costs much. */
  const wideLooks = new LRUCache<string, number>(atMostEntries(stormChannelsKept))
  /** The same for all channels of an organization together. */
  const wideLooksOfOrg = new LRUCache<string, number>(atMostEntries(stormChannelsKept))

  const stormsOf = ({ channelId }: ChannelKey) => storms.get(channelId) ?? calmAll

  function view(channel: ChannelKey, limit: number): QueueView {
    const { orgId, channelId } = channel
    const isAnnounced = (id: IncidentId) =>
      store.announcements.get(orgId, id, channelId).announced !== 'none'
    const stored = store.channels.readable(orgId, channelId)
    return {
      quiet: stored?.quietHours ? quietView(stored.quietHours, clock.nowMs()) : null,
      pending: store.deliveries.pending(orgId, channelId, limit).map(asHeld),
      isOff: !stored?.isActive,
      isOrphan: ({ event, incidentId }: Delivery) =>
        incidentId !== null && !isComplete.has(event) && !isAnnounced(incidentId),
      storms: stored && takesDigests(stored) ? stormsOf(channel) : null,
      pausedUntilMs: store.channelHealth.get(orgId, channelId).probeAtMs,
    }
  }

  /** Maintenance lets the delay of an escalation end later. */
  function asHeld(delivery: Delivery): Delivery {
    const untilMs = escalationHeldUntilMs(store, delivery, clock.nowMs())
    return untilMs === null || untilMs <= delivery.dueAtMs
      ? delivery
      : { ...delivery, dueAtMs: untilMs }
  }

  /**
   * An opening of an incident that ended because its monitor was paused or deleted, while it waited
   * for a delay, quiet hours, its turn or the next attempt. Nothing announces that end, so it is of
   * no use any more, also to a receiver that may have got it. A person may send it again.
   */
  function isGone(delivery: Delivery): boolean {
    const { event, orgId, incidentId } = delivery
    if (event !== 'incident.opened' || incidentId === null || isSentAgain(delivery)) return false
    const incident = store.incidents.readable(orgId, incidentId)
    return incident !== undefined && endedUnannounced(incident)
  }

  /** Looks only at what would be sent, so that a long queue costs no more. */
  function withoutGone(next: QueuePlan): QueuePlan {
    const rows = next.kind === 'send' ? [next.delivery] : next.kind === 'fold' ? next.members : []
    const gone = rows.filter(isGone)
    return gone.length > 0 ? { kind: 'drop', rows: gone } : next
  }

  /** Carries out the plan for all pending deliveries if it changes some; returns the plan. */
  function tidy(tx: Tx, channel: ChannelKey, looked: number): QueuePlan {
    const nowMs = clock.nowMs()
    const wide = view(channel, Math.max(looked, limits.digestFoldsMax))
    const next = withoutGone(planQueue(wide, nowMs))
    if (next.kind === 'drop') {
      const reason = next.rows.some(isGone) ? monitorGone : neverOpened
      giveUp(tx, next.rows, wide.isOff ? switchedOff : reason)
    }
    if (next.kind === 'expire') {
      giveUp(tx, next.rows, tooOld)
      deps.watch.onExpired(tx, channel, nowMs)
    }
    if (next.kind === 'merge') putAll(tx, next.changed)
    if (next.kind === 'fold') {
      const url = deps.incidentsUrl(channel.orgId)
      const digest = { id: newId('delivery', nowMs), url, nowMs }
      putAll(tx, foldDigest(wide.pending, next.members, digest))
    }
    return next
  }

  /** More wait on purpose than can be looked at: the oldest ones are given up. */
  function thin(tx: Tx, { orgId, channelId }: ChannelKey): 'thinned' {
    const oldest = store.deliveries.pending(orgId, channelId, crowdGivenUpTogether)
    giveUp(tx, oldest, tooMany)
    return 'thinned'
  }

  /** What an attempt came to says more than that there is none left. */
  function giveUp(tx: Tx, rows: readonly Delivery[], reason: string): void {
    putAll(
      tx,
      rows.map((row) => ({
        ...row,
        state: 'dead',
        lastError: reason === tooOld ? (row.lastError ?? reason) : reason,
      })),
    )
    withdraw(tx, rows)
    tx.afterCommit(() => deps.onGivenUp(rows.length))
  }

  function putAll(tx: Tx, rows: readonly Delivery[]): void {
    for (const row of rows) store.deliveries.put(tx, row)
  }

  /** The message itself, and the messages that were merged into it. */
  function carriedBy(delivery: Delivery): Delivery[] {
    return [delivery, ...store.deliveries.mergedInto(delivery)]
  }

  /** A person deleted the incident with its announcements: nothing more is noted of it. */
  function isForgotten({ orgId, channelId }: Delivery, incidentId: IncidentId): boolean {
    return !store.announcements.has(orgId, incidentId, channelId)
  }

  function noteDelivered(tx: Tx, delivery: Delivery): void {
    const { orgId, channelId } = delivery
    // Applied from the oldest to the newest, so that the newest state remains.
    for (const { incidentId, event } of carriedBy(delivery).toSorted(byId)) {
      if (incidentId === null || isForgotten(delivery, incidentId)) continue
      const before = store.announcements.get(orgId, incidentId, channelId)
      // It was sent again by a person, and the channel has long heard of the end.
      const isPast = before.announced === 'resolved' && before.delivered === 'resolved'
      if (isPast && isSentAgain(delivery)) continue
      const delivered = stateAfter(event) ?? before.delivered
      const announced = before.announced === 'none' ? delivered : before.announced
      const delayedId = before.delayedId === delivery.id ? null : before.delayedId
      const record = { announced, delivered, delayedId }
      store.announcements.put(tx, orgId, incidentId, channelId, record)
    }
  }

  /**
   * Messages that were given up announced nothing, so the record returns to the last delivered one. A
   * message that may have arrived counts as delivered: it is better to hear of an end without its
   * beginning than of a beginning without its end.
   */
  function withdraw(tx: Tx, given: readonly Delivery[]): void {
    for (const row of given.filter(mayHaveArrived)) noteDelivered(tx, row)
    const rows = given.filter((row) => !mayHaveArrived(row))
    const [first] = rows
    if (!first) return
    const { orgId, channelId } = first
    const waiting = store.deliveries.pending(orgId, channelId, limits.digestFoldsMax)
    const stillOwed = new Set(
      waiting.filter((row) => isComplete.has(row.event)).map((row) => row.incidentId),
    )
    for (const { incidentId } of rows.flatMap(carriedBy)) {
      if (incidentId === null || stillOwed.has(incidentId)) continue
      if (isForgotten(first, incidentId)) continue
      const { delivered } = store.announcements.get(orgId, incidentId, channelId)
      const record = { announced: delivered, delivered, delayedId: null }
      store.announcements.put(tx, orgId, incidentId, channelId, record)
      // What followed on an opening makes no sense to a channel that takes the incident for over.
      const isFollowing = (row: Delivery) => row.incidentId === incidentId && delivered !== 'open'
      const behind = waiting.filter((row) => isFollowing(row) && !isComplete.has(row.event))
      putAll(
        tx,
        behind.map((row) => ({ ...row, state: 'dead', lastError: neverOpened })),
      )
    }
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

  function record(tx: Tx, channel: ChannelKey, id: DeliveryId, report: SendReport): void {
    const nowMs = clock.nowMs()
    const { outcome } = report
    const before = store.deliveries.get(channel.orgId, channel.channelId, id)
    // The channel was deleted while its message was being sent.
    if (before?.state !== 'pending') return
    const after = nextAttempt(before, { ...report, nowMs }, deps.random())
    store.deliveries.put(tx, after)
    tx.afterCommit(() => deps.onAttempt(after))
    if (after.state === 'delivered') {
      noteStorm(channel, after, nowMs)
      noteDelivered(tx, after)
      deps.watch.onDelivered(tx, channel, nowMs)
      return
    }
    if (after.state === 'dead') withdraw(tx, [after])
    deps.watch.onFailed(tx, channel, after, { outcome, nowMs })
  }

  function jobOf(channel: ChannelKey, { id }: Delivery): Job {
    return {
      async send(sending) {
        const report = await deps.send(channel, id, sending)
        return () => store.write((tx) => record(tx, channel, id, report))
      },
    }
  }

  /** Nothing is pending, so little of the channel need be remembered. */
  function forgetCalm({ channelId }: ChannelKey): void {
    wideLooks.delete(channelId)
    const logs = storms.get(channelId)
    if (logs && isOver(logs, clock.nowMs())) storms.delete(channelId)
  }

  /** Looks at the oldest deliveries, and at more if all of them wait on purpose. */
  function plan(channel: ChannelKey): LookedPlan {
    // Each plan reads the time again, because messages may have arrived while a transaction waited.
    const nowMs = clock.nowMs()
    const first = planWithin(channel, limits.deliveriesPerLookMax, nowMs)
    if (first.isWhole) return first
    const { orgId, channelId } = channel
    const againAtMs = Math.max(
      wideLooks.get(channelId) ?? nowMs,
      wideLooksOfOrg.get(orgId) ?? nowMs,
    )
    if (nowMs < againAtMs && first.next.kind === 'wait') {
      const untilMs = Math.min(first.next.untilMs, againAtMs)
      return { ...first, next: { ...first.next, untilMs } }
    }
    const startedMs = clock.monoMs()
    const most = wideLookRowsMax
    let wide = first
    while (!wide.isWhole && wide.looked < most) {
      wide = planWithin(channel, Math.min(wide.looked * 10, most), nowMs)
    }
    const tookMs = clock.monoMs() - startedMs
    wideLooks.set(channelId, nowMs + wideLookMsMin)
    wideLooksOfOrg.set(orgId, nowMs + tookMs / wideLookShare)
    return wide.isWhole || wide.next.kind !== 'wait' ? wide : { ...wide, isCrowded: true }
  }

  function planWithin(channel: ChannelKey, looked: number, nowMs: number): LookedPlan {
    const seen = view(channel, looked)
    const next = withoutGone(planQueue(seen, nowMs))
    const isAll = seen.pending.length < looked
    if (next.kind === 'send') return { next, looked, isWhole: isAll || !isOvertaken(next.delivery) }
    return { next, looked, isWhole: isAll || next.kind !== 'wait' || next.isBehind }
  }

  /** The end of the outage waits as well, behind all that was looked at: both are one message. */
  function isOvertaken({ event, orgId, channelId, incidentId }: Delivery): boolean {
    if (event !== 'incident.opened' || incidentId === null) return false
    return store.announcements.get(orgId, incidentId, channelId).announced === 'resolved'
  }

  return {
    /**
     * Chooses what the channel's queue does next. Merges nothing once the signal is aborted,
     * because a later choice may already be sending one of the messages.
     */
    async choose(channel: ChannelKey, signal: AbortSignal): Promise<Choice> {
      let { next, looked, isCrowded } = plan(channel)
      // A merged message is stored before it is sent, so that the same one is sent again after a
      // crash.
      while (isCrowded || changesDeliveries(next)) {
        const tidied = await store.write((tx) => {
          if (signal.aborted) return nothing
          return isCrowded ? thin(tx, channel) : tidy(tx, channel, looked)
        })
        if (signal.aborted) return nothing
        if (tidied !== 'thinned' && !changesDeliveries(tidied)) next = tidied
        else ({ next, looked, isCrowded } = plan(channel))
      }
      if (next.kind === 'done') forgetCalm(channel)
      return next.kind === 'send' ? { kind: 'send', job: jobOf(channel, next.delivery) } : next
    },
  }
}

/** What to do next, found among so many deliveries. */
interface LookedPlan {
  readonly next: QueuePlan
  readonly looked: number
  /** More deliveries would not change it. */
  readonly isWhole: boolean
  /** All that were looked at wait on purpose, and there are still more. */
  readonly isCrowded?: true
}

/**
 * Whether a person had the message sent again, which begins its attempts anew and keeps the log of
 * earlier ones.
 */
function isSentAgain({ attempts, log }: Delivery): boolean {
  return log.length > attempts
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

type Change = Extract<QueuePlan, { kind: 'drop' | 'expire' | 'merge' | 'fold' }>

function changesDeliveries(next: QueuePlan): next is Change {
  return next.kind !== 'done' && next.kind !== 'wait' && next.kind !== 'send'
}

const nothing = { kind: 'done' } as const

const calmAll: StormLogs = { 'incident.opened': calm, 'incident.resolved': calm }

const switchedOff = 'The channel is switched off.'
const tooMany = `More than ${wideLookRowsMax} messages waited: the oldest were given up.`
const tooOld = 'The channel failed for 24 hours: this message was not attempted.'
const monitorGone = 'The monitor was paused or deleted before this arrived.'
const neverOpened = 'The opening of this incident was never delivered.'

/** What a channel knows of an incident after this event; undefined if that does not change. */
function stateAfter(event: Delivery['event']): AnnouncedState | undefined {
  if (event === 'incident.opened') return 'open'
  return event === 'incident.resolved' ? 'resolved' : undefined
}

function byId(a: Delivery, b: Delivery): number {
  return a.id < b.id ? -1 : 1
}
