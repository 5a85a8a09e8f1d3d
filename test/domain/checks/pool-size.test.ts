// How many threads make checks.
import t from 'tap'
import { poolSize } from '../../../src/domain/checks/pool-size.ts'

t.test('threads are started where they pay, or as many as are wanted', async (t) => {
  t.equal(poolSize('auto', 8, 199), 0, 'few monitors need none')
  t.equal(poolSize('auto', 2, 5_000), 0, 'on two cores they take from the main thread')
  t.equal(poolSize('auto', 8, 200), 7)
  t.equal(poolSize('auto', 64, 5_000), 16)
  t.equal(poolSize(2, 1, 0), 2)
  t.equal(poolSize(0, 64, 5_000), 0)
})
