// Writes subscribers: asks an address to confirm, at most a few times, and never tells whether it was
// known. Shared by the page's form and by administrators.

import type { MessageQueue } from '../../actors/subscribers/message-queue.ts'
import {
  alreadyLetter,
  confirmLetter,
  type SubscriptionUrls,
} from '../../actors/subscribers/subscriber-letters.ts'
import { Fault } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import { createLimiter } from '../../base/limiter.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type StatusPage, titleOf } from '../../domain/pages/page.ts'
import { countedMailbox, normalizedEmail } from '../../domain/people/person.ts'
import {
  addressMark,
  consentedSubscriber,
  endedMark,
  type Subscriber,
  type SubscriberAddress,
  type SubscriberConsent,
  type SubscriberKind,
} from '../../domain/subscribers/subscriber.ts'
import { isOneAddress, maskedAddress } from '../../mail/address.ts'
import type { SubscriptionLinks } from '../../seal/subscription-link.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Language } from '../../texts/languages.ts'
import type { Core } from '../core.ts'

export interface SubscriberWriterDeps {
  readonly links: SubscriptionLinks
  readonly urlsOf: (subscriber: Subscriber) => SubscriptionUrls
  readonly messages: Pick<MessageQueue, 'enqueueQuestion'>
  readonly mintSecret: () => string
  /** What is wrong with a URL that the daemon should call, or null. */
  readonly judgeUrl: (url: string) => object | null
}

export interface WantedSubscription {
  readonly kind: SubscriberKind
  readonly address: string
  readonly language: Language
  readonly sectionNames: readonly string[]
}

export type SubscriberWriter = ReturnType<typeof createSubscriberWriter>

export const subscribersOfPageMax = 10_000
/** Letters of all pages together that ask one mailbox to confirm. */
const subscribeLettersTo = { quota: 20, windowSeconds: 86_400 } as const

export function createSubscriberWriter(core: Core, deps: SubscriberWriterDeps) {
  const { store, clock, box, mailer } = core
  const { messages } = deps
  const { subscribers } = store
  const toMailbox = createLimiter(subscribeLettersTo, limits.rateKeysMax)

  function sealed(address: SubscriberAddress): string {
    return box.seal(JSON.stringify(address))
  }

  /** One that has not confirmed. */
  function fresh(page: StatusPage, wanted: WantedSubscription): Subscriber {
    const nowMs = clock.nowMs()
    const { kind, address, language } = wanted
    const secret = kind === 'webhook' ? deps.mintSecret() : null
    return {
      id: newId('subscriber', nowMs),
      orgId: page.orgId,
      pageId: page.id,
      kind,
      addressBox: sealed({ address, secret }),
      maskedAddress: masked(kind, address),
      mark: addressMark(page.id, kind, address),
      language,
      sectionNames: wanted.sectionNames.slice(0, limits.pageSectionsMax),
      state: 'pending',
      askedAtMs: nowMs,
      createdAtMs: nowMs,
      confirmedAtMs: null,
      consent: null,
      gone: 0,
    }
  }

  /** By what its end is remembered; undefined if the key of the address is gone. */
  function endedMarkOf({ orgId, kind, addressBox }: Subscriber): string | undefined {
    const opened = box.openOrUndefined(addressBox)
    // What this file sealed.
    const known = opened === undefined ? undefined : (JSON.parse(opened) as SubscriberAddress)
    return known && endedMark(orgId, kind, known.address)
  }

  return {
    /** The address as it is stored; null if nothing can be sent to it. */
    normalized(kind: SubscriberKind, text: string): string | null {
      if (kind === 'email') return mailAddress(text)
      const url = URL.parse(text.trim())?.href
      if (url === undefined || url.length > limits.urlCharsMax) return null
      return deps.judgeUrl(url) === null ? url : null
    },

    markOf: ({ id }: StatusPage, kind: SubscriberKind, address: string) =>
      addressMark(id, kind, address),

    /** Counts a letter: the owner of many pages must not fill a stranger's mailbox by them. */
    mayWriteTo: (address: string): boolean =>
      toMailbox.take(countedMailbox(address), clock.nowMs()).isAllowed,

    /** Whether the page, or the organization, has as many as it may have. */
    isFull({ orgId, id }: StatusPage, more = 1): boolean {
      const { pending, active, failed } = subscribers.counts(orgId, id)
      if (pending + active + failed + more > subscribersOfPageMax) return true
      return subscribers.count(orgId) + more > core.quotas.of(orgId).subscribers
    },

    /**
     * Asks a normalized address whether it wants to subscribe; an active subscriber gets the link of
     * its subscription. Throws not_found if the page was deleted meanwhile.
     */
    ask(tx: Tx, page: StatusPage, wanted: WantedSubscription): Subscriber {
      const nowMs = clock.nowMs()
      const { kind, address, language } = wanted
      if (!store.pages.readable(page.orgId, page.id)) throw new Fault('not_found')
      const mark = addressMark(page.id, kind, address)
      const before = subscribers.findByMark(page.orgId, page.id, mark)
      const sectionNames = wanted.sectionNames.slice(0, limits.pageSectionsMax)
      if (before?.state === 'active') {
        if (kind === 'email') {
          const manageUrl = deps.urlsOf(before).manage
          const pageTitle = titleOf(page)
          mailer.enqueue(tx, address, alreadyLetter({ pageTitle, language, manageUrl }))
        }
        return before
      }
      const asked: Subscriber = before
        ? { ...before, language, sectionNames, askedAtMs: nowMs }
        : fresh(page, { ...wanted, sectionNames })
      subscribers.put(tx, asked)
      if (kind === 'email') {
        const manageUrl = deps.urlsOf(asked).manage
        const pageTitle = titleOf(page)
        mailer.enqueue(tx, address, confirmLetter({ pageTitle, language, manageUrl }))
      } else messages.enqueueQuestion(tx, asked)
      return asked
    },

    /** Subscribes a normalized address that confirmed elsewhere; nothing is sent to it. */
    consented(
      tx: Tx,
      page: StatusPage,
      wanted: WantedSubscription & { readonly consent: SubscriberConsent },
    ): void {
      const { kind, address, language, consent } = wanted
      const mark = addressMark(page.id, kind, address)
      const before = subscribers.findByMark(page.orgId, page.id, mark)
      const one = before
        ? { ...before, language, sectionNames: wanted.sectionNames }
        : fresh(page, wanted)
      subscribers.put(tx, consentedSubscriber(one, consent))
      store.endedSubscriptions.remove(tx, page.orgId, endedMark(page.orgId, kind, address), page.id)
    },

    /** The address agreed here, again: what is remembered of its last end is over. */
    came(tx: Tx, subscriber: Subscriber): void {
      const mark = endedMarkOf(subscriber)
      if (mark) store.endedSubscriptions.remove(tx, subscriber.orgId, mark, subscriber.pageId)
    },

    /** Deletes everything that is kept of the subscriber, but a hash by which no import brings it back. */
    forget(tx: Tx, subscriber: Subscriber): void {
      const { orgId, pageId, id } = subscriber
      const mark = endedMarkOf(subscriber)
      subscribers.remove(tx, subscriber)
      store.subscriberNews.forgetSubscriber(tx, orgId, id)
      if (mark) store.endedSubscriptions.put(tx, orgId, mark, pageId, clock.nowMs())
    },
  }
}

function mailAddress(text: string): string | null {
  const address = normalizedEmail(text)
  const isFit = address.length <= limits.emailCharsMax && isOneAddress(address)
  // A name without a dot is a host of somebody's own network.
  return isFit && /@[^@]+\.[^@.]+$/.test(address) ? address : null
}

/** An address as administrators see it; of a URL only the host, because the path is the secret. */
function masked(kind: SubscriberKind, address: string): string {
  if (kind === 'email') return maskedAddress(address)
  return `${new URL(address).origin}/…`
}
