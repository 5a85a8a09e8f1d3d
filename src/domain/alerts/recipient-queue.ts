// Plans the queue of one channel: which pending delivery is next, oldest first.
import { type Delivery, isDue, mergeOvertaken } from './delivery.ts'
import { type DigestedEvent, digestedEvents, digestible, isDelayed } from './digest.ts'
import { heldAmong, type QuietView } from './held-messages.ts'

/** What was sent to a channel about one event lately, to detect a storm. */
export interface StormLog {
  /** Times of the messages about one incident each. */
  readonly eachAtMs: readonly number[]
  /** The newest digest of the storm that goes on, and how many it had. */
  readonly digestAtMs: number | null
  readonly digests: number
}

export const calm: StormLog = { eachAtMs: [], digestAtMs: null, digests: 0 }

export type StormLogs = Readonly<Record<DigestedEvent, StormLog>>

export interface QueueView {
  /** Oldest first, none in flight. */
  readonly pending: readonly Delivery[]
  /** The channel is switched off or deleted. */
  readonly isOff: boolean
  /** News of an incident whose opening was never delivered: the channel would not understand it. */
  readonly isOrphan: (delivery: Delivery) => boolean
  /** Null: the channel does not take digests. */
  readonly storms: StormLogs | null
  /** Null: the channel has no quiet hours. */
  readonly quiet: QuietView | null
  /** The channel fails again and again: nothing is sent before this. */
  readonly pausedUntilMs: number | null
}

export type QueuePlan =
  | { readonly kind: 'done' }
  /** `isBehind`: what comes after these deliveries waits as well, so they need not be looked at. */
  | { readonly kind: 'wait'; readonly untilMs: number; readonly isBehind: boolean }
  | { readonly kind: 'send'; readonly delivery: Delivery }
  /** The others first change the deliveries, in a transaction. */
  | { readonly kind: 'drop'; readonly rows: readonly Delivery[] }
  /** Their time is over while the channel is paused: they are given up without another attempt. */
  | { readonly kind: 'expire'; readonly rows: readonly Delivery[] }
  | { readonly kind: 'merge'; readonly changed: readonly Delivery[] }
  /** Openings or recoveries become one digest. */
  | { readonly kind: 'fold'; readonly members: readonly Delivery[] }

/**
 * In order, one at a time: a message that waits for its next attempt blocks the messages behind it.
 * Other incidents may overtake only news that waits on purpose (a channel's delay, a storm, quiet hours).
 * A digest is made when the first of its members could be sent, so that it gathers as many as possible.
 * While the channel is paused nothing is sent; at its end one message is, and what follows depends on its
 * fate.
 */
export function planQueue(
  { pending: all, isOff, isOrphan, storms, quiet, pausedUntilMs }: QueueView,
  nowMs: number,
): QueuePlan {
  if (all.length === 0) return { kind: 'done' }
  const dropped = isOff ? all : all.filter(isOrphan)
  if (dropped.length > 0) return { kind: 'drop', rows: dropped }
  const quieted = quiet ? heldAmong(all, quiet) : new Set<Delivery>()
  const pending = all.filter((delivery) => !quieted.has(delivery))
  const due = pending.filter((delivery) => !isDelayed(delivery, nowMs))
  const changed = mergeOvertaken(due, nowMs)
  if (changed.length > 0) return { kind: 'merge', changed }
  if (pausedUntilMs !== null && nowMs < pausedUntilMs) return paused(all, pausedUntilMs, nowMs)
  const groups =
    storms === null
      ? []
      : digestedEvents.map((event) =>
          groupOf(event, pending, { storm: storms[event], quiet }, nowMs),
        )
  const holding = groups.filter(({ advice }) => advice.kind === 'hold')
  const held = new Set(holding.flatMap(({ members }) => members.map((row) => row.incidentId)))
  const head = due.find((delivery) => !held.has(delivery.incidentId))
  if (head && isDue(head, nowMs)) {
    const storm = groups.find(
      ({ advice, members }) => advice.kind === 'digest' && members.includes(head),
    )
    return storm ? { kind: 'fold', members: storm.members } : { kind: 'send', delivery: head }
  }
  return {
    kind: 'wait',
    isBehind: head !== undefined || isAllQuiet(quiet),
    untilMs: Math.min(
      head?.dueAtMs ?? Number.POSITIVE_INFINITY,
      (quieted.size > 0 ? quiet?.untilMs : null) ?? Number.POSITIVE_INFINITY,
      ...holding.map(({ advice }) =>
        advice.kind === 'hold' ? advice.untilMs : Number.POSITIVE_INFINITY,
      ),
      ...pending.filter((delivery) => isDelayed(delivery, nowMs)).map(({ dueAtMs }) => dueAtMs),
    ),
  }
}

/** Quiet hours are on, and let nothing out. */
function isAllQuiet(quiet: QuietView | null): boolean {
  return quiet !== null && quiet.untilMs !== null && !quiet.mayLetOut
}

/** No attempt is made, so a delivery dies here when its time is over. */
function paused(pending: readonly Delivery[], pausedUntilMs: number, nowMs: number): QueuePlan {
  const expired = pending.filter(({ giveUpAtMs }) => giveUpAtMs <= nowMs)
  if (expired.length > 0) return { kind: 'expire', rows: expired }
  const untilMs = Math.min(pausedUntilMs, ...pending.map(({ giveUpAtMs }) => giveUpAtMs))
  return { kind: 'wait', untilMs, isBehind: true }
}

function groupOf(
  event: DigestedEvent,
  pending: readonly Delivery[],
  { storm, quiet }: { readonly storm: StormLog; readonly quiet: QuietView | null },
  nowMs: number,
) {
  // Delayed news counts as later news, although it is no member.
  const members = digestible(pending, event).filter((row) => !isDelayed(row, nowMs))
  // What quiet hours held is summed up, however little it is.
  const summedUp = quiet === null ? 0 : members.filter(quiet.wasHeld).length
  const advice = summedUp > 1 ? ({ kind: 'digest' } as const) : stormAdvice(members, storm, nowMs)
  return { members, advice }
}

export type StormAdvice =
  | { readonly kind: 'each' }
  | { readonly kind: 'digest' }
  | { readonly kind: 'hold'; readonly untilMs: number }

/** Openings, and recoveries, that a channel gets one by one within the window. */
const stormEachMax = 10
const stormWindowMs = 60_000
/** How long the first digest of a storm waits for more of them. */
const stormGatherMs = 5_000

/**
 * Up to ten openings a minute are sent separately. Further ones wait a few seconds and go into one
 * digest. The next digest follows seconds later, so that outages which begin one after the other are all
 * announced soon; the longer the storm, the longer the wait. The same goes for recoveries.
 */
export function stormAdvice(
  members: readonly Delivery[],
  storm: StormLog,
  nowMs: number,
): StormAdvice {
  if (members.length === 0) return { kind: 'each' }
  const recent = recentOnly(storm, nowMs)
  const { eachAtMs } = recent
  const nextDigestAtMs = nextDigestOf(recent)
  if (nowMs < nextDigestAtMs) return { kind: 'hold', untilMs: nextDigestAtMs }
  if (members.length > stormEachMax) return { kind: 'digest' }
  if (eachAtMs.length < stormEachMax) return { kind: 'each' }
  const firstAtMs = Math.min(...members.map((delivery) => delivery.createdAtMs))
  const untilMs = firstAtMs + stormGatherMs
  if (nowMs < untilMs) return { kind: 'hold', untilMs }
  return { kind: members.length > 1 ? 'digest' : 'each' }
}

/** The log with one more message, without outdated entries. */
export function withSent(storm: StormLog, sent: 'each' | 'digest', nowMs: number): StormLog {
  const recent = recentOnly(storm, nowMs)
  // One that waited for others in vain, beyond the ten of a minute, counts as a digest.
  return sent === 'each' && recent.eachAtMs.length < stormEachMax
    ? { ...recent, eachAtMs: [...recent.eachAtMs, nowMs] }
    : { ...recent, digestAtMs: nowMs, digests: recent.digests + 1 }
}

/** Nothing of the log matters any more. */
export function isOver(logs: StormLogs, nowMs: number): boolean {
  return Object.values(logs).every((log) => {
    const { eachAtMs, digestAtMs } = recentOnly(log, nowMs)
    return eachAtMs.length === 0 && digestAtMs === null
  })
}

/** How long after a digest of a storm the next one follows; the last wait repeats. */
const stormWaitsMs = [5_000, 10_000, 30_000, 60_000] as const
/** A storm is over if nothing was left for another digest so long after the last wait. */
const stormCalmMs = 30_000

function recentOnly(storm: StormLog, nowMs: number): StormLog {
  const eachAtMs = storm.eachAtMs.filter((atMs) => nowMs - atMs < stormWindowMs)
  const isOn = nowMs < nextDigestOf(storm) + stormCalmMs
  return isOn ? { ...storm, eachAtMs } : { ...calm, eachAtMs }
}

/** When a storm may have its next digest; any time if there is no storm. */
function nextDigestOf({ digestAtMs, digests }: StormLog): number {
  if (digestAtMs === null) return Number.NEGATIVE_INFINITY
  const waitMs = stormWaitsMs[digests - 1] ?? stormWaitsMs.at(-1) ?? 0
  return digestAtMs + waitMs
}
