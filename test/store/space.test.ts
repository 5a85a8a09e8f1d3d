// The free-space guard: creates stop before the disk is full.
import t from 'tap'
import { createLog } from '../../src/base/log/log.ts'
import { judgeSpace, needSpace, type Space, startSpaceGuard } from '../../src/store/space.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { testFolder } from '../support/test-folder.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3

t.test('under 512 MiB or 5 % is low, under 128 MiB is full', async (t) => {
  const judge = (freeBytes: number, totalBytes: number) => judgeSpace({ freeBytes, totalBytes })
  t.equal(judge(512 * MiB, 4 * GiB), 'ok')
  t.equal(judge(511 * MiB, 4 * GiB), 'low')
  t.equal(judge(4 * GiB, 100 * GiB), 'low')
  t.equal(judge(5 * GiB, 100 * GiB), 'ok')
  t.equal(judge(128 * MiB, 4 * GiB), 'low')
  t.equal(judge(127 * MiB, 4 * GiB), 'full')
})

t.test('the guard measures at start and every five seconds, and reports changes', async (t) => {
  const clock = new FakeClock()
  const lines: string[] = []
  let space: Space | Error = { freeBytes: 10 * GiB, totalBytes: 20 * GiB }
  const guard = await startSpaceGuard({
    dir: '/data',
    clock,
    log: createLog({ level: 'info', format: 'json', write: (line) => lines.push(line) }),
    measure: async () => {
      if (space instanceof Error) throw space
      return space
    },
  })
  t.ok(guard.mayStore())
  const heard: string[] = []
  guard.listen((state) => heard.push(state))
  space = { freeBytes: 300 * MiB, totalBytes: 20 * GiB }
  await clock.advance(4_999)
  t.equal(guard.state(), 'ok')
  await clock.advance(1)
  t.equal(guard.state(), 'low')
  t.ok(guard.mayStore(), 'low is a warning')
  space = { freeBytes: 100 * MiB, totalBytes: 20 * GiB }
  await clock.advance(15_000)
  t.notOk(guard.mayStore())
  space = new Error('EIO')
  await clock.advance(5_000)
  t.notOk(guard.mayStore(), 'a disk that cannot be asked changes nothing')
  space = { freeBytes: 10 * GiB, totalBytes: 20 * GiB }
  await clock.advance(5_000)
  t.ok(guard.mayStore())
  t.same(heard, ['ok', 'low', 'full', 'ok'], 'a listener hears the present state first')
  t.match(lines.join(''), /nothing new is stored[\s\S]*has space again/)
  guard.stop()
  t.equal(clock.pending, 0)
})

t.test('a real disk is measured', async (t) => {
  const clock = new FakeClock()
  const lines: string[] = []
  const log = createLog({ level: 'error', format: 'json', write: (line) => lines.push(line) })
  const guard = await startSpaceGuard({ dir: testFolder(t), clock, log })
  t.match(guard.state(), /ok|low|full/)
  t.notMatch(lines.join(''), /cannot read/)
  guard.stop()
})

t.test('without space the daemon does not start, and names the directory', async (t) => {
  const measured: string[] = []
  const withFree = (freeBytes: number) => async (dir: string) => {
    measured.push(dir)
    return { freeBytes, totalBytes: GiB }
  }
  const dir = testFolder(t)
  const missing = `${dir}/not/yet/there`
  await needSpace(missing, withFree(MiB))
  await t.rejects(needSpace(missing, withFree(MiB - 1)), {
    name: 'StartFailure',
    exitCode: 74,
    message: `the disk of the data directory ${missing} is full`,
    hint: /Free 128 MiB .* data\.dir/,
  })
  t.same(measured, [dir, dir], 'the disk on which it will be')
})
