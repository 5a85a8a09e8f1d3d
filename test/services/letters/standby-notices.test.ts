// The operator hears once that no standby has everything, and once that one has it again.
import t, { type Test } from 'tap'
import { silentLog } from '../../../src/base/log/log.ts'
import type { ClusterView } from '../../../src/domain/standby/members.ts'
import { startStandbyNotices } from '../../../src/services/letters/standby-notices.ts'
import { openAccess } from '../../support/access.ts'
import { settle } from '../../support/temp-store.ts'

const minuteMs = 60_000

async function open(t: Test) {
  const { store, clock, enrol } = openAccess(t)
  const { user } = await enrol('bob')
  await store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true }))
  const told: string[] = []
  const letters: string[] = []
  const world = { inStep: false, isAlone: false }
  const view = (): ClusterView | null => {
    if (world.isAlone) return null
    const own = { name: 'one', version: '1.2.3', address: null, heardAtMs: clock.nowMs() }
    const well = { behind: 0, isInStep: true, behindSinceMs: null }
    const standby = { ...own, name: 'two', role: 'standby', isThis: false, ...well } as const
    const behindSinceMs = clock.nowMs()
    return {
      epoch: 1,
      members: [
        { ...own, ...well, role: 'leader', isThis: true },
        world.inStep ? standby : { ...standby, isInStep: false, behindSinceMs },
      ],
    }
  }
  const start = () =>
    startStandbyNotices({
      ...{ store, clock, log: silentLog, clusterView: view, baseUrl: 'https://up.example.com' },
      mailer: { enqueue: (_tx, to, { subject }) => void letters.push(`${to}: ${subject}`) },
      systemNotices: {
        tell: (_tx, { kind, title, text, isOver }) =>
          void told.push(`${kind} ${isOver}: ${title}. ${text}`),
      },
    })
  let notices = start()
  t.teardown(() => notices.stop())
  return {
    ...{ world, told, letters },
    restart() {
      notices.stop()
      notices = start()
    },
    async pass(minutes: number) {
      for (let gone = 0; gone < minutes; gone += 1) {
        await clock.advance(minuteMs)
        await settle()
      }
    },
  }
}

t.test('a standby that is away for ten minutes is told once, and its return', async (t) => {
  const { world, told, letters, pass, restart } = await open(t)
  world.inStep = true
  await pass(2)
  world.inStep = false
  await pass(9)
  t.same(told, [], 'a restart of the other machine is no news')
  await pass(3)
  t.match(told, [
    /^standby false: No standby is in step\. https:\/\/up\.example\.com has been without .* since .* See whether /,
  ])
  t.match(letters, [/^bob@.*: No standby is in step$/])
  restart()
  await pass(30)
  t.equal(told.length, 1, 'also after a restart')
  world.inStep = true
  await pass(5)
  t.match(told.slice(1), [/^standby true: A standby is in step again\. /])
  t.equal(letters.length, 2)
})

t.test('one that was lost while the daemon did not run is missed', async (t) => {
  const { world, told, pass, restart } = await open(t)
  world.inStep = true
  await pass(1)
  world.inStep = false
  restart()
  await pass(12)
  t.equal(told.length, 1)
})

t.test('nothing is told where none has ever followed, or the daemon is alone', async (t) => {
  const { world, told, pass, restart } = await open(t)
  await pass(60)
  world.inStep = true
  await pass(1)
  world.isAlone = true
  restart()
  await pass(60)
  t.same(told, [])
})
