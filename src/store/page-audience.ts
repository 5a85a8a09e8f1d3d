// Whom a status page tells of its news: everybody who subscribed, or only members of its organization.
import type { OrgId, PageId, SubscriberId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import type { StatusPage } from '../domain/pages/page.ts'
import { normalizedEmail } from '../domain/people/person.ts'
import { addressMark, type Subscriber } from '../domain/subscribers/subscriber.ts'
import type { Store } from './store.ts'

type Audience = (subscriber: Pick<Subscriber, 'kind' | 'mark'>) => boolean

/** Whether a page tells anybody anything. */
export function tellsNews(page: StatusPage | undefined): page is StatusPage {
  return page?.isEnabled === true && page.allowsSubscribers
}

/**
 * Who may hear of a page. While the page is for members, only verified addresses of members who can sign in
 * hear of it. URLs do not: nobody knows whose they are. The members are read once, and only if needed.
 */
export function audienceOf(store: Store, page: StatusPage): Audience {
  if (page.visibility === 'everyone') return () => true
  let marks: ReadonlySet<string> | undefined
  return ({ kind, mark }) => {
    if (kind !== 'email') return false
    marks ??= new Set(memberMarks(store, page))
    return marks.has(mark)
  }
}

/** A subscriber, and of what. */
export interface SubscriptionPlace {
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly subscriberId: SubscriberId
}

/** Why news that waits for a subscriber is not for it any more; null if it is. */
export function whyUnheard(store: Store, place: SubscriptionPlace): string | null {
  const { orgId, pageId, subscriberId } = place
  const page = store.pages.readable(orgId, pageId)
  const subscriber = store.subscribers.readable(orgId, pageId, subscriberId)
  if (subscriber?.state !== 'active') return 'The subscription has ended.'
  if (!tellsNews(page)) return 'The status page tells no news any more.'
  return audienceOf(store, page)(subscriber) ? null : 'The status page is for members only now.'
}

/** How many of the active subscribers hear nothing, because the page is for members. */
export function silentCount(store: Store, page: StatusPage): number {
  const { orgId, id, visibility } = page
  const { active } = store.subscribers.counts(orgId, id)
  if (visibility === 'everyone' || active === 0) return 0
  const told = memberMarks(store, page).filter(
    (mark) => store.subscribers.findByMark(orgId, id, mark)?.state === 'active',
  )
  return active - told.length
}

function memberMarks({ memberships, users }: Store, { orgId, id }: StatusPage): string[] {
  return memberships.list(orgId, limits.quotaMax).flatMap(({ userId }) => {
    const user = users.readable(userId)
    if (!user || user.isDisabled || user.emailVerifiedAtMs === null) return []
    return addressMark(id, 'email', normalizedEmail(user.email))
  })
}
