// The daemon's memory of itself: a point a minute, stored in batches, and hours made of them.
import t from 'tap'
import { startSystemHistory } from '../../../src/actors/tasks/system-history.ts'
import { openTempStore, settle } from '../../support/temp-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

function world(t: Parameters<typeof openTempStore>[0]) {
  const { store, clock } = openTempStore(t, { inMemory: true })
  const counted = { checks: 0, errors: 0, lateness: [0, 0, 0], waiting: 0 }
  const start = () =>
    startSystemHistory({
      store,
      clock,
      meter: {
        checksCommitted: () => counted.checks,
        latenessCounts: () => counted.lateness,
        latenessBoundsMs: [0, 1_000],
        waiting: () => counted.waiting,
        memoryBytes: () => 5_000,
        dataBytes: () => 700,
        diskFreeBytes: () => 9_000,
        takeLoopDelayP99Ms: () => 1.23456,
        errorsLogged: () => counted.errors,
      },
    })
  /** To the next full hour, so that what follows does not depend on when it begins. */
  const toFullHour = () => clock.advance(hourMs - (clock.nowMs() % hourMs))
  return { store, clock, counted, start, toFullHour }
}

t.test('each minute has what happened in it', async (t) => {
  const { clock, counted, start, toFullHour } = world(t)
  await toFullHour()
  const history = start()
  const fromMs = clock.nowMs()
  counted.checks = 120
  counted.lateness = [99, 1, 0]
  counted.errors = 2
  counted.waiting = 4
  await clock.advance(minuteMs)
  counted.lateness = [99, 11, 0]
  await clock.advance(minuteMs)
  await clock.advance(minuteMs)
  const usual = { memoryBytes: 5_000, dataBytes: 700, diskFreeBytes: 9_000, loopDelayP99Ms: 1.235 }
  t.same(history.minutes(), [
    {
      ...usual,
      fromMs,
      checksPerSecond: 2,
      latenessP50Ms: 0,
      latenessP99Ms: 0,
      waiting: 4,
      errors: 2,
    },
    {
      ...usual,
      fromMs: fromMs + minuteMs,
      checksPerSecond: 0,
      latenessP50Ms: 1_000,
      latenessP99Ms: 1_000,
      waiting: 4,
      errors: 0,
    },
    {
      ...usual,
      fromMs: fromMs + 2 * minuteMs,
      checksPerSecond: 0,
      latenessP50Ms: null,
      latenessP99Ms: null,
      waiting: 4,
      errors: 0,
    },
  ])
  await history.stop()
})

t.test('a restart keeps the minutes, and goes on in the same block', async (t) => {
  const { clock, start, toFullHour } = world(t)
  await toFullHour()
  const first = start()
  await clock.advance(3 * minuteMs)
  await first.stop()
  const second = start()
  await clock.advance(4 * minuteMs)
  const times = second.minutes().map(({ fromMs }) => fromMs)
  t.equal(times.length, 7)
  t.equal(new Set(times).size, 7)
  t.same(times, times.toSorted())
  await second.stop()
})

t.test('hours are made once, also across a restart, and old points are removed', async (t) => {
  const { clock, counted, store, start, toFullHour } = world(t)
  await toFullHour()
  const beganMs = clock.nowMs()
  let history = start()
  for (let minute = 0; minute < 90; minute += 1) {
    counted.errors += 1
    await clock.advance(minuteMs)
  }
  await settle()
  await history.stop()
  history = start()
  for (let hour = 0; hour < 30; hour += 1) {
    await clock.advance(hourMs)
    await settle()
  }
  const hours = history.hours()
  t.same(
    hours.slice(0, 3).map(({ fromMs, errors }) => [(fromMs - beganMs) / hourMs, errors]),
    [
      [0, 60],
      [1, 30],
      [2, 0],
    ],
  )
  t.equal(new Set(hours.map(({ fromMs }) => fromMs)).size, hours.length)
  const kept = history.minutes().length
  t.ok(kept >= 24 * 60 && kept <= 25 * 60, `${kept} minutes are kept`)
  t.ok(store.systemHistory.all('hours').length >= 30)
  await history.stop()
})
