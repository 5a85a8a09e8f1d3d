// The budget for the data: it is measured again and again, and each step is told once.
import t from 'tap'
import { sizeCheckMs, startSizeGuard } from '../../src/store/size.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { type Logged, recordingLog } from '../support/http.ts'

const MiB = 1024 ** 2

t.test('each step is logged and told once, and only the last refuses', async (t) => {
  const clock = new FakeClock()
  const logged: Logged[] = []
  let usedBytes = 10 * MiB
  const guard = startSizeGuard({
    clock,
    log: recordingLog(logged),
    bytesMax: 100 * MiB,
    measure: () => ({ usedBytes, freeBytes: 0 }),
  })
  const heard: string[] = []
  guard.listen((state, bytes) => heard.push(`${state} ${bytes / MiB}`))
  for (const now of [79, 80, 85, 90, 100, 95, 10]) {
    usedBytes = now * MiB
    await clock.advance(sizeCheckMs)
    t.equal(guard.mayStore(), now < 100)
    t.equal(guard.mustTrim(), now >= 90)
  }
  t.same(heard, ['ok 10', 'large 80', 'trimmed 90', 'full 100', 'trimmed 95', 'ok 10'])
  t.equal(logged.length, 5)
  t.match(logged[0], { fields: { state: 'large', usedMiB: 80, maxMiB: 100 } })
  guard.stop()
  t.equal(clock.pending, 0)
})

t.test('without a budget nothing is measured', async (t) => {
  const clock = new FakeClock()
  const guard = startSizeGuard({
    clock,
    log: recordingLog([]),
    bytesMax: 0,
    measure: () => t.fail('measured') as never,
  })
  t.same([guard.state(), guard.mayStore(), guard.mustTrim()], ['ok', true, false])
  t.equal(clock.pending, 0)
})
