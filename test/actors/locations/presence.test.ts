// Presence: who checks what at a location, and when it is silent.
import t from 'tap'
import {
  type Silence,
  silenceToldMs,
  startPresence,
} from '../../../src/actors/locations/presence.ts'
import type { LocationId, MonitorId, OrgId, ProbeId } from '../../../src/base/ids.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeMonitor } from '../../support/make-page.ts'

const orgId = 'org_01k00000000000000000000001' as OrgId
const locationId = 'loc_01k00000000000000000000001' as LocationId
const monitorNo = (no: number, more: Partial<Monitor> = {}) =>
  makeMonitor({
    id: `mon_01k00000000000000000000${String(no).padStart(3, '0')}` as MonitorId,
    intervalSeconds: 60,
    ...more,
  })
const probeNo = (no: number) => ({
  id: `prb_01k0000000000000000000000${no}` as ProbeId,
  orgId,
  locationId,
})
const [first, second] = [probeNo(1), probeNo(2)] as const
const hello = { version: '1.0.0', kinds: ['endpoint'] }
const load = { checks: 0, dropped: 0, lateMs: 0, monitors: 0 }

function openPresence(clock = new FakeClock()) {
  let monitors: readonly Monitor[] = Array.from({ length: 40 }, (_, no) => monitorNo(no))
  let tell: (locationId: LocationId, isAsk: boolean) => void = () => {}
  const told: [what: 'silent' | 'back', silence: Silence][] = []
  const presence = startPresence({
    clock,
    placements: {
      at: (id) => new Map(id === locationId ? monitors.map((one) => [one.id, one]) : []),
      listen(listener) {
        tell = listener
        return 1
      },
    },
    onSilent: (silence) => told.push(['silent', silence]),
    onBack: (silence) => told.push(['back', silence]),
  })
  const sizeOf = (probe: typeof first) => presence.shareOf(probe).monitors.size
  return {
    clock,
    presence,
    told,
    sizes: () => [sizeOf(first), sizeOf(second)],
    set(next: readonly Monitor[]) {
      monitors = next
      tell(locationId, false)
    },
    ask: () => tell(locationId, true),
    /** Both poll and deliver every 10 s for so long, unless left out. */
    async live(ms: number, ...probes: readonly (typeof first)[]) {
      for (let passed = 0; passed < ms; passed += 10_000) {
        for (const probe of probes) {
          presence.heard(probe)
          presence.delivered(probe, load, true)
        }
        await clock.advance(10_000)
      }
    },
    /** They only poll. */
    async poll(ms: number, ...probes: readonly (typeof first)[]) {
      for (let passed = 0; passed < ms; passed += 10_000) {
        for (const probe of probes) presence.heard(probe)
        await clock.advance(10_000)
      }
    },
  }
}

t.test('one probe has everything; a second one takes its share', async (t) => {
  const { presence, sizes } = openPresence()
  presence.arrive(first, hello)
  t.same(sizes(), [40, 0])
  presence.arrive(second, hello)
  const [a = 0, b = 0] = sizes()
  t.equal(a + b, 40)
  t.ok(a > 8 && b > 8)
  presence.stop()
})

t.test('after 30 s without a word, the monitors of a probe move to another one', async (t) => {
  const { presence, sizes, live } = openPresence()
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  await live(60_000, first, second)
  const before = sizes()
  await live(10_000, first)
  t.same(sizes(), before, 'not before')
  await live(20_000, first)
  t.same(sizes(), [40, 0])
  t.equal(presence.of(second.id)?.isLive, false)
  presence.heard(second)
  t.same(sizes(), before, 'and return with its first word')
  presence.stop()
})

t.test('a probe that asks for its plan but delivers nothing is silent', async (t) => {
  const { presence, sizes, live, poll, clock } = openPresence()
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  await live(60_000, first, second)
  const both = sizes()
  for (let passed = 0; passed < 190_000; passed += 10_000) {
    presence.delivered(first, load, true)
    await poll(10_000, first, second)
    if (passed < 160_000) t.same(sizes(), both, `${passed}`)
  }
  t.same(sizes(), [40, 0], 'after three intervals')
  t.equal(presence.of(second.id)?.isLive, false)
  presence.delivered(second, load, true)
  t.same(sizes(), both, 'until it delivers')
  await clock.advance(0)
  presence.stop()
})

t.test('a probe that starts again and again, and delivers nothing, is silent', async (t) => {
  const { presence, sizes, told, live, clock } = openPresence()
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  await live(60_000, first, second)
  const both = sizes()
  for (let passed = 0; passed < 190_000; passed += 10_000) {
    presence.arrive(second, hello)
    await live(10_000, first)
  }
  t.same(sizes(), [40, 0])
  t.equal(presence.of(second.id)?.isLive, false)
  presence.delivered(second, load, true)
  t.same(sizes(), both, 'until it delivers')
  // Alone, it is noticed as well.
  for (let passed = 0; passed < 600_000; passed += 10_000) {
    presence.arrive(second, hello)
    await clock.advance(10_000)
  }
  t.same(
    told.map(([what]) => what),
    ['silent'],
  )
  presence.stop()
})

/** It starts each minute, and is gone after 20 s. */
async function crash(
  { presence, live }: ReturnType<typeof openPresence>,
  probe: typeof first,
  minutes: number,
  ...others: readonly (typeof first)[]
) {
  for (let minute = 0; minute < minutes; minute += 1) {
    presence.arrive(probe, hello)
    presence.heard(probe)
    await live(60_000, ...others)
  }
}

t.test('a probe that crashes each minute loses its share for good', async (t) => {
  const world = openPresence()
  const { presence, sizes, live } = world
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  await live(60_000, first, second)
  const both = sizes()
  await crash(world, second, 5, first)
  presence.arrive(second, hello)
  t.same(sizes(), [40, 0])
  t.equal(presence.of(second.id)?.isLive, false)
  await live(20_000, first)
  presence.delivered(second, load, true)
  t.same(sizes(), both, 'until it delivers')
  presence.stop()
})

t.test('a location whose only probe crashes each minute is told of once', async (t) => {
  const world = openPresence()
  const { presence, told, sizes, live } = world
  presence.arrive(first, hello)
  await live(60_000, first)
  await crash(world, first, 60)
  const words = () => told.map(([what]) => what)
  t.same(words(), ['silent'], 'and not that it is back')
  presence.arrive(first, hello)
  t.same(sizes(), [40, 0], 'it can show that it works again')
  presence.delivered(first, load, true)
  t.same(words(), ['silent', 'back'])
  presence.stop()
})

t.test('a probe that is tried for a moment and started later is live at once', async (t) => {
  const { presence, live } = openPresence()
  presence.arrive(first, hello)
  await live(600_000)
  presence.arrive(first, hello)
  t.equal(presence.of(first.id)?.isLive, true)
  presence.stop()
})

t.test('a probe that hangs keeps its share where there is no other', async (t) => {
  const { presence, sizes, poll } = openPresence()
  presence.arrive(first, hello)
  await poll(300_000, first)
  t.equal(presence.of(first.id)?.isLive, false)
  t.same(sizes(), [40, 0], 'so that it can show that it hangs no more')
  presence.delivered(first, load, true)
  t.equal(presence.of(first.id)?.isLive, true)
  presence.stop()
})

t.test('a probe that hung gets a share again after ten minutes', async (t) => {
  const { presence, sizes, poll } = openPresence()
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  const both = sizes()
  for (let passed = 0; passed < 200_000; passed += 10_000) {
    presence.delivered(first, load, true)
    await poll(10_000, first, second)
  }
  t.same(sizes(), [40, 0])
  for (let passed = 0; passed < 600_000; passed += 10_000) {
    presence.delivered(first, load, true)
    await poll(10_000, first, second)
  }
  t.same(sizes(), both)
  presence.stop()
})

t.test('without monitors, nothing has to be delivered', async (t) => {
  const { presence, poll, set } = openPresence()
  set([])
  presence.arrive(first, hello)
  await poll(600_000, first)
  t.equal(presence.of(first.id)?.isLive, true)
  set([monitorNo(1, { intervalSeconds: 10 })])
  await poll(60_000, first)
  t.equal(presence.of(first.id)?.isLive, true, 'what is new has its time')
  await poll(60_000, first)
  t.equal(presence.of(first.id)?.isLive, false)
  presence.stop()
})

t.test('many changes of monitors are one change of the shares', async (t) => {
  const { presence, sizes, set, ask, clock } = openPresence()
  presence.arrive(first, hello)
  const { epoch } = presence.shareOf(first)
  let wakes = 0
  presence.listen(() => {
    wakes += 1
  })
  ask()
  t.equal(wakes, 1, 'it is passed on at once')
  await clock.advance(1_000)
  t.equal(presence.shareOf(first).epoch, epoch, 'the shares stay')
  for (let no = 0; no < 50; no += 1) set([monitorNo(no)])
  await clock.advance(100)
  t.equal(presence.shareOf(first).epoch, epoch + 1)
  t.same(sizes(), [1, 0])
  presence.stop()
})

t.test('people hear once that a location is silent, and once that it is back', async (t) => {
  const { presence, told, live, clock } = openPresence()
  const lastWordMs = clock.nowMs() + 50_000
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  await live(60_000, first, second)
  await clock.advance(30_000 + silenceToldMs - 20_000)
  t.same(told, [], 'a short silence is nobody’s business')
  await clock.advance(20_000)
  const silence = { orgId, locationId, fromMs: lastWordMs }
  t.same(told, [['silent', silence]])
  await clock.advance(3_600_000)
  t.equal(told.length, 1)
  await live(10_000, second)
  await live(60_000, first, second)
  t.same(told, [
    ['silent', silence],
    ['back', silence],
  ])
  presence.stop()
})

t.test('a location that comes and goes is no flood of letters', async (t) => {
  const { presence, told, live, clock } = openPresence()
  presence.arrive(first, hello)
  for (let round = 0; round < 4; round += 1) {
    await live(20_000, first)
    await clock.advance(200_000)
  }
  t.same(
    told.map(([what]) => what),
    ['silent', 'back'],
  )
  await clock.advance(900_000)
  t.equal(told.length, 3, 'one that lasts is told')
  presence.stop()
})

t.test('a location where nothing is checked may be silent', async (t) => {
  const { presence, told, set, clock } = openPresence()
  set([])
  presence.arrive(first, hello)
  await clock.advance(3_600_000)
  t.same(told, [])
  // Such as after its organization was switched off, and is on again: its probes are about to come.
  set([monitorNo(1)])
  await clock.advance(10_000)
  t.same(told, [])
  await clock.advance(silenceToldMs)
  t.equal(told.length, 1, 'until something is')
  presence.stop()
})

t.test('after a start of the daemon, silence counts from then', async (t) => {
  const { presence, told, clock, live } = openPresence()
  const lastWordMs = clock.nowMs() - 3_000
  presence.expect(first, lastWordMs)
  await clock.advance(120_000)
  t.same(told, [])
  await clock.advance(40_000)
  t.same(told, [['silent', { orgId, locationId, fromMs: lastWordMs }]])
  presence.arrive(first, hello)
  await live(10_000, first)
  t.equal(told.length, 2)
  presence.stop()
})

t.test(
  'after a start of the daemon, nobody is told the same again, but that it is over',
  async (t) => {
    const { presence, told, clock, live } = openPresence()
    const fromMs = clock.nowMs() - 3_600_000
    const silence = { fromMs, toldAtMs: fromMs + silenceToldMs }
    presence.expect(first, fromMs, silence)
    presence.expect(second, fromMs - 60_000, silence)
    await clock.advance(3_600_000)
    t.same(told, [], 'they know')
    presence.arrive(second, hello)
    await live(60_000, second)
    t.same(told, [['back', { orgId, locationId, fromMs }]])
    presence.stop()
  },
)

t.test('a location that lost its last probe is not silent, but empty', async (t) => {
  const { presence, told, clock } = openPresence()
  presence.arrive(first, hello)
  presence.forget(first.id)
  await clock.advance(600_000)
  t.same(told, [])
  t.same(presence.counts(), { live: 0, silent: 0 })
  t.equal(clock.pending, 0, 'nothing is left')
})

t.test('a probe could not be heard while the daemon stood still', async (t) => {
  const { presence, sizes, live, clock } = openPresence()
  presence.arrive(first, hello)
  presence.arrive(second, hello)
  await live(60_000, first, second)
  const both = sizes()
  clock.stall(300_000)
  await clock.advance(2_000)
  t.same(sizes(), both)
  t.same(presence.counts(), { live: 2, silent: 0 })
  presence.stop()
})

t.test('who was told of a silence hears that another probe ended it', async (t) => {
  const { presence, told, live, clock } = openPresence()
  presence.arrive(first, hello)
  await live(60_000, first)
  await clock.advance(silenceToldMs + 60_000)
  presence.forget(first.id)
  presence.arrive(second, hello)
  await live(60_000, second)
  t.same(
    told.map(([what]) => what),
    ['silent', 'back'],
  )
})

t.test('a location is returning for a minute after a silence', async (t) => {
  const { presence, live, clock } = openPresence()
  presence.arrive(first, hello)
  await live(90_000, first)
  t.equal(presence.isReturning(locationId), false)
  await clock.advance(120_000)
  t.equal(presence.isReturning(locationId), false)
  await live(30_000, first)
  t.equal(presence.isReturning(locationId), true)
  await live(40_000, first)
  t.equal(presence.isReturning(locationId), false)
})
