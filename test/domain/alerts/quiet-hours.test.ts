// Quiet hours on the clocks of a time zone, also when these are set forward or back.
import t from 'tap'
import {
  isLetOut,
  type QuietHours,
  quietHoursProblem,
  quietPeriod,
  quietUntilMs,
} from '../../../src/domain/alerts/quiet-hours.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const night = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' }

/** When the quiet hours end that are on at a time; null if none are on. */
function until(quiet: QuietHours, at: string): string | null {
  const endMs = quietUntilMs(quiet, Date.parse(at))
  return endMs === null ? null : new Date(endMs).toISOString().replace(':00.000Z', 'Z')
}

t.test('a window over midnight lasts until the morning of the time zone', async (t) => {
  t.equal(until(night, '2026-01-10T20:59:59Z'), null)
  t.equal(until(night, '2026-01-10T21:00:00Z'), '2026-01-11T06:00Z')
  t.equal(until(night, '2026-01-11T05:59:59.999Z'), '2026-01-11T06:00Z')
  t.equal(until(night, '2026-01-11T06:00:00Z'), null)
  t.equal(until(night, '2026-07-11T04:00:00Z'), '2026-07-11T05:00Z', 'in summer an hour earlier')
  t.equal(quietUntilMs(null, 0), null)
})

t.test('a window within one day', async (t) => {
  const lunch = { timezone: 'Asia/Kathmandu', from: '12:00', to: '13:30' }
  t.equal(until(lunch, '2026-03-01T06:14:00Z'), null)
  t.equal(until(lunch, '2026-03-01T06:15:00Z'), '2026-03-01T07:45Z')
  t.equal(until(lunch, '2026-03-01T07:45:00Z'), null)
})

t.test('the night in which clocks are set forward is an hour shorter', async (t) => {
  t.same(quietPeriod(night, Date.parse('2026-03-29T00:30:00Z')), {
    startMs: Date.parse('2026-03-28T21:00:00Z'),
    endMs: Date.parse('2026-03-29T05:00:00Z'),
  })
})

t.test('the night in which clocks are set back is an hour longer', async (t) => {
  t.same(quietPeriod(night, Date.parse('2026-10-25T00:30:00Z')), {
    startMs: Date.parse('2026-10-24T20:00:00Z'),
    endMs: Date.parse('2026-10-25T06:00:00Z'),
  })
})

t.test('a skipped time is the moment at which clocks are set forward', async (t) => {
  // 02:00 to 03:00 does not exist on this day; clocks change at 01:00 UTC.
  const toSkipped = { ...night, to: '02:30' }
  t.equal(until(toSkipped, '2026-03-29T00:59:59Z'), '2026-03-29T01:00Z')
  const fromSkipped = { ...night, from: '02:30', to: '05:00' }
  t.equal(until(fromSkipped, '2026-03-29T00:59:59Z'), null)
  t.equal(until(fromSkipped, '2026-03-29T01:00:00Z'), '2026-03-29T03:00Z')
  const within = { ...night, from: '02:10', to: '02:50' }
  for (const at of ['2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z']) {
    t.equal(until(within, at), null, 'nothing is left of a window that is skipped')
  }
})

t.test(
  'of a time that comes twice, the first begins quiet hours and the second ends them',
  async (t) => {
    // 02:00 to 03:00 comes twice on this day; clocks change at 01:00 UTC.
    const toTwice = { ...night, to: '02:30' }
    t.equal(until(toTwice, '2026-10-25T00:45:00Z'), '2026-10-25T01:30Z')
    t.equal(until(toTwice, '2026-10-25T01:15:00Z'), '2026-10-25T01:30Z')
    const fromTwice = { ...night, from: '02:30', to: '05:00' }
    t.equal(until(fromTwice, '2026-10-25T00:29:00Z'), null)
    t.equal(until(fromTwice, '2026-10-25T00:30:00Z'), '2026-10-25T04:00Z')
    t.equal(until(fromTwice, '2026-10-25T01:10:00Z'), '2026-10-25T04:00Z')
  },
)

t.test('days are those on which the window starts', async (t) => {
  const weekend: QuietHours = { ...night, days: ['fri', 'sat'] }
  t.equal(until(weekend, '2026-01-08T23:00:00Z'), null, 'Thursday')
  t.equal(until(weekend, '2026-01-09T23:00:00Z'), '2026-01-10T06:00Z', 'Friday')
  t.equal(until(weekend, '2026-01-11T05:00:00Z'), '2026-01-11T06:00Z', 'Sunday morning')
  t.equal(until(weekend, '2026-01-11T23:00:00Z'), null, 'Sunday night')
})

t.test('whole days that follow each other are one period', async (t) => {
  const weekend: QuietHours = {
    timezone: 'America/New_York',
    from: '00:00',
    to: '00:00',
    days: ['sat', 'sun'],
  }
  const monday = '2026-01-12T05:00Z'
  for (const at of ['2026-01-10T05:00:00Z', '2026-01-11T05:00:00Z', '2026-01-12T04:59:00Z']) {
    t.equal(until(weekend, at), monday)
    t.equal(quietPeriod(weekend, Date.parse(at))?.startMs, Date.parse('2026-01-10T05:00:00Z'))
  }
  t.equal(until(weekend, '2026-01-12T05:00:00Z'), null)
})

t.test('between quiet hours, the newest that are over are known', async (t) => {
  const weekend: QuietHours = { ...night, days: ['sat'] }
  t.same(quietPeriod(weekend, Date.parse('2026-01-14T12:00:00Z')), {
    startMs: Date.parse('2026-01-10T21:00:00Z'),
    endMs: Date.parse('2026-01-11T06:00:00Z'),
  })
  t.equal(quietPeriod({ ...night, days: [] }, 0), null)
})

t.test('an hour of every day of a year is quiet, whatever the time zone does', async (t) => {
  const zones = ['Europe/London', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia', 'UTC']
  for (const timezone of zones) {
    const quiet = { timezone, from: '23:30', to: '00:45' }
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    for (let atMs = Date.UTC(2026, 0, 1); atMs < Date.UTC(2027, 0, 1); atMs += 17 * 60_000 * 19) {
      const shown = format.format(atMs)
      const isQuiet = shown >= '23:30' || shown < '00:45'
      const endMs = quietUntilMs(quiet, atMs)
      if ((endMs !== null) !== isQuiet) t.fail(`${timezone} at ${new Date(atMs).toISOString()}`)
      if (endMs !== null && format.format(endMs) !== '00:45') t.fail(`${timezone} ends wrong`)
    }
  }
  const daily = { timezone: 'Europe/Berlin', from: '12:00', to: '13:00' }
  let minutes = 0
  for (let atMs = 0; atMs < 30 * dayMs; atMs += 10 * 60_000) {
    if (quietUntilMs(daily, atMs) !== null) minutes += 10
  }
  t.equal(minutes, 30 * 60)
})

t.test('a stored time zone that this system does not know counts as UTC', async (t) => {
  const gone = { timezone: 'Europe/Atlantis', from: '22:00', to: '07:00' }
  t.equal(until(gone, '2026-01-10T22:00:00Z'), '2026-01-11T07:00Z')
})

t.test('only outages may be let out', async (t) => {
  const open = { ...night, allowDown: true }
  t.equal(isLetOut(open, 'down'), true)
  t.equal(isLetOut(open, 'declared'), true)
  t.equal(isLetOut(open, 'degraded'), false)
  t.equal(isLetOut(open, null), false)
  t.equal(isLetOut(night, 'down'), false)
})

t.test('quiet hours that cannot be are refused, with the field and the rule', async (t) => {
  t.equal(quietHoursProblem(night), null)
  t.equal(quietHoursProblem({ ...night, timezone: 'Mars/Olympus' })?.field, 'timezone')
  t.equal(quietHoursProblem({ ...night, timezone: '+01:00' })?.field, 'timezone')
  t.equal(quietHoursProblem({ ...night, to: '22:00' })?.field, 'to')
  t.equal(quietHoursProblem({ ...night, to: '22:00', days: ['sat'] }), null, 'a whole day')
})
