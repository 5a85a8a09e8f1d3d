// Whether the NATS servers put on disk what they acknowledge. A client cannot see it, so their monitoring
// tells: https://docs.nats.io/running-a-nats-service/nats_admin/monitoring
import { createWire } from '../net/daemon-wire.ts'

export interface SyncProblem {
  /** The monitoring address that it is about. */
  readonly url: string
  /**
   * `unreadable`: it did not say. `noJetStream`: it keeps nothing. `notSynced`: it acknowledges what is not on
   * disk. `otherCluster`: it belongs to another cluster than the first.
   */
  readonly kind: 'unreadable' | 'noJetStream' | 'notSynced' | 'otherCluster'
  readonly detail: string
}

/** What `/varz` says, as far as it matters. */
interface ServerState {
  readonly cluster?: { readonly name?: string }
  readonly jetstream?: {
    readonly config?: { readonly sync_always?: boolean; readonly sync_interval?: number }
  }
}

/** Asks each server; empty if all are right. The addresses are the operator's, so no guard judges them. */
export async function syncProblems(
  monitorUrls: readonly string[],
  /** All authorities to trust; undefined: those of Node. */
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly SyncProblem[]> {
  const states = await Promise.all(
    monitorUrls.map((url) =>
      stateOf(url, ca, signal).catch((error: unknown) => ({
        trouble: error instanceof Error ? error.message : String(error),
      })),
    ),
  )
  const [first] = states.flatMap((state) => ('trouble' in state ? [] : [state]))
  return monitorUrls.flatMap((url, index) => {
    const state = states[index]
    const problem = state && problemOf(state, first)
    return problem ? [{ url, ...problem }] : []
  })
}

function problemOf(
  state: ServerState | { readonly trouble: string },
  first: ServerState | undefined,
): Omit<SyncProblem, 'url'> | undefined {
  if ('trouble' in state) return { kind: 'unreadable', detail: state.trouble }
  const { cluster, jetstream } = state
  if (!jetstream?.config) return { kind: 'noJetStream', detail: 'JetStream is off' }
  const { sync_always: isSynced, sync_interval: everyNs = 0 } = jetstream.config
  if (isSynced !== true) return { kind: 'notSynced', detail: `every ${everyNs / 1e9} s` }
  const [own, other] = [cluster?.name ?? '', first?.cluster?.name ?? '']
  return own === other ? undefined : { kind: 'otherCluster', detail: `${own}, not ${other}` }
}

async function stateOf(
  url: string,
  ca: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<ServerState> {
  const proxy = { httpProxy: '', httpsProxy: '', noProxy: '' }
  const wire = createWire({ agent: 'stillup', proxy, ca })
  try {
    const asked = `${url.replace(/\/$/, '')}/varz`
    const { status, text } = await wire.send({ method: 'GET', url: asked, signal })
    if (status !== 200) throw new Error(`it answered with status ${status}`)
    return parsed(text)
  } finally {
    wire.close()
  }
}

function parsed(text: string): ServerState {
  const state: unknown = JSON.parse(text)
  if (typeof state === 'object' && state !== null) return state
  throw new Error('its answer is not that of a NATS server')
}
