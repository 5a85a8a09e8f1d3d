// Locations: the places that monitors are checked from, and the remote probes that stand there.
import type { LocationId, OrgId, ProbeId } from '../../base/ids.ts'

/** Where the daemon has no probe of its own. */
export interface Location {
  readonly id: LocationId
  /** The organization whose monitors it checks; `sharedOwner` for one that the operator shares with all. */
  readonly orgId: OrgId
  /** What people read: "Frankfurt". Unique within its owner. */
  readonly name: string
  readonly description: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Increases with every change; the ETag. */
  readonly revision: number
}

/** In place of an organization: locations that the operator shares with all. */
export const sharedOwner = 'org_shared' as OrgId

/** The secrets of a remote probe's token, as they are stored. */
export interface ProbeSecret {
  /** SHA-256 of what it authenticates with. */
  readonly authHash: string
  /** The key that targets' secrets are sealed with, encrypted by the master key. */
  readonly sealBox: string
}

/** A `stillup probe` that may stand at a location. */
export interface RemoteProbe extends ProbeSecret {
  readonly id: ProbeId
  readonly orgId: OrgId
  readonly locationId: LocationId
  readonly name: string
  /** The secrets of replaced tokens that still work, oldest first. */
  readonly former: readonly (ProbeSecret & { readonly untilMs: number })[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}
