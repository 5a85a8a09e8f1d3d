// Sends the messages of subscribers who gave a URL: each has a queue of its own, and one that is gone
// ends its subscription.
import type { Clock } from '../../base/clock.ts'
import { newId, type OrgId, type PageId, type SubscriberId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Outcome } from '../../domain/alerts/attempt.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import {
  attemptedMessage,
  findsNobody,
  isGoneForGood,
  type Notice,
  type SubscriberMessage,
} from '../../domain/subscribers/notice.ts'
import {
  goneSubscriber,
  mayConfirm,
  type Subscriber,
  type SubscriberAddress,
} from '../../domain/subscribers/subscriber.ts'
import type { Tx } from '../../store/engine/write.ts'
import { audienceOf, tellsNews } from '../../store/page-audience.ts'
import type { Store } from '../../store/store.ts'
import { attempt, type Choice, type JobContext } from '../queue/machine.ts'
import { createPlaces } from '../queue/places.ts'
import { runQueue } from '../queue/queue.ts'
import type { NoticePage } from './notice-text.ts'
import type { SubscriptionUrls } from './subscriber-letters.ts'
import { channelOf, subscriberMessage } from './subscriber-messages.ts'

export interface MessageQueueDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly sender: Sender
  readonly isOff: (orgId: OrgId) => boolean
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
  /** The address with its secret. Throws if the key is gone. */
  readonly open: (subscriber: Subscriber) => SubscriberAddress
  readonly pageOf: (page: StatusPage) => NoticePage & { readonly id: PageId }
  readonly urlsOf: (subscriber: Subscriber) => SubscriptionUrls
}

interface Recipient {
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly subscriberId: SubscriberId
}

export type MessageQueue = ReturnType<typeof startMessageQueue>

const subscriberMessagesInFlightMax = 32
const subscriberMessagesKeptPlaces = 8

export function startMessageQueue(deps: MessageQueueDeps) {
  const { store, clock, log, isOff } = deps
  const { subscriberNews, subscribers } = store
  const places = createPlaces(clock, {
    total: subscriberMessagesInFlightMax,
    kept: { places: subscriberMessagesKeptPlaces, share: limits.deliveriesKeptShare },
  })

  async function choose({ orgId, subscriberId }: Recipient): Promise<Choice> {
    const waiting = subscriberNews.messages(orgId, subscriberId, limits.deliveriesPerLookMax)
    // In order: a receiver that fails must not hear of the end first.
    const [next] = waiting
    if (!next || isOff(orgId)) return { kind: 'done' }
    if (next.dueAtMs > clock.nowMs()) return { kind: 'wait', untilMs: next.dueAtMs }
    return attempt(
      (sending) => send(next, sending),
      (outcome) => record(next, outcome),
    )
  }

  /** Undefined: there is nobody to send it to any more. */
  async function send(
    message: SubscriberMessage,
    { signal, within }: JobContext,
  ): Promise<Outcome | undefined> {
    const { orgId, pageId, subscriberId, news } = message
    const subscriber = subscribers.readable(orgId, pageId, subscriberId)
    const page = store.pages.readable(orgId, pageId)
    if (!subscriber || !tellsNews(page)) return undefined
    // The page may have turned away from strangers since the message was queued.
    if (!audienceOf(store, page)(subscriber)) return undefined
    const isWanted =
      news === null ? mayConfirm(subscriber, clock.nowMs()) : subscriber.state === 'active'
    if (!isWanted) return undefined
    const address = openSafely(subscriber)
    if (!address) return keyMissing
    const urls = deps.urlsOf(subscriber)
    const rendered = subscriberMessage(message, { page: deps.pageOf(page), subscriber, urls })
    return within(places.for(orgId, subscriberId), () =>
      deps.sender(rendered, channelOf(subscriber, address), { clock, signal }),
    )
  }

  function openSafely(subscriber: Subscriber): SubscriberAddress | undefined {
    try {
      return deps.open(subscriber)
    } catch (error) {
      log.error('address of a subscriber cannot be opened', { subscriberId: subscriber.id, error })
      return undefined
    }
  }

  function record(message: SubscriberMessage, outcome: Outcome | undefined): Promise<void> {
    return store.write((tx) => {
      const { orgId, pageId, subscriberId, id } = message
      const before = subscriberNews.message(orgId, subscriberId, id)
      if (!before) return
      const subscriber = subscribers.readable(orgId, pageId, subscriberId)
      const after = outcome && !outcome.ok ? failed(before, outcome) : undefined
      if (after) subscriberNews.putMessage(tx, after)
      else subscriberNews.removeMessage(tx, before)
      if (!subscriber || !outcome) return
      if (outcome.ok && subscriber.gone > 0) subscribers.put(tx, { ...subscriber, gone: 0 })
      if (!findsNobody(outcome)) return
      const gone = goneSubscriber(subscriber, isGoneForGood(outcome))
      subscribers.put(tx, gone)
      if (gone.state === 'failed') subscriberNews.forgetSubscriber(tx, orgId, subscriberId)
    })
  }

  function failed(
    message: SubscriberMessage,
    outcome: Extract<Outcome, { ok: false }>,
  ): SubscriberMessage | undefined {
    const { subscriberId, attempts } = message
    const { reason } = outcome
    const level = attempts === 0 ? 'warn' : 'debug'
    log[level]('message to a subscriber not sent', { subscriberId, reason })
    return attemptedMessage(message, outcome, clock.nowMs(), deps.random())
  }

  const queue = runQueue<Recipient>(
    {
      name: 'subscriber messages',
      keyOf: ({ subscriberId }) => subscriberId,
      recipients: () => subscriberNews.owed().filter(({ orgId }) => !isOff(orgId)),
      choose,
      drainMs: limits.deliveryDrainMs,
    },
    deps,
  )

  function enqueue(
    tx: Tx,
    { orgId, pageId, id: subscriberId }: Subscriber,
    about: Pick<SubscriberMessage, 'id' | 'news' | 'subjectId' | 'contentJson'>,
  ): void {
    const nowMs = clock.nowMs()
    subscriberNews.putMessage(tx, {
      ...about,
      orgId,
      pageId,
      subscriberId,
      attempts: 0,
      dueAtMs: nowMs,
      createdAtMs: nowMs,
      giveUpAtMs: nowMs + limits.deliveryAgeMsMax,
    })
    tx.afterCommit(() => queue.wake({ orgId, pageId, subscriberId }))
  }

  return {
    start: queue.start,
    stop: queue.stop,
    halt: (orgId: OrgId) => queue.halt((one) => one.orgId === orgId),
    resume(orgId: OrgId): void {
      for (const one of subscriberNews.owed()) if (one.orgId === orgId) queue.wake(one)
    },
    /** Tells a subscriber of a notice. */
    enqueue: (tx: Tx, { id, news, subjectId, contentJson }: Notice, subscriber: Subscriber) =>
      enqueue(tx, subscriber, { id, news, subjectId, contentJson }),
    /** Asks a subscriber whether it wants messages. */
    enqueueQuestion: (tx: Tx, subscriber: Subscriber) =>
      enqueue(tx, subscriber, {
        id: newId('notice', clock.nowMs()),
        news: null,
        subjectId: null,
        contentJson: null,
      }),
    /** How many messages wait for a place. */
    waiting: () => places.load().waiting,
  }
}

const keyMissing: Outcome = {
  ok: false,
  mayRetry: true,
  class: 'not_sent',
  reason: "The subscriber's address cannot be opened: the master key is missing.",
}
