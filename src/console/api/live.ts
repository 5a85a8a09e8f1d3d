// Live events of an organization, by server-sent events: one connection for the whole console.
import { signal } from '@preact/signals'

export interface ChangeEvent {
  readonly monitorId: string
  readonly name: string | null
  readonly change: 'created' | 'changed' | 'deleted'
  readonly at: string
}

export interface StateEvent {
  readonly monitorId: string
  readonly name: string
  readonly state: string
  readonly at: string
}

export interface CheckEvent {
  readonly monitorId: string
  readonly outcome: string
  readonly responseTimeMs: number
  readonly error: { readonly kind: string; readonly message: string } | null
  readonly confirming: { readonly failed: number; readonly needed: number } | null
  readonly at: string
}

export interface IncidentEvent {
  readonly incident: { readonly id: string; readonly state: string; readonly title: string }
}

export interface LiveEvents {
  readonly 'monitor.changed': ChangeEvent
  readonly 'monitor.state': StateEvent
  readonly 'check.completed': CheckEvent
  readonly 'incident.opened': IncidentEvent
  readonly 'incident.updated': IncidentEvent
  readonly 'incident.resolved': IncidentEvent
  /** Events were missed: what is shown must be asked for again. */
  readonly 'stream.gap': Readonly<Record<never, never>>
}

type Listener = (batch: readonly AnyLiveEvent[]) => void

export type AnyLiveEvent = {
  [Type in keyof LiveEvents]: { readonly type: Type; readonly data: LiveEvents[Type] }
}[keyof LiveEvents]

const types: readonly (keyof LiveEvents)[] = [
  'monitor.changed',
  'monitor.state',
  'check.completed',
  'incident.opened',
  'incident.updated',
  'incident.resolved',
  'stream.gap',
]

export type Connection = 'connecting' | 'live' | 'lost'

/** Whether what is shown is current. */
export const connection = signal<Connection>('connecting')

const listeners = new Set<Listener>()
let followedOrgId: string | undefined
let source: EventSource | undefined
let waiting: AnyLiveEvent[] = []
let frame = 0

/** Opens the stream of an organization in place of the one before; undefined closes it. */
export function followOrganization(orgId: string | undefined): void {
  source?.close()
  source = undefined
  waiting = []
  followedOrgId = orgId
  if (orgId === undefined) return
  connection.value = 'connecting'
  if (document.visibilityState === 'visible') open(orgId)
}

function open(orgId: string): void {
  const opened = new EventSource(`/api/v1/orgs/${orgId}/events`)
  source = opened
  // The browser reconnects by itself and says what it saw last; the service repeats what was missed,
  // or begins with stream.gap. Who has seen nothing yet gets neither.
  let hasSeen = false
  opened.onopen = () => {
    connection.value = 'live'
    if (!hasSeen) queue(gap)
  }
  opened.onerror = () => {
    connection.value = 'lost'
    // 2: the browser does not try again, for example after 401.
    if (opened.readyState !== 2) return
    refused()
    // Without a stream, what is shown is asked for again at each attempt.
    queue(gap)
    setTimeout(() => opened === source && followOrganization(orgId), retryMs)
  }
  for (const type of types) {
    opened.addEventListener(type, (event) => {
      const { data, lastEventId } = event as MessageEvent<string>
      hasSeen ||= lastEventId !== ''
      queue({ type, data: JSON.parse(data) } as AnyLiveEvent)
    })
  }
}

const gap: AnyLiveEvent = { type: 'stream.gap', data: {} }

const retryMs = 5_000

let refused = () => {}

/** Called when the service does not give the stream: the session may have ended. */
export function onStreamRefused(listener: () => void): void {
  refused = listener
}

// A browser opens six connections to a service at most: tabs that nobody looks at must not hold them
// all, or the next tab would wait for ever.
const hiddenMs = 5_000
let hiding: ReturnType<typeof setTimeout> | undefined

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding)
  if (document.visibilityState === 'hidden') {
    hiding = setTimeout(() => {
      source?.close()
      source = undefined
    }, hiddenMs)
  } else if (followedOrgId !== undefined && source === undefined) followOrganization(followedOrgId)
})

// Hundreds of events a second are shown in one piece for each frame. A hidden page has no frames,
// so there the events gather until it is shown, at most as many as are worth keeping.
const waitingMax = 5_000

function queue(event: AnyLiveEvent): void {
  waiting.push(event)
  if (waiting.length > waitingMax) waiting = [gap]
  if (frame === 0) frame = requestAnimationFrame(flush)
}

function flush(): void {
  frame = 0
  const batch = waiting
  waiting = []
  for (const listener of listeners) listener(batch)
}

/** Returns the function that ends it. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
