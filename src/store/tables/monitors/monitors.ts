// Monitors by [org, monitor], with look-ups by push token hash, by kept address, by location, by the secrets that
// they send, of public ones, of shadow runs by their import, and of the ones that depend on another one, or are groups
// of it.

import { hash } from 'node:crypto'
import type { ImportId, LocationId, MonitorId, OrgId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { home } from '../../../domain/locations/choice.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import { addedSettings } from '../../../domain/monitors/monitor-fields.ts'
import { isSilent, mayBeShown } from '../../../domain/monitors/shadow.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import type { Signals } from '../../engine/signals.ts'
import { jsonCodec, openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** What the index of shadow runs knows of each. */
interface ShadowEntry {
  readonly isSilent: boolean
}

interface ShadowRunCount {
  readonly orgId: OrgId
  readonly importId: ImportId
  readonly silent: number
}

interface PushTarget {
  readonly orgId: OrgId
  readonly monitorId: MonitorId
}

/** Who has a kept address: more than one only if they share it. */
interface KeptTarget extends PushTarget {
  readonly others?: readonly MonitorId[]
}

/** The hashes of the current push token and of replaced ones. */
function tokenHashesOf({ pushTokenHash, formerPushTokens }: Monitor): readonly string[] {
  if (pushTokenHash === null) return []
  return formerPushTokens
    ? [pushTokenHash, ...formerPushTokens.map(({ hash }) => hash)]
    : [pushTokenHash]
}

function keepersIn(target: KeptTarget | undefined): readonly MonitorId[] {
  return target === undefined ? [] : [target.monitorId, ...(target.others ?? [])]
}

/** Shadow runs of an organization that are counted: more than it may have monitors. */
const shadowsMax = 200_000

/** User text never becomes a key. */
const hashOf = (name: string) => hash('sha256', name, 'base64url')

/** The monitors that it depends on, and the members of a group. */
function neededBy({ dependsOn, memberIds }: Monitor): readonly MonitorId[] {
  return memberIds.length === 0 ? dependsOn : [...new Set([...dependsOn, ...memberIds])]
}

export function openMonitors(
  env: Env,
  {
    pagesChanged,
    reminderChanged,
    dependenciesChanged,
    maintenanceChanged,
    monitorStored,
  }: Signals,
) {
  const monitors = openTable<Monitor>(env, {
    name: 'monitors',
    version: 6,
    codec: jsonCodec(),
    // Earlier versions had fewer fields.
    upgrade: (record) => record as Monitor,
    added: addedSettings,
  })
  const counts = openTable<{ readonly monitors: number }>(env, { name: 'monitorCounts' })
  const byPushToken = openTable<PushTarget>(env, { name: 'pushTokens' })
  const byKeptAddress = openTable<KeptTarget>(env, { name: 'keptAddresses' })
  const publicOnes = openTable<1>(env, { name: 'publicMonitors' })
  const dependents = openTable<1>(env, { name: 'dependents' })
  const byLocation = openTable<1>(env, { name: 'locationMonitors' })
  const bySecret = openTable<1>(env, { name: 'secretMonitors' })
  const shadows = openTable<ShadowEntry>(env, { name: 'shadowMonitors' })

  function count(orgId: OrgId): number {
    const counted = counts.readable([orgId])?.monitors
    if (counted !== undefined || !counts.has([orgId])) return counted ?? 0
    return monitors.count([orgId], limits.monitorsQuotaMax)
  }

  function recount(tx: Tx, orgId: OrgId, by: number): void {
    counts.put(tx, [orgId], { monitors: count(orgId) + by })
  }

  /** The index of the monitors that need each, by [org, the one needed, the one that needs it]. */
  function writeDependents(tx: Tx, monitor: Monitor, before: Monitor | undefined): void {
    const { orgId, id } = monitor
    const needs = neededBy(monitor)
    const old = before ? neededBy(before) : []
    if (needs.length === 0 && old.length === 0) return
    const added = needs.filter((one) => !old.includes(one))
    const dropped = old.filter((one) => !needs.includes(one))
    for (const parent of added) dependents.put(tx, [orgId, parent, id], 1)
    for (const parent of dropped) dependents.remove(tx, [orgId, parent, id])
    if (added.length + dropped.length > 0) dependenciesChanged.raise(tx, orgId)
  }

  /** The index of the monitors of each location, by [location, org, monitor]: some are of all organizations. */
  function writeLocations(tx: Tx, monitor: Monitor, before: Monitor | undefined): void {
    const { orgId, id, locations } = monitor
    const old = before?.locations ?? []
    for (const place of locations) {
      if (place !== home && !old.includes(place)) byLocation.put(tx, [place, orgId, id], 1)
    }
    for (const place of old) {
      if (!locations.includes(place)) byLocation.remove(tx, [place, orgId, id])
    }
  }

  /** The index of the monitors that send each secret, by [org, hash of its name, monitor]. */
  function writeSecrets(tx: Tx, { orgId, id, ...monitor }: Monitor, before?: Monitor): void {
    const { secretNames: names = [] } = monitor
    const old = before?.secretNames ?? []
    for (const name of names) {
      if (!old.includes(name)) bySecret.put(tx, [orgId, hashOf(name), id], 1)
    }
    for (const name of old) {
      if (!names.includes(name)) bySecret.remove(tx, [orgId, hashOf(name), id])
    }
  }

  /** The index of kept addresses, by [hash of the path]. */
  function writeKept(tx: Tx, monitor: Monitor, before: Monitor | undefined): void {
    if (before?.keptAddresses === monitor.keptAddresses) return
    const { orgId, id, keptAddresses = [] } = monitor
    const hashes = new Set(keptAddresses.map(({ hash }) => hash))
    for (const { hash } of before?.keptAddresses ?? []) {
      if (hashes.has(hash)) continue
      const target = byKeptAddress.get([hash])
      putKeepers(
        tx,
        hash,
        orgId,
        keepersIn(target).filter((one) => one !== id),
      )
    }
    for (const { hash, isShared = false } of keptAddresses) {
      const target = byKeptAddress.get([hash])
      const keepers = target?.orgId === orgId ? keepersIn(target) : []
      if (keepers.includes(id)) continue
      putKeepers(tx, hash, orgId, isShared ? [...keepers, id] : [id])
    }
  }

  function putKeepers(tx: Tx, hash: string, orgId: OrgId, keepers: readonly MonitorId[]): void {
    const [monitorId, ...others] = keepers
    if (monitorId === undefined) byKeptAddress.remove(tx, [hash])
    else {
      const more = others.length === 0 ? {} : { others }
      byKeptAddress.put(tx, [hash], { orgId, monitorId, ...more })
    }
  }

  /** The index of the shadow runs that each import began, by [org, import, monitor]. */
  function writeShadow(tx: Tx, monitor: Monitor, before: Monitor | undefined): void {
    const { orgId, id, shadow } = monitor
    const old = before?.shadow
    if (shadow === old) return
    if (old && old.importId !== shadow?.importId) shadows.remove(tx, [orgId, old.importId, id])
    if (shadow) shadows.put(tx, [orgId, shadow.importId, id], { isSilent: isSilent(monitor) })
  }

  function write(tx: Tx, monitor: Monitor, before: Monitor | undefined): void {
    const { orgId, id: monitorId } = monitor
    const isSameToken =
      before?.pushTokenHash === monitor.pushTokenHash &&
      before?.formerPushTokens === monitor.formerPushTokens
    if (!isSameToken) {
      const hashes = tokenHashesOf(monitor)
      for (const hash of before ? tokenHashesOf(before) : []) {
        if (!hashes.includes(hash)) byPushToken.remove(tx, [hash])
      }
      for (const hash of hashes) byPushToken.put(tx, [hash], { orgId, monitorId })
    }
    writeKept(tx, monitor, before)
    const isShown = mayBeShown(monitor)
    const wasShown = before !== undefined && mayBeShown(before)
    if (isShown && !wasShown) publicOnes.put(tx, [orgId, monitorId], 1)
    if (!isShown && wasShown) publicOnes.remove(tx, [orgId, monitorId])
    writeShadow(tx, monitor, before)
    if (before && before.reminderMinutes !== monitor.reminderMinutes) {
      reminderChanged.raise(tx, monitor)
    }
    if (before && before.tags.join('\n') !== monitor.tags.join('\n')) {
      maintenanceChanged.raise(tx, orgId)
    }
    writeDependents(tx, monitor, before)
    writeLocations(tx, monitor, before)
    writeSecrets(tx, monitor, before)
    monitors.put(tx, [orgId, monitorId], monitor)
    monitorStored.raise(tx, { orgId, monitorId, record: monitor })
    pagesChanged.raise(tx, orgId)
  }

  function silentOf(orgId: OrgId, importId: ImportId): number {
    const entries = shadows.entries({ prefix: [orgId, importId], limit: shadowsMax })
    return entries.reduce((sum, { record }) => sum + (record.isSilent ? 1 : 0), 0)
  }

  function removeRecord(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
    monitors.remove(tx, [orgId, monitorId])
    monitorStored.raise(tx, { orgId, monitorId, record: null })
  }

  return {
    get: (orgId: OrgId, monitorId: MonitorId) => monitors.get([orgId, monitorId]),
    recall: (orgId: OrgId, monitorId: MonitorId) => monitors.recall([orgId, monitorId]),
    readable: (orgId: OrgId, monitorId: MonitorId) => monitors.readable([orgId, monitorId]),
    recallReadable: (orgId: OrgId, monitorId: MonitorId) =>
      monitors.recallReadable([orgId, monitorId]),
    has: (orgId: OrgId, monitorId: MonitorId) => monitors.has([orgId, monitorId]),
    isDamaged: (orgId: OrgId, monitorId: MonitorId) => monitors.isDamaged([orgId, monitorId]),

    /** Newest first; `after` is the last id of the previous page. */
    list: (orgId: OrgId, limit: number, after?: MonitorId) =>
      monitors.range({
        prefix: [orgId],
        reverse: true,
        limit,
        // Paging through all monitors would displace the ones that are read often.
        recalls: after === undefined,
        after,
      }),

    /** Counted as they are added and deleted: scanning 100,000 would slow every creation. */
    count,

    /** The number in the first `orgsMax` organizations. */
    countAll: (orgsMax: number) =>
      counts.range({ prefix: [], limit: orgsMax }).reduce((sum, { monitors }) => sum + monitors, 0),

    /** Every monitor of every organization, in slices, for the start of the fleet. */
    slice: (limit: number, after?: Monitor) =>
      monitors.range({ prefix: [], limit, after: after && [after.orgId, after.id] }),

    /** Ids of the monitors that may be shown publicly, oldest first. */
    listPublic: (orgId: OrgId, limit: number): MonitorId[] =>
      publicOnes.keys({ prefix: [orgId], limit }).map((key) => key[1] as MonitorId),

    /** Ids of the monitors that depend on it directly, and of its groups. */
    dependents: (orgId: OrgId, monitorId: MonitorId, limit: number): MonitorId[] =>
      dependents.keys({ prefix: [orgId, monitorId], limit }).map((key) => key[2] as MonitorId),

    /**
     * Takes a deleted monitor out of at most `limit` monitors that depended on it or are its groups. Returns how
     * many; fewer means that there are no more. An id that stays has no effect.
     */
    leaveDependents(tx: Tx, orgId: OrgId, deletedId: MonitorId, limit: number): number {
      const keys = dependents.keys({ prefix: [orgId, deletedId], limit })
      for (const key of keys) {
        const before = monitors.readable([orgId, key[2] as MonitorId])
        if (before && neededBy(before).includes(deletedId)) {
          const isKept = (one: MonitorId) => one !== deletedId
          const dependsOn = before.dependsOn.filter(isKept)
          const memberIds = before.memberIds.filter(isKept)
          write(tx, { ...before, dependsOn, memberIds, revision: before.revision + 1 }, before)
        } else dependents.remove(tx, key)
      }
      return keys.length
    },

    /**
     * Ids of the monitors that a location checks, at most `limit`: of an organization, or of all. A damaged
     * one that was deleted stays in the index; it is passed over.
     */
    at(locationId: LocationId, orgId: OrgId | null, limit: number): MonitorId[] {
      const prefix = orgId === null ? [locationId] : [locationId, orgId]
      return namedRecords(byLocation, { prefix, limit }, ([, owner = '', id = '']) =>
        monitors.has([owner, id]) ? (id as MonitorId) : undefined,
      )
    },

    /** Ids of the monitors that send a secret, at most `limit`. Damaged ones that were deleted are passed over. */
    sending(orgId: OrgId, secretName: string, limit: number): MonitorId[] {
      const prefix = [orgId, hashOf(secretName)]
      return namedRecords(bySecret, { prefix, limit }, ([, , id = '']) =>
        monitors.has([orgId, id]) ? (id as MonitorId) : undefined,
      )
    },

    /** Ids of the monitors whose shadow run the import began, oldest first, also of those that are live since. */
    shadowsOf: (orgId: OrgId, importId: ImportId, limit: number): MonitorId[] =>
      shadows.keys({ prefix: [orgId, importId], limit }).map((key) => key[2] as MonitorId),

    /** How many monitors are silent by each import of the organization. */
    silentCounts(orgId: OrgId): ReadonlyMap<ImportId, number> {
      const counted = new Map<ImportId, number>()
      for (const { key, record } of shadows.entries({ prefix: [orgId], limit: shadowsMax })) {
        const importId = key[1] as ImportId
        if (record.isSilent) counted.set(importId, (counted.get(importId) ?? 0) + 1)
      }
      return counted
    },

    /** The imports of all organizations that began shadow runs, with how many of their monitors are silent. */
    *shadowRuns(): Generator<ShadowRunCount> {
      let [key] = shadows.keys({ prefix: [], limit: 1 })
      while (key) {
        const [orgId, importId] = key as readonly string[] as readonly [OrgId, ImportId]
        yield { orgId, importId, silent: silentOf(orgId, importId) }
        // After every monitor of this run.
        key = shadows.keys({ prefix: [], after: [orgId, importId, '\uffff'], limit: 1 })[0]
      }
    },

    /** How many monitors of the import are silent. */
    silentOf,

    findByPushToken: (tokenHash: string) => byPushToken.get([tokenHash]),

    /** Who has a kept address, the first one first. */
    keepersOf(addressHash: string): readonly PushTarget[] {
      const target = byKeptAddress.get([addressHash])
      return keepersIn(target).flatMap((monitorId) =>
        target ? { orgId: target.orgId, monitorId } : [],
      )
    },

    /** Whether any monitor of the installation has a kept address. */
    areAddressesKept: () => byKeptAddress.keys({ prefix: [], limit: 1 }).length > 0,

    /** Writes the record and updates the look-ups. */
    put(tx: Tx, monitor: Monitor): void {
      const before = monitors.get([monitor.orgId, monitor.id])
      if (!before) recount(tx, monitor.orgId, 1)
      write(tx, monitor, before)
    },

    /** The same if `before` was read in this transaction: half the work. */
    replace: (tx: Tx, before: Monitor, monitor: Monitor) => write(tx, monitor, before),

    /** The same for many new monitors of one organization. */
    putNew(tx: Tx, orgId: OrgId, made: readonly Monitor[]): void {
      for (const monitor of made) write(tx, monitor, undefined)
      recount(tx, orgId, made.length)
    },

    remove(tx: Tx, monitor: Monitor): void {
      if (!monitors.has([monitor.orgId, monitor.id])) return
      recount(tx, monitor.orgId, -1)
      for (const hash of tokenHashesOf(monitor)) byPushToken.remove(tx, [hash])
      writeKept(tx, { ...monitor, keptAddresses: undefined }, monitor)
      publicOnes.remove(tx, [monitor.orgId, monitor.id])
      writeShadow(tx, { ...monitor, shadow: undefined }, monitor)
      writeDependents(tx, { ...monitor, dependsOn: [], memberIds: [] }, monitor)
      writeLocations(tx, { ...monitor, locations: [] }, monitor)
      writeSecrets(tx, { ...monitor, secretNames: [] }, monitor)
      removeRecord(tx, monitor.orgId, monitor.id)
      pagesChanged.raise(tx, monitor.orgId)
    },

    /** Deletes a damaged one: what its record says of look-ups is unknown. */
    discard(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
      recount(tx, orgId, -1)
      // Its push token leads to nothing from now on.
      publicOnes.remove(tx, [orgId, monitorId])
      removeRecord(tx, orgId, monitorId)
      pagesChanged.raise(tx, orgId)
    },

    /**
     * Deletes the monitors of a whole organization, at most `limit` at once; returns which. Then come
     * the remains of their look-ups, by forgetDependents.
     */
    forget(tx: Tx, orgId: OrgId, limit: number): MonitorId[] {
      const keys = monitors.keys({ prefix: [orgId], limit })
      for (const key of keys) {
        const monitor = monitors.readable(key)
        for (const hash of monitor ? tokenHashesOf(monitor) : []) byPushToken.remove(tx, [hash])
        if (monitor) {
          writeKept(tx, { ...monitor, keptAddresses: undefined }, monitor)
          writeLocations(tx, { ...monitor, locations: [] }, monitor)
          writeSecrets(tx, { ...monitor, secretNames: [] }, monitor)
          writeShadow(tx, { ...monitor, shadow: undefined }, monitor)
        }
        publicOnes.remove(tx, key)
        removeRecord(tx, orgId, key[1] as MonitorId)
      }
      if (keys.length < limit) counts.remove(tx, [orgId])
      return keys.map((key) => key[1] as MonitorId)
    },

    /** Who depends on whom in a deleted organization, and which had shadow runs; at most `limit` at once. Returns how many. */
    forgetDependents: (tx: Tx, orgId: OrgId, limit: number) =>
      Math.max(dependents.removeAll(tx, [orgId], limit), shadows.removeAll(tx, [orgId], limit)),
  }
}
