// Chinese: the forms that numbers take.
import t from 'tap'
import { zh } from '../../../src/channels/words/zh.ts'

t.test('numbers are set off by spaces and change nothing else', async (t) => {
  t.equal(zh.certificateExpires('Shop', 0), 'Shop 的证书还有不到一天到期')
  t.equal(zh.certificateExpires('Shop', 1), 'Shop 的证书还有 1 天到期')
  t.equal(zh.domainExpires('shop.test', 7), '域名 shop.test 还有 7 天到期')
  t.equal(zh.incidentsOpened(1), '新增 1 个事件')
  t.equal(zh.incidentsResolved(12), '12 个事件已恢复')
  t.equal(zh.more(3), '另外 3 个')
})
