// Whom a status page tells of its news: everybody who subscribed, or only members of its organization.
import type { OrgId, PageId, SubscriberId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import type { StatusPage } from '../domain/pages/page.ts'
import { normalizedEmail, type User } from '../domain/people/person.ts'
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
    marks ??= new Set(memberEmails(store, page.orgId).map((email) => markOn(page, email)))
    return marks.has(mark)
  }
}

/** A subscriber, and of what. */
export interface SubscriptionPlace {
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly subscriberId: SubscriberId
}

/** Why a letter with news that waits for a subscriber is not for its address any more; null if it is. */
export function whyUnheard(store: Store, place: SubscriptionPlace, to: string): string | null {
  const { orgId, pageId, subscriberId } = place
  const page = store.pages.readable(orgId, pageId)
  const subscriber = store.subscribers.readable(orgId, pageId, subscriberId)
  if (subscriber?.state !== 'active') return 'The subscription has ended.'
  if (!tellsNews(page)) return 'The status page tells no news any more.'
  const mayHear = page.visibility === 'everyone' || isMemberEmail(store, orgId, to)
  return mayHear ? null : 'The status page is for members only now.'
}

/**
 * Counts the active subscribers of a page who hear nothing, because it is for members. The members are read
 * once for all pages of the organization, and only if needed.
 */
export function silentCounter(store: Store, orgId: OrgId): (page: StatusPage) => number {
  let emails: readonly string[] | undefined
  return (page) => {
    const { active } = store.subscribers.counts(orgId, page.id)
    if (page.visibility === 'everyone' || active === 0) return 0
    emails ??= memberEmails(store, orgId)
    const told = emails.filter((email) => {
      const found = store.subscribers.findByMark(orgId, page.id, markOn(page, email))
      return found?.state === 'active'
    })
    return active - told.length
  }
}

const markOn = ({ id }: StatusPage, email: string) => addressMark(id, 'email', email)

function memberEmails({ memberships, users }: Store, orgId: OrgId): string[] {
  return memberships.list(orgId, limits.quotaMax).flatMap(({ userId }) => {
    const user = users.readable(userId)
    return canBeTold(user) ? normalizedEmail(user.email) : []
  })
}

function isMemberEmail(store: Store, orgId: OrgId, email: string): boolean {
  const { memberships, users } = store
  const user = users.readableByEmail(email)
  if (user) return canBeTold(user) && memberships.has(orgId, user.id)
  const isDamaged = users.isEmailDamaged(email)
  return isDamaged && memberEmails(store, orgId).includes(normalizedEmail(email))
}

/** Somebody who can sign in, at an address that is theirs. */
function canBeTold(user: User | undefined): user is User {
  return user !== undefined && !user.isDisabled && user.emailVerifiedAtMs !== null
}
