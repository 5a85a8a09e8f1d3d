// Wires the services of subscribers of status pages.
import type { OrgId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { mintWebhookSecret } from '../../seal/sign.ts'
import { createSubscriberImports } from '../subscribers/subscriber-imports.ts'
import { createSubscriberWriter } from '../subscribers/subscriber-writer.ts'
import { createSubscribers } from '../subscribers/subscribers.ts'
import { createSubscriptions } from '../subscribers/subscriptions.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface SubscriberServicesDeps extends EngineDeps {
  readonly mustBeApproved: (orgId: OrgId) => void
  readonly engine: Pick<Engine, 'guard' | 'pageUrls' | 'subscriberMessages' | 'subscriptionUrls'>
}

export function createSubscriberServices(deps: SubscriberServicesDeps) {
  const { engine, live } = deps
  const writing = {
    links: deps.subscriptionLinks,
    urlsOf: engine.subscriptionUrls,
    messages: engine.subscriberMessages,
    mintSecret: mintWebhookSecret,
    judgeUrl: engine.guard.judgeUrl,
    hasMailServer: () => live.now().mail.smtpUrl !== null,
    pageUrls: engine.pageUrls,
  }
  const writer = createSubscriberWriter(deps, writing)
  return {
    subscriptions: createSubscriptions(deps, { ...writing, writer }),
    subscriberImports: createSubscriberImports(deps, {
      writer,
      isAllowed() {
        const { auth, pages } = live.now()
        if (pages.importSubscribers !== 'unless-open') return pages.importSubscribers === 'always'
        return auth.registration !== 'open'
      },
      takeImported: importedLimit(deps),
      mustBeApproved: deps.mustBeApproved,
    }),
    subscribers: createSubscribers(deps, { ...writing, writer, takeAdded: addedLimit(deps) }),
  }
}

/** Members of an organization that an operator let in are trusted. */
function addedLimit({ live, clock }: SubscriberServicesDeps) {
  const limiter = createLimiter(limits.subscribersAddedByOrg, limits.rateKeysMax)
  return (orgId: OrgId) =>
    live.now().auth.registration === 'open' ? limiter.take(orgId, clock.nowMs()) : undefined
}

/** All of them, or none. */
function importedLimit({ live, clock }: SubscriberServicesDeps) {
  const limiter = createLimiter(limits.subscribersImportedByOrg, limits.rateKeysMax)
  return (orgId: OrgId, count: number) => {
    if (live.now().auth.registration !== 'open') return undefined
    const nowMs = clock.nowMs()
    for (let taken = 0; taken < count; taken += 1) {
      const verdict = limiter.take(orgId, nowMs)
      if (verdict.isAllowed) continue
      for (; taken > 0; taken -= 1) limiter.giveBack(orgId, nowMs)
      return verdict
    }
    return undefined
  }
}
