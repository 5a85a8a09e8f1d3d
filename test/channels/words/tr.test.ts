// Turkish: the forms that numbers take.
import t from 'tap'
import { tr } from '../../../src/channels/words/tr.ts'

t.test('a noun stays singular after a number', async (t) => {
  t.equal(
    tr.certificateExpires('Shop', 0),
    'Shop: sertifikanın süresi bir günden kısa süre içinde doluyor',
  )
  t.equal(tr.certificateExpires('Shop', 1), 'Shop: sertifikanın süresi 1 gün içinde doluyor')
  t.equal(tr.domainExpires('shop.test', 7), 'shop.test: alan adının süresi 7 gün içinde doluyor')
  t.equal(tr.incidentsOpened(1), '1 olay açıldı')
  t.equal(tr.incidentsResolved(12), '12 olay çözüldü')
})
