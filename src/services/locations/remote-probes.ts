// Remote probes of locations, and their tokens: made and shown once, replaced, ended at once.
import { Fault, notFound } from '../../base/fault.ts'
import { asId, type LocationId, newId, type ProbeId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { ProbeSecret, RemoteProbe } from '../../domain/locations/location.ts'
import { probeSecretOf, withProbeSecret } from '../../domain/locations/probe-secret.ts'
import type { ProbeLoad } from '../../domain/locations/protocol.ts'
import { probeSecrets } from '../../seal/probe-token.ts'
import { hashToken, mintToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import { type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'

/** A probe without its secrets. */
export interface RemoteProbeView
  extends Pick<RemoteProbe, 'id' | 'name' | 'createdAtMs' | 'updatedAtMs' | 'revision'> {
  readonly isLive: boolean
  /** When it was heard last, at most a minute late; null if it never was. */
  readonly lastSeenAtMs: number | null
  /** The version of its program. */
  readonly version: string | null
  readonly address: string | null
  /** Null while it is silent. */
  readonly load: ProbeLoad | null
  /** When the last of its replaced tokens ends; null if none works any more. */
  readonly formerTokenUntilMs: number | null
}

interface MintedRemoteProbe extends RemoteProbeView {
  /** It is stored nowhere and never shown again. */
  readonly token: string
}

interface KnownProbe {
  readonly probe: RemoteProbe
  readonly secret: ProbeSecret
}

export interface RemoteProbesDeps {
  /** How a probe is that is heard now; null: it is silent. */
  readonly probeLoad: (probeId: ProbeId) => ProbeLoad | null
}

/** How long a replaced token still works. */
const probeTokenOverlapMs = 24 * 3_600_000

export function createRemoteProbes(core: Core, { probeLoad }: RemoteProbesDeps) {
  const { store, clock, box } = core
  const records = createRecords(core, 'probes', store.probes)
  const locations = createRecords(core, 'locations', store.locations)

  function view({ authHash, sealBox, former, locationId, ...probe }: RemoteProbe): RemoteProbeView {
    const { orgId, ...shown } = probe
    const {
      atMs = null,
      version = null,
      address = null,
    } = store.probes.sighting(orgId, probe.id) ?? {}
    const load = probeLoad(probe.id)
    const untilMs = former.at(-1)?.untilMs ?? 0
    return {
      ...shown,
      ...{ isLive: load !== null, lastSeenAtMs: atMs, version, address, load },
      formerTokenUntilMs: clock.nowMs() < untilMs ? untilMs : null,
    }
  }

  function mint(): { readonly token: string; readonly secret: ProbeSecret } {
    const token = mintToken('stp')
    const { auth, sealKey } = probeSecrets(token)
    return { token, secret: { authHash: hashToken(auth), sealBox: box.seal(sealKey) } }
  }

  function mustStandAt({ orgId }: OrgScope, locationId: LocationId, probeId: ProbeId): void {
    if (!store.probes.idsAt(orgId, locationId).includes(probeId)) throw notFound('probe')
  }

  function mustHaveRoom(orgId: OrgScope['orgId'], locationId: LocationId): void {
    if (store.probes.idsAt(orgId, locationId).length < limits.probesOfLocationMax) return
    const most = limits.probesOfLocationMax
    throw new Fault('conflict', `A location may have at most ${most} probes.`)
  }

  const verbs = {
    /** The probe that a bearer authenticates, with the secret of the token that it was derived from. */
    findByAuth(auth: string, nowMs: number): KnownProbe | undefined {
      const authHash = hashToken(auth)
      const probe = store.probes.findByAuth(authHash)
      const secret = probe && probeSecretOf(probe, authHash, nowMs)
      return probe && secret && { probe, secret }
    },

    /** Throws conflict beyond the quota, or what a location may have. */
    create: (
      scope: OrgScope,
      locationId: LocationId,
      { name }: Pick<RemoteProbe, 'name'>,
    ): Promise<MintedRemoteProbe> =>
      store.write((tx) => {
        const { orgId } = locations.found(scope, locationId)
        mustHaveRoom(orgId, locationId)
        const { token, secret } = mint()
        const probe = records.add(tx, scope, (nowMs) => {
          const times = { createdAtMs: nowMs, updatedAtMs: nowMs, revision: 1 }
          const id = newId('probe', nowMs)
          return { id, orgId, locationId, name, ...secret, former: [], ...times }
        })
        return { ...view(probe), token }
      }),

    /** Newest first. */
    list(
      scope: OrgScope,
      locationId: LocationId,
      { limit, after }: PageRequest,
    ): PageOf<RemoteProbeView> {
      const { orgId } = locations.found(scope, locationId)
      const last = after === undefined ? undefined : asId('probe', after)
      const page = pageOf(store.probes.listAt(orgId, locationId, limit + 1, last), limit)
      return { ...page, items: page.items.map(view) }
    },

    rename: (
      scope: OrgScope,
      locationId: LocationId,
      probeId: ProbeId,
      { name }: { readonly name?: string | undefined },
      expectedRevision?: number,
    ): Promise<RemoteProbeView> =>
      store.write((tx) => {
        mustStandAt(scope, locationId, probeId)
        const before = records.found(scope, probeId, expectedRevision)
        const changed = { ...before, name: name ?? before.name }
        return view(records.replace(tx, scope, before, changed))
      }),

    /** Makes a new token. The one before works for another day, or not at all with `revokeNow`. */
    rotate: (
      scope: OrgScope,
      locationId: LocationId,
      probeId: ProbeId,
      { revokeNow = false }: { readonly revokeNow?: boolean | undefined },
    ): Promise<MintedRemoteProbe> =>
      store.write((tx) => {
        mustStandAt(scope, locationId, probeId)
        const before = records.found(scope, probeId)
        const nowMs = clock.nowMs()
        const formerUntilMs = revokeNow ? null : nowMs + probeTokenOverlapMs
        const { token, secret } = mint()
        const changed = withProbeSecret(before, secret, { nowMs, formerUntilMs })
        const note = { action: 'probe.token_replaced', fields: [] } as const
        return { ...view(records.replace(tx, scope, before, changed, note)), token }
      }),

    /** Ends its token at once. */
    async remove(
      scope: OrgScope,
      locationId: LocationId,
      probeId: ProbeId,
      expectedRevision?: number,
    ): Promise<void> {
      await store.write((tx) => {
        mustStandAt(scope, locationId, probeId)
        records.remove(tx, scope, probeId, expectedRevision)
      })
    },
  }

  return {
    verbs,
    /** Deletes a probe, also a damaged one, in the transaction that deletes its location. */
    remove: (tx: Tx, scope: OrgScope, id: ProbeId) => void records.remove(tx, scope, id),
  }
}
