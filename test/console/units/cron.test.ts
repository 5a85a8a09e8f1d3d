// Cron expressions: what they mean, in words, and when they run next.
import fc from 'fast-check'
import t from 'tap'
import { consoleLanguages, consoleTexts } from '../../../scripts/console/texts.ts'
import { nextRuns } from '../../../src/console/base/cron.ts'
import { catalogueIn } from '../../../src/console/words/catalogue.ts'
import { cronWords } from '../../../src/console/words/cron-words.ts'
import { nextRunAtMs } from '../../../src/domain/schedule/cron.ts'
import { cronFields } from '../../../src/domain/schedule/cron-fields.ts'
import { amount } from '../../support/depth.ts'

const schedules = Object.keys(consoleLanguages()).map((language) => {
  const { schedule } = catalogueIn(language, consoleTexts(language)).common
  const locale = language === 'en' ? 'en-GB' : language
  return [language, (cron: string) => cronWords(cron, schedule, locale)] as const
})
const said = new Map(schedules)
const inEnglish = (cron: string) => said.get('en')?.(cron)

const meanings = {
  '* * * * *': 'every minute',
  '*/5 * * * *': 'every 5 minutes',
  '*/7 * * * *': 'every hour, at minutes 0, 7, 14, … and 56',
  '@hourly': 'every hour',
  '5 * * * *': 'every hour, at minute 5',
  '5,20,35,50 * * * *': 'every hour, at minutes 5, 20, 35 and 50',
  '0 */2 * * *': 'every 2 hours',
  '15 */2 * * *': 'every 2 hours, at minute 15',
  '30 1-23/2 * * *': 'every 2 hours, 01:30–23:30',
  '0 8-18 * * *': 'every hour, 08:00–18:00',
  '0 22,23,0-6 * * *': 'every hour, 00:00–06:00, 22:00 and 23:00',
  '10-20 4 * * *': 'every minute, 04:10–04:20',
  '30 2 * * *': 'every day at 02:30',
  '0 9-17/2 * * *': 'every day at 09:00, 11:00, 13:00, 15:00 and 17:00',
  ' 0 9  * * Mon-Fri ': 'Monday to Friday at 09:00',
  '0 9,15 * * thu,mon': 'every Monday and Thursday at 09:00 and 15:00',
  '0 9 * * 5-7': 'every Friday–Sunday at 09:00',
  '@weekly': 'every Sunday at 00:00',
  '0 3 * * 7': 'every Sunday at 03:00',
  '15 4 31 * *': 'on day 31 of every month at 04:15',
  '*/10 1,2,3 * * 0': 'every 10 minutes, 01:00–03:59, on Sunday',
  '15,45 8-18 * * 1-5': '08:00–18:59, at minutes 15 and 45, on Monday–Friday',
  '0 0 1 1 *': 'at 00:00, on day 1 of the month, in January',
  '0 0 1,15 */3 *': 'at 00:00, on days 1 and 15 of the month, in January, April, July and October',
  '0 0 */2 * *': 'at 00:00, on days 1, 3, 5, … and 31 of the month',
  '0 3 1 * 0': 'at 03:00, on day 1 of the month or on Sunday',
  '0 3 */2 * 0-6': 'every day at 03:00',
  '0 3 L * *': 'at 03:00, on the last day of the month',
  '0 3 LW * *': 'at 03:00, on the last working day (Monday to Friday) of the month',
  '0 3 15W * *': 'at 03:00, on the working day (Monday to Friday) nearest to day 15 of the month',
  '0 3 ? * 1#2': 'at 03:00, on the second Monday of the month',
  '0 3 * * 1,5L': 'at 03:00, on Monday or on the last Friday of the month',
}

t.test('a cron expression is said in words', async (t) => {
  for (const [cron, words] of Object.entries(meanings)) t.equal(inEnglish(cron), words, cron)
  t.equal(said.get('de')?.('0 3 * * 1#2'), 'um 03:00, am zweiten Montag des Monats')
  t.equal(said.get('pl')?.('*/3 * * * *'), 'co 3 minuty')
  t.equal(said.get('ja')?.('*/5 8-17 * * 1-5'), '月曜日～金曜日 08:00～17:59 5分ごと')
})

t.test('what the daemon does not take is not said', async (t) => {
  for (const cron of [
    ...['', '0 3 * *', '0 3 * * * *', '60 3 * * *', '0 24 * * *', '0 3 32 * *', '0 3 * * 8'],
    ...['0 3 * * 5-1', '0 3 * * mon-', '0 3 1 * +1', '@reboot', '5/15 * * * *', '<b>'],
  ])
    t.equal(inEnglish(cron), undefined, cron)
})

const listOf = (...items: string[]) => fc.subarray(items, { minLength: 1 }).map(String)
const minute = listOf('0', '1', '2', '7', '30', '59', '10-20', '30-50/10')
const hour = listOf('0', '1', '2', '9', '23', '8-18', '1-23/2', '9-17/2')
const anyCron = fc
  .tuple(
    fc.oneof(fc.constantFrom('*', '0', '*/5', '*/7', '*/30', '1-59/2'), minute),
    fc.oneof(fc.constantFrom('*', '3', '*/2', '*/5', '*/12'), hour),
    fc.oneof(
      fc.constantFrom('*', '*', 'LW', '1-31', '*/2', '1-31/3'),
      listOf('1', '2', '15W', '31', '8-14', 'L'),
    ),
    fc.oneof(fc.constantFrom('*', '*', '*/3', '1-12'), listOf('1', '2', '6-8', 'dec')),
    fc.oneof(
      fc.constantFrom('*', '*', '1-5', '0-6', '1-5#2', '*/2'),
      listOf('0', 'mon', '1#2', '5L', '6-7'),
    ),
  )
  .map((fields) => fields.join(' '))

t.test('in every language, two with the same words run at the same times', async (t) => {
  for (const [language, wordsOf] of said) {
    const known = new Map<string, [string, string]>()
    fc.assert(
      fc.property(anyCron, (cron) => {
        const words = wordsOf(cron)
        const { hours, minutes, months, days } = cronFields(cron)
        const runs = JSON.stringify([hours, minutes, months, [...days]])
        if (words === undefined || words !== wordsOf(cron)) throw new Error(`${cron}: ${words}`)
        const [other, otherRuns] = known.get(words) ?? [cron, runs]
        known.set(words, [other, otherRuns])
        if (runs !== otherRuns) throw new Error(`${cron} and ${other} are both: ${words}`)
      }),
      { numRuns: amount(100, 2_500) },
    )
    t.ok(known.size > 50, language)
  }
})

t.test('the next runs are those of the daemon, all year, wherever clocks change', async (t) => {
  const fromMs = Date.UTC(2026, 0, 1)
  const compare = (cron: string, timezone: string, count: number) => {
    const runs = nextRuns(cron, timezone, fromMs, count)
    t.equal(runs.length, count)
    const wrong = runs.find(
      (runMs, at) => runMs !== nextRunAtMs({ cron, timezone }, runs[at - 1] ?? fromMs),
    )
    t.equal(wrong, undefined, `${cron} ${timezone}`)
  }
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
    // The whole year of the times that clocks skip and repeat.
    for (const cron of ['10 2 * * *', '15 1,2 * * *']) compare(cron, timezone, 365)
    for (const cron of ['0 2 * * 0', '0 0 31 * *', '5 3 15W * *', '0 9 * * 1#2', '0 3 1 * 5L'])
      compare(cron, timezone, 20)
  }
  compare('15 * * * *', 'Asia/Kolkata', 50)
  t.same(nextRuns('0 0 30 2 *', 'UTC', fromMs, 5), [])
})
