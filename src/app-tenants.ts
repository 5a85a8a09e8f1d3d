// What is done to whole organizations and accounts, put together: look at one, move it, end it.
import type { Access } from './app-access.ts'
import type { Engine, EngineDeps } from './app-engine.ts'
import { mintWebhookSecret } from './seal/sign.ts'
import type { Audit } from './services/audit.ts'
import type { Channels } from './services/channels.ts'
import { createDepartures } from './services/departures.ts'
import { createForgetPerson } from './services/forget-person.ts'
import type { Kyc } from './services/kyc.ts'
import { createOperator } from './services/operator.ts'
import { createPortability } from './services/portability.ts'
import { createSummaries } from './services/summaries.ts'

export interface TenantsDeps extends Pick<EngineDeps, 'clock' | 'log' | 'store' | 'box'> {
  readonly engine: Engine
  readonly access: Access
  readonly audit: Audit
  readonly kyc: Kyc
  readonly channels: Channels
  /** Somebody may have lost a right: whatever still runs for them is looked at again. */
  readonly accessChanged: () => void
}

export function createTenants(deps: TenantsDeps) {
  const { log, store, engine, access, kyc, channels } = deps
  const { fleet, guard, orgSwitch, janitor, publicPages } = engine
  const { identity, invites, sessions, emails, factors } = access.services
  const base = {
    ...{ store, clock: deps.clock, box: deps.box, audit: deps.audit, quotas: access.quotas },
    ...{ accessChanged: deps.accessChanged, pagesChanged: publicPages.forget, orgSwitch },
  }
  return {
    departures: createDepartures({
      ...{ ...base, identity, invites },
      sweep() {
        janitor.sweep().catch((error: unknown) => log.error('could not tidy up', { error }))
      },
      forgetPerson: createForgetPerson({ store, sessions, emails, kyc }),
    }),
    operator: createOperator({ ...base, factors, sessions }),
    summaries: createSummaries(base),
    portability: createPortability({
      ...{ ...base, fleet, judgeUrl: guard.judgeUrl, judgeTarget: engine.judgeTarget },
      mintSecret: mintWebhookSecret,
      unknownChannel: channels.channelIdsProblem,
      changed: publicPages.forget,
      mustBeApproved: kyc.mustBeApproved,
    }),
  }
}
