// Runs of cron schedules, above all where the clock changes.
import t from 'tap'
import { cronProblem, nextRunAtMs, previousRunAtMs } from '../../../src/domain/schedule/cron.ts'

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
    `0 0 ${'1,'.repeat(200)}1 * *`,
  ]) {
    t.match(problem(bad), { field: 'cron', rule: /five fields/ }, bad)
  }
  t.match(problem('0 0 30 2 *'), { field: 'cron', rule: 'must have a next run' })
  t.match(problem('@daily', 'Mars/Olympus'), { field: 'timezone', rule: /IANA/ })
})
