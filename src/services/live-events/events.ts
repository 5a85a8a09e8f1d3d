// Event streams: live events of an organization, in order, for its listeners.
//
// A stream is a convenience and not the record: missed events can be read from the API. So only the
// newest events are kept, in memory, and only for organizations with listeners.
import type { Clock } from '../../base/clock.ts'
import { rateLimited } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import { credentialId, type Principal, type Role } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { LiveEvent } from '../../domain/live-events/live-event.ts'
import type { OrgScope } from '../context.ts'
import type { Identity } from '../identity.ts'

export interface NumberedEvent {
  /** `<start of the daemon>-<number>`, for Last-Event-ID. */
  readonly id: string
  readonly event: LiveEvent
}

/** A listener. None of these may throw. */
export interface StreamListener {
  /** Gets the events in order, each once. */
  readonly tell: (event: NumberedEvent) => void
  /** Nothing happened for a while: shows that the connection is open. */
  readonly beat: () => void
  /** The right to listen is gone, or the daemon stops. Nothing follows. */
  readonly end: () => void
}

export interface EventSubscription {
  /** The events after the one that the client named as its last. */
  readonly missed: readonly NumberedEvent[]
  /** There may be more events than in `missed`: read the current state again. */
  readonly hasGap: boolean
  readonly leave: () => void
}

export interface EventsDeps {
  readonly clock: Clock
  readonly identity: Pick<Identity, 'holds'>
}

interface Stream extends StreamListener {
  readonly scope: OrgScope
  /** When its right to listen was last seen, monotonic. */
  checkedAtMs: number
}

interface EventAudience {
  readonly streams: Set<Stream>
  /** Oldest first. */
  recent: NumberedEvent[]
  /** The number of the last event that is no longer kept. */
  forgotten: number
  /** When the last listener left; null while there is one. */
  quietSinceMs: number | null
}

const listenerRole: Role = 'viewer'

export type Events = ReturnType<typeof createEvents>

/** How often a stream sends something: often enough that no proxy or server considers it dead. */
export const streamBeatMs = 5_000
/** How long events go out before the right to hear them is looked up again. */
export const streamCheckedMs = 100
const streamsMax = 2_000
export const streamsPerOrgMax = 100
export const streamsPerCredentialMax = 10
/** Streams of one person, over all organizations and sessions. */
const streamsPerPersonMax = 30
/** Events that a reconnecting client can catch up with. */
export const eventsKept = 500
/** How long events are kept after the last listener left. */
export const eventsQuietMs = 5 * 60_000

export function createEvents({ clock, identity }: EventsDeps) {
  const channels = new Map<OrgId, EventAudience>()
  const run = clock.nowMs().toString(36)
  let number = 0
  let open = 0
  let timer: unknown

  function channelOf(orgId: OrgId): EventAudience {
    const found = channels.get(orgId)
    if (found) return found
    const created: EventAudience = {
      streams: new Set<Stream>(),
      recent: [],
      forgotten: number,
      quietSinceMs: null,
    }
    channels.set(orgId, created)
    return created
  }

  function keep(channel: EventAudience, numbered: NumberedEvent): void {
    channel.recent.push(numbered)
    if (channel.recent.length <= 2 * eventsKept) return
    // Trimmed occasionally instead of at each event, which would move the whole list each time.
    channel.recent = channel.recent.slice(-eventsKept)
    channel.forgotten = numberOf(channel.recent[0]?.id ?? '', run) - 1
  }

  function leave(orgId: OrgId, stream: Stream): void {
    const channel = channels.get(orgId)
    if (!channel?.streams.delete(stream)) return
    open -= 1
    if (channel.streams.size === 0) channel.quietSinceMs = clock.nowMs()
  }

  /** Ends a stream without the right to continue; returns whether it continues. */
  function mayGoOn(stream: Stream): boolean {
    stream.checkedAtMs = clock.monoMs()
    if (identity.holds(stream.scope, listenerRole, clock.nowMs())) return true
    leave(stream.scope.orgId, stream)
    stream.end()
    return false
  }

  /**
   * Whether an event may be sent. `recheck` ends a stream at once when its reader loses a right; this
   * notices a right that ends by itself. Looking with each event would take all the time of the loop: a
   * hundred streams of an organization hear of a thousand checks a second.
   */
  function mayHear(stream: Stream): boolean {
    return clock.monoMs() - stream.checkedAtMs < streamCheckedMs || mayGoOn(stream)
  }

  function beat(): void {
    const quietBeforeMs = clock.nowMs() - eventsQuietMs
    for (const [orgId, { streams, quietSinceMs }] of channels) {
      for (const stream of [...streams]) if (mayGoOn(stream)) stream.beat()
      if (streams.size === 0 && quietSinceMs !== null && quietSinceMs < quietBeforeMs) {
        channels.delete(orgId)
      }
    }
    timer = channels.size === 0 ? undefined : clock.setTimeout(beat, streamBeatMs)
  }

  function refuseTooMany({ orgId, caller: { principal } }: OrgScope): void {
    let ofCredential = 0
    let ofPerson = 0
    for (const { streams } of channels.values()) {
      for (const { scope } of streams) {
        if (credentialId(scope.caller.principal) === credentialId(principal)) ofCredential += 1
        if (personOf(scope.caller.principal) === personOf(principal)) ofPerson += 1
      }
    }
    const isFull =
      open >= streamsMax ||
      (channels.get(orgId)?.streams.size ?? 0) >= streamsPerOrgMax ||
      ofCredential >= streamsPerCredentialMax ||
      ofPerson >= streamsPerPersonMax
    if (!isFull) return
    throw rateLimited(limits.retryAfterSeconds * 1_000, () => 'Too many event streams are open')
  }

  return {
    /** Costs almost nothing without listeners. */
    publish(orgId: OrgId, event: LiveEvent): void {
      const channel = channels.get(orgId)
      if (!channel) return
      number += 1
      const numbered = { id: `${run}-${number}`, event }
      keep(channel, numbered)
      for (const stream of [...channel.streams]) if (mayHear(stream)) stream.tell(numbered)
    },
    hasListeners: (orgId: OrgId) => channels.has(orgId),
    /** Throws rate_limited if the caller or the organization has too many streams. */
    subscribe(
      scope: OrgScope,
      lastId: string | undefined,
      listener: StreamListener,
    ): EventSubscription {
      refuseTooMany(scope)
      const channel = channelOf(scope.orgId)
      const stream: Stream = { ...listener, scope, checkedAtMs: Number.NEGATIVE_INFINITY }
      channel.streams.add(stream)
      channel.quietSinceMs = null
      open += 1
      timer ??= clock.setTimeout(beat, streamBeatMs)
      const last = lastId === undefined ? number : numberOf(lastId, run)
      const hasGap = Number.isNaN(last) || last < channel.forgotten || last > number
      return {
        missed: hasGap ? [] : channel.recent.filter(({ id }) => numberOf(id, run) > last),
        hasGap,
        leave: () => leave(scope.orgId, stream),
      }
    },
    /** Someone may have lost a right: checks every stream again now. */
    recheck(): void {
      for (const { streams } of channels.values()) for (const one of [...streams]) mayGoOn(one)
    },
    size: () => open,
    stop(): void {
      clock.clearTimeout(timer)
      for (const { streams } of channels.values()) for (const { end } of [...streams]) end()
      channels.clear()
      open = 0
    },
  }
}

/** The person of a stream, over all sessions and organizations. */
function personOf(principal: Principal): string | undefined {
  return principal.kind === 'session' ? principal.userId : credentialId(principal)
}

/** The number in an event's id; NaN for one of an earlier run of the daemon. */
function numberOf(id: string, run: string): number {
  const [, ofRun, digits] = /^([0-9a-z]+)-(\d{1,15})$/.exec(id) ?? []
  return ofRun === run ? Number(digits) : Number.NaN
}
