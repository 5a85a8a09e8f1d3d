// Live events of the organization that the tab shows.
import { signal } from '@preact/signals'
import { type AnyLiveEvent, type Connection, gap } from './live-events.ts'
import { followStreams } from './streams.ts'

type Listener = (batch: readonly AnyLiveEvent[]) => void

/** Whether what is shown is current. */
export const connection = signal<Connection>('connecting')

const listeners = new Set<Listener>()
let waiting: AnyLiveEvent[] = []
let frame = 0

const streams = followStreams((message) => {
  if (message.kind === 'connection') connection.value = message.connection
  else if (message.kind === 'event') queue(message.event)
  else if (message.kind === 'refused') refused()
})

/** Starts what holds the stream, which takes as long as to find out who is signed in. */
export const prepareStream = streams.prepare

/** Follows an organization in place of the one before; undefined ends it. */
export function followOrganization(orgId: string | undefined): void {
  waiting = []
  connection.value = 'connecting'
  streams.follow(orgId ?? null)
}

let refused = () => {}

/** Called when the service does not give the stream: the session may have ended. */
export function onStreamRefused(listener: () => void): void {
  refused = listener
}

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
