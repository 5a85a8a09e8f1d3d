// Calendar expressions of systemd become cron expressions that run in the same minutes, or are named.
import t from 'tap'
import { cronOfCalendar } from '../../../../src/domain/imports/healthchecks/calendar.ts'
import { cronProblem, nextRunAtMs } from '../../../../src/domain/schedule/cron.ts'

/** As `systemd-analyze calendar` normalizes and counts them. */
const same = {
  minutely: '* * * * *',
  hourly: '0 * * * *',
  daily: '0 0 * * *',
  weekly: '0 0 * * 1',
  monthly: '0 0 1 * *',
  yearly: '0 0 1 1 *',
  quarterly: '0 0 1 1-10/3 *',
  semiannually: '0 0 1 1,7 *',
  '*-*-* 04:00:00': '0 4 * * *',
  'Mon..Fri 9:30': '30 9 * * 1-5',
  'Mon-Fri 9:30': '30 9 * * 1-5',
  'Sat,Sunday 20:15': '15 20 * * 6,7',
  'Thu,Fri 2012-*-1,5 11:12': undefined,
  '*:0/15': '0-45/15 * * * *',
  '8..18/2:30': '30 8-18/2 * * *',
  '*-*-1,15 06:00': '0 6 1,15 * *',
  '*-*~1 23:30': '30 23 L * *',
  '*-*-15,~1 00:00': undefined,
  '*-*~3': undefined,
  'Mon *-*~07/1 07:00': '0 7 * * 1L',
  'Tue *-*-1..7 18:00': '0 18 * * 2#1',
  'Mon,Tue *-*-8..14 18:00': '0 18 * * 1#2,2#2',
  'Mon..Wed *-*-1..7 18:00': undefined,
  'Fri *-*-13': undefined,
  '*-02..04-10': '0 0 10 2-4 *',
  '*-12-25': '0 0 25 12 *',
  '12-25 08:00': '0 8 25 12 *',
  'Mon 9:00\nTue 9:00': '0 9 * * 1,2',
  '6:00\n18:00': '0 6,18 * * *',
  'Mon 9:00\nTue 10:00': undefined,
  '00:00 Europe/Riga\n00:00 UTC': undefined,
}

t.test('an expression has the cron expression that runs when it does', async (t) => {
  for (const [text, cron] of Object.entries(same)) {
    const found = cronOfCalendar(text)
    if (cron === undefined) t.match(found, { problem: /^(names|has|counts|restricts|is) / }, text)
    else t.match(found, { cron, lateSeconds: 0 }, text)
    if (cron !== undefined) t.equal(cronProblem({ cron, timezone: 'UTC' }), null, text)
  }
})

t.test('its time zone and its seconds are told', async (t) => {
  t.match(cronOfCalendar('*-*-* 00:00 Europe/Riga'), { cron: '0 0 * * *', timezone: 'Europe/Riga' })
  t.match(cronOfCalendar('*:*:0/10'), { cron: '* * * * *', timezone: null, lateSeconds: 50 })
  t.match(cronOfCalendar('04:00:30'), { cron: '0 4 * * *', lateSeconds: 30 })
})

t.test('the days are those that systemd counts', async (t) => {
  const found = cronOfCalendar('Mon *-*~07/1 07:00')
  const cron = 'cron' in found ? found.cron : ''
  const runs: string[] = []
  let atMs = Date.UTC(2026, 10, 30, 13)
  for (let count = 0; count < 4; count += 1) {
    atMs = nextRunAtMs({ cron, timezone: 'UTC' }, atMs) ?? Number.NaN
    runs.push(new Date(atMs).toISOString().slice(0, 10))
  }
  t.same(runs, ['2026-12-28', '2027-01-25', '2027-02-22', '2027-03-29'])
})

t.test('what is none is refused, whatever it is', async (t) => {
  const texts = [
    ...['', ' ', ':', '-', '~', '25:00', '*-13-1', '0:0:0:0', 'Mon Tue 9:00', 'Fri..Mon 9:00'],
    ...['__proto__', 'constructor', '9:00/0', '1..:00', '*/*:00', `${'1,'.repeat(99)}1:00`],
    ...['x'.repeat(100_000), '*-*-* 04:00:00 Nowhere/City', '1-2-3-4 00:00'],
  ]
  for (const text of texts) t.match(cronOfCalendar(text), { problem: String }, text.slice(0, 20))
})
