// Probes of the service itself: alive, and ready to work. They tell nothing about what is inside.
import type { RawRoute, Reply } from '../routing/raw-route.ts'

export interface HealthDeps {
  /** False until the service has started, and from the moment it begins to stop. */
  readonly isReady: () => boolean
}

export function healthRoutes({ isReady }: HealthDeps): readonly RawRoute[] {
  return [probe('/healthz', () => alive), probe('/readyz', () => (isReady() ? ready : notReady))]
}

function probe(path: string, handle: () => Reply): RawRoute {
  return { name: path.slice(1), method: 'GET', path, rate: null, bodyBytesMax: 0, handle }
}

const headers = Object.freeze([
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
] as const)
const alive: Reply = { status: 200, headers, body: 'alive\n' }
const ready: Reply = { status: 200, headers, body: 'ready\n' }
const notReady: Reply = { status: 503, headers, body: 'not ready\n' }
