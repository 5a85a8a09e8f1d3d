// Links of subscriptions to status pages: a token that names a subscriber.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { asId, idPrefixes, type OrgId, type PageId, type SubscriberId } from '../base/ids.ts'

export interface SubscriptionSubject {
  readonly orgId: OrgId
  readonly pageId: PageId
  readonly id: SubscriberId
}

/** Three ULIDs, and 144 bits of the MAC in base64url. */
const pattern = /^([0-9a-z]{26})([0-9a-z]{26})([0-9a-z]{26})([\w-]{24})$/
const macChars = 24

export type SubscriptionLinks = ReturnType<typeof createSubscriptionLinks>

/** Signs with a key that is derived for this purpose alone. */
export function createSubscriptionLinks(key: Buffer) {
  const linkMac = (named: string) =>
    createHmac('sha256', key).update(named).digest('base64url').slice(0, macChars)

  return {
    token({ orgId, pageId, id }: SubscriptionSubject): string {
      const named = [orgId, pageId, id].map(ulidOf).join('')
      return named + linkMac(named)
    },

    /** What the token names; undefined if we did not make it. */
    read(token: string): SubscriptionSubject | undefined {
      const [, org = '', page = '', subscriber = '', mac = ''] = pattern.exec(token) ?? []
      const right = linkMac(org + page + subscriber)
      if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(right))) return undefined
      const orgId = asId('org', `${idPrefixes.org}_${org}`)
      const pageId = asId('page', `${idPrefixes.page}_${page}`)
      const id = asId('subscriber', `${idPrefixes.subscriber}_${subscriber}`)
      return orgId && pageId && id ? { orgId, pageId, id } : undefined
    },
  }
}

function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}
