// The page of one service: figures, a calendar of a year, incidents; and the chart of a group.
import t from 'tap'
import { required } from '../../../src/base/assert.ts'
import { toText } from '../../../src/pages/html.ts'
import { sumOfDays } from '../../../src/pages/status/day-bars.ts'
import { pageTextOf } from '../../../src/pages/status/page-text.ts'
import { servicePage } from '../../../src/pages/status/service-page.ts'
import { statusPage } from '../../../src/pages/status/status-page.ts'
import { yearCalendar } from '../../../src/pages/status/year-calendar.ts'
import type { PublicDay } from '../../../src/pages/view/public-page.ts'
import { type Language, languages } from '../../../src/texts/languages.ts'
import { textsOf } from '../../../src/texts/texts.ts'
import { documentContext } from '../../support/document-context.ts'
import { dayMs } from '../../support/make-page.ts'
import { seededPage } from '../../support/seeded-pages.ts'
import { payloads } from '../../support/xss-payloads.ts'

const day = (date: string, more: Partial<PublicDay> = {}): PublicDay => ({
  startMs: Date.parse(`${date}T00:00Z`),
  upRatio: 1,
  hasShare: true,
  downMs: 0,
  degradedMs: 0,
  maintenanceMs: 0,
  ...more,
})

/** A day after the other, until the second date. */
function daysFrom(first: string, last: string): PublicDay[] {
  const from = Date.parse(`${first}T00:00Z`)
  const count = (Date.parse(`${last}T00:00Z`) - from) / dayMs + 1
  return Array.from({ length: count }, (_, at) =>
    day(new Date(from + at * dayMs).toISOString().slice(0, 10)),
  )
}

const english = pageTextOf({ timezone: 'UTC' }, 'en')

t.test('a year is twelve months, each a table whose weeks begin on Monday', async (t) => {
  const markup = toText(yearCalendar(daysFrom('2025-07-01', '2026-06-15'), english))
  t.equal(markup.split('<table>').length - 1, 12)
  t.match(markup, '<caption>July 2025</caption>')
  t.match(markup, '<th scope="col" abbr="Monday">M</th><th scope="col" abbr="Tuesday">T</th>')
  // The first of July 2025 was a Tuesday, and the fifteenth of June 2026 a Monday.
  t.match(markup, '<tr><td colspan="1"></td><td class="u">1</td>')
  t.match(markup, '<tr><td class="u">15</td></tr></tbody></table></div>')
  t.match(markup, '<td class="u">31</td>')
})

t.test('months before there was any data are left out', async (t) => {
  const unknown = daysFrom('2025-07-01', '2026-04-12').map((one) => ({ ...one, upRatio: null }))
  const known = daysFrom('2026-04-13', '2026-06-15')
  const markup = toText(yearCalendar([...unknown, ...known], english))
  t.equal(markup.split('<table>').length - 1, 3)
  t.match(markup, /<caption>April 2026[\s\S]*<td class="n">12<[\s\S]*<td class="u">13</)
  // A service without data still shows which month it is.
  t.match(toText(yearCalendar(unknown.slice(-12), english)), '<caption>April 2026</caption>')
})

t.test('a day on which something happened says what, and takes the focus', async (t) => {
  const days = [
    day('2026-06-01', { downMs: 36 * 60_000, degradedMs: 60_000 }),
    day('2026-06-02', { downMs: 20 * 3_600_000 }),
    day('2026-06-03', { degradedMs: 5 * 60_000 }),
    day('2026-06-04', { maintenanceMs: 3_600_000 }),
    day('2026-06-05', { upRatio: null }),
    day('2026-06-06'),
  ]
  const markup = toText(yearCalendar(days, english))
  t.match(
    markup,
    '<td class="d" tabindex="0">1<span class="what"> <b>Monday, 1 June 2026</b> 36 min down, 1 min degraded</span></td>',
  )
  t.match(markup, '<td class="D" tabindex="0">2')
  t.match(markup, '<td class="p" tabindex="0">3')
  t.match(markup, '<td class="m" tabindex="0">4')
  t.match(markup, '<td class="n">5<span class="unseen"> no data</span></td>')
  t.match(markup, '<td class="u">6</td>')
})

t.test('a legend says in each language what the colours of the year mean', async (t) => {
  const days = [
    day('2026-06-01', { downMs: 36 * 60_000 }),
    day('2026-06-02', { degradedMs: 5 * 60_000 }),
    day('2026-06-03', { upRatio: null }),
    day('2026-06-04'),
  ]
  const legendOf = (all: readonly PublicDay[], language: Language) =>
    toText(yearCalendar(all, pageTextOf({ timezone: 'UTC' }, language))).split(
      '<div class="key">',
    )[1]
  for (const language of languages) {
    const { legend } = textsOf('status-page', language)
    const { heading, up, degraded, partlyDown, down, noData } = legend
    const shown = legendOf(days, language)
    for (const text of [heading, up, degraded, partlyDown, down, noData]) t.match(shown, text)
    t.notMatch(shown, `<i class="m">`, 'what did not occur is not explained')
  }
  t.notMatch(legendOf([day('2026-06-01')], 'en'), 'Slow')
})

t.test('the page of a service has what the owner lets readers see', async (t) => {
  const year = { days: daysFrom('2025-07-01', '2026-06-15'), uptime: 0.99912, knownDays: 200 }
  const pageOf = (page: object) => {
    const view = seededPage({ monitors: 6, isOnFire: true, page })
    const monitor = required(view.monitors?.[1])
    return toText(servicePage(documentContext(view), monitor, year))
  }
  const all = pageOf({ showResponseTimes: true })
  t.match(all, /<h1 dir="auto">Checkout API<\/h1>/)
  t.match(all, '99.91% uptime')
  t.match(all, 'over 200 days')
  t.match(all, '<figure')
  t.match(all, 'The last twelve months')
  t.match(all, /href="\/status\/acme\/incidents\/inc_/)
  t.match(all, '<a href="/status/acme">Current status</a>')
  const few = pageOf({ showUptime: false, showHistory: false, showIncidents: false })
  for (const hidden of ['uptime', '<figure', '<table', '/incidents/', '/history']) {
    t.notMatch(few, hidden)
  }
})

t.test('a hostile name is a name', async (t) => {
  const year = { days: [], uptime: null, knownDays: 0 }
  for (const payload of payloads) {
    const view = seededPage({ monitors: 1, names: [payload] })
    const markup = toText(servicePage(documentContext(view), required(view.monitors?.[0]), year))
    t.notMatch(markup, /<script(?! src="\/assets\/)|<img/)
  }
})

t.test('each service of a page leads to its own', async (t) => {
  const view = seededPage({ monitors: 5 })
  const markup = toText(statusPage(documentContext(view)))
  for (const { id } of view.monitors ?? []) {
    t.equal(markup.split(`href="/status/acme/services/${id}"`).length, 2, id)
  }
})

t.test(
  'a group has bars of its own, as bad as its worst, and the mean of its uptimes',
  async (t) => {
    const [sum] = sumOfDays([
      [day('2026-06-01', { downMs: 60_000, upRatio: 0.9 })],
      [day('2026-06-01', { downMs: 30_000, degradedMs: 5_000 })],
      [day('2026-06-01', { upRatio: null })],
    ])
    t.match(sum, { downMs: 60_000, degradedMs: 5_000, upRatio: 0.9 })
    t.equal(sumOfDays([[day('2026-06-01', { upRatio: null })]])[0]?.upRatio, null)
    const view = seededPage({ monitors: 8, hasSections: true })
    const groupsOf = (page: typeof view) =>
      toText(statusPage(documentContext(page))).split('<svg class="sum"').length - 1
    t.equal(groupsOf(view), 4)
    t.match(toText(statusPage(documentContext(view))), '<span class="unseen">on average </span>')
    t.equal(groupsOf(seededPage({ monitors: 8 })), 0, 'services without groups have none')
    const noHistory = { showHistory: false }
    t.equal(groupsOf(seededPage({ monitors: 8, hasSections: true, page: noHistory })), 0)
  },
)
