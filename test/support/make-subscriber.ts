// Subscribers for tests: of organization A, a webhook that has not confirmed yet.
import type { PageId, SubscriberId } from '../../src/base/ids.ts'
import type { Subscriber } from '../../src/domain/subscribers/subscriber.ts'
import { orgA } from './make-incident.ts'

export function makeSubscriber(subscriber: Partial<Subscriber> = {}): Subscriber {
  return {
    id: 'sub_01k0000000000000000000000a' as SubscriberId,
    orgId: orgA,
    pageId: 'pag_01k0000000000000000000000a' as PageId,
    kind: 'webhook',
    addressBox: '',
    maskedAddress: '',
    mark: '',
    language: 'en',
    sectionNames: [],
    state: 'pending',
    askedAtMs: 0,
    createdAtMs: 0,
    confirmedAtMs: null,
    consent: null,
    gone: 0,
    ...subscriber,
  }
}
