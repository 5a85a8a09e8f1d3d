// Messages of subscribers: when they are tried again, and which answers say that nobody is there.
import t from 'tap'
import type { NoticeId, PageId, SubscriberId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  attemptedMessage,
  findsNobody,
  isStale,
  type SubscriberMessage,
} from '../../../src/domain/subscribers/notice.ts'
import { orgA } from '../../support/make-incident.ts'

const ulid = '01k0000000000000000000000a'
const message: SubscriberMessage = {
  id: `ntc_${ulid}` as NoticeId,
  orgId: orgA,
  pageId: `pag_${ulid}` as PageId,
  subscriberId: `sub_${ulid}` as SubscriberId,
  news: null,
  subjectId: null,
  contentJson: null,
  attempts: 0,
  dueAtMs: 0,
  createdAtMs: 0,
  giveUpAtMs: limits.deliveryAgeMsMax,
}
const failed = { ok: false, mayRetry: true, reason: 'It is not there.' } as const

t.test('a message is tried again for a day, as alerts are', async (t) => {
  t.match(attemptedMessage(message, failed, 0, 0.5), { attempts: 1, dueAtMs: 5_000 })
  const late = { ...message, attempts: 9 }
  t.match(attemptedMessage(late, failed, 3_600_000, 0.5), { dueAtMs: 2 * 3_600_000 })
  t.equal(attemptedMessage(late, failed, limits.deliveryAgeMsMax, 0.5), undefined)
  t.equal(attemptedMessage(message, { ...failed, mayRetry: false }, 0, 0.5), undefined)
})

t.test('404, 410 and what a platform says of it mean that nobody is there', async (t) => {
  for (const status of [404, 410]) t.ok(findsNobody({ ...failed, status }))
  t.ok(findsNobody({ ...failed, status: 200, disablesChannel: true }))
  for (const status of [400, 401, 429, 500, 503]) t.notOk(findsNobody({ ...failed, status }))
  t.notOk(findsNobody({ ok: true, status: 200 }))
  t.notOk(isStale({ createdAtMs: 0 }, limits.deliveryAgeMsMax - 1))
  t.ok(isStale({ createdAtMs: 0 }, limits.deliveryAgeMsMax))
})
