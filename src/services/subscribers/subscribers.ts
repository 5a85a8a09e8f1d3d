// Subscribers of status pages, for administrators: list, add, export, remove.
import { Fault, type FieldProblem, notFound, rateLimited, refuseInvalid } from '../../base/fault.ts'
import { asId, type OrgId, type SubscriberId } from '../../base/ids.ts'
import type { RateVerdict } from '../../base/limiter.ts'
import { createYielder } from '../../base/yielding.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type {
  Subscriber,
  SubscriberKind,
  SubscriberState,
} from '../../domain/subscribers/subscriber.ts'
import { audienceOf } from '../../store/page-audience.ts'
import { type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'
import {
  type SubscriberWriter,
  type SubscriberWriterDeps,
  subscribersOfPageMax,
} from './subscriber-writer.ts'
import { openedAddress } from './subscriptions.ts'

export interface SubscribersDeps extends SubscriberWriterDeps {
  readonly writer: SubscriberWriter
  readonly hasMailServer: () => boolean
  /** Counts an address that the organization adds; absent if members are trusted. */
  readonly takeAdded?: (orgId: OrgId) => RateVerdict | undefined
}

export interface SubscriberFilter extends PageRequest {
  readonly state?: SubscriberState | undefined
  readonly kind?: SubscriberKind | undefined
}

export interface ListedSubscriber extends Subscriber {
  /** It hears nothing while the page is for members. */
  readonly isSilent: boolean
}

/** A subscriber with the address in full. */
export interface ExportedSubscriber extends Subscriber {
  /** Null if its key is gone. */
  readonly address: string | null
}

/** Every method throws not_found for an unknown page. */
export function createSubscribers(core: Core, deps: SubscribersDeps) {
  const { store, clock, audit, box } = core
  const { writer } = deps
  const { subscribers } = store

  function pageAt({ orgId }: OrgScope, pageId: string): StatusPage {
    const id = asId('page', pageId)
    const page = id && store.pages.get(orgId, id)
    if (!page) throw notFound('status page')
    return page
  }

  /** Null if its master key is gone. */
  function addressOf({ addressBox }: Subscriber): string | null {
    const opened = box.openOrUndefined(addressBox)
    return opened === undefined ? null : openedAddress(opened).address
  }

  function countAdded(orgId: OrgId, addresses: number): void {
    for (let count = 0; count < addresses; count += 1) {
      const verdict = deps.takeAdded?.(orgId)
      if (!verdict || verdict.isAllowed) continue
      const most = limits.subscribersAddedByOrg.quota
      throw rateLimited(
        verdict.retryMs,
        (seconds) => `At most ${most} addresses an hour may be added: try again in ${seconds} s.`,
      )
    }
  }

  function slice(
    page: StatusPage,
    state: SubscriberState | undefined,
    limit: number,
    after: string | undefined,
  ): Subscriber[] {
    const afterId = after === undefined ? undefined : asId('subscriber', after)
    return state === undefined
      ? subscribers.list(page.orgId, page.id, limit, afterId)
      : subscribers.listIn({ orgId: page.orgId, pageId: page.id }, state, { limit, after: afterId })
  }

  return {
    /** Newest first, with their addresses masked. A page reads only a bounded number of records. */
    list(scope: OrgScope, pageId: string, filter: SubscriberFilter): PageOf<ListedSubscriber> {
      const page = pageAt(scope, pageId)
      const mayHear = audienceOf(store, page)
      const { state, kind, limit } = filter
      const found: ListedSubscriber[] = []
      let { after } = filter
      for (let scanned = 0; scanned < limits.listScanMax; ) {
        const more = slice(page, state, limits.pageItemsMax, after)
        for (const one of more) {
          if (kind === undefined || one.kind === kind) {
            found.push({ ...one, isSilent: !mayHear(one) })
          }
        }
        if (found.length > limit || more.length < limits.pageItemsMax) return pageOf(found, limit)
        scanned += more.length
        after = more.at(-1)?.id
      }
      return after === undefined ? { items: found } : { items: found, nextAfter: after }
    },

    /**
     * Asks e-mail addresses whether they want to subscribe: nobody is subscribed without a click of
     * their own, and a mailbox that was asked too often lately is not asked. Throws
     * validation_failed, also for strangers to a page for members, rate_limited, and conflict without a
     * mail server or beyond a quota.
     */
    async add(
      scope: OrgScope,
      pageId: string,
      given: { readonly emails: readonly string[]; readonly sectionNames?: readonly string[] },
    ): Promise<{ readonly asked: number }> {
      const page = pageAt(scope, pageId)
      if (!deps.hasMailServer()) {
        throw new Fault('conflict', 'No mail server is set up: mail.smtpUrl.')
      }
      const { emails, sectionNames = [] } = given
      const addresses = emails.map((email) => writer.normalized('email', email))
      const mayHear = audienceOf(store, page)
      const isStranger = (address: string) =>
        !mayHear({ kind: 'email', mark: writer.markOf(page, 'email', address) })
      refuseInvalid([
        ...addressProblems(addresses, isStranger),
        ...sectionProblems(page, sectionNames),
      ])
      const all = [...new Set(addresses)].filter((address) => address !== null)
      const language = page.language ?? localeOf(store.orgs.readable(scope.orgId)).language
      return store.write((tx) => {
        const fresh = all.filter((address) => {
          const mark = writer.markOf(page, 'email', address)
          return subscribers.findByMark(page.orgId, page.id, mark)?.state !== 'active'
        })
        if (writer.isFull(page, fresh.length)) {
          const most = subscribersOfPageMax
          throw new Fault('conflict', `A status page may have at most ${most} subscribers.`)
        }
        countAdded(page.orgId, fresh.length)
        const asked = fresh.filter(writer.mayWriteTo)
        for (const address of asked) {
          writer.ask(tx, page, { kind: 'email', address, language, sectionNames })
        }
        const detail = `${asked.length} addresses`
        audit.note(tx, scope, { action: 'subscriber.added', objectId: page.id, detail })
        return { asked: asked.length }
      })
    },

    /** Removes a subscriber, also a damaged one. */
    async remove(scope: OrgScope, pageId: string, subscriberId: string): Promise<void> {
      const page = pageAt(scope, pageId)
      const id = asId('subscriber', subscriberId)
      await store.write((tx) => {
        const { orgId } = page
        if (id && subscribers.isDamaged(orgId, page.id, id)) {
          subscribers.discard(tx, orgId, page.id, id)
          store.subscriberNews.forgetSubscriber(tx, orgId, id)
        } else {
          const subscriber = id && subscribers.get(orgId, page.id, id)
          if (!subscriber) throw notFound('subscriber')
          writer.forget(tx, subscriber)
        }
        audit.note(tx, scope, { action: 'subscriber.deleted', objectId: id ?? null })
      })
    },

    /**
     * All of them with their addresses in full, newest first; recorded in the audit log. Yields:
     * thousands of addresses take half a second to decrypt.
     */
    async export(scope: OrgScope, pageId: string): Promise<readonly ExportedSubscriber[]> {
      const page = pageAt(scope, pageId)
      await store.write((tx) =>
        audit.note(tx, scope, { action: 'subscriber.exported', objectId: page.id }),
      )
      const yielder = createYielder(clock, limits.turnMs)
      const all: ExportedSubscriber[] = []
      let last: SubscriberId | undefined
      do {
        const more = subscribers.list(page.orgId, page.id, limits.pageItemsMax, last)
        for (const one of more) {
          all.push({ ...one, address: addressOf(one) })
          if (yielder.isDue()) await yielder.pause()
        }
        last = more.length < limits.pageItemsMax ? undefined : more.at(-1)?.id
      } while (last)
      return all
    },
  }
}

function addressProblems(
  addresses: readonly (string | null)[],
  isStranger: (address: string) => boolean,
): FieldProblem[] {
  return addresses.flatMap((address, index) => {
    const pointer = `/emails/${index}`
    if (address === null) {
      return [{ pointer, keyword: 'format', message: 'must be an e-mail address' }]
    }
    if (!isStranger(address)) return []
    const message = 'must be the verified address of a member while the page is for members'
    return [{ pointer, keyword: 'reference', message }]
  })
}

function sectionProblems(
  { sections }: StatusPage,
  sectionNames: readonly string[],
): FieldProblem[] {
  return sectionNames.flatMap((name, index) =>
    sections.some((section) => section.name === name)
      ? []
      : [
          {
            pointer: `/sectionNames/${index}`,
            keyword: 'reference',
            message: 'must be a section of the page',
          },
        ],
  )
}
