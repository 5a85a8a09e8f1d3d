// Assembles what is done with whole organizations and accounts: summary, export, import, deletion.
import type { OrgSwitch } from '../../actors/org-switch.ts'
import type { WebClient } from '../../net/http-client/guarded-client.ts'
import type { FieldHash } from '../../seal/tokens.ts'
import type { Core } from '../core.ts'
import type { Kyc } from '../identity-verification/kyc.ts'
import { type ActivityDeps, createActivity } from '../orgs/activity.ts'
import { createConversions } from '../orgs/conversions.ts'
import { createDepartures } from '../orgs/departures.ts'
import { createForeignExports } from '../orgs/exports/foreign-exports.ts'
import { createForeignFetch } from '../orgs/foreign-fetch.ts'
import { createWholeHistories } from '../orgs/history/whole-history.ts'
import { createOverviews } from '../orgs/overviews.ts'
import { createPortability, type PortabilityDeps } from '../orgs/portability.ts'
import { createSummaries } from '../orgs/summaries.ts'
import { createForgetPerson } from '../people/forget-person.ts'
import type { Portables } from '../portable.ts'
import { withSubscribers } from '../subscribers/carried-subscribers.ts'
import type { SubscriberImports } from '../subscribers/subscriber-imports.ts'
import { createOperator } from '../system/operator.ts'
import type { Access } from './access.ts'

export interface TenantsDeps {
  readonly access: Access['services']
  readonly kyc: Kyc
  /** How each noun is exported and imported. */
  readonly portables: Portables
  readonly keepPingKeys: PortabilityDeps['keepPingKeys']
  readonly takeBack: PortabilityDeps['takeBack']
  readonly importTurns: PortabilityDeps['turns']
  readonly subscriberImports: SubscriberImports
  readonly orgSwitch: OrgSwitch
  readonly backups: ActivityDeps['backups']
  /** Whether requests are limited. */
  readonly isLimited: () => boolean
  /** Reads whole answers of other products. */
  readonly requestWhole: WebClient
  /** Hashes what imports brought. */
  readonly fieldHash: FieldHash
}

export function createTenants(core: Core, deps: TenantsDeps) {
  const { access, kyc, orgSwitch } = deps
  const { identity, invites, keyRights, sessions, emails, factors, passkeys } = access
  const summaries = createSummaries(core)
  const foreignFetch = createForeignFetch({ clock: core.clock, request: deps.requestWhole })
  const portability = createPortability(core, {
    portables: deps.portables,
    mustBeApproved: kyc.mustBeApproved,
    hashOf: deps.fieldHash,
    keepPingKeys: deps.keepPingKeys,
    takeBack: deps.takeBack,
    turns: deps.importTurns,
  })
  return {
    departures: createDepartures(core, {
      identity,
      invites,
      keyRights,
      orgSwitch,
      forgetPerson: createForgetPerson(core, { emails, kyc }),
    }),
    operator: createOperator(core, { factors, passkeys, sessions, keyRights, orgSwitch }),
    summaries,
    activity: createActivity(core, { backups: deps.backups }),
    overviews: createOverviews(core, { orgs: access.orgs, summaries }),
    conversions: createConversions(core, { isLimited: deps.isLimited, fetch: foreignFetch }),
    foreignFetch,
    wholeHistories: createWholeHistories(core),
    portability: withSubscribers(core, { portability, subscriberImports: deps.subscriberImports }),
    foreignExports: createForeignExports(core, portability),
  }
}
