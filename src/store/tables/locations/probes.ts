// Remote probes by [owner, probe], with look-ups by location and by the hash of what a token authenticates
// with; and when each was last heard.
import type { LocationId, OrgId, ProbeId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { RemoteProbe } from '../../../domain/locations/location.ts'
import type { TableKey } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import { openRecords } from '../../engine/records.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface ProbePlace {
  readonly orgId: OrgId
  readonly id: ProbeId
}

/** When a probe was heard, and as what. */
export interface ProbeSighting {
  readonly atMs: number
  /** The version of its program. */
  readonly version: string
  readonly address: string
}

/** A silence of a location that people were told of, and have not heard the end of. */
export interface ToldSilence {
  /** The last word of any of its probes. */
  readonly fromMs: number
  readonly toldAtMs: number
}

const everything = { prefix: [], limit: Number.MAX_SAFE_INTEGER }

/** The hashes of the current secret and of replaced ones. */
const hashesOf = ({ authHash, former }: RemoteProbe) => [
  authHash,
  ...former.map((one) => one.authHash),
]

export function openProbes(env: Env, { probeLost }: Pick<Signals, 'probeLost'>) {
  const { table, ...records } = openRecords<RemoteProbe>(env, { name: 'probes' })
  const byLocation = openTable<1>(env, { name: 'locationProbes' })
  const byAuth = openTable<ProbePlace>(env, { name: 'probeTokens' })
  const sightings = openTable<ProbeSighting>(env, { name: 'probeSightings' })
  const silences = openTable<ToldSilence>(env, { name: 'locationSilences' })

  /** Deletes also a damaged one: what its record says of look-ups is unknown, so they are searched. */
  function discard(tx: Tx, orgId: OrgId, id: ProbeId): void {
    for (const { key, record } of byAuth.entries(everything)) {
      if (record.id === id) byAuth.remove(tx, key)
    }
    for (const key of byLocation.keys({ ...everything, prefix: [orgId] })) {
      if (key[2] === id) leave(tx, key)
    }
    forgetRecord(tx, { orgId, id })
  }

  /** A location that lost its last probe is empty, and not silent any more. */
  function leave(tx: Tx, key: TableKey): void {
    byLocation.remove(tx, key)
    const site = key.slice(0, 2)
    if (byLocation.keys({ prefix: site, limit: 1 }).length === 0) silences.remove(tx, site)
  }

  function forgetRecord(tx: Tx, { orgId, id }: ProbePlace): void {
    records.remove(tx, { orgId, id })
    sightings.remove(tx, [orgId, id])
    probeLost.raise(tx, id)
  }

  function remove(tx: Tx, probe: RemoteProbe): void {
    for (const hash of hashesOf(probe)) byAuth.remove(tx, [hash])
    leave(tx, [probe.orgId, probe.locationId, probe.id])
    forgetRecord(tx, probe)
  }

  return {
    ...records,

    /** The probe that a secret with this hash leads to, whether it still works or not. */
    findByAuth(authHash: string): RemoteProbe | undefined {
      const place = byAuth.recall([authHash])
      return place && table.recall([place.orgId, place.id])
    },

    /** Newest first; `after` is the last id of the previous page. */
    listAt: (orgId: OrgId, locationId: LocationId, limit: number, after?: ProbeId): RemoteProbe[] =>
      namedRecords(
        byLocation,
        { prefix: [orgId, locationId], reverse: true, limit, after },
        (key) => table.readable([orgId, key[2] ?? '']),
      ),

    /** Ids of the probes at a location, also of damaged ones. */
    idsAt: (orgId: OrgId, locationId: LocationId): ProbeId[] =>
      byLocation
        .keys({ prefix: [orgId, locationId], limit: limits.quotaMax })
        .map((key) => key[2] as ProbeId),

    /** Writes the record and updates the look-ups; `before` was read in this transaction. */
    put(tx: Tx, probe: RemoteProbe, _nowMs: number, before?: RemoteProbe): void {
      const { orgId, id, locationId } = probe
      const hashes = hashesOf(probe)
      const gone = before ? hashesOf(before).filter((hash) => !hashes.includes(hash)) : []
      for (const hash of gone) byAuth.remove(tx, [hash])
      for (const hash of hashes) byAuth.put(tx, [hash], { orgId, id })
      if (!before) byLocation.put(tx, [orgId, locationId, id], 1)
      records.put(tx, probe)
      if (gone.length > 0) probeLost.raise(tx, id)
    },

    remove,
    discard,

    /** Deletes the probes of a whole organization, also damaged ones. */
    forget(tx: Tx, orgId: OrgId): void {
      for (const [, id] of table.keys({ prefix: [orgId], limit: limits.quotaMax })) {
        const probe = records.readable(orgId, id as ProbeId)
        if (probe) remove(tx, probe)
        else discard(tx, orgId, id as ProbeId)
      }
    },

    /** The probes of every owner, in slices. */
    slice: (limit: number, after?: RemoteProbe) =>
      table.range({ prefix: [], limit, after: after && [after.orgId, after.id] }),

    /** Writes a record whose secrets were only encrypted anew. */
    putSealed: records.put,

    sighting: (orgId: OrgId, id: ProbeId) => sightings.readable([orgId, id]),

    /** Undefined: people believe that the location is heard. */
    silence: (orgId: OrgId, locationId: LocationId) => silences.readable([orgId, locationId]),

    /** The silent locations of an owner. */
    silences: (orgId: OrgId) =>
      silences
        .entries({ prefix: [orgId], limit: limits.quotaMax })
        .map(({ key, record }) => ({ ...record, locationId: key[1] as LocationId })),

    /** Notes what people are told in this transaction; null: that the location is heard again. */
    noteSilence(tx: Tx, orgId: OrgId, locationId: LocationId, silence: ToldSilence | null): void {
      const site = [orgId, locationId]
      if (silence === null) silences.remove(tx, site)
      else if (byLocation.keys({ prefix: site, limit: 1 }).length > 0)
        silences.put(tx, site, silence)
    },

    /** Notes that a probe was heard, unless it was deleted meanwhile. */
    noteSighting(tx: Tx, { orgId, id }: ProbePlace, sighting: ProbeSighting): void {
      if (table.has([orgId, id])) sightings.put(tx, [orgId, id], sighting)
    },
  }
}
