// Wires the locations and their remote probes.
import { type Presence, type Silence, startPresence } from '../../actors/locations/presence.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { RemoteProbe } from '../../domain/locations/location.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import { createLocationNotices } from '../letters/location-notices.ts'
import { createLocations } from '../locations/locations.ts'
import { createProbeLink } from '../locations/probe-link.ts'
import { createSharedLocations } from '../locations/shared-locations.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface LocationServicesDeps extends EngineDeps {
  readonly engine: Pick<Engine, 'commit' | 'fleet' | 'systemNotices'>
}

export function startLocations(deps: LocationServicesDeps) {
  const { store, log, stack, engine } = deps
  const { commit, systemNotices } = engine
  const { placements } = engine.fleet
  const notices = createLocationNotices({ ...deps, systemNotices })
  const tell = (silence: Silence, isOver: boolean) => {
    const { locationId } = silence
    if (isOver) log.info('a location is heard again', { locationId })
    else log.warn('no probe of a location is heard', { locationId })
    notices
      .tell(silence, isOver)
      .catch((error: unknown) => log.error('the silence of a location was not told', { error }))
  }
  const presence = startPresence({
    ...deps,
    placements,
    onSilent: (silence) => tell(silence, false),
    onBack: (silence) => tell(silence, true),
  })
  stack.push('presence of probes', () => presence.stop())
  const remoteProbes = { probeLoad: presence.loadOf }
  const locations = createLocations(deps, remoteProbes)
  expectSeen(store, presence)
  const probeLink = createProbeLink(deps, {
    ...deps,
    placements,
    presence,
    findByAuth: locations.probes.findByAuth,
    commit,
    isOff: (orgId) => isOrgOff(store, orgId),
  })
  return { locations, sharedLocations: createSharedLocations(deps, remoteProbes), probeLink }
}

/** Probes that were heard before the daemon started. */
function expectSeen({ probes }: Pick<Store, 'probes'>, presence: Presence): void {
  let last: RemoteProbe | undefined
  for (;;) {
    const slice = probes.slice(limits.scanSlice, last)
    for (const probe of slice) {
      const sighting = probes.sighting(probe.orgId, probe.id)
      const { orgId, locationId } = probe
      if (sighting) presence.expect(probe, sighting.atMs, probes.silence(orgId, locationId))
    }
    last = slice.at(-1)
    if (slice.length < limits.scanSlice) return
  }
}
