// Arabic: the forms that numbers take.
import t from 'tap'
import { ar } from '../../../src/channels/words/ar.ts'

t.test('one, two, a few, many, and hundreds of a thing', async (t) => {
  t.equal(
    ar.domainExpires('shop.test', 0),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال أقل من يوم',
  )
  t.equal(
    ar.domainExpires('shop.test', 1),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال يوم واحد',
  )
  t.equal(ar.domainExpires('shop.test', 2), 'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال يومين')
  t.equal(ar.domainExpires('shop.test', 7), 'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال 7 أيام')
  t.equal(
    ar.domainExpires('shop.test', 14),
    'تنتهي صلاحية النطاق \u2068shop.test\u2069 خلال 14 يومًا',
  )
  t.equal(ar.incidentsOpened(1), 'تم فتح حادث واحد')
  t.equal(ar.incidentsOpened(2), 'تم فتح حادثين')
  t.equal(ar.incidentsOpened(3), 'تم فتح 3 حوادث')
  t.equal(ar.incidentsOpened(11), 'تم فتح 11 حادثًا')
  t.equal(ar.incidentsOpened(100), 'تم فتح 100 حادث')
  t.equal(ar.incidentsResolved(103), 'تم حل 103 حوادث')
  t.equal(ar.more(2), 'اثنان آخران')
})

t.test('a name in another script keeps its order', async (t) => {
  t.equal(ar.isDown('Shop <1>'), 'انقطاع في \u2068Shop <1>\u2069')
})
