// A subscriber of a status page: an address that gets news of incidents and maintenance.
import { hash } from 'node:crypto'
import type { ImportId, OrgId, PageId, SubscriberId } from '../../base/ids.ts'
import type { Language } from '../../texts/languages.ts'
import { limits } from '../limits/limits.ts'
import type { PageSection } from '../pages/page.ts'

export const subscriberKinds = ['email', 'webhook', 'slack'] as const
export type SubscriberKind = (typeof subscriberKinds)[number]

/**
 * `pending`: the address has not confirmed yet, and gets nothing else. `failed`: the receiver is gone,
 * so nothing is sent until it confirms again.
 */
export const subscriberStates = ['pending', 'active', 'failed'] as const
export type SubscriberState = (typeof subscriberStates)[number]

/** How an address agreed elsewhere: an import brought it, and it was not asked here. */
export interface SubscriberConsent {
  /** Where it confirmed, in words for the person who did. */
  readonly source: string
  readonly confirmedAtMs: number
  readonly importedAtMs: number
  /** Null: it came with a list of subscribers alone. */
  readonly importId: ImportId | null
}

export interface Subscriber {
  readonly id: SubscriberId
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly kind: SubscriberKind
  /** `SubscriberAddress`, encrypted. */
  readonly addressBox: string
  /** Enough to recognize it, too little to write to it. */
  readonly maskedAddress: string
  /** `addressMark` of it: nobody subscribes twice. */
  readonly mark: string
  /** The language of the letters and messages. */
  readonly language: Language
  /** Names of sections of the page; empty: all of the page. */
  readonly sectionNames: readonly string[]
  readonly state: SubscriberState
  /** When it was last asked to confirm; the link works for a day. */
  readonly askedAtMs: number
  readonly createdAtMs: number
  /** When it confirmed, here or elsewhere. */
  readonly confirmedAtMs: number | null
  /** Null: it confirmed here, or not yet. */
  readonly consent: SubscriberConsent | null
  /** How many messages in a row found no receiver (404, 410). */
  readonly gone: number
}

export interface SubscriberAddress {
  /** An e-mail address or a URL. */
  readonly address: string
  /** Signs the messages of a webhook; null for others. */
  readonly secret: string | null
}

/** How many subscribers a page has, by state. */
export type SubscriberCounts = Readonly<Record<SubscriberState, number>>

/** A hash of an address. It follows from no key, so that a new master key changes none. */
export function addressMark(pageId: PageId, kind: SubscriberKind, address: string): string {
  return hash('sha256', `${pageId} ${kind} ${address}`, 'base64url')
}

/**
 * A hash of an address on all pages of an organization, by which it is remembered that its subscription ended.
 * It follows from no key, so that a new master key changes none.
 */
export function endedMark(orgId: OrgId, kind: SubscriberKind, address: string): string {
  return hash('sha256', `${orgId} ${kind} ${address}`, 'base64url')
}

/** Whether the link that confirms it still works. */
export function mayConfirm({ askedAtMs }: Subscriber, nowMs: number): boolean {
  return nowMs < askedAtMs + limits.subscriptionLinkMs
}

/** The address agreed to it. */
export function confirmedSubscriber(subscriber: Subscriber, nowMs: number): Subscriber {
  if (subscriber.state === 'active') return subscriber
  return { ...subscriber, state: 'active', confirmedAtMs: nowMs, gone: 0 }
}

/** What the address agreed to elsewhere counts here. */
export function consentedSubscriber(
  subscriber: Subscriber,
  consent: SubscriberConsent,
): Subscriber {
  return { ...subscriber, state: 'active', confirmedAtMs: consent.confirmedAtMs, consent, gone: 0 }
}

/** When its subscription began to count here: what happened before is no news to it. */
export function heardSinceMs({ confirmedAtMs, consent }: Subscriber): number {
  return consent?.importedAtMs ?? confirmedAtMs ?? 0
}

/** Messages in a row that found no receiver, after which nothing more is sent. */
export const subscriberGoneMax = 5

/** The subscriber after a message found no receiver; with the last one that counts, nothing more is sent. */
export function goneSubscriber(subscriber: Subscriber, isForGood: boolean): Subscriber {
  const gone = subscriber.gone + 1
  const isOver = isForGood || gone >= subscriberGoneMax
  return { ...subscriber, gone, state: isOver ? 'failed' : subscriber.state }
}

/**
 * Whether a subscriber gets news about these sections; null: the whole page. If the page has none of the
 * chosen sections any more, the subscriber gets all news rather than none.
 */
export function concerns(
  { sectionNames: chosen }: Pick<Subscriber, 'sectionNames'>,
  sectionNames: readonly string[] | null,
  sections: readonly Pick<PageSection, 'name'>[],
): boolean {
  const known = chosen.filter((name) => sections.some((section) => section.name === name))
  if (known.length === 0 || sectionNames === null) return true
  return known.some((name) => sectionNames.includes(name))
}
