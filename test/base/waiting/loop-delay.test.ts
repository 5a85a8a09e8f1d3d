// How late the event loop is.
import t from 'tap'
import { measureLoopDelay } from '../../../src/base/waiting/loop-delay.ts'
import { until } from '../../support/until.ts'

const blockedMs = 300
/** Several samples are taken in it. */
const samplesMs = 200

t.test('a loop that was blocked is late once, and then no more', async (t) => {
  const delay = measureLoopDelay()
  t.teardown(delay.stop)
  t.equal(delay.takeP99Ms(), 0, 'nothing was measured yet')
  const passed = (ms: number) => {
    const fromMs = Date.now()
    return until(() => Date.now() - fromMs > ms)
  }
  await passed(samplesMs)
  const untilMs = Date.now() + blockedMs
  while (Date.now() < untilMs);
  await passed(samplesMs)
  t.ok(delay.takeP99Ms() > blockedMs / 2)
  await until(async () => {
    await passed(samplesMs)
    return delay.takeP99Ms() < blockedMs / 2
  })
})
