// Wires the services of subscribers of status pages.
import type { OrgId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { mintWebhookSecret } from '../../seal/sign.ts'
import { createSubscriberWriter } from '../subscribers/subscriber-writer.ts'
import { createSubscribers } from '../subscribers/subscribers.ts'
import { createSubscriptions } from '../subscribers/subscriptions.ts'
import type { Engine } from './engine.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface SubscriberServicesDeps extends EngineDeps {
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
    subscribers: createSubscribers(deps, { ...writing, writer, takeAdded: addedLimit(deps) }),
  }
}

/** Members of an organization that an operator let in are trusted. */
function addedLimit({ live, clock }: SubscriberServicesDeps) {
  const limiter = createLimiter(limits.subscribersAddedByOrg, limits.rateKeysMax)
  return (orgId: OrgId) =>
    live.now().auth.registration === 'open' ? limiter.take(orgId, clock.nowMs()) : undefined
}
