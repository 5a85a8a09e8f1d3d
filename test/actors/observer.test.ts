// The observer: which failures are believed, when it looks, and what follows once it sees again.
import t from 'tap'
import { type Episode, startObserver } from '../../src/actors/observer.ts'
import type { MonitorId } from '../../src/base/ids.ts'
import type { Doubt, SentinelReport } from '../../src/domain/checks/observer.ts'
import type { Reading } from '../../src/domain/checks/reading.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { type Logged, recordingLog } from '../support/http.ts'
import { makeMonitor, monitorNo } from '../support/make-page.ts'

const minuteMs = 60_000
const failed = (doubt?: Doubt): Reading => ({
  atMs: 0,
  durationMs: 10,
  result: 'failed',
  error: { kind: 'timeout', message: 'not finished within 10 ms' },
  ...(doubt && { doubt }),
})

function start(t: { teardown(fn: () => void): void }) {
  const clock = new FakeClock()
  const logged: Logged[] = []
  const world = {
    clock,
    logged,
    looks: 0,
    onLook: () => {},
    down: undefined as MonitorId | undefined,
    paused: undefined as MonitorId | undefined,
    isUp: { ipv4: true, ipv6: true, dns: true },
    // The name servers are up, or were.
    heard: { isProven: true, hasAnsweredOthers: true },
    backs: [] as { episode: Episode; held: readonly MonitorId[] }[],
    longs: [] as Episode[],
  }
  const observer = startObserver({
    clock,
    log: recordingLog(logged),
    async look(): Promise<SentinelReport> {
      world.looks += 1
      world.onLook()
      const { ipv4, ipv6, dns } = world.isUp
      const sentinels = [
        { version: 'ipv4', answers: ipv4, isProven: true },
        { version: 'ipv6', answers: ipv6, isProven: true },
      ] as const
      const names = { answers: dns, ...world.heard }
      return { sentinels, names }
    },
    isPublic: (address) => !address.startsWith('10.'),
    isDown: ({ id }) => world.down === id,
    // A trial has an id of its own.
    isRunning: (id) => id !== monitorNo(99) && id !== world.paused,
    onBack: (episode, held) => world.backs.push({ episode, held }),
    onLong: (episode) => world.longs.push(episode),
  })
  t.teardown(() => observer.stop())
  const believe = async (reading: Reading, number = 1) =>
    observer.believe(reading, makeMonitor({ id: monitorNo(number) }))
  return { ...world, world, observer, believe }
}

t.test('a failure counts while the sentinels answer', async (t) => {
  const { clock, world, believe } = start(t)
  await clock.advance(5_000)
  const reading = failed('ipv4')
  t.equal(await believe(reading), reading)
  t.equal(world.looks, 2, 'one at the start, one for this failure')
  t.equal(await believe(failed()).then(({ result }) => result), 'failed')
  t.equal(world.looks, 2, 'a target that answered with a refusal needs no look')
  await clock.advance(5_000)
  world.down = monitorNo(1)
  await believe(failed('ipv4'))
  t.equal(world.looks, 2, 'nor does one that is down already')
  await Promise.all(Array.from({ length: 50 }, (_, n) => believe(failed('dns'), n)))
  t.equal(world.looks, 3, 'one look for all who ask in the same moment')
})

t.test('targets are not judged while our own network is down', async (t) => {
  const { clock, world, believe, observer } = start(t)
  await clock.advance(5_000)
  world.isUp = { ipv4: false, ipv6: true, dns: false }
  t.match(await believe(failed('ipv4')), {
    result: 'unknown',
    error: { kind: 'timeout', message: /network of this machine.*IPv4/ },
  })
  t.equal((await believe(failed('dns'))).result, 'unknown')
  t.equal((await believe(failed('dns'), 99)).result, 'unknown', 'a trial is told the same')
  t.equal((await believe(failed('ipv6'))).result, 'failed', 'what works is believed')
  t.equal((await believe(failed())).result, 'failed', 'as is whoever answered')
  t.equal((await believe({ ...failed(), result: 'good' })).result, 'good')
  t.same(observer.lost(), ['ipv4', 'dns'])
  t.ok(await observer.isCutOff())

  const before = world.looks
  await clock.advance(minuteMs)
  t.equal(world.looks - before, 12, 'it looks often while something is lost')
  world.isUp = { ipv4: true, ipv6: true, dns: true }
  await clock.advance(5_000)
  t.equal((await believe(failed('ipv4'), 2)).result, 'unknown', 'one good look is not enough')
  t.same(world.backs, [])
  await clock.advance(5_000)
  t.equal((await believe(failed('ipv4'))).result, 'failed')
  t.equal(world.backs.length, 1, 'it is told once')
  t.same(world.backs[0]?.held, [monitorNo(1), monitorNo(2)], 'those have to be looked at anew')
  t.match(world.backs[0]?.episode, {
    capabilities: ['ipv4', 'dns'],
    heldMonitors: 2,
    wasCutOff: true,
  })
  const { fromMs = 0, toMs } = world.backs[0]?.episode ?? {}
  t.equal(Number(toMs) - fromMs, minuteMs + 10_000)
  t.equal(observer.episode(), undefined)
  t.same(
    world.logged.map((entry) => entry.message),
    [
      'sentinels checked',
      'the local network is failing: failures that this explains are ignored',
      'the local network works again',
    ],
  )
})

t.test('a loss is noticed before any check fails', async (t) => {
  const { clock, world, observer } = start(t)
  await clock.advance(1_000)
  world.isUp = { ipv4: false, ipv6: false, dns: false }
  await clock.advance(minuteMs)
  t.same(observer.lost(), ['ipv4', 'ipv6', 'dns'])
})

t.test('good checks in many networks outweigh silent sentinels', async (t) => {
  const { clock, world, observer, believe } = start(t)
  await clock.advance(1_000)
  world.isUp = { ipv4: false, ipv6: true, dns: true }
  await believe(failed('ipv4'))
  t.same(observer.lost(), ['ipv4'])
  const good = (address: string): Reading => ({
    atMs: 0,
    durationMs: 1,
    result: 'good',
    address,
  })
  const rounds = async (addresses: readonly string[]) => {
    for (let round = 0; round < 3; round += 1) {
      for (const address of addresses) await believe(good(address))
      await clock.advance(5_000)
    }
  }
  await rounds(['192.0.2.1', '192.0.2.2', '192.0.77.1'])
  t.same(observer.lost(), ['ipv4'], 'one network may be a neighbour of ours')
  await rounds(['10.1.0.1', '10.2.0.1', '10.3.0.1'])
  t.same(observer.lost(), ['ipv4'], 'private ones say nothing of the internet')
  await rounds(['192.0.2.1', '198.51.100.1', '203.0.113.1'])
  t.same(observer.lost(), [], 'the sentinels have been taken down, not the network')
})

t.test('name servers that never answered get some time, then count', async (t) => {
  const { clock, world, observer, believe } = start(t)
  world.isUp.dns = false
  world.heard = { isProven: false, hasAnsweredOthers: false }
  await clock.advance(minuteMs)
  t.match(await believe(failed('dns')), {
    result: 'unknown',
    error: { message: /name servers of this machine have not answered for any name so far/ },
  })
  t.equal((await believe(failed('ipv4'))).result, 'failed', 'addresses need no name servers')
  await clock.advance(2 * minuteMs)
  t.equal((await believe(failed('dns'))).result, 'failed')
  t.same(observer.lost(), [])
  t.same(
    world.logged.map(({ message }) => message),
    ['sentinels checked'],
    'nobody says that our network fails',
  )
})

t.test('once name servers answered for any name, failures of other names count', async (t) => {
  const { clock, world, believe } = start(t)
  world.isUp.dns = false
  world.heard = { isProven: false, hasAnsweredOthers: false }
  await clock.advance(10_000)
  t.equal((await believe(failed('dns'))).result, 'unknown')
  world.heard = { isProven: false, hasAnsweredOthers: true }
  await clock.advance(10_000)
  t.equal((await believe(failed('dns'))).result, 'failed')
})

t.test('the operator is notified once when it lasts too long to be true', async (t) => {
  const { clock, world } = start(t)
  await clock.advance(1_000)
  world.isUp = { ipv4: false, ipv6: true, dns: true }
  await clock.advance(59 * minuteMs)
  t.same(world.longs, [])
  await clock.advance(120 * minuteMs)
  t.equal(world.longs.length, 1)
  t.match(world.longs[0], { toMs: null, capabilities: ['ipv4'] })
})

t.test('sentinels that look silent because we stood still are checked again', async (t) => {
  const { clock, world, observer } = start(t)
  await clock.advance(1_000)
  const { isUp } = world
  world.isUp = { ipv4: false, ipv6: false, dns: false }
  world.onLook = () => {
    if (world.looks < 4) clock.stall(3_000)
    else world.isUp = isUp
  }
  await clock.advance(minuteMs)
  t.equal(world.looks, 4)
  t.same(observer.lost(), [])
  world.isUp = { ipv4: false, ipv6: false, dns: false }
  world.onLook = () => clock.stall(3_000)
  await clock.advance(2 * minuteMs)
  t.same(observer.lost(), ['ipv4', 'ipv6', 'dns'], 'but not for ever')
})

t.test('senders still reach us while only name resolution fails', async (t) => {
  const { clock, world, observer } = start(t)
  await clock.advance(1_000)
  world.isUp = { ipv4: true, ipv6: true, dns: false }
  t.notOk(await observer.isCutOff())
  await clock.advance(minuteMs)
  world.isUp = { ipv4: true, ipv6: true, dns: true }
  await clock.advance(minuteMs)
  t.match(world.backs, [{ episode: { capabilities: ['dns'], wasCutOff: false } }])
})

t.test('a clock that is set meanwhile changes no duration', async (t) => {
  const { clock, world } = start(t)
  await clock.advance(1_000)
  world.isUp = { ipv4: false, ipv6: true, dns: true }
  await clock.advance(minuteMs)
  clock.jump(2 * 3_600_000)
  await clock.advance(minuteMs)
  t.same(world.longs, [], 'it has not lasted for hours')
  clock.jump(-5 * 3_600_000)
  world.isUp = { ipv4: true, ipv6: true, dns: true }
  await clock.advance(minuteMs)
  const { lengthMs = 0 } = world.backs[0]?.episode ?? {}
  t.ok(lengthMs > minuteMs && lengthMs < 3 * minuteMs, `${lengthMs} ms`)
})

t.test(
  'the notice counts every monitor whose checks could not be made, and no other',
  async (t) => {
    const { clock, world, believe } = start(t)
    await clock.advance(1_000)
    world.isUp = { ipv4: false, ipv6: false, dns: false }
    await believe(failed('ipv4'), 1)
    const error = { kind: 'connect', message: 'this machine has no route to the target' } as const
    const noRoute: Reading = { atMs: 0, durationMs: 1, result: 'unknown', error }
    const sealed: Reading = { ...noRoute, error: { kind: 'blocked', message: 'not decrypted' } }
    t.equal((await believe(noRoute, 2)).result, 'unknown')
    await believe(noRoute, 3)
    await believe(sealed, 4)
    await believe(noRoute, 99)
    world.paused = monitorNo(3)
    world.isUp = { ipv4: true, ipv6: true, dns: true }
    await clock.advance(minuteMs)
    t.match(world.backs, [{ episode: { heldMonitors: 2 }, held: [monitorNo(1), monitorNo(2)] }])
    await believe(noRoute, 2)
    await clock.advance(minuteMs)
    t.equal(world.backs.length, 1, 'without an episode nobody is told')
  },
)

t.test('it stops', async (t) => {
  const { clock, world, observer } = start(t)
  await clock.advance(1_000)
  observer.stop()
  await clock.advance(10 * minuteMs)
  t.equal(world.looks, 1)
  t.equal(clock.pending, 0)
})
