// Wires operations on whole organizations and accounts: summary, export and import, deletion.

import type { Kyc } from '../services/identity-verification/kyc.ts'
import { createConversions } from '../services/orgs/conversions.ts'
import { createDepartures } from '../services/orgs/departures.ts'
import { createOverviews } from '../services/orgs/overviews.ts'
import { createPortability } from '../services/orgs/portability.ts'
import { createSummaries } from '../services/orgs/summaries.ts'
import { createForgetPerson } from '../services/people/forget-person.ts'
import type { Portables } from '../services/portable.ts'
import { createOperator } from '../services/system/operator.ts'
import type { Access } from './access.ts'
import type { Engine, EngineDeps } from './types.ts'

export interface TenantsDeps extends EngineDeps {
  readonly engine: Engine
  readonly access: Access
  readonly kyc: Kyc
  /** How each noun is exported and imported. */
  readonly portables: Portables
}

export function createTenants(deps: TenantsDeps) {
  const { store, engine, access, kyc, live } = deps
  const { orgSwitch } = engine
  const { identity, invites, keyRights, sessions, emails, factors } = access.services
  const base = { ...deps, orgSwitch }
  const summaries = createSummaries(base)
  return {
    departures: createDepartures({
      ...base,
      identity,
      invites,
      keyRights,
      forgetPerson: createForgetPerson({ store, emails, kyc }),
    }),
    operator: createOperator({ ...base, factors, sessions, keyRights }),
    summaries,
    overviews: createOverviews({ ...base, orgs: access.services.orgs, summaries }),
    conversions: createConversions({
      clock: deps.clock,
      isLimited: () => live.now().http.rateApiPerMinute > 0,
    }),
    portability: createPortability({
      ...base,
      portables: deps.portables,
      mustBeApproved: kyc.mustBeApproved,
    }),
  }
}
