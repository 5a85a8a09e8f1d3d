// The transactions of a lane: what is next, what is folded into one, what came of an attempt.
import type { Clock } from '../../base/clock.ts'
import { type DeliveryId, type IncidentId, newId } from '../../base/ids.ts'
import {
  type Delivery,
  mergeOvertaken,
  nextAttempt,
  type Outcome,
  type Told,
} from '../../domain/alerts/delivery.ts'
import { foldDigest, isDelayed, isOpening } from '../../domain/alerts/digest.ts'
import {
  calm,
  type LaneView,
  planLane,
  type StormLog,
  stormAdvice,
  withSent,
} from '../../domain/alerts/recipient-queue.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Lane } from '../../store/tables/alerts/deliveries.ts'

/** A message to send, and then what came of it. */
export interface ChosenDelivery {
  readonly lane: Lane
  readonly deliveryId: DeliveryId
}

export interface SentDelivery extends ChosenDelivery {
  readonly outcome: Outcome
}

export type DeliveryChoice =
  | { readonly kind: 'send'; readonly deliveryId: DeliveryId }
  /** Nothing is due before this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing is owed any more. */
  | { readonly kind: 'done' }

export interface LanesDeps {
  readonly store: Store
  readonly clock: Clock
  /** A random number in 0..1, for jitter. */
  readonly unit: () => number
  /** The daemon switched a channel off because its receiver is gone for good. */
  readonly onDisabled: (lane: Lane) => void
}

export type Lanes = ReturnType<typeof createLanes>

export function createLanes({ store, clock, unit, onDisabled }: LanesDeps) {
  // Forgotten at a restart: then a storm is at most told in a few messages more.
  const storms = new Map<string, StormLog>()

  const stormOf = ({ channelId }: Lane) => storms.get(channelId) ?? calm

  function unheardBy({ orgId, channelId }: Lane) {
    return (id: IncidentId) => store.told.get(orgId, id, channelId).heard !== 'open'
  }

  function view(lane: Lane, limit: number): LaneView {
    const { orgId, channelId } = lane
    const told = (id: IncidentId) => store.told.get(orgId, id, channelId)
    return {
      pending: store.deliveries.pending(orgId, channelId, limit),
      isOff: !store.channels.get(orgId, channelId)?.isActive,
      isUnheard: unheardBy(lane),
      isOrphan: ({ event, incidentId }: Delivery) =>
        incidentId !== null && !carriesItself.has(event) && told(incidentId).promised === 'none',
      storm: stormOf(lane),
    }
  }

  /** Drops what can no longer be sent, else folds what can be told in fewer messages. */
  function tidy(tx: Tx, lane: Lane, nowMs: number): void {
    const { pending, isOff, isOrphan, isUnheard, storm } = view(lane, limits.digestFoldsMax)
    const dropped = pending.filter((row) => isOff || isOrphan(row))
    for (const row of dropped) {
      const lastError = isOff ? switchedOff : neverOpened
      store.deliveries.put(tx, { ...row, state: 'dead', lastError })
    }
    for (const row of dropped) takeBack(tx, row)
    if (dropped.length > 0) return
    const due = pending.filter((row) => !isDelayed(row, nowMs))
    const openings = due.filter((row) => isOpening(row, isUnheard))
    const isStorm = stormAdvice(openings, storm, nowMs).kind === 'digest'
    const digestId = newId('delivery', nowMs)
    const digest = isStorm ? foldDigest(due, isUnheard, digestId, nowMs) : []
    const changed = digest.length > 0 ? digest : mergeOvertaken(due, nowMs)
    for (const row of changed) store.deliveries.put(tx, row)
  }

  /** Every incident that a message tells of: its own, and those of what was folded into it. */
  function toldBy(delivery: Delivery): Delivery[] {
    return [delivery, ...store.deliveries.mergedInto(delivery)]
  }

  /** The channel has now heard of it. */
  function noteHeard(tx: Tx, delivery: Delivery): void {
    const { orgId, channelId } = delivery
    // Oldest first, so that the newest news is what remains.
    for (const { incidentId, event } of toldBy(delivery).toSorted(byId)) {
      if (incidentId === null) continue
      const told = store.told.get(orgId, incidentId, channelId)
      const heard = heardAfter(told.heard, event)
      const promised = told.promised === 'none' ? heard : told.promised
      const delayedId = told.delayedId === delivery.id ? null : told.delayedId
      store.told.put(tx, orgId, incidentId, channelId, { promised, heard, delayedId })
    }
  }

  /** What died was not told: the promise falls back to what was heard. */
  function takeBack(tx: Tx, delivery: Delivery): void {
    const { orgId, channelId } = delivery
    const waiting = store.deliveries.pending(orgId, channelId, limits.digestFoldsMax)
    const stillOwed = new Set(
      waiting.filter((row) => carriesItself.has(row.event)).map((row) => row.incidentId),
    )
    for (const { incidentId } of toldBy(delivery)) {
      if (incidentId === null || stillOwed.has(incidentId)) continue
      const { heard } = store.told.get(orgId, incidentId, channelId)
      const told = { promised: heard, heard, delayedId: null }
      store.told.put(tx, orgId, incidentId, channelId, told)
    }
  }

  function switchOff(tx: Tx, { orgId, channelId }: Lane, reason: string, nowMs: number): void {
    const channel = store.channels.get(orgId, channelId)
    if (!channel?.isActive) return
    const revision = channel.revision + 1
    const off = { isActive: false, disabledReason: reason, updatedAtMs: nowMs, revision }
    store.channels.put(tx, { ...channel, ...off })
  }

  function noteStorm(lane: Lane, delivery: Delivery, nowMs: number): void {
    const storm = stormOf(lane)
    if (delivery.event === 'incident.digest') {
      storms.set(lane.channelId, withSent(storm, 'digest', nowMs))
    } else if (isOpening(delivery, unheardBy(lane))) {
      storms.set(lane.channelId, withSent(storm, 'opening', nowMs))
    }
  }

  function settle(tx: Tx, { lane, deliveryId, outcome }: SentDelivery, nowMs: number): void {
    const before = store.deliveries.get(lane.orgId, lane.channelId, deliveryId)
    // The channel was deleted while its message was under way.
    if (before?.state !== 'pending') return
    const after = nextAttempt(before, outcome, nowMs, unit())
    store.deliveries.put(tx, after)
    if (after.state === 'delivered') {
      noteStorm(lane, after, nowMs)
      noteHeard(tx, after)
    }
    if (after.state === 'dead') takeBack(tx, after)
    if (isGone(outcome)) switchOff(tx, lane, outcome.reason, nowMs)
  }

  return {
    /**
     * What is to be done next for a channel. Nothing is folded any more once the signal is aborted:
     * a look taken since may have led to a message that is under way.
     */
    async choose(lane: Lane, signal: AbortSignal): Promise<DeliveryChoice> {
      // Each step asks for the time anew: more may have come in while a transaction waited.
      const look = () => planLane(view(lane, limits.deliveriesPerLookMax), clock.nowMs())
      let plan = look()
      // What is folded is on disk before it is sent: after a crash the same message goes out again.
      while (plan.kind === 'tidy') {
        await store.write((tx) => tidy(tx, lane, clock.nowMs()))
        if (signal.aborted) return { kind: 'done' }
        plan = look()
      }
      return plan.kind === 'send' ? { kind: 'send', deliveryId: plan.delivery.id } : plan
    },

    /** Writes what came of an attempt; durable when it resolves. */
    async record(sent: SentDelivery): Promise<void> {
      const nowMs = clock.nowMs()
      await store.write((tx) => settle(tx, sent, nowMs))
      if (isGone(sent.outcome)) onDisabled(sent.lane)
    },
  }
}

/** These tell of an incident from its beginning; the others go on about one that is known. */
const carriesItself: ReadonlySet<Delivery['event']> = new Set([
  'incident.opened',
  'incident.resolved',
  'incident.digest',
])

const switchedOff = 'The channel is switched off.'
const neverOpened = 'The opening of this incident was never delivered.'

function heardAfter(heard: Told, event: Delivery['event']): Told {
  if (event === 'incident.opened') return 'open'
  return event === 'incident.resolved' ? 'resolved' : heard
}

function isGone(outcome: Outcome): outcome is Extract<Outcome, { ok: false }> {
  return !outcome.ok && outcome.disablesChannel === true
}

function byId(a: Delivery, b: Delivery): number {
  return a.id < b.id ? -1 : 1
}
