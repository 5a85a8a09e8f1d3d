// Tasks by hand: the answer comes with the end of the run, or says that it still runs.
import t, { type Test } from 'tap'
import { startTasks } from '../../../src/actors/tasks/tasks.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import { createAudit } from '../../../src/services/audit.ts'
import { createSystemTasks, taskWaitMs } from '../../../src/services/system/system-tasks.ts'
import { callerOf } from '../../support/access.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

const operator = callerOf({ kind: 'system' })

function open(t: Test, run: () => Promise<string | undefined>) {
  const { store, clock } = openTempStore(t)
  const tasks = startTasks({ store, clock, log: silentLog }, [
    { name: 'one', intervalMs: 3_600_000, run },
    { name: 'two', intervalMs: 3_600_000, run: async () => undefined },
    { name: 'three', intervalMs: 3_600_000, run: async () => undefined },
  ])
  t.teardown(() => tasks.stop())
  const audit = createAudit({ store, clock })
  return { store, clock, system: createSystemTasks({ store, clock, audit, tasks }) }
}

t.test('a short task has ended when the response comes, even if it failed', async (t) => {
  let isBroken = false
  const { store, system } = open(t, async () => {
    if (isBroken) throw new Error('no')
    return 'swept'
  })
  const ran = await settled(store, system.run(operator, 'one'))
  t.match(ran, { isRunning: false, lastOutcome: 'done', lastDetail: 'swept' })
  isBroken = true
  const again = await settled(store, system.run(operator, 'one'))
  t.match(again, { isRunning: false, lastOutcome: 'failed', lastDetail: 'no' })
  await t.rejects(system.run(operator, 'four'), { code: 'not_found' })
  t.match(store.audit.list('system', 10), [
    { action: 'task.started', detail: 'one' },
    { action: 'task.started', detail: 'one' },
  ])
})

t.test('nobody waits for a long task beyond the limit', async (t) => {
  let release = () => {}
  const { store, clock, system } = open(t, async () => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return 'at last'
  })
  const asked = system.run(operator, 'one')
  await store.flush()
  await clock.advance(taskWaitMs)
  t.match(await settled(store, asked), { isRunning: true, lastOutcome: null })
  release()
  await settled(store, store.flush())
  t.match(system.list({ limit: 1 }).items[0], { isRunning: false, lastDetail: 'at last' })
})

t.test('the list comes in pages too', async (t) => {
  const { system } = open(t, async () => undefined)
  const first = system.list({ limit: 2 })
  const second = system.list({ limit: 2, after: first.nextAfter ?? '' })
  t.same(
    [...first.items, ...second.items].map(({ name }) => name),
    ['one', 'two', 'three'],
  )
  t.equal(second.nextAfter, undefined)
})
