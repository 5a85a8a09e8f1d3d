// The heartbeat: stores regularly that the daemon runs, so that the next start knows for how long
// it did not.
import type { Clock, Jump } from '../../base/clock.ts'
import type { Gap } from '../../domain/health/span.ts'
import type { Store } from '../../store/store.ts'

export interface HeartbeatDeps {
  readonly store: Store
  readonly clock: Clock & { onJump?(listener: (jump: Jump) => void): void }
}

const heartbeatMs = 10_000
/** A shorter time without the daemon is not remembered. */
const gapMsMin = 1_000

export function startHeartbeat({ store, clock }: HeartbeatDeps) {
  const lastAliveMs = store.meta.lastAliveMs()
  const startedAtMs = clock.nowMs()
  const gapMs = lastAliveMs === undefined ? 0 : Math.max(0, startedAtMs - lastAliveMs)
  const gap = { fromMs: startedAtMs - gapMs, toMs: startedAtMs }
  if (gapMs >= gapMsMin) store.meta.addGap(gap)
  let newest: Gap | undefined
  clock.onJump?.(({ kind, deltaMs }) => {
    if (kind === 'setBack' || deltaMs < gapMsMin) return
    const toMs = clock.nowMs()
    // A process that stood still while its clock was set learns of both at the same moment.
    const endMs = newest?.toMs === toMs ? newest.fromMs : toMs
    newest = { fromMs: Math.round(endMs - deltaMs), toMs }
    store.meta.addGap(newest)
  })
  let timer: unknown

  const beat = () => store.writeSoon((tx) => store.meta.putLastAlive(tx, clock.nowMs()))
  function again(): void {
    timer = clock.setTimeout(() => {
      // If a write fails, the store ends the process, so there is nothing to handle here.
      beat().catch(() => {})
      again()
    }, heartbeatMs)
  }

  // The first beat comes after the fleet is loaded. If a start fails before that, the next one
  // still sees the whole gap.
  again()
  return {
    /** How long the daemon did not run before this start; 0 at the first one. */
    gapMs,
    /** The same as a span of time. */
    gap,
    /** Resolves once the time of the stop is stored. */
    async stop() {
      clock.clearTimeout(timer)
      await store.write((tx) => store.meta.putLastAlive(tx, clock.nowMs()))
    },
  }
}
