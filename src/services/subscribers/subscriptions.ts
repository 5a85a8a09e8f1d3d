// Subscriptions as readers of a status page have them: ask for one, confirm, change and end it.
import { movedText } from '../../actors/subscribers/subscriber-letters.ts'
import { createLimiter } from '../../base/limiter.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import { type StatusPage, titleOf } from '../../domain/pages/page.ts'
import {
  confirmedSubscriber,
  mayConfirm,
  type Subscriber,
  type SubscriberAddress,
  type SubscriberKind,
  type SubscriberState,
} from '../../domain/subscribers/subscriber.ts'
import { isOrgOff } from '../../store/org-state.ts'
import { audienceOf } from '../../store/page-audience.ts'
import type { Language } from '../../texts/languages.ts'
import type { Core } from '../core.ts'
import type { PageUrls } from '../pages/page-urls.ts'
import type {
  SubscriberWriter,
  SubscriberWriterDeps,
  WantedSubscription,
} from './subscriber-writer.ts'

export interface SubscriptionsDeps extends SubscriberWriterDeps {
  readonly writer: SubscriberWriter
  readonly pageUrls: Pick<PageUrls, 'of'>
  /** Whether there is a mail server; otherwise the form offers no e-mail. */
  readonly hasMailServer: () => boolean
}

/** The same for known and unknown addresses. `stranger`: to a page for members. */
export type AskOutcome = 'asked' | 'invalid' | 'stranger' | 'too_many'

/** A subscription as its own link shows it. */
export interface SubscriptionView {
  readonly language: Language
  readonly page: {
    readonly title: string
    readonly url: string
    readonly sections: readonly string[]
  }
  readonly kind: SubscriberKind
  readonly maskedAddress: string
  readonly state: SubscriberState
  /** The page is for members now, and the address is of none: nothing of the page is shown. */
  readonly isSilent: boolean
  readonly sectionNames: readonly string[]
  /** How it agreed elsewhere, in words; null: here. */
  readonly moved: string | null
  /** Signs the messages of an active webhook; null for others. */
  readonly secret: string | null
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** How long announcements to subscribers are remembered after the matter is over. */
const newsKeptMs = 30 * 86_400_000
/** Requests to subscribe: of one network address, to one page, for one address, of one host. */
const subscribesByAddress = { quota: 20, windowSeconds: 3_600 } as const
const subscribesToPage = { quota: 300, windowSeconds: 3_600 } as const
const urlSubscribesToPage = { quota: 30, windowSeconds: 3_600 } as const
const subscribesForAddress = { quota: 3, windowSeconds: 3_600 } as const
const subscribesToHost = { quota: 30, windowSeconds: 3_600 } as const

export function createSubscriptions(core: Core, deps: SubscriptionsDeps) {
  const { store, clock, box } = core
  const { writer, links, pageUrls, hasMailServer } = deps
  const limiterOf = (policy: Parameters<typeof createLimiter>[0]) =>
    createLimiter(policy, limits.rateKeysMax)
  const byAddress = limiterOf(subscribesByAddress)
  const toPage = limiterOf(subscribesToPage)
  const urlToPage = limiterOf(urlSubscribesToPage)
  const toHost = limiterOf(subscribesToHost)
  const forAddress = limiterOf(subscribesForAddress)

  function mayAsk({ id }: StatusPage, wanted: WantedSubscription, from: string): boolean {
    const nowMs = clock.nowMs()
    if (!byAddress.take(countedAddress(from), nowMs).isAllowed) return false
    if (!toPage.take(id, nowMs).isAllowed) return false
    if (wanted.kind === 'email') return true
    const { hostname } = new URL(wanted.address)
    return urlToPage.take(id, nowMs).isAllowed && toHost.take(hostname, nowMs).isAllowed
  }

  function found(token: string): { subscriber: Subscriber; page: StatusPage } | undefined {
    const link = links.read(token)
    if (!link || isOrgOff(store, link.orgId)) return undefined
    const subscriber = store.subscribers.readable(link.orgId, link.pageId, link.id)
    const page = store.pages.readable(link.orgId, link.pageId)
    if (!subscriber || !page) return undefined
    const isOver = subscriber.state !== 'active' && !mayConfirm(subscriber, clock.nowMs())
    return isOver ? undefined : { subscriber, page }
  }

  function view(token: string): SubscriptionView | undefined {
    const one = found(token)
    if (!one) return undefined
    const { subscriber, page } = one
    const { kind, maskedAddress, state, sectionNames, language, consent } = subscriber
    const timezone = page.timezone ?? localeOf(store.orgs.readable(page.orgId)).timezone
    const isSilent = !audienceOf(store, page)(subscriber)
    const isSigned = kind === 'webhook' && state === 'active'
    return {
      language,
      page: {
        title: titleOf(page),
        url: pageUrls.of(page),
        sections: isSilent ? [] : page.sections.map(({ name }) => name),
      },
      kind,
      maskedAddress,
      state,
      isSilent,
      sectionNames,
      moved: consent && movedText(consent, { page: titleOf(page), language, timezone }),
      secret: isSigned ? openedAddress(box.open(subscriber.addressBox)).secret : null,
    }
  }

  return {
    /** What readers of the page may subscribe with; none if the page allows no subscribers. */
    kindsOf({ allowsSubscribers, visibility }: StatusPage): readonly SubscriberKind[] {
      if (!allowsSubscribers) return []
      // A URL is no member: it would hear nothing.
      if (visibility === 'members') return hasMailServer() ? ['email'] : []
      return hasMailServer() ? ['email', 'webhook', 'slack'] : ['webhook', 'slack']
    },

    /** `from`: the network address of the reader. */
    async ask(page: StatusPage, given: WantedSubscription, from: string): Promise<AskOutcome> {
      const { kind } = given
      const address = writer.normalized(kind, given.address)
      if (address === null) return 'invalid'
      const names = new Set(page.sections.map(({ name }) => name))
      const sectionNames = given.sectionNames.filter((name) => names.has(name))
      const wanted = { ...given, address, sectionNames }
      if (!mayAsk(page, wanted, from) || writer.isFull(page)) return 'too_many'
      // Silently: the answer must not tell whether the address was asked before.
      const mark = writer.markOf(page, kind, address)
      if (!audienceOf(store, page)({ kind, mark })) return 'stranger'
      if (!forAddress.take(mark, clock.nowMs()).isAllowed) return 'asked'
      if (kind === 'email' && !writer.mayWriteTo(address)) return 'asked'
      await store.write((tx) => writer.ask(tx, page, wanted))
      return 'asked'
    },

    /** Undefined: the link is none of ours, or too old, or the subscription has ended. */
    find: view,

    /** Confirms it, and sets its sections. Does nothing the second time. */
    async save(
      token: string,
      sectionNames: readonly string[],
    ): Promise<SubscriptionView | undefined> {
      await store.write((tx) => {
        const one = found(token)
        if (!one) return
        const { subscriber, page } = one
        // The page turned away from strangers since they asked.
        if (!audienceOf(store, page)(subscriber)) return
        const names = new Set(page.sections.map(({ name }) => name))
        const chosen = sectionNames.filter((name) => names.has(name))
        const confirmed = confirmedSubscriber(subscriber, clock.nowMs())
        store.subscribers.put(tx, { ...confirmed, sectionNames: chosen })
        if (subscriber.state === 'active') return
        writer.came(tx, subscriber)
        // Windows that are planned already are announced too.
        for (const window of store.windows.announced(page.orgId)) {
          store.subscriberNews.note(tx, page.orgId, window.id, clock.nowMs())
        }
      })
      return view(token)
    },

    /** Ends it. The same answer for every link: one that has ended is no secret. */
    async leave(token: string): Promise<Language> {
      const link = links.read(token)
      if (!link) return localeOf().language
      const { orgId, pageId, id } = link
      const language = store.subscribers.readable(orgId, pageId, id)?.language
      await store.write((tx) => {
        const subscriber = store.subscribers.readable(orgId, pageId, id)
        if (subscriber) writer.forget(tx, subscriber)
      })
      return language ?? localeOf(store.orgs.readable(orgId)).language
    },

    /** Forgets who has not confirmed in time, at most `limit`; returns how many. */
    expire: (limit: number): Promise<number> =>
      store.writeSoon((tx) =>
        store.subscribers.trimPending(tx, clock.nowMs() - limits.subscriptionLinkMs, limit),
      ),

    /** Forgets announcements to subscribers of matters that ended long ago; returns how many. */
    async forgetOld(signal: AbortSignal): Promise<number> {
      const beforeMs = clock.nowMs() - newsKeptMs
      const slice: number = limits.taskSliceRecords
      let removed = 0
      let last: readonly string[] | undefined
      do {
        const done = await store.writeSoon((tx) =>
          store.subscriberNews.trimAnnounced(tx, beforeMs, slice, last),
        )
        removed += done.removed
        last = done.last
      } while (last && !signal.aborted)
      return removed
    },
  }
}

/** The address that the writer sealed. */
export function openedAddress(opened: string): SubscriberAddress {
  return JSON.parse(opened) as SubscriberAddress
}
