// Wires the outgoing heartbeat: what must work before the operator's URL is called.
import { isDeepStrictEqual } from 'node:util'
import type { Outbox } from '../../actors/alerts/outbox.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import {
  countHeartbeats,
  type OutgoingHeartbeat,
  startOutgoingHeartbeat,
} from '../../actors/tasks/outgoing-heartbeat.ts'
import type { CheckWatch } from '../../actors/watch-checks.ts'
import type { LiveSettings } from '../../config/settings.ts'
import type { Resolver } from '../../net/dns/resolver.ts'
import { createGuard } from '../../net/egress-policy.ts'
import { createEgress } from '../../net/http-client/guarded-client.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface HeartbeatWiring
  extends Pick<EngineDeps, 'live' | 'clock' | 'log' | 'metrics' | 'store'> {
  readonly resolver: Resolver
  readonly fleet: Pick<Fleet, 'isBehind'>
  readonly watch: Pick<CheckWatch, 'committed'>
  readonly outbox: Pick<Outbox, 'isStuck'>
}

/** Runs while a URL is set. */
export function startHeartbeatOut(deps: HeartbeatWiring) {
  const { live, metrics } = deps
  const beats = countHeartbeats(metrics)
  let settings = live.now().heartbeat
  let running = started(deps, settings, beats)
  let isStopped = false
  live.listen(({ heartbeat }) => {
    if (isStopped || isDeepStrictEqual(heartbeat, settings)) return
    settings = heartbeat
    running?.stop()
    running = started(deps, settings, beats)
  })
  return {
    /** Null without a URL. */
    state: () => running?.state() ?? null,
    stop(): void {
      isStopped = true
      running?.stop()
    },
  }
}

/** A check that is due for so long does not run; a message that was never tried is stuck. */
const checkStuckMs = 5 * 60_000
const deliveryStuckMs = 15 * 60_000
const outgoingHeartbeatMsMax = 10_000

function started(
  deps: HeartbeatWiring,
  { url, everySeconds }: LiveSettings['heartbeat'],
  beats: ReturnType<typeof countHeartbeats>,
): OutgoingHeartbeat | undefined {
  const { clock, log, store, resolver, fleet, watch, outbox } = deps
  if (url === null) return undefined
  // The URL is the operator's own, so it may lead to a private address.
  const request = createEgress({ clock, guard: createGuard({ targets: 'any' }), resolver })
  let seen = watch.committed()
  return startOutgoingHeartbeat({
    clock,
    log,
    beats,
    everyMs: everySeconds * 1_000,
    vitals: [
      {
        name: 'checks do not run',
        isWell() {
          const before = seen
          seen = watch.committed()
          return seen > before || !fleet.isBehind(clock.nowMs() - checkStuckMs)
        },
      },
      {
        name: 'nothing can be stored',
        async isWell() {
          await store.write((tx) => store.meta.putLastAlive(tx, clock.nowMs()))
          return true
        },
      },
      {
        name: 'alerts are not sent',
        isWell: () => !outbox.isStuck(clock.nowMs() - deliveryStuckMs),
      },
    ],
    async call(signal) {
      const answer = await request({
        url,
        method: 'GET',
        headers: { 'user-agent': 'stillup' },
        body: '',
        timeoutMs: outgoingHeartbeatMsMax,
        signal,
      })
      if (answer.kind !== 'answered') return answer.reason
      const isGood = answer.status >= 200 && answer.status < 300
      return isGood ? null : `The service at heartbeat.url answered ${answer.status}.`
    },
  })
}
