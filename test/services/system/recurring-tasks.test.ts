// The recurring tasks: each works in slices until nothing is left, and says what it did.
import t from 'tap'
import { required } from '../../../src/base/assert.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { recurringTasks } from '../../../src/services/system/recurring-tasks.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

const full = limits.taskSliceRecords

/** Work that has this much left, and gives how much a slice did. */
function slices(...counts: number[]) {
  return async () => counts.shift() ?? 0
}

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  let takenUp = 0
  let stops = 0
  const tasks = recurringTasks({
    store,
    clock,
    log: silentLog,
    janitor: {
      round: async () => 7,
      stop: async () => {
        stops += 1
      },
    },
    outbox: { pending: () => 3 },
    reconciler: { round: async () => 2 },
    takeUpOwed: () => {
      takenUp += 1
    },
    invites: { sweep: slices(full, full, 2) },
    keyWarnings: { warnExpiring: slices(full, 1) },
    keyRights: { noteEnded: async ({ aborted }: AbortSignal) => (aborted ? 0 : 3) },
    kycKeeping: { expireOld: slices(4) },
    referrals: { settle: async () => 5 },
    shadowLetters: { round: async () => 2 },
    keepSpace: async () => '0 blocks of results dropped, 0 MiB reserved',
    domainKeeper: { round: async () => 3 },
    pageExports: { exportAll: async () => '1 of 2 pages written, 0 removed' },
    checkData: async () => '9 records read, 0 damaged',
  } as unknown as Parameters<typeof recurringTasks>[0])
  const run = (name: string, signal = new AbortController().signal) =>
    settled(
      store,
      required(
        tasks.find((task) => task.name === name),
        name,
      ).run(signal),
    )
  return { run, takenUp: () => takenUp, stops: () => stops, names: tasks.map(({ name }) => name) }
}

type Test = Parameters<typeof openTempStore>[0]

t.test('each task says what it did', async (t) => {
  const { run, takenUp, names } = open(t)
  t.same(names, [
    'retention',
    'audit',
    'outbox',
    'credentials',
    'identity',
    'referrals',
    'objectives',
    'imports',
    'domains',
    'subscribers',
    'exports',
    'integrity',
    'space',
    'consistency',
  ])
  t.equal(await run('consistency'), '2 repaired')
  t.equal(await run('imports'), '2 shadow runs told of')
  t.equal(await run('exports'), '1 of 2 pages written, 0 removed')
  t.equal(await run('retention'), '7 records removed')
  t.equal(await run('audit'), '0 entries removed')
  t.equal(await run('outbox'), '3 messages pending')
  t.equal(takenUp(), 1)
  t.equal(
    await run('credentials'),
    `${full + 4} keys looked after, ${2 * full + 2} invitations removed`,
  )
  t.equal(await run('identity'), '4 records ended or erased')
  t.match(await run('space'), /0 MiB reserved/)
  t.equal(await run('integrity'), '9 records read, 0 damaged')
  t.equal(await run('domains'), '3 domains checked')
  t.equal(await run('referrals'), '5 became active')
})

t.test('a stop ends a task after the slice in progress', async (t) => {
  const { run } = open(t)
  const stopping = new AbortController()
  stopping.abort()
  t.equal(
    await run('credentials', stopping.signal),
    `${full} keys looked after, ${full} invitations removed`,
  )
})
