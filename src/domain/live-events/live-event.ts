// Live events: the content of an organization's event stream.
import type { MonitorId } from '../../base/ids.ts'
import type { Reading, ReadingError } from '../checks/reading.ts'
import type { VerdictKind } from '../checks/verdict.ts'
import { type Confirmation, confirmationOf } from '../health/confirmation.ts'
import type { Incident, IncidentChange } from '../incidents/incident.ts'
import type { PlaceId } from '../locations/place.ts'
import type { FailingFrom } from '../locations/shown-places.ts'
import type { Interval } from '../maintenance/interval.ts'
import type { Monitor } from '../monitors/monitor.ts'
import {
  type MonitorState,
  type ShownMonitorState,
  shownMonitorState,
} from '../monitors/monitor-state.ts'

export const liveEventTypes = [
  'monitor.changed',
  'monitor.state',
  'check.completed',
  'incident.opened',
  'incident.updated',
  'incident.resolved',
  'channels.changed',
] as const
type LiveEventType = (typeof liveEventTypes)[number]

export interface StateLiveEvent {
  readonly type: 'monitor.state'
  readonly monitorId: MonitorId
  readonly name: string
  readonly state: ShownMonitorState | 'paused' | 'maintenance'
  readonly atMs: number
}

/** People made, changed or deleted a monitor. */
export interface ChangeLiveEvent {
  readonly type: 'monitor.changed'
  readonly monitorId: MonitorId
  /** What it is called now; null if its record was damaged. */
  readonly name: string | null
  readonly change: 'created' | 'changed' | 'deleted'
  readonly atMs: number
}

export interface CheckLiveEvent {
  readonly type: 'check.completed'
  readonly monitorId: MonitorId
  readonly atMs: number
  readonly verdict: VerdictKind
  readonly responseTimeMs: number
  readonly error: ReadingError | null
  /** Null unless failures are being confirmed. */
  readonly confirming: Confirmation | null
  /** Null unless it is up and some of its locations see it failing. */
  readonly failingFrom: FailingFrom | null
}

export interface IncidentLiveEvent {
  readonly type: Extract<LiveEventType, `incident.${string}`>
  readonly incident: Incident
}

/** Channels were made, changed or deleted, or messages arrived there or failed to. */
interface ChannelsLiveEvent {
  readonly type: 'channels.changed'
}

export type LiveEvent =
  | ChangeLiveEvent
  | StateLiveEvent
  | CheckLiveEvent
  | IncidentLiveEvent
  | ChannelsLiveEvent

/** The current state of a monitor, and the maintenance that it is under. */
export function stateEvent(
  { id, name, isActive }: Monitor,
  monitorState: MonitorState,
  maintenance: Interval | null,
): StateLiveEvent {
  const { health, lastAtMs } = monitorState
  if (isActive && maintenance !== null) {
    const { fromMs: atMs } = maintenance
    return { type: 'monitor.state', monitorId: id, name, state: 'maintenance', atMs }
  }
  const state = isActive ? shownMonitorState(monitorState) : 'paused'
  const atMs = state === 'unknown' ? (lastAtMs ?? health.sinceMs) : health.sinceMs
  return { type: 'monitor.state', monitorId: id, name, state, atMs }
}

export function changeEvent(
  { id: monitorId, name }: Pick<Monitor, 'id'> & { readonly name: string | null },
  change: ChangeLiveEvent['change'],
  atMs: number,
): ChangeLiveEvent {
  return { type: 'monitor.changed', monitorId, name, change, atMs }
}

interface CommittedCheck {
  readonly verdict: VerdictKind
  readonly monitorState: MonitorState
  readonly place?: PlaceId
}

/** A result, or a push report; where several places vote, what the monitor is like after it. */
export function checkEvent(
  monitor: Monitor,
  reading: Reading,
  { verdict, monitorState, place }: CommittedCheck,
  failingFrom: (monitor: Monitor) => FailingFrom | null,
): CheckLiveEvent {
  const { atMs, durationMs, error = null } = reading
  const about = {
    type: 'check.completed',
    monitorId: monitor.id,
    atMs,
    confirming: confirmationOf(monitorState.health, monitor),
  } as const
  const own = { verdict, responseTimeMs: Math.round(durationMs), error }
  if (place === undefined) return { ...about, ...own, failingFrom: null }
  // A place that is outvoted says neither how fast the target is, nor what is wrong.
  const { lastVerdict, responseTimeMs, lastError } = monitorState
  return {
    ...about,
    verdict: lastVerdict ?? verdict,
    responseTimeMs: responseTimeMs ?? own.responseTimeMs,
    error: lastError,
    failingFrom: shownMonitorState(monitorState) === 'up' ? failingFrom(monitor) : null,
  }
}

/** An incident began or reopened, ended, or something else about it changed. */
export function incidentEvent({ before, incident }: IncidentChange): IncidentLiveEvent {
  const wasOver = before === undefined || before.state === 'resolved'
  const isOver = incident.state === 'resolved'
  if (wasOver === isOver) return { type: 'incident.updated', incident }
  return { type: isOver ? 'incident.resolved' : 'incident.opened', incident }
}
