// The constructor of remote probes in tests.
import type { LocationId, ProbeId } from '../../src/base/ids.ts'
import type { RemoteProbe } from '../../src/domain/locations/location.ts'
import { orgA } from './make-incident.ts'

export const probeNo = (no: number) => `prb_${no}` as ProbeId
export const locationNo = (no: number) => `loc_${no}` as LocationId

export function makeProbe(probe: Partial<RemoteProbe> = {}): RemoteProbe {
  const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
  const place = { id: probeNo(1), orgId: orgA, locationId: locationNo(1) }
  const secret = { authHash: `auth of ${probe.id ?? place.id}`, sealBox: 'sealed', former: [] }
  return { ...place, name: 'fra-1', ...secret, ...times, ...probe }
}
