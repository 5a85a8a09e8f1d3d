// The link of remote probes over a real store, with monitors, requests to look and commits that a test sets.
import type { Test } from 'tap'
import { startPresence } from '../../src/actors/locations/presence.ts'
import { required } from '../../src/base/assert.ts'
import type { LocationId, MonitorId, OrgId } from '../../src/base/ids.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import type { Reading } from '../../src/domain/checks/reading.ts'
import type { PlaceId } from '../../src/domain/locations/place.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { probeSecrets } from '../../src/seal/probe-token.ts'
import type { OrgScope } from '../../src/services/context.ts'
import { createLocations } from '../../src/services/locations/locations.ts'
import { createProbeLink } from '../../src/services/locations/probe-link.ts'
import { callerOf } from './access.ts'
import { openCore } from './core.ts'
import { orgA } from './make-incident.ts'
import { makeMonitor } from './make-page.ts'

const ownScope = (orgId: OrgId): OrgScope => ({ caller: callerOf(), orgId, role: 'owner' })
export const placedMonitor = (no: number, more: Partial<Monitor> = {}): Monitor =>
  makeMonitor({
    id: `mon_01k0000000000000000000${String(no).padStart(4, '0')}` as MonitorId,
    orgId: orgA,
    intervalSeconds: 60,
    ...more,
  })
const hello = { version: '1.0.0', kinds: ['endpoint'] }
export const probeLoad = { checks: 3, dropped: 0, lateMs: 4, monitors: 2 }
export const never = new AbortController().signal

interface Placed {
  readonly monitorId: MonitorId
  readonly place: PlaceId
  readonly dueAtMs: number
  readonly try: number
  readonly reading: Reading
}

export async function openLinkWorld(t: Test) {
  const core = openCore(t, { inMemory: true })
  const { store, clock } = core
  const { box } = core
  const monitors = new Map<LocationId, Map<MonitorId, Monitor>>()
  const asks: { askId: number; monitorId: MonitorId; untilMs: number }[] = []
  const placed: Placed[] = []
  const newest = new Map<string, [dueAtMs: number, tries: number]>()
  const off = new Set<OrgId>()
  type Listener = (locationId: LocationId, isAsk: boolean) => void
  const listeners: Listener[] = []
  const placements = {
    at: (locationId: LocationId) => monitors.get(locationId) ?? new Map<MonitorId, Monitor>(),
    listen: (listener: Listener) => listeners.push(listener),
    asked: () => asks,
  }
  const silences: string[] = []
  const metrics = createMetrics()
  function open(metrics = createMetrics()) {
    const presence = startPresence({
      clock,
      placements,
      onSilent: () => silences.push('silent'),
      onBack: () => silences.push('back'),
    })
    t.teardown(() => presence.stop())
    const locations = createLocations(core, { probeLoad: presence.loadOf })
    const link = createProbeLink(core, {
      placements,
      presence,
      findByAuth: locations.probes.findByAuth,
      isOff: (orgId) => off.has(orgId),
      metrics,
      commit: {
        /** As the real one, it drops what is not newer. */
        async placed({ id: monitorId }, place, results) {
          const key = `${monitorId} ${place}`
          for (const { reading, slot } of results) {
            const [dueAtMs, tries] = newest.get(key) ?? [-1, 0]
            if (slot.dueAtMs < dueAtMs || (slot.dueAtMs === dueAtMs && slot.try <= tries)) continue
            newest.set(key, [slot.dueAtMs, slot.try])
            placed.push({ monitorId, place, reading, ...slot })
          }
          return null
        },
      },
    })
    return { presence, locations, link }
  }
  let now = open(metrics)
  const make = async (orgId: OrgId, name: string) => {
    const scope = ownScope(orgId)
    const location = await now.locations.create(scope, { name })
    return { scope, location }
  }
  const { scope, location } = await make(orgA, 'Frankfurt')
  async function addProbe(place = { scope, location }) {
    const { id: locationId } = place.location
    const minted = await now.locations.probes.create(place.scope, locationId, { name: 'a' })
    return { ...minted, ...probeSecrets(minted.token) }
  }
  function tell(locationId: LocationId, isAsk: boolean): void {
    for (const listener of listeners) listener(locationId, isAsk)
  }
  return {
    ...{
      metrics,
      box,
      store,
      clock,
      asks,
      placed,
      off,
      silences,
      scope,
      location,
      make,
      addProbe,
    },
    tellOfAsk: () => tell(location.id, true),
    get link() {
      return now.link
    },
    get presence() {
      return now.presence
    },
    get locations() {
      return now.locations
    },
    /** The daemon starts anew: what is in memory is gone. */
    restart() {
      now = open()
    },
    known: (auth: string) => now.link.authenticate(auth, '192.0.2.9', clock.nowMs()),
    put(some: readonly Monitor[], locationId = location.id) {
      monitors.set(locationId, new Map(some.map((one) => [one.id, one])))
      tell(locationId, false)
    },
    /** A session, and its whole plan. */
    async begin(auth: string, more: Partial<typeof hello> = {}) {
      const known = now.link.authenticate(auth, '192.0.2.9', clock.nowMs())
      const welcome = now.link.hello(known, { ...hello, ...more })
      const plan = required(await now.link.plan(known, welcome.session, 0, never), 'the plan')
      return { known, session: welcome.session, welcome, plan }
    },
  }
}

/** A result that a probe sends. */
export const sentResult = (monitor: Monitor, nowMs: number, more: object = {}) => ({
  monitorId: monitor.id,
  revision: monitor.revision,
  dueAtMs: nowMs - 2_000,
  try: 0,
  ageMs: 1_500,
  result: 'good',
  durationMs: 80,
  status: 200,
  ...more,
})
