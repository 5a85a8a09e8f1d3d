// Locations, where remote probes stand: of an organization, or shared by the operator.
import { Fault, invalidField } from '../../base/fault.ts'
import { asId, type LocationId, newId, type OrgId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Location, sharedOwner } from '../../domain/locations/location.ts'
import { type Changes, patched } from '../../domain/merge-patch.ts'
import type { Store } from '../../store/store.ts'
import { type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'
import { createRemoteProbes, type RemoteProbesDeps } from './remote-probes.ts'

type LocationFields = Pick<Location, 'description'>

export interface LocationChanges extends Changes<LocationFields> {
  readonly name?: string | undefined
}

export interface NewLocation extends LocationChanges {
  readonly name: string
}

/** `silent`: none of its probes is heard; `empty`: it has none. */
export const locationStates = ['live', 'silent', 'empty'] as const

export interface LocationView extends Location {
  readonly isShared: boolean
  readonly state: (typeof locationStates)[number]
  readonly probes: number
  /** How many monitors it checks: of the organization that asks, or of all, if the operator does. */
  readonly monitors: number
}

/** Monitors of a location are counted up to this: one by one, for each location of a list. */
export const monitorsCountedMax = 1_000
/** The monitors that a refused deletion names. */
const monitorsNamedMax = 3

const defaults: LocationFields = { description: null }

export function newLocation(
  orgId: OrgId,
  { name, ...changes }: NewLocation,
  nowMs: number,
): Location {
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs, revision: 1 }
  const id = newId('location', nowMs)
  return { id, orgId, name, ...patched(defaults, undefined, changes), ...times }
}

/** The location of an owner that people would take for one with this name. */
export function locationNamed(
  { locations }: Pick<Store, 'locations'>,
  orgId: OrgId,
  name: string,
): Location | undefined {
  const asked = alike(name)
  return locations.list(orgId, limits.quotaMax).find((one) => alike(one.name) === asked)
}

export const nameTaken = (pointer: string) =>
  invalidField(pointer, 'uniqueItems', 'is taken by another location')

const alike = (name: string) => name.trim().toLowerCase()

/** Every method throws not_found, and precondition_failed at another revision than the expected one. */
export function createLocations(core: Core, deps: RemoteProbesDeps) {
  const { store } = core
  const records = createRecords(core, 'locations', store.locations)
  const probes = createRemoteProbes(core, deps)

  /** The organization whose monitors count; null: all. */
  const countedIn = (asker: OrgId): OrgId | null => (asker === sharedOwner ? null : asker)

  function view(location: Location, asker: OrgId): LocationView {
    const ids = store.probes.idsAt(location.orgId, location.id)
    const isLive = ids.some((id) => deps.probeLoad(id) !== null)
    const state = isLive ? 'live' : ids.length > 0 ? 'silent' : 'empty'
    const isShared = location.orgId === sharedOwner
    const monitors = store.monitors.at(location.id, countedIn(asker), monitorsCountedMax).length
    return { ...location, isShared, state, probes: ids.length, monitors }
  }

  function mustBeFree(orgId: OrgId, name: string, own?: LocationId): void {
    const named = locationNamed(store, orgId, name)
    if (named && named.id !== own) throw nameTaken('/name')
  }

  /** Monitors would go on without the votes of the place that somebody relies on. */
  function mustBeUnused(location: LocationId, { orgId }: OrgScope): void {
    const ids = store.monitors.at(location, countedIn(orgId), monitorsCountedMax)
    if (ids.length === 0) return
    if (orgId === sharedOwner) {
      throw new Fault('conflict', `Organizations check ${ids.length} monitors from this location.`)
    }
    const named = ids
      .slice(0, monitorsNamedMax)
      .map((id) => store.monitors.readable(orgId, id)?.name ?? id)
    const names = [...named, ...(ids.length > named.length ? ['…'] : [])].join(', ')
    throw new Fault(
      'conflict',
      `This location checks ${names}: take it out of these monitors first.`,
    )
  }

  /** One of the owner, or one that all share. */
  function visible(scope: OrgScope, id: LocationId): Location {
    return store.locations.get(sharedOwner, id) ?? records.found(scope, id)
  }

  return {
    probes: probes.verbs,

    /** Throws validation_failed for the name of another one, and conflict beyond the quota. */
    create: (scope: OrgScope, input: NewLocation): Promise<LocationView> =>
      store.write((tx) => {
        const added = records.add(tx, scope, (nowMs) => {
          mustBeFree(scope.orgId, input.name)
          return newLocation(scope.orgId, input, nowMs)
        })
        return view(added, scope.orgId)
      }),

    /** Newest first, also the shared ones. */
    list({ orgId }: OrgScope, { limit, after }: PageRequest): PageOf<LocationView> {
      const last = after === undefined ? undefined : asId('location', after)
      const owners = [...new Set([orgId, sharedOwner])]
      const found = owners
        .flatMap((owner) => store.locations.list(owner, limit + 1, last))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
      const page = pageOf(found, limit)
      return { ...page, items: page.items.map((one) => view(one, orgId)) }
    },

    get: (scope: OrgScope, id: LocationId): LocationView => view(visible(scope, id), scope.orgId),

    /** Applies a merge patch (RFC 7396). Throws validation_failed for the name of another one. */
    change: (
      scope: OrgScope,
      id: LocationId,
      { name, ...changes }: LocationChanges,
      expectedRevision?: number,
    ): Promise<LocationView> =>
      store.write((tx) => {
        const before = records.found(scope, id, expectedRevision)
        if (name !== undefined) {
          mustBeFree(scope.orgId, name, before.id)
          store.signals.pagesChanged.raise(tx, scope.orgId)
        }
        const fields = patched(defaults, before, changes)
        const changed = { ...before, name: name ?? before.name, ...fields }
        return view(records.replace(tx, scope, before, changed), scope.orgId)
      }),

    /** Deletes its probes too. Throws conflict while it checks monitors, which it names. */
    async remove(scope: OrgScope, id: LocationId, expectedRevision?: number): Promise<void> {
      await store.write((tx) => {
        records.remove(tx, scope, id, expectedRevision)
        mustBeUnused(id, scope)
        for (const probeId of store.probes.idsAt(scope.orgId, id)) {
          probes.remove(tx, scope, probeId)
        }
      })
    },
  }
}
