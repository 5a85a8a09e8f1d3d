// What became of the news of an incident for one channel: sent, waiting, folded, or not sent and why.
import {
  endedUnannounced,
  type Incident,
  isGoingLive,
  resolvedMessages,
  type Severity,
  type TimelineEntry,
  type TimelineKind,
} from '../incidents/incident.ts'
import type { AttemptClass } from './attempt.ts'
import type { Channel } from './channel.ts'
import type { Delivery, DeliveryWait } from './delivery.ts'
import type { IncidentEvent } from './payload.ts'
import { type AlertRoute, refusals } from './route.ts'

export const tellingKinds = [
  'sent',
  /** It waits, and is sent if nothing overtakes it. */
  'waiting',
  /** A later message about the same incident said it as well. */
  'merged',
  /** One message for many incidents took its place. */
  'folded',
  'given_up',
  'not_sent',
] as const
type TellingKind = (typeof tellingKinds)[number]

export const tellingReasons = [
  'delay',
  'retry',
  'turn',
  ...refusals,
  /** The channel did not exist then. */
  'created_later',
  /** It had not heard of the opening. */
  'not_informed',
  /** The monitor was paused or deleted, which is no recovery. */
  'monitor_gone',
  /** It ended or was acknowledged before the channel's delay had passed. */
  'over_early',
  /** Nothing is stored that would say why. */
  'no_record',
] as const
export type TellingReason = (typeof tellingReasons)[number]

/** A message about the incident, as it stands. */
export interface KnownDelivery {
  readonly delivery: Delivery
  readonly waitsFor: DeliveryWait | null
  /** When it is let out or tried next; null if it does not wait. */
  readonly untilMs: number | null
  /**
   * Why its newest attempt failed or, while it waits behind another message, why that one did; null if
   * nothing failed.
   */
  readonly error: string | null
  /** How that attempt ended; absent if it is not known. */
  readonly errorClass?: AttemptClass | undefined
  /** What it was merged into. */
  readonly into: Delivery | undefined
}

/** Something that happened to the incident and may be announced. */
export interface IncidentHappening {
  readonly event: IncidentEvent
  readonly atMs: number
  /** The severity at that time. */
  readonly severity: Severity
  /** Why it was announced to no channel; null if it may have been. */
  readonly sparedBy: null | 'monitor_gone' | 'dependency' | 'shadow'
}

export interface Telling {
  readonly event: IncidentEvent
  readonly atMs: number
  readonly kind: TellingKind
  /** Null for what was sent. */
  readonly because: TellingReason | null
  readonly untilMs: number | null
  readonly known: KnownDelivery | null
}

/** What channels hear of, by the kind of the timeline's entry. */
const eventOf: Readonly<Record<TimelineKind, IncidentEvent | null>> = {
  opened: 'incident.opened',
  reopened: 'incident.opened',
  worsened: 'incident.updated',
  flapping: 'incident.updated',
  // They know that it is bad, and it still is.
  settled: null,
  held: null,
  // For channels that had not heard of it.
  released: 'incident.opened',
  acknowledged: 'incident.acknowledged',
  update: 'incident.updated',
  closed: 'incident.resolved',
  resolved: 'incident.resolved',
  // They know that a person closed it.
  recovered: null,
}

/** What went wrong comes first, then what arrived. */
const foremostKinds: readonly TellingKind[] = [
  'given_up',
  'waiting',
  'sent',
  'merged',
  'folded',
  'not_sent',
]

/** The first thing that a person should know about the message to one channel. */
export function foremostOf(tellings: readonly Telling[]): Telling | undefined {
  const newestFirst = tellings.toReversed()
  const [first] = foremostKinds.flatMap(
    (kind) => newestFirst.find((telling) => telling.kind === kind) ?? [],
  )
  return first
}

/** Entries of the timeline in the explanation of an incident. */
export const explainedEventsMax = 50

/** What happened to the incident and may be announced, oldest first: the first and the newest ones. */
export function happeningsOf(incident: Incident): IncidentHappening[] {
  const { timeline } = incident
  const all = timeline.flatMap((entry, index): IncidentHappening[] => {
    const event = eventOf[entry.kind]
    if (event === null) return []
    const severity = severityBefore(incident, timeline.slice(index + 1))
    const sparedBy = sparedAt(incident, index)
    return [{ event, atMs: entry.atMs, severity, sparedBy }]
  })
  return all.toSpliced(1, Math.max(0, all.length - explainedEventsMax))
}

function sparedAt(incident: Incident, index: number): IncidentHappening['sparedBy'] {
  const [entry, next] = incident.timeline.slice(index, index + 2)
  if (entry && isEndOfMonitor(incident, entry)) return 'monitor_gone'
  // Whatever happened before it went live was told to nobody.
  const liveAt = incident.timeline.findLastIndex(isGoingLive)
  if (incident.isShadow || index < liveAt) return 'shadow'
  const isOpening = entry !== undefined && eventOf[entry.kind] === 'incident.opened'
  return isOpening && next?.kind === 'held' ? 'dependency' : null
}

/** An incident that becomes an outage later was not one before. */
function severityBefore({ severity }: Incident, later: readonly TimelineEntry[]): Severity {
  return later.some(({ kind }) => kind === 'worsened') ? 'degraded' : severity
}

function isEndOfMonitor(incident: Incident, { kind, message }: TimelineEntry): boolean {
  const { paused, deleted } = resolvedMessages
  return (
    kind === 'resolved' && endedUnannounced(incident) && (message === paused || message === deleted)
  )
}

export interface TellingRequest {
  readonly channel: Channel
  readonly happenings: readonly IncidentHappening[]
  /** The messages about this incident to this channel, oldest first. */
  readonly deliveries: readonly KnownDelivery[]
  /** An announcement to this channel is on record, even if it was taken back. */
  readonly wasMeant: boolean
  /** The channel has heard of the incident, or will. */
  readonly isInformed: boolean
  /** The route under the present settings. */
  readonly route: (channel: Channel, happening: IncidentHappening) => AlertRoute
}

/** What became of each happening for one channel, oldest first. */
export function tellingsOf(request: TellingRequest): Telling[] {
  const { happenings, deliveries } = request
  const taken = new Map<IncidentHappening, KnownDelivery>()
  const extra: Telling[] = []
  for (const known of deliveries) {
    const happening = happeningOf(known.delivery, happenings)
    if (happening && !taken.has(happening)) taken.set(happening, known)
    else extra.push(told(known, known.delivery.createdAtMs))
  }
  const tellings = happenings.map((happening) => {
    const known = taken.get(happening)
    return known ? told(known, happening.atMs) : untold(request, happening)
  })
  return [...tellings, ...extra].toSorted((a, b) => a.atMs - b.atMs)
}

/** The news that a message was queued for: the newest that had happened by then. */
function happeningOf(
  { event, createdAtMs }: Delivery,
  happenings: readonly IncidentHappening[],
): IncidentHappening | undefined {
  return happenings.findLast((one) => {
    // To a channel that was not informed before, an outage that became worse is an opening.
    const fits = one.event === event || (event === 'incident.opened' && isUpdate(one))
    return fits && one.atMs <= createdAtMs
  })
}

function isUpdate({ event }: IncidentHappening): boolean {
  return event === 'incident.updated'
}

function told(known: KnownDelivery, atMs: number): Telling {
  const { delivery, waitsFor, untilMs, into } = known
  const { state, mergedIntoId } = delivery
  const base = { event: newsEvent(delivery), atMs, because: null, untilMs: null, known }
  if (state === 'pending') return { ...base, kind: 'waiting', because: waitsFor, untilMs }
  if (state === 'dead') return { ...base, kind: 'given_up' }
  if (mergedIntoId === null) return { ...base, kind: 'sent' }
  return { ...base, kind: into?.event === 'incident.digest' ? 'folded' : 'merged' }
}

/** Only messages about one incident are explained, and such messages have no other events. */
function newsEvent({ event }: Delivery): IncidentEvent {
  return event as IncidentEvent
}

function untold(request: TellingRequest, happening: IncidentHappening): Telling {
  const { event, atMs } = happening
  const because = reasonOf(request, happening)
  return { event, atMs, kind: 'not_sent', because, untilMs: null, known: null }
}

function reasonOf(
  { channel, wasMeant, isInformed, deliveries, route }: TellingRequest,
  happening: IncidentHappening,
): TellingReason {
  const { event, atMs, sparedBy } = happening
  if (channel.createdAtMs > atMs) return 'created_later'
  if (event !== 'incident.opened' && !isInformed && deliveries.length === 0) return 'not_informed'
  if (sparedBy !== null) return sparedBy
  const found = route(channel, happening)
  if (found.kind === 'none') return found.because
  return event === 'incident.opened' && wasMeant && !isInformed ? 'over_early' : 'no_record'
}
