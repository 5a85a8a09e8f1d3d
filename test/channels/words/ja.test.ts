// Japanese: the forms that numbers take.
import t from 'tap'
import { ja } from '../../../src/channels/words/ja.ts'

t.test('numbers take a counter and change nothing else', async (t) => {
  t.equal(ja.certificateExpires('Shop', 0), 'Shop の証明書は1日以内に期限切れになります')
  t.equal(ja.certificateExpires('Shop', 1), 'Shop の証明書はあと1日で期限切れになります')
  t.equal(ja.domainExpires('shop.test', 7), 'ドメイン shop.test はあと7日で期限切れになります')
  t.equal(ja.incidentsOpened(1), '1件のインシデントが発生しました')
  t.equal(ja.incidentsResolved(12), '12件のインシデントが解決しました')
  t.equal(ja.more(3), '他3件')
})
