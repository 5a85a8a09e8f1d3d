// Which content codings a sender takes.
import t from 'tap'
import { codingsOf } from '../../../src/http/output/codings.ts'

t.test('a coding is taken if it is named and not refused', async (t) => {
  t.same(codingsOf(''), { gzip: false, br: false })
  t.same(codingsOf('gzip, deflate, br'), { gzip: true, br: true })
  t.same(codingsOf('GZIP;q=0.5, br;q=0'), { gzip: true, br: false })
  t.same(codingsOf('gzip;q=0.000'), { gzip: false, br: false })
  t.same(codingsOf('x-gzip'), { gzip: true, br: false })
  t.same(codingsOf('gzipped'), { gzip: false, br: false })
})
