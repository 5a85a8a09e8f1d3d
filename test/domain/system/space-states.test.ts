// When the size of the data is a matter for the operator.
import t from 'tap'
import { judgeSize } from '../../../src/domain/system/space-states.ts'

t.test('a budget warns at 80 %, drops results at 90 % and is used up at 100 %', async (t) => {
  const judged = [0, 799, 800, 899, 900, 999, 1_000, 2_000].map((used) => judgeSize(used, 1_000))
  t.same(judged, ['ok', 'ok', 'large', 'large', 'trimmed', 'trimmed', 'full', 'full'])
})

t.test('without a budget every size is good', async (t) => {
  t.equal(judgeSize(2 ** 50, 0), 'ok')
})
