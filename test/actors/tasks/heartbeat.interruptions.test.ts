// Times in which nobody looked, or in which the clock was set: no false alarm, nothing told twice, no
// recovery that nobody saw, and no uptime counted, to the second.
import t, { type Test } from 'tap'
import { loadFleet } from '../../../src/actors/monitor/load.ts'
import { startHeartbeat } from '../../../src/actors/tasks/heartbeat.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { createNewestDays } from '../../../src/services/checks/tally-memory.ts'
import { createPush } from '../../../src/services/monitors/push.ts'
import { leftOutOf } from '../../../src/store/left-out.ts'
import { monitorNo } from '../../support/make-page.ts'
import { addPush, noKeys } from '../../support/make-push.ts'
import {
  failed,
  good,
  type MonitorWorld,
  settled,
  startMonitorWorld,
} from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface Interruption {
  readonly what: string
  /** No time passes, so reports come as always. */
  readonly isInstant?: true
  readonly interrupt: (world: MonitorWorld, heartbeat: Heartbeat) => Promise<void>
}

type Heartbeat = ReturnType<typeof startHeartbeat>

const interruptions: readonly Interruption[] = [
  {
    what: 'ten minutes in which the process stood still',
    interrupt: async ({ clock }) => clock.stall(10 * minuteMs),
  },
  {
    what: 'two hours in which the daemon did not run',
    async interrupt(world, heartbeat) {
      const { store, clock, log } = world
      await world.fleet.drain()
      world.holds.stop()
      await settled(store, heartbeat.stop())
      clock.jump(2 * hourMs)
      const { gapMs } = startHeartbeat({ store, clock })
      world.fleet = world.newFleet()
      const { fleet } = world
      const isStopping = () => false
      const loading = loadFleet({ store, clock, log, fleet, gapMs, isStopping, onLoaded() {} })
      await settled(store, loading)
    },
  },
  {
    what: 'a clock that is set an hour forward',
    interrupt: async ({ clock }) => clock.jump(hourMs),
  },
  {
    what: 'a clock that is set an hour back',
    isInstant: true,
    interrupt: async ({ clock }) => clock.jump(-hourMs),
  },
]

async function begin(t: Test) {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store, clock } = world
  await world.addChannel()
  const heartbeat = startHeartbeat({ store, clock })
  const failing = new Set(['Ill', 'Healing'])
  world.answer = ({ name }) => (failing.has(name) ? failed : good)
  const monitors: Monitor[] = []
  for (const [at, name] of ['Well', 'Ill', 'Healing'].entries()) {
    const monitor = await world.add({ id: monitorNo(at + 1), name, intervalSeconds: 60 })
    world.fleet.start(monitor, 'created')
    monitors.push(monitor)
  }
  const { monitor: job, token } = await addPush(world, { id: monitorNo(9), name: 'Job' })
  monitors.push(job)
  const report = async () => {
    const { commit, fleet } = world
    const push = createPush(world, { commit, fleet, identity: noKeys })
    await settled(store, push.report(token, { status: 'ok' }))
  }
  const counted = () =>
    monitors.map((monitor) => {
      const state = world.monitorState(monitor)
      const days = createNewestDays(store.days, leftOutOf(store))(monitor, state, clock.nowMs())
      return days.reduce((sum, { upMs, downMs, degradedMs }) => sum + upMs + downMs + degradedMs, 0)
    })
  return { world, heartbeat, failing, report, counted }
}

for (const { what, interrupt, isInstant = false } of interruptions) {
  t.test(`${what}: nobody is alarmed, and the time counts in no uptime`, async (t) => {
    const { world, heartbeat, failing, report, counted } = await begin(t)
    for (let minute = 0; minute < 20; minute++) {
      if (minute % 5 === 0) await report()
      await world.run(minuteMs)
    }
    // A report is due now, and is lost with all that follow.
    t.same(world.events(), ['incident.opened', 'incident.opened'])
    const before = counted()
    failing.delete('Healing')
    await interrupt(world, heartbeat)
    const backAtMs = world.clock.nowMs()
    t.same(counted(), before, 'nothing counts of it')
    const open = () => world.incidents().filter(({ state }) => state === 'open').length
    t.equal(open(), 2, 'no recovery is assumed')
    if (isInstant) await report()

    await world.run(4 * minuteMs)
    await report()
    await world.run(4 * minuteMs)
    await report()
    await world.run(2 * minuteMs)
    // The time between the results around it is left out as well: nobody knows what was then.
    const unseenMs = isInstant ? [0, 0, 0, 0] : [minuteMs, minuteMs, minuteMs, 9 * minuteMs]
    t.same(
      counted().map((ms, at) => ms - (before[at] ?? 0)),
      unseenMs.map((ms) => 10 * minuteMs - ms),
      'what follows counts in full',
    )
    t.same(world.events(), ['incident.opened', 'incident.opened', 'incident.resolved'])
    const healed = world.incidents().find(({ state }) => state === 'resolved')
    t.match(healed?.title, /^Healing/)
    t.ok((healed?.resolvedAtMs ?? 0) >= backAtMs, 'by a check after it')
    t.equal(open(), 1, 'the other one is still down, and not told again')
  })
}
