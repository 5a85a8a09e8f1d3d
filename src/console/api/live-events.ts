// The types of live events, for the tabs and for the worker that shares streams among them.
import type { Data } from './client.ts'

interface ChangeEvent {
  readonly monitorId: string
  readonly name: string | null
  readonly change: 'created' | 'changed' | 'deleted'
  readonly at: string
}

interface StateEvent {
  readonly monitorId: string
  readonly name: string
  readonly state: string
  readonly at: string
}

interface CheckEvent {
  readonly monitorId: string
  readonly outcome: string
  readonly responseTimeMs: number
  readonly error: { readonly kind: string; readonly message: string } | null
  readonly confirming: { readonly failed: number; readonly needed: number } | null
  readonly failingFrom: Data<'monitors.get'>['failingFrom']
  readonly at: string
}

interface IncidentEvent {
  readonly incident: { readonly id: string; readonly state: string; readonly title: string }
}

export interface LiveEvents {
  readonly 'monitor.changed': ChangeEvent
  readonly 'monitor.state': StateEvent
  readonly 'check.completed': CheckEvent
  readonly 'incident.opened': IncidentEvent
  readonly 'incident.updated': IncidentEvent
  readonly 'incident.resolved': IncidentEvent
  readonly 'channels.changed': Readonly<Record<never, never>>
  /** Events were missed: what is shown must be asked for again. */
  readonly 'stream.gap': Readonly<Record<never, never>>
}

export type AnyLiveEvent = {
  [Type in keyof LiveEvents]: { readonly type: Type; readonly data: LiveEvents[Type] }
}[keyof LiveEvents]

// A type without its entry here does not compile.
const typeNames: Readonly<Record<keyof LiveEvents, true>> = {
  'monitor.changed': true,
  'monitor.state': true,
  'check.completed': true,
  'incident.opened': true,
  'incident.updated': true,
  'incident.resolved': true,
  'channels.changed': true,
  'stream.gap': true,
}

export const liveEventTypes = Object.keys(typeNames) as readonly (keyof LiveEvents)[]

export const gap: AnyLiveEvent = { type: 'stream.gap', data: {} }

export type Connection = 'connecting' | 'live' | 'lost'
