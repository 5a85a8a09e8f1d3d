// Locations that the operator shares with all organizations: the same verbs, in the log of the installation.
import { Fault } from '../../base/fault.ts'
import { nouns } from '../../base/nouns.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import type { Caller, OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { createLocations } from './locations.ts'
import type { RemoteProbesDeps } from './remote-probes.ts'

/** Every method is for the system administrator, which the route enforces. */
export function createSharedLocations(core: Core, deps: RemoteProbesDeps) {
  const { audit, quotas } = core
  const ofOperator: Core = {
    ...core,
    audit: { ...audit, note: (tx, { caller }, note) => audit.noteIn(tx, 'system', caller, note) },
    quotas: {
      ...quotas,
      mustHaveRoom(_owner, what, have, more = 1) {
        const { quota } = nouns[what]
        if (have + more <= quota.max) return
        throw new Fault('conflict', `At most ${quota.max} of them can be shared.`)
      },
    },
  }
  return {
    ...createLocations(ofOperator, deps),
    scopeOf: (caller: Caller): OrgScope => ({ caller, orgId: sharedOwner, role: 'owner' }),
  }
}
