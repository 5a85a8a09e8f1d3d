// Counts and beats of Uptime Kuma become days, hours and outages.
import t from 'tap'
import {
  beatPeriods,
  dayMs,
  hourMs,
  outagesOf,
  statPeriods,
  timeOf,
  withTimesOfHours,
} from '../../../../src/domain/imports/kuma/kuma-history.ts'

const dayStartMs = Date.UTC(2026, 10, 1)
const pace = { intervalMs: 60_000, nowMs: dayStartMs + 10 * dayMs }
const stat = {
  timestamp: dayStartMs / 1_000,
  up: 1_400,
  down: 30,
  ping: 12.5,
  ping_min: 8,
  ping_max: 90,
}

t.test('each check that was counted stands for an interval', (t) => {
  t.same(statPeriods([{ ...stat, extras: '{"maintenance":10}' }], dayMs, pace), [
    {
      startMs: dayStartMs,
      upMs: 1_400 * 60_000,
      downMs: 30 * 60_000,
      maintenanceMs: 10 * 60_000,
      checks: 1_430,
      failures: 30,
      latencyMs: { mean: 12.5, min: 8, max: 90 },
    },
  ])
  t.end()
})

t.test('the checks of a period stand for no more than it is long', (t) => {
  const [hour] = statPeriods([{ ...stat, up: 90, down: 30 }], hourMs, pace)
  t.match(hour, { upMs: 45 * 60_000, downMs: 15 * 60_000 })
  const now = { ...pace, nowMs: dayStartMs + 40 * 60_000 }
  const [present] = statPeriods([{ ...stat, up: 60, down: 20 }], dayMs, now)
  t.match(present, { upMs: 30 * 60_000, downMs: 10 * 60_000 })
  t.end()
})

t.test('what is usual say the periods around one, not the interval of today', (t) => {
  const rows = [1_440, 1_439, 1_440, 720, 1_441, 1_440].map((up, day) => ({
    ...stat,
    timestamp: (dayStartMs + day * dayMs) / 1_000,
    up,
    down: 0,
  }))
  const days = statPeriods(rows, dayMs, { ...pace, intervalMs: 20_000 })
  t.same(
    days.map(({ upMs }) => upMs / 3_600_000),
    [24, 24, 24, 12, 24, 24],
    'a beat a minute at an interval of 20 s was all day; one had half of them',
  )
  const [more] = statPeriods([{ ...stat, up: 720, down: 0 }], dayMs, pace)
  t.match(more, { upMs: dayMs / 2 }, 'alone, it goes by the interval')
  t.end()
})

t.test('a period is as long as from the first beat to the last one', (t) => {
  const made = { ...pace, madeAtMs: dayStartMs + 6 * hourMs, untilMs: dayStartMs + 18 * hourMs }
  const [first] = statPeriods([{ ...stat, up: 1_000, down: 1_000 }], dayMs, made)
  t.match(first, { upMs: 6 * hourMs, downMs: 6 * hourMs })
  const counts = { day: '2026-11-01', up: 61, down: 0, first: '2026-11-01 10:00:00' }
  const [day] = beatPeriods([{ ...counts, last: '2026-11-01 11:00:00' }], pace)
  t.match(day, { upMs: 61 * 60_000 })
  t.end()
})

t.test('a day has the times of its hours', (t) => {
  const hour = (at: number, up: number, down: number) => ({
    ...stat,
    timestamp: (dayStartMs + at * hourMs) / 1_000,
    up,
    down,
  })
  const hours = statPeriods(
    [hour(23, 60, 0), ...[...Array(12).keys()].map((at) => hour(24 + at, 30, 30))],
    hourMs,
    pace,
  )
  const day = { ...stat, up: 360, down: 360 }
  const next = { ...day, timestamp: (dayStartMs + dayMs) / 1_000 }
  const days = withTimesOfHours(statPeriods([day, next], dayMs, pace), hours)
  t.match(days, [{ upMs: 6 * hourMs }, { upMs: 6 * hourMs, downMs: 6 * hourMs, checks: 720 }])
  t.end()
})

t.test('a period comes once, in order, and only of the past', (t) => {
  const at = (days: number) => ({ ...stat, timestamp: (dayStartMs + days * dayMs) / 1_000 })
  const empty = { ...at(2), up: 0, down: 0 }
  const found = statPeriods(
    [at(1), at(0), at(1), at(400), empty, { ...at(0), timestamp: null }],
    dayMs,
    pace,
  )
  t.same(
    found.map(({ startMs }) => startMs),
    [dayStartMs, dayStartMs + dayMs],
  )
  const odd = { ...stat, up: -4, down: 1e300, ping: Number.NaN, extras: '{"maintenance":"x"' }
  t.same(statPeriods([odd], dayMs, pace), [], 'nonsense is no check')
  t.end()
})

t.test('response times that nobody measured are none', (t) => {
  const of = (fields: object) => statPeriods([{ ...stat, ...fields }], dayMs, pace)[0]?.latencyMs
  t.equal(of({ ping: 0, ping_min: 0, ping_max: 0 }), null)
  t.equal(of({ up: 0 }), null)
  t.same(of({ ping_min: 0, ping_max: 0 }), { mean: 12.5, min: 12.5, max: 12.5 })
  t.end()
})

t.test('beats by day are counted like days that Kuma counted', (t) => {
  const row = { day: '2026-11-01', up: 1_000, down: 2, maintenance: 0, mean: 20, min: 10, max: 30 }
  t.match(beatPeriods([row, { ...row, day: 'soon' }, { ...row, day: null }], pace), [
    { startMs: dayStartMs, checks: 1_002, failures: 2, latencyMs: { mean: 20, min: 10, max: 30 } },
  ])
  t.end()
})

t.test('an outage lasts from the beat that was down to one that is up', (t) => {
  const beat = (status: number, time: string, msg = '') => ({
    status,
    time: `2026-11-01 ${time}`,
    msg,
  })
  const beats = [
    beat(1, '10:00:00.000', '200 - OK'),
    beat(0, '10:05:00.250', 'timeout'),
    beat(0, '10:06:00', 'again'),
    beat(1, '10:07:00.000'),
    beat(0, '11:00:00.000', 'refused'),
    beat(3, '11:30:00.000'),
    beat(0, '12:00:00.000', 'refused'),
    { status: 1, time: 'never', msg: '' },
  ]
  const at = (clock: string) => Date.parse(`2026-11-01T${clock}Z`)
  const ended = [
    { fromMs: at('10:05:00.250'), toMs: at('10:07:00'), text: 'timeout' },
    { fromMs: at('11:00:00'), toMs: at('11:30:00'), text: 'refused' },
  ]
  const last = { fromMs: at('12:00:00'), text: 'refused' }
  t.same(outagesOf(beats, null), [...ended, { ...last, toMs: null }])
  t.same(outagesOf(beats, at('12:10:00')), [...ended, { ...last, toMs: at('12:10:00') }])
  t.same(outagesOf(beats, at('09:00:00')), ended)
  t.equal(timeOf('2026-11-01T10:00:00.5Z'), at('10:00:00.500'))
  t.equal(timeOf(17), undefined)
  t.end()
})
