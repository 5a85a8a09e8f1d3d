// Runs of cron schedules, above all where the clock changes.
import { Cron } from 'croner'
import fc from 'fast-check'
import t from 'tap'
import { cronProblem, nextRunAtMs, previousRunAtMs } from '../../../src/domain/schedule/cron.ts'
import { cronFields } from '../../../src/domain/schedule/cron-fields.ts'
import { runs as tries } from '../../support/depth.ts'
import { leastMs } from '../../support/starvation.ts'

const at = (iso: string) => Date.parse(iso)
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(0, 16))
const newYork = (cron: string) => ({ cron, timezone: 'America/New_York' })

function runs(cron: string, fromIso: string, count: number): (string | null)[] {
  let atMs = at(fromIso)
  return Array.from({ length: count }, () => {
    atMs = nextRunAtMs(newYork(cron), atMs) ?? Number.NaN
    return iso(atMs)
  })
}

t.test('a nightly run in the hour that the clock skips takes place right after it', async (t) => {
  t.strictSame(runs('30 2 * * *', '2026-03-07T12:00:00Z', 3), [
    '2026-03-08T07:00',
    '2026-03-09T06:30',
    '2026-03-10T06:30',
  ])
})

t.test('a nightly run in the hour that the clock repeats takes place once', async (t) => {
  t.strictSame(runs('30 1 * * *', '2026-10-31T12:00:00Z', 2), [
    '2026-11-01T05:30',
    '2026-11-02T06:30',
  ])
})

t.test('a run every half hour takes place in both of the repeated hours', async (t) => {
  t.strictSame(runs('*/30 * * * *', '2026-11-01T05:20:00Z', 4), [
    '2026-11-01T05:30',
    '2026-11-01T06:00',
    '2026-11-01T06:30',
    '2026-11-01T07:00',
  ])
})

t.test('the previous run is the newest at a time or before, to the millisecond', async (t) => {
  const daily = { cron: '@daily', timezone: 'Europe/Berlin' }
  t.equal(iso(previousRunAtMs(daily, at('2026-06-01T22:00:00Z'))), '2026-06-01T22:00')
  t.equal(iso(previousRunAtMs(daily, at('2026-06-01T22:00:00.500Z'))), '2026-06-01T22:00')
  t.equal(iso(previousRunAtMs(daily, at('2026-06-01T21:59:59.999Z'))), '2026-05-31T22:00')
  t.equal(iso(nextRunAtMs(daily, at('2026-06-01T22:00:00Z'))), '2026-06-02T22:00')
})

t.test('a schedule that cannot be kept is refused, and the rule is named', async (t) => {
  const problem = (cron: string, timezone = 'UTC') => cronProblem({ cron, timezone })
  for (const good of ['@daily', '0 9 * * MON#1', '0 0 L * *', '*/15 8-18 * * 1-5']) {
    t.equal(problem(good), null, good)
  }
  for (const bad of [
    '',
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    '@reboot',
    '2030-01-01T00:00:00',
    '12 Dec 2030 12:00:00',
    `0 0 ${'1,'.repeat(200)}1 * *`,
  ]) {
    t.match(problem(bad), { field: 'cron', rule: /five fields/ }, bad)
  }
  t.match(problem('0 0 30 2 *'), { field: 'cron', rule: 'must have a next run' })
  t.match(problem('@daily', 'Mars/Olympus'), { field: 'timezone', rule: /IANA/ })
})

t.test('a day is restricted by date or by weekday, with few nth weekdays', async (t) => {
  const problem = (cron: string) => cronProblem({ cron, timezone: 'UTC' })
  t.match(problem('0 0 13 * +5'), { field: 'cron', rule: /must not contain \+/ })
  t.match(problem('0 9 * * 1#1,2#1,3#1'), { field: 'cron', rule: /# at most 2 times/ })
  t.equal(problem('0 9 * * 1#1,2#1'), null)
})

const quickMs = 20

/** None of them ever runs, and a search for a run would go through thousands of years. */
const neverRuns = [
  '59 23 8-31 1-12 +1#1,2#1,3#1,4#1,5#1,6#1,0#1',
  '59 23 8-31 1-12 +1#1,2#1',
  '0 0 31 2,4,6,9,11 *',
  '59 23 30,31 2 ?',
  '* * 30W 2 *',
  '0 0 31 4,6 *',
]

t.test('whether a schedule ever runs is decided as fast for each', async (t) => {
  for (const cron of neverRuns) {
    t.notOk(cronFields(cron).everRuns, cron)
    // Each try has another spelling, so that nothing is remembered.
    let spaces = ''
    const ms = leastMs(quickMs, () => {
      spaces += ' '
      const found = cronProblem({ cron: `${spaces}${cron}`, timezone: 'UTC' })
      t.equal(found?.field, 'cron', cron)
    })
    t.ok(ms < quickMs, `${cron}: ${ms} ms`)
  }
})

t.test('a run in decades, or one that the clock always skips, is found as fast', async (t) => {
  const nowMs = at('2026-06-01T12:00:00Z')
  // Monday, 29 February is in 2044; the clock of Berlin skips that hour on each last Sunday of March.
  const leap = (timezone: string) => ({ cron: '0 0-23 29 2 +1', timezone })
  t.equal(iso(nextRunAtMs(leap('UTC'), nowMs)), '2044-02-29T00:00')
  t.equal(iso(previousRunAtMs(leap('UTC'), nowMs)), '2016-02-29T23:00')
  const skipped = { cron: '* 2 * 3 0L', timezone: 'Europe/Berlin' }
  t.equal(nextRunAtMs(skipped, nowMs), null)
  for (const schedule of [leap('Pacific/Apia'), skipped, { ...skipped, cron: '7,8 2 * 3 0L' }]) {
    let atMs = nowMs
    const ms = leastMs(quickMs, () => {
      atMs += 86_400_000
      nextRunAtMs(schedule, atMs)
      previousRunAtMs(schedule, atMs)
    })
    t.ok(ms < quickMs, `${schedule.cron}: ${ms} ms`)
  }
})

/** A field of five: numbers, lists, ranges, steps and wildcards. */
function field(min: number, max: number): fc.Arbitrary<string> {
  const number = fc.integer({ min, max })
  return fc.oneof(
    number.map(String),
    fc.uniqueArray(number, { minLength: 2, maxLength: 4 }).map((several) => several.join()),
    fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc.integer({ min: 1, max }).map((step) => `*/${step}`),
    fc.constantFrom('*', '?'),
  )
}

const dates = fc.oneof(
  field(1, 31),
  fc.constantFrom('*', 'L', 'LW', '15W', '1W,31W', 'L,3', '30W', '31'),
)
const weekdays = fc.oneof(
  field(0, 7),
  fc.constantFrom('*', '*', 'MON#1', '5L', '1-5#2', 'sun', '+5', '+1#2', '0#5', 'fri#1,fri#3'),
)
const months = fc.oneof(fc.constantFrom('*', '*', 'mar', 'OCT,NOV', '2', '4,6'), field(1, 12))
const zones = [
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/St_Johns'],
  ...['Pacific/Apia', 'Asia/Beirut', 'America/Havana', 'Africa/Cairo', 'Antarctica/Troll'],
]
/** Around changes of clocks, one of which skips a whole day, and anywhere. */
const changes = [
  ...['2006-10-29T03:30Z', '2006-04-02T03:30Z', '2011-12-29T12:00Z', '2026-10-25T00:30Z'],
  ...['2026-03-29T00:30Z', '2026-11-01T05:00Z', '2024-11-03T04:30Z', '2024-10-31T20:00Z'],
]
const moments = fc.oneof(
  fc.integer({ min: at('1975-01-01T00:00Z'), max: at('2060-01-01T00:00Z') }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * 86_400, max: 2 * 86_400 }))
    .map(([change, seconds]) => at(change) + seconds * 1_000),
)

t.test('runs are those of the cron library, for whatever it accepts', async () => {
  const fields = fc.tuple(field(0, 59), field(0, 23), dates, months, weekdays)
  fc.assert(
    fc.property(fields, fc.constantFrom(...zones), moments, (five, timezone, atMs) => {
      const schedule = { cron: five.join(' '), timezone }
      const library = readByLibrary(schedule)
      const everRuns = library && cronFields(schedule.cron).everRuns
      // The library would search for long; the next test has those.
      if (library && !everRuns) return true
      const next = library?.nextRun(new Date(atMs))?.getTime() ?? null
      const previous = library?.previousRuns(1, new Date(atMs))[0]?.getTime() ?? null
      return (
        nextRunAtMs(schedule, atMs) === next && previousRunAtMs(schedule, atMs - 1) === previous
      )
    }),
    tries(400),
  )
})

t.test('what never runs has no run in the cron library either', async () => {
  const never = fc.tuple(
    fc.constantFrom('30', '31', '30,31', '30W', '31W'),
    fc.constantFrom('2', '2', '4', '6,9', '2-12', '*'),
  )
  fc.assert(
    fc.property(never, ([date, month]) => {
      const cron = `0 0 ${date} ${month} *`
      const { everRuns } = cronFields(cron)
      return everRuns === (new Cron(cron, { timezone: 'UTC' }).nextRun(new Date(0)) !== null)
    }),
    tries(4),
  )
})

function readByLibrary({ cron, timezone }: { cron: string; timezone: string }): Cron | undefined {
  try {
    return new Cron(cron, { mode: '5-part', timezone })
  } catch {
    return undefined
  }
}
