// Wires custom domains: looks into the DNS and at hosts, what becomes of them, and their service.
import { createDomainKeeper } from '../../actors/pages/domain-keeper.ts'
import { createLimiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { createTextRecords } from '../../net/dns/text-records.ts'
import type { DomainProofs } from '../../seal/domain-proof.ts'
import { type CustomDomainsDeps, createCustomDomains } from '../pages/custom-domains.ts'
import { createDomainSights } from '../pages/domain-sights.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface DomainsDeps
  extends EngineDeps,
    Pick<CustomDomainsDeps, 'addresses' | 'mustBeApproved'> {
  readonly engine: Pick<Engine, 'resolver' | 'guard' | 'request' | 'observer' | 'pageUrls'>
  readonly domainProofs: DomainProofs
}

/** Checks of custom domains by hand, per organization. */
export const domainVerifications = { quota: 20, windowSeconds: 60 } as const

export function createDomains(deps: DomainsDeps) {
  const { store, clock, log, audit, domainProofs: proofs } = deps
  const { resolver, guard, request, observer, pageUrls: urls } = deps.engine
  const look = createDomainSights({
    resolver,
    texts: createTextRecords({ resolver, guard }),
    request,
    proofs,
    async isNetworkLost() {
      // Looks at the sentinels first.
      await observer.isCutOff()
      return observer.lost().length > 0
    },
    // Strangers have to show their proof to two name servers, whatever answers.
    isOneServerEnough: () => deps.live.now().auth.registration !== 'open',
    targetsOf: ({ orgId, pageId }) => [
      urls.targetOf(store.pages.get(orgId, pageId)),
      urls.ownHosts.baseHost,
    ],
  })
  const domainKeeper = createDomainKeeper({
    store,
    clock,
    log,
    look,
    note: (tx, { orgId, id }, action) => audit.noteOwn(tx, orgId, { action, objectId: id }),
  })
  const customDomains = createCustomDomains(deps, {
    addresses: deps.addresses,
    mustBeApproved: deps.mustBeApproved,
    urls,
    proofs,
    keeper: domainKeeper,
    resolver,
    verifyLimiter: createLimiter(domainVerifications, limits.rateKeysMax),
  })
  return { customDomains, domainKeeper }
}
