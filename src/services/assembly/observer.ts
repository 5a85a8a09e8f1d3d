// Wires the observation of the local network: sentinels, observer, notices.
import type { Fleet } from '../../actors/monitor/fleet.ts'
import {
  type Observer,
  startObserver,
  trustingObserver,
  watchObserver,
} from '../../actors/observer.ts'
import { randomUnit } from '../../base/random.ts'
import { isPublicAddress } from '../../net/address.ts'
import type { Resolver } from '../../net/dns/resolver.ts'
import { createSentinels } from '../../net/sentinels/sentinels.ts'
import { createObserverNotices } from '../letters/observer-notices.ts'
import type { SystemNotices } from '../letters/system-notices.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface ObservingDeps extends EngineDeps {
  readonly resolver: Resolver
  readonly systemNotices: SystemNotices
  /** Available after the fleet was created. */
  readonly fleet: () => Pick<Fleet, 'checkSoon' | 'forgiveReports' | 'monitor'>
}

/** Starts it; without sentinels every failure counts. */
export function startObserving(deps: ObservingDeps): Observer {
  const { clock, log, store, resolver } = deps
  const places = deps.settings.observer.sentinels
  if (places.length === 0 || places.includes('off')) return trustingObserver
  const notices = createObserverNotices(deps)
  const tell: typeof notices.tell = (episode) =>
    notices
      .tell(episode)
      .catch((error) => log.error('the administrators could not be notified', { error }))
  const sentinels = createSentinels({
    clock,
    resolver,
    places,
    random: randomUnit,
    proven: store.meta.sentinels(),
    onProven: (proven) => {
      // A failed write has already ended the process, by the store's rule.
      store.writeSoon((tx) => store.meta.putSentinels(tx, proven)).catch(() => {})
    },
  })
  const observer = startObserver({
    clock,
    log,
    look: sentinels.look,
    isPublic: isPublicAddress,
    isRunning: (monitorId) => deps.fleet().monitor(monitorId) !== undefined,
    isDown({ orgId, id, isUpsideDown }) {
      const steady = isUpsideDown ? 'up' : 'down'
      return store.monitorStates.get(orgId, id)?.health.state === steady
    },
    onBack(episode, held) {
      const { checkSoon, forgiveReports } = deps.fleet()
      checkSoon(held)
      if (episode.wasCutOff) forgiveReports(episode.lengthMs)
      void tell(episode)
    },
    onLong: (episode) => void tell(episode),
  })
  deps.stack.push('observer', () => {
    observer.stop()
    sentinels.stop()
  })
  watchObserver(deps.metrics, observer)
  return observer
}
