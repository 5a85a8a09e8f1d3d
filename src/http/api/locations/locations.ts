// The routes of locations and of the remote probes that stand there: of an organization, and those that the
// operator shares.
import { required } from '../../../base/assert.ts'
import * as s from '../../../base/schema/schema.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { OrgScope } from '../../../services/context.ts'
import {
  type AccessRule,
  del,
  get,
  list,
  type ParsedCall,
  patch,
  post,
  resource,
  wirePage,
} from '../../routing/route.ts'
import {
  LocationIn,
  LocationOut,
  locationToWire,
  MintedProbeOut,
  ProbeIn,
  ProbeOut,
  probeToWire,
  RotationIn,
} from './location-schemas.ts'

/** Who may do what, and with which service. */
interface LocationAccess {
  readonly sees: AccessRule
  readonly changes: AccessRule
  /** Makes tokens. */
  readonly mints: AccessRule
  readonly used: (
    call: Pick<ParsedCall, 'scope' | 'caller'>,
    services: Services,
  ) => { readonly scope: OrgScope; readonly locations: Services['locations'] }
}

export const locations = resource('/orgs/:orgId/locations', {
  about:
    'Places that monitors are checked from besides the one where the service runs. A probe ' +
    '(`stillup probe`) stands at each, and calls the service; its token is shown once, and only it uses it.',
  ...operationsFor({
    sees: { role: 'viewer' },
    changes: { role: 'admin' },
    mints: { role: 'admin', sessionOnly: true, sudo: true },
    used: ({ scope }, { locations }) => ({ scope: required(scope, 'the scope'), locations }),
  }),
})

export const sharedLocations = resource('/system/shared-locations', {
  about: 'Locations that the operator shares with all organizations.',
  ...operationsFor({
    sees: { system: true },
    changes: { system: true },
    mints: { system: true, sudo: true },
    used: ({ caller }, { sharedLocations }) => ({
      scope: sharedLocations.scopeOf(required(caller, 'the operator')),
      locations: sharedLocations,
    }),
  }),
})

function operationsFor({ sees, changes, mints, used }: LocationAccess) {
  return {
    create: post('/', {
      who: changes,
      summary: 'Create a location',
      example: { name: 'Frankfurt', description: 'Our own rack' },
      body: LocationIn,
      out: LocationOut,
      message: 'Location created',
    }).createdBy((call, services) => {
      const { scope, locations } = used(call, services)
      return locations.create(scope, call.body)
    }, locationToWire),
    list: list('/', {
      who: sees,
      summary: 'Locations, newest first, also those that the operator shares',
      out: LocationOut,
    }).handledBy((call, services) => {
      const { scope, locations } = used(call, services)
      return wirePage(locations.list(scope, call.page), locationToWire)
    }),
    get: get('/:locationId', {
      who: sees,
      summary: 'One location',
      out: LocationOut,
    }).handledBy((call, services) => {
      const { scope, locations } = used(call, services)
      return locationToWire(locations.get(scope, call.params.locationId))
    }),
    change: patch('/:locationId', {
      who: changes,
      summary: 'Change a location',
      example: { description: 'Our own rack, second floor' },
      body: s.patchOf(LocationIn),
      out: LocationOut,
      message: 'Location updated',
    }).handledBy(async (call, services) => {
      const { scope, locations } = used(call, services)
      const { params, body, expectedRevision } = call
      return locationToWire(
        await locations.change(scope, params.locationId, body, expectedRevision),
      )
    }),
    remove: del('/:locationId', {
      who: changes,
      summary: 'Delete a location with its probes, unless it checks monitors',
      message: 'Location deleted',
    }).handledBy((call, services) => {
      const { scope, locations } = used(call, services)
      return locations.remove(scope, call.params.locationId, call.expectedRevision)
    }),
    createProbe: post('/:locationId/probes', {
      who: mints,
      summary: 'Create a probe; its token is shown once',
      example: { name: 'fra-1' },
      body: ProbeIn,
      out: MintedProbeOut,
      message: 'Probe created',
    }).createdBy((call, services) => {
      const { scope, locations } = used(call, services)
      return locations.probes.create(scope, call.params.locationId, call.body)
    }, probeToWire),
    listProbes: list('/:locationId/probes', {
      who: sees,
      summary: 'Probes of a location, newest first',
      out: ProbeOut,
    }).handledBy((call, services) => {
      const { scope, locations } = used(call, services)
      return wirePage(locations.probes.list(scope, call.params.locationId, call.page), probeToWire)
    }),
    changeProbe: patch('/:locationId/probes/:probeId', {
      who: changes,
      summary: 'Rename a probe',
      example: { name: 'fra-2' },
      body: s.patchOf(ProbeIn),
      out: ProbeOut,
      message: 'Probe renamed',
    }).handledBy(async (call, services) => {
      const { scope, locations } = used(call, services)
      const { locationId, probeId } = call.params
      const { body, expectedRevision } = call
      return probeToWire(
        await locations.probes.rename(scope, locationId, probeId, body, expectedRevision),
      )
    }),
    rotateProbe: post('/:locationId/probes/:probeId/rotate', {
      who: mints,
      summary:
        'Replace the token of a probe; the old one works for another day unless revokeNow is set',
      example: { revokeNow: false },
      body: RotationIn,
      out: MintedProbeOut,
      message: 'Token replaced',
    }).createdBy((call, services) => {
      const { scope, locations } = used(call, services)
      const { locationId, probeId } = call.params
      return locations.probes.rotate(scope, locationId, probeId, call.body)
    }, probeToWire),
    removeProbe: del('/:locationId/probes/:probeId', {
      who: changes,
      summary: 'Delete a probe; its token ends at once',
      message: 'Probe deleted',
    }).handledBy((call, services) => {
      const { scope, locations } = used(call, services)
      const { locationId, probeId } = call.params
      return locations.probes.remove(scope, locationId, probeId, call.expectedRevision)
    }),
  }
}
