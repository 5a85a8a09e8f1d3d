// The liveness and readiness probes. They reveal nothing about the content of the service.
import { type RawReply, type RawRoute, rawHead } from '../routing/raw-route.ts'

export interface HealthDeps {
  /** False until the service has started, and again when it begins to shut down. */
  readonly isReady: () => boolean
  /** What the machine is beside others; undefined: it is alone. */
  readonly role?: string | undefined
}

export function healthRoutes({ isReady, role }: HealthDeps): readonly RawRoute[] {
  const body = role === undefined ? 'alive\n' : `alive\nrole: ${role}\n`
  const alive: RawReply = { status: 200, head, body }
  return [probe('/healthz', () => alive), probe('/readyz', () => (isReady() ? ready : notReady))]
}

function probe(path: string, handle: () => RawReply): RawRoute {
  return { name: path.slice(1), path, rate: null, handle }
}

const head = rawHead([
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
])
const ready: RawReply = { status: 200, head, body: 'ready\n' }
const notReady: RawReply = { status: 503, head, body: 'not ready\n' }
