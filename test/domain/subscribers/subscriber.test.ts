// Subscribers: what concerns them, and when one is given up.
import t from 'tap'
import type { PageId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  addressMark,
  concerns,
  confirmedSubscriber,
  goneSubscriber,
  mayConfirm,
  subscriberGoneMax,
} from '../../../src/domain/subscribers/subscriber.ts'
import { makeSubscriber } from '../../support/make-subscriber.ts'

const subscriber = makeSubscriber()

t.test('the chosen sections decide; those that the page lost do not silence it', async (t) => {
  const sections = [{ name: 'A' }, { name: 'B' }]
  const told = (chosen: string[], of: string[] | null) =>
    concerns({ sectionNames: chosen }, of, sections)
  t.ok(told([], ['A']))
  t.ok(told(['A'], ['A', 'B']))
  t.notOk(told(['A'], ['B']))
  t.notOk(told(['A'], []), 'of a monitor in no section')
  t.ok(told(['A'], null), 'of the whole page')
  t.ok(told(['Renamed'], ['B']), 'rather everything than nothing')
  t.notOk(told(['Renamed', 'A'], ['B']))
})

t.test('a link confirms for a day; a receiver that is gone ends the subscription', async (t) => {
  t.ok(mayConfirm(subscriber, limits.subscriptionLinkMs - 1))
  t.notOk(mayConfirm(subscriber, limits.subscriptionLinkMs))
  let active = confirmedSubscriber(subscriber, 5)
  t.match(active, { state: 'active', confirmedAtMs: 5 })
  t.equal(confirmedSubscriber(active, 9).confirmedAtMs, 5)
  for (let count = 1; count < subscriberGoneMax; count += 1) {
    active = goneSubscriber(active, false)
    t.equal(active.state, 'active')
  }
  t.match(goneSubscriber(active, false), { state: 'failed' })
  t.match(goneSubscriber(confirmedSubscriber(subscriber, 5), true), { state: 'failed' })
  t.match(confirmedSubscriber({ ...active, state: 'failed' }, 10), { state: 'active', gone: 0 })
})

t.test('an address has one mark for each page and kind', async (t) => {
  const { pageId } = subscriber
  const other = 'pag_01k0000000000000000000000b' as PageId
  const mark = addressMark(pageId, 'email', 'ann@reader.test')
  t.equal(addressMark(pageId, 'email', 'ann@reader.test'), mark)
  t.not(addressMark(pageId, 'slack', 'ann@reader.test'), mark)
  t.not(addressMark(other, 'email', 'ann@reader.test'), mark)
  t.notMatch(mark, 'ann')
})
