// The outgoing heartbeat: calls a URL of the operator while the daemon does its work, so that
// somebody else notices when it does not (a dead man's switch).
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { Metrics } from '../../base/metrics.ts'

/** What must work before the URL is called: a name, and the question. */
export interface Vital {
  readonly name: string
  readonly isWell: () => boolean | Promise<boolean>
}

export interface OutgoingHeartbeatDeps {
  readonly clock: Clock
  readonly log: Log
  readonly beats: HeartbeatCounter
  readonly everyMs: number
  readonly vitals: readonly Vital[]
  /** Calls the URL. Resolves with null, or why it failed, without the URL. Never rejects. */
  readonly call: (signal: AbortSignal) => Promise<string | null>
}

export interface OutgoingHeartbeatState {
  readonly lastSuccessAtMs: number | null
  /** Null while it works. */
  readonly lastError: string | null
}

export type OutgoingHeartbeat = ReturnType<typeof startOutgoingHeartbeat>

type HeartbeatCounter = ReturnType<typeof countHeartbeats>

export function countHeartbeats(metrics: Metrics) {
  return metrics.counter({
    name: 'heartbeats_sent_total',
    help: 'Calls of heartbeat.url, by how they ended; skipped: something did not work here.',
    labels: ['outcome'],
  })
}

/** How long a part of the daemon may take to prove that it works. */
const vitalMsMax = 10_000

/** Beats at once, then `everyMs` after the end of each beat, so that no two overlap. */
export function startOutgoingHeartbeat(deps: OutgoingHeartbeatDeps) {
  const { clock, log, beats, everyMs, vitals, call } = deps
  const stopping = new AbortController()
  let state: OutgoingHeartbeatState = { lastSuccessAtMs: null, lastError: null }
  let timer: unknown

  /** False as well if there is no answer in time. */
  async function isWell({ isWell: ask }: Vital): Promise<boolean> {
    let deadline: unknown
    const late = new Promise<false>((resolve) => {
      deadline = clock.setTimeout(() => resolve(false), vitalMsMax)
    })
    try {
      return await Promise.race([ask(), late])
    } catch {
      return false
    } finally {
      clock.clearTimeout(deadline)
    }
  }

  async function failing(): Promise<readonly string[]> {
    const answers = await Promise.all(vitals.map(isWell))
    return vitals.flatMap(({ name }, at) => (answers[at] ? [] : [name]))
  }

  /** Logs once for each time in which the heartbeat fails. */
  function noteFailure(outcome: 'failed' | 'skipped', reason: string): void {
    beats.of(outcome).inc()
    if (state.lastError === null) log.warn('the outgoing heartbeat failed', { reason })
    state = { ...state, lastError: reason }
  }

  async function beat(): Promise<void> {
    const ill = await failing()
    if (stopping.signal.aborted) return
    if (ill.length > 0) {
      noteFailure('skipped', `It was not sent: ${ill.join(', ')}.`)
      return
    }
    const reason = await call(stopping.signal)
    if (stopping.signal.aborted) return
    if (reason !== null) {
      noteFailure('failed', reason)
      return
    }
    beats.of('sent').inc()
    if (state.lastError !== null) log.info('the outgoing heartbeat works again')
    state = { lastSuccessAtMs: clock.nowMs(), lastError: null }
  }

  async function again(): Promise<void> {
    await beat()
    if (!stopping.signal.aborted) timer = clock.setTimeout(() => void again(), everyMs)
  }

  void again()
  return {
    state: () => state,
    stop() {
      stopping.abort()
      clock.clearTimeout(timer)
    },
  }
}
