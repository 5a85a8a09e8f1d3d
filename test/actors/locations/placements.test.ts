// Placements: which location checks what, who is asked to look, and of whom nothing is heard.

import t from 'tap'
import { createPlacements } from '../../../src/actors/locations/placements.ts'
import type { LocationId } from '../../../src/base/ids.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeMonitor } from '../../support/make-page.ts'

const oslo = 'loc_01k00000000000000000000010' as LocationId
const paris = 'loc_01k00000000000000000000020' as LocationId

function open() {
  const clock = new FakeClock()
  const silent: Monitor[] = []
  const told: LocationId[] = []
  const placements = createPlacements({ clock, onSilent: (monitor) => silent.push(monitor) })
  placements.listen((locationId) => told.push(locationId))
  const toldNow = () => told.splice(0)
  return { clock, placements, silent, toldNow }
}

t.test('a location knows what it checks, and hears of each change', async (t) => {
  const { placements, toldNow } = open()
  const monitor = makeMonitor({ locations: [home, oslo] })
  placements.start(makeMonitor({ locations: [] }))
  t.same(toldNow(), [], 'checked from here alone')
  placements.start(monitor)
  t.same(toldNow(), [oslo])
  t.same([...placements.at(oslo).values()], [monitor])
  const moved = { ...monitor, locations: [paris] }
  placements.start(moved)
  t.same(toldNow().sort(), [oslo, paris])
  t.equal(placements.at(oslo).size, 0)
  t.equal(placements.monitor(monitor.id), moved)
  placements.stop(monitor.id)
  t.same(toldNow(), [paris])
  t.equal(placements.monitor(monitor.id), undefined)
})

t.test(
  'the other places of a monitor are asked, until they are heard or it is too late',
  async (t) => {
    const { clock, placements, toldNow } = open()
    const monitor = makeMonitor({ locations: [home, oslo, paris] })
    placements.start(monitor)
    toldNow()
    t.equal(placements.askOthers(monitor, oslo), true, 'home too')
    t.same(toldNow(), [paris])
    t.equal(placements.askOthers(monitor, home), false)
    t.match(
      placements.asked(paris),
      [{ monitorId: monitor.id, askId: 3 }],
      'one question, the newest',
    )
    placements.heard(monitor.id, paris)
    t.same(placements.asked(paris), [])
    t.equal(placements.asked(oslo).length, 1)
    await clock.advance(31_000)
    t.same(placements.asked(oslo), [])
  },
)

t.test('a monitor of which nothing is heard is told once, until it is heard again', async (t) => {
  const { clock, placements, silent } = open()
  const monitor = makeMonitor({ locations: [oslo], intervalSeconds: 60, timeoutMs: 10_000 })
  placements.start(monitor)
  await clock.advance(150_000)
  t.same(silent, [])
  await clock.advance(600_000)
  t.same(silent, [monitor])
  placements.heard(monitor.id, oslo)
  await clock.advance(600_000)
  t.same(silent, [monitor, monitor])
  placements.close()
  t.equal(clock.nextInMs, undefined)
})
