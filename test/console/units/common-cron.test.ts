// Common cron expressions: what they mean, and when they run next.
import t from 'tap'
import { commonCron, nextRuns } from '../../../src/console/base/common-cron.ts'
import { nextRunAtMs } from '../../../src/domain/schedule/cron.ts'

const read = (text: string) => {
  const cron = commonCron(text)
  if (!cron) return undefined
  const { minute, hour, weekdays, monthDay } = cron
  return [minute, hour, weekdays, monthDay]
}

t.test('what most people write is read', async (t) => {
  t.same(read('5 * * * *'), [5, null, null, null])
  t.same(read('@hourly'), [0, null, null, null])
  t.same(read('30 2 * * *'), [30, 2, null, null])
  t.same(read('@weekly'), [0, 0, [0], null])
  t.same(read('0 3 * * 7'), [0, 3, [0], null])
  t.same(read(' 0 9  * * Mon-Fri '), [0, 9, [1, 2, 3, 4, 5], null])
  t.same(read('0 9 * * thu,mon'), [0, 9, [1, 4], null])
  t.same(read('0 9 * * 5-7'), [0, 9, [0, 5, 6], null])
  t.same(read('15 4 31 * *'), [15, 4, null, 31])
})

t.test('all others, and what is none, is left to the daemon', async (t) => {
  for (const text of [
    ...['', '* * * * *', '*/5 * * * *', '0 0 1 1 *', '0 3 1 * 0', '0 3 * *', '0 3 * * * *'],
    ...['60 3 * * *', '0 24 * * *', '0 3 32 * *', '0 3 * * 8', '0 3 * * 5-1', '0 3 * * 5L'],
    ...['0 * 1 * *', '0 * * * 1', '@yearly', '0 3 * * mon-', '0 3 * * 1-2-3'],
  ])
    t.equal(read(text), undefined, text)
})

const runs = (text: string, zone: string, after: string, count = 3) => {
  const cron = commonCron(text)
  return cron && nextRuns(cron, zone, Date.parse(after), count).map((at) => new Date(at).toJSON())
}

t.test(
  'the next runs are in the time of the zone, on both sides of a change of clocks',
  async (t) => {
    t.same(runs('0 2 * * 0', 'Europe/Berlin', '2026-10-17T12:00:00Z'), [
      '2026-10-18T00:00:00.000Z',
      // On the 25th clocks go back at three.
      '2026-10-25T00:00:00.000Z',
      '2026-11-01T01:00:00.000Z',
    ])
    t.same(runs('30 9 * * 1-5', 'America/New_York', '2026-10-16T13:30:00Z', 2), [
      '2026-10-19T13:30:00.000Z',
      '2026-10-20T13:30:00.000Z',
    ])
    t.same(runs('0 0 31 * *', 'UTC', '2026-01-31T00:00:00Z'), [
      '2026-03-31T00:00:00.000Z',
      '2026-05-31T00:00:00.000Z',
      '2026-07-31T00:00:00.000Z',
    ])
  },
)

t.test('they are those of the daemon, all year, wherever clocks change', async (t) => {
  const fromMs = Date.UTC(2026, 0, 1)
  for (const cron of ['30 2 * * *', '0 2 * * 0', '0 0 31 * *', '15 1 * * sat,sun'])
    for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      const common = commonCron(cron)
      const said = common ? nextRuns(common, timezone, fromMs, 20) : []
      const far = said.at(-1) ?? 0
      for (const [at, runMs] of said.entries())
        t.equal(
          runMs,
          nextRunAtMs({ cron, timezone }, said[at - 1] ?? fromMs),
          `${cron} ${timezone}`,
        )
      t.ok(far > fromMs)
    }
  // The whole year of the times that clocks skip and repeat.
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
    const common = commonCron('10 2 * * *')
    const said = common ? nextRuns(common, timezone, fromMs, 365) : []
    let runMs: number | null = fromMs
    const truly = said.map(() => {
      runMs = nextRunAtMs({ cron: '10 2 * * *', timezone }, runMs ?? 0)
      return runMs
    })
    t.same(said, truly, timezone)
  }
})

t.test('an hourly one runs at its minute, also where a zone is half an hour off', async (t) => {
  t.same(runs('15 * * * *', 'UTC', '2026-01-01T10:15:00Z', 2), [
    '2026-01-01T11:15:00.000Z',
    '2026-01-01T12:15:00.000Z',
  ])
  t.same(runs('15 * * * *', 'Asia/Kolkata', '2026-01-01T10:00:00Z', 2), [
    '2026-01-01T10:45:00.000Z',
    '2026-01-01T11:45:00.000Z',
  ])
})
