// Whole fleets whose network is cut in one way or another: what is announced, and what is not.
import t, { type Test } from 'tap'
import { type Episode, startObserver } from '../../src/actors/observer.ts'
import type { Doubt } from '../../src/domain/checks/observer.ts'
import type { Monitor } from '../../src/domain/monitors/monitor.ts'
import { shownMonitorState } from '../../src/domain/monitors/monitor-state.ts'
import { monitorNo } from '../support/make-page.ts'
import { failedBy, good, type Seen, startMonitorWorld } from '../support/monitor-world.ts'

const minuteMs = 60_000

/** Targets by number: every third speaks IPv6 only, the last ten are really down. */
async function start(t: Test, size: number, isReallyDown = (_number: number) => false) {
  const world = startMonitorWorld(t, { inMemory: true, gate: { total: 10_000, perKey: 10_000 } })
  const { clock, log } = world
  await world.addChannel()
  const network = { ipv4: true, ipv6: true, dns: true }
  const episodes: Episode[] = []
  const observer = startObserver({
    clock,
    log,
    isPublic: () => true,
    isRunning: () => true,
    onLong() {},
    isDown: (monitor) => world.monitorState(monitor).health.state === 'down',
    async look() {
      const { ipv4, ipv6, dns } = network
      const sentinels = [
        { version: 'ipv4', answers: ipv4, isProven: true },
        { version: 'ipv6', answers: ipv6, isProven: true },
      ] as const
      return {
        sentinels,
        names: { answers: dns, isProven: true, hasAnsweredOthers: true },
      }
    },
    onBack(episode, held) {
      episodes.push(episode)
      world.fleet.checkSoon(held)
    },
  })
  t.teardown(() => observer.stop())
  const numbers = Array.from({ length: size }, (_, index) => index + 1)
  const numberOf = new Map(numbers.map((number) => [monitorNo(number), number]))

  function seen(number: number): Seen & { doubt?: Doubt } {
    const version = number % 3 === 0 ? 'ipv6' : 'ipv4'
    if (!network.dns) return { ...failedBy('dns', 'no answer'), doubt: 'dns' }
    if (!network[version]) return { ...failedBy('timeout', 'no answer'), doubt: version }
    return isReallyDown(number) ? { ...failedBy('timeout', 'no answer'), doubt: version } : good
  }
  world.answer = async (monitor) => {
    const reading = {
      atMs: clock.nowMs(),
      durationMs: 100,
      result: 'good',
      ...seen(numberOf.get(monitor.id) ?? 0),
    } as const
    return observer.believe(reading, monitor)
  }
  const monitors: Monitor[] = []
  for (const number of numbers) {
    const pace = { intervalSeconds: number % 2 === 0 ? 60 : 300, failureThreshold: 2 }
    monitors.push(
      await world.add({ id: monitorNo(number), url: `https://h${number}.test/`, ...pace }),
    )
  }
  for (const monitor of monitors) world.fleet.start(monitor, 'start', world.monitorState(monitor))
  await world.run(6 * minuteMs)
  const states = () => {
    const counts: Record<string, number> = {}
    for (const monitor of monitors) {
      const state = shownMonitorState(world.monitorState(monitor))
      counts[state] = (counts[state] ?? 0) + 1
    }
    return counts
  }
  return { world, network, episodes, states, monitors }
}

t.test('a network cut of five minutes opens nothing, and all are up soon after', async (t) => {
  const { world, network, episodes, states, monitors } = await start(t, 120)
  t.same(states(), { up: 120 })
  Object.assign(network, { ipv4: false, ipv6: false, dns: false })
  await world.run(5 * minuteMs)
  t.same(states(), { unknown: 120 })
  Object.assign(network, { ipv4: true, ipv6: true, dns: true })
  await world.run(minuteMs)
  t.same(states(), { up: 120 })
  t.same(world.incidents(), [])
  t.equal(episodes.length, 1)
  t.equal(episodes[0]?.heldMonitors, 120)
  const tallies = monitors.map((monitor) => world.monitorState(monitor).tally)
  t.ok(tallies.every(({ downMs }) => downMs === 0))
  t.ok(
    tallies.every(({ excludedMs }) => excludedMs >= 4 * minuteMs),
    'in nobody’s uptime',
  )
})

t.test('a whole organization that is really down is announced as usual', async (t) => {
  const { world, states } = await start(t, 60, () => true)
  await world.run(3 * minuteMs)
  t.same(states(), { down: 60 })
  t.equal(world.incidents().length, 60)
})

t.test('without IPv6 only what needs it is unknown; without name servers every name', async (t) => {
  const { world, network, states } = await start(t, 60)
  network.ipv6 = false
  await world.run(6 * minuteMs)
  t.same(states(), { up: 40, unknown: 20 })
  network.ipv6 = true
  await world.run(minuteMs)
  t.same(states(), { up: 60 })
  network.dns = false
  await world.run(6 * minuteMs)
  t.same(states(), { unknown: 60 })
  network.dns = true
  await world.run(minuteMs)
  t.same(states(), { up: 60 })
  t.same(world.incidents(), [])
})

t.test('monitors that went down during the cut are announced after it, no others', async (t) => {
  const down = new Set<number>()
  const { world, network, states } = await start(t, 60, (number) => down.has(number))
  Object.assign(network, { ipv4: false, ipv6: false })
  await world.run(minuteMs)
  for (const number of [2, 4, 6]) down.add(number)
  await world.run(4 * minuteMs)
  t.same(world.incidents(), [])
  Object.assign(network, { ipv4: true, ipv6: true })
  await world.run(2 * minuteMs)
  t.same(states(), { up: 57, down: 3 })
  t.same(
    world
      .incidents()
      .flatMap(({ monitorIds }) => monitorIds)
      .toSorted(),
    [2, 4, 6].map(monitorNo),
  )
})
