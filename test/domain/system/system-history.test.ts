// What the daemon remembers of itself: longer spans, and when the disk will be full.
import t from 'tap'
import {
  diskForecast,
  foldedPoints,
  packedPoint,
  quantileOf,
  type SystemPoint,
  unpackedPoint,
} from '../../../src/domain/system/system-history.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const gib = 1024 ** 3
const nowMs = Date.UTC(2026, 5, 1)

const point = (changes: Partial<SystemPoint>): SystemPoint => ({
  fromMs: nowMs,
  checksPerSecond: 10,
  latenessP50Ms: 1,
  latenessP99Ms: 5,
  waiting: 0,
  memoryBytes: 100,
  dataBytes: 50,
  diskFreeBytes: 1_000,
  loopDelayP99Ms: 2,
  errors: 0,
  ...changes,
})

t.test('a longer span has the mean of what is usual and the worst of the rest', async (t) => {
  const [folded, next, ...more] = foldedPoints(
    [
      point({ fromMs: 60_000, latenessP99Ms: 900, waiting: 3, errors: 1, dataBytes: 7 }),
      point({ fromMs: 120_000, checksPerSecond: 20, latenessP50Ms: null, errors: 2 }),
      point({ fromMs: hourMs, latenessP50Ms: null, latenessP99Ms: null }),
    ],
    hourMs,
  )
  t.same(more, [])
  t.match(folded, {
    fromMs: 0,
    checksPerSecond: 15,
    latenessP50Ms: 1,
    latenessP99Ms: 900,
    waiting: 3,
    errors: 3,
    dataBytes: 50,
  })
  t.match(next, { fromMs: hourMs, latenessP50Ms: null, latenessP99Ms: null })
})

t.test('a stored point is the same afterwards', async (t) => {
  const one = point({ latenessP50Ms: null, errors: 4 })
  t.same(unpackedPoint(packedPoint(one)), one)
})

t.test('a quantile is the bound of its bucket, and nothing without values', async (t) => {
  const bounds = [0, 10, 100]
  t.equal(quantileOf([0, 0, 0, 0], bounds, 0.5), null)
  t.equal(quantileOf([98, 1, 1, 0], bounds, 0.5), 0)
  t.equal(quantileOf([98, 1, 1, 0], bounds, 0.99), 10)
  t.equal(quantileOf([0, 0, 0, 5], bounds, 0.5), 100, 'beyond the last bound')
})

/** A point an hour up to now. */
const history = (hours: number, freeAt: (hoursAgo: number) => number) =>
  Array.from({ length: hours }, (_, at) => {
    const hoursAgo = hours - at
    return point({ fromMs: nowMs - hoursAgo * hourMs, diskFreeBytes: freeAt(hoursAgo) })
  })

t.test('a disk that fills evenly is full when the line says so', async (t) => {
  const forecast = diskForecast(
    history(24 * 7, (hoursAgo) => 40 * gib + (hoursAgo * gib) / 24),
    nowMs,
  )
  t.equal(forecast.state, 'fills')
  t.ok(Math.abs((forecast.bytesPerDay ?? 0) - gib) < 1_000)
  const days = ((forecast.fullAtMs ?? 0) - nowMs) / dayMs
  t.ok(days > 39 && days < 41, `${days} days`)
})

t.test('no forecast is made of little history, of noise, or of what is far away', async (t) => {
  const even = (hoursAgo: number) => 40 * gib + (hoursAgo * gib) / 24
  const stateOf = (points: readonly SystemPoint[]) => diskForecast(points, nowMs).state
  t.equal(stateOf([]), 'short')
  t.equal(stateOf(history(48, even)), 'short', 'two days')
  t.equal(stateOf(history(24 * 7, even).filter((_, at) => at % 10 === 0)), 'short', 'few points')
  t.equal(stateOf(history(24 * 7, () => 40 * gib)), 'steady')
  t.equal(stateOf(history(24 * 7, (hoursAgo) => 40 * gib - hoursAgo)), 'steady', 'it empties')
  t.equal(
    stateOf(history(24 * 7, (hoursAgo) => 40 * gib + hoursAgo * 1_000)),
    'steady',
    'a century',
  )
  const saw = (hoursAgo: number) => 40 * gib + (hoursAgo % 24) * gib + hoursAgo * 2e7
  t.equal(stateOf(history(24 * 7, saw)), 'unclear')
  t.match(diskForecast(history(24 * 7, saw), nowMs), { fullAtMs: null, bytesPerDay: null })
})
