// Links of subscriptions: only ours are read.
import t from 'tap'
import type { PageId, SubscriberId } from '../../src/base/ids.ts'
import { createSubscriptionLinks } from '../../src/seal/subscription-link.ts'
import { orgA } from '../support/make-incident.ts'

const ulid = '01k0000000000000000000000'
const subject = {
  orgId: orgA,
  pageId: `pag_${ulid}a` as PageId,
  id: `sub_${ulid}a` as SubscriberId,
}
const links = createSubscriptionLinks(Buffer.alloc(32, 1))

t.test('a link names its subscriber, and no other can be made of it', async (t) => {
  const token = links.token(subject)
  t.same(links.read(token), subject)
  t.match(token, /^[\w-]{102}$/)
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === '0' ? '1' : '0'
    t.equal(links.read(token.slice(0, at) + other + token.slice(at + 1)), undefined)
  }
  for (const text of ['', token.slice(1), `${token}0`]) t.equal(links.read(text), undefined)
  const foreign = createSubscriptionLinks(Buffer.alloc(32, 2))
  t.equal(foreign.read(token), undefined, 'nor one of another installation')
})
