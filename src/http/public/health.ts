// Probes of the service itself: alive, and ready to work. They tell nothing about what is inside.
import { type RawReply, type RawRoute, rawHead } from '../routing/raw-route.ts'

export interface HealthDeps {
  /** False until the service has started, and from the moment it begins to stop. */
  readonly isReady: () => boolean
}

export function healthRoutes({ isReady }: HealthDeps): readonly RawRoute[] {
  return [probe('/healthz', () => alive), probe('/readyz', () => (isReady() ? ready : notReady))]
}

function probe(path: string, handle: () => RawReply): RawRoute {
  return { name: path.slice(1), path, rate: null, handle }
}

const head = rawHead([
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
])
const alive: RawReply = { status: 200, head, body: 'alive\n' }
const ready: RawReply = { status: 200, head, body: 'ready\n' }
const notReady: RawReply = { status: 503, head, body: 'not ready\n' }
