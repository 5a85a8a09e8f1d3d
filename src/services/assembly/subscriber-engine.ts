// Wires what tells the subscribers of status pages.
import { startMessageQueue } from '../../actors/subscribers/message-queue.ts'
import { startNewsQueue } from '../../actors/subscribers/news-queue.ts'
import type { SubscriptionUrls } from '../../actors/subscribers/subscriber-letters.ts'
import type { OrgId } from '../../base/ids.ts'
import { randomUnit } from '../../base/random.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Subscriber } from '../../domain/subscribers/subscriber.ts'
import type { PageUrls } from '../pages/page-urls.ts'
import { openedAddress } from '../subscribers/subscriptions.ts'
import type { EngineDeps } from './engine-deps.ts'

export interface SubscriberEngineDeps extends EngineDeps {
  readonly sender: Sender
  readonly pageUrls: PageUrls
  readonly isOff: (orgId: OrgId) => boolean
}

/** Letters to subscribers that wait for the mail server before more are written. */
const bulkLettersWaitingMax = 100
const subscriberMessagesWaitingMax = 200

export function startSubscriberEngine(deps: SubscriberEngineDeps) {
  const { box, mail, mailer, pageUrls } = deps
  const urlsOf = urlsAt(deps)
  const open = ({ addressBox }: Subscriber) => openedAddress(box.open(addressBox))
  const messages = startMessageQueue({
    ...deps,
    random: randomUnit,
    open,
    urlsOf,
    pageOf: (page) => news.noticePage(page),
  })
  const news = startNewsQueue({
    ...deps,
    urlOf: pageUrls.of,
    urlsOf,
    addressOf: (subscriber) => open(subscriber).address,
    enqueueLetter: mailer.enqueue,
    enqueueMessage: messages.enqueue,
    isBusy: () =>
      mail.bulkWaiting() >= bulkLettersWaitingMax ||
      messages.waiting() >= subscriberMessagesWaitingMax,
  })
  return {
    messages,
    urlsOf,
    start() {
      deps.store.subscribers.load()
      messages.start()
      news.start()
    },
    stop: () => Promise.all([news.stop(), messages.stop()]),
    /** Sends nothing more for the organization until it is resumed. */
    halt(orgId: OrgId): void {
      news.halt(orgId)
      messages.halt(orgId)
    },
    resume(orgId: OrgId): void {
      news.wake(orgId)
      messages.resume(orgId)
    },
  }
}

/** At the service's own address, which works however the page is called and wherever it is. */
function urlsAt({ baseUrl, subscriptionLinks }: SubscriberEngineDeps) {
  return (subscriber: Subscriber): SubscriptionUrls => {
    const manage = `${baseUrl}/subscriptions/${subscriptionLinks.token(subscriber)}`
    return { manage, unsubscribe: `${manage}/unsubscribe` }
  }
}
