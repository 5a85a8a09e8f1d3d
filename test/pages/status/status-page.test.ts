// How a status page reads: numbers that never flatter, days in words, and a document fit for all.
import t from 'tap'
import type { IncidentId } from '../../../src/base/ids.ts'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import { notFoundPage } from '../../../src/pages/frame.ts'
import { toText } from '../../../src/pages/html.ts'
import { badDays, dayBars, daysSummary } from '../../../src/pages/status/day-bars.ts'
import { accentStyle, pageStyle } from '../../../src/pages/status/look/page-assets.ts'
import { pageTextOf } from '../../../src/pages/status/page-text.ts'
import { axisTopMs, chartLine } from '../../../src/pages/status/response-chart.ts'
import { statusPage } from '../../../src/pages/status/status-page.ts'
import { styleSheet } from '../../../src/pages/style-sheet.ts'
import type { PublicDay, PublicPage } from '../../../src/pages/view/public-page.ts'
import { toPublicPage } from '../../../src/pages/view/public-view.ts'
import { percentText, spanText } from '../../../src/pages/wording.ts'
import {
  dayMs,
  makePage,
  makePublicIncident,
  makeSource,
  noonMs,
  todayMs,
} from '../../support/make-page.ts'
import { seededPage } from '../../support/seeded-pages.ts'

t.test('a percentage is cut to two decimals, and has more where they say something', async (t) => {
  for (const [ratio, text] of [
    [1, '100%'],
    [1 - 1 / 7_776_000_000, '99.9999%'],
    [0.999_999, '99.9999%'],
    [0.999_95, '99.995%'],
    [0.999_987_6, '99.998%'],
    [0.9999, '99.99%'],
    [0.999_85, '99.98%'],
    [0.9995, '99.95%'],
    [0.998_76, '99.87%'],
    [0.95, '95.00%'],
    [0.1, '10.00%'],
    [0.000_001, '0.00%'],
    [0, '0%'],
  ] as const) {
    t.equal(percentText(ratio), text)
  }
})

t.test('a span is written in its two largest units', async (t) => {
  for (const [seconds, text] of [
    [0.2, '1 s'],
    [59, '59 s'],
    [61, '1 min'],
    [3_600, '1 h'],
    [8_100, '2 h 15 min'],
    [86_400 * 3 + 3_600 * 4 + 59, '3 d 4 h'],
  ] as const) {
    t.equal(spanText(seconds * 1_000), text)
  }
})

const quiet = { downMs: 0, degradedMs: 0, maintenanceMs: 0 }

function daysWith(downMs: Record<number, number | null>): PublicDay[] {
  return Array.from({ length: 90 }, (_, index) => {
    const down = downMs[89 - index] === undefined ? 0 : downMs[89 - index]
    const startMs = todayMs - (89 - index) * dayMs
    if (down === null || down === undefined)
      return { ...quiet, startMs, upRatio: null, hasShare: false }
    return { ...quiet, startMs, upRatio: 1 - down / dayMs, hasShare: true, downMs: down }
  })
}

const english = pageTextOf({ timezone: 'UTC' }, 'en')
const barsOf = (days: readonly PublicDay[]) => toText(dayBars(days, null))

t.test('ninety quiet days are one line', async (t) => {
  const quiet = toText(dayBars(daysWith({}), daysSummary(daysWith({}), english)))
  t.equal(quiet.split('<path').length - 1, 1)
  t.match(quiet, '<path d="M0 5h90"/>')
  t.match(quiet, 'role="img" aria-label="No downtime in the last 90 days."')
  t.match(barsOf(daysWith({ 89: null, 88: null })), '<path class="n" d="M0 5h2"/>')
})

t.test('a bad day is pale, with a part that is as high as the trouble was long', async (t) => {
  const minuteMs = 60_000
  const hours = (count: number) => count * 60 * minuteMs
  const bars = barsOf(daysWith({ 0: minuteMs, 1: dayMs, 3: 30 * minuteMs, 4: hours(12) }))
  t.match(bars, '<path class="d" d="M85 5h2M88 5h2"/>')
  t.match(bars, '<path class="D" d="M85 0v8M86 0v3M88 0v10M89 0v2"/>')
  const slow = daysWith({}).with(80, { ...daysWith({})[80]!, degradedMs: hours(2) })
  t.match(barsOf(slow), '<path class="p" d="M80 5h1"/><path class="P" d="M80 0v4"/>')
  const work = daysWith({}).with(7, { ...daysWith({})[7]!, maintenanceMs: hours(3) })
  t.match(barsOf(work), '<path class="m" d="M7 5h1"/><path class="M" d="M7 0v5"/>')
})

t.test('days in words', async (t) => {
  const said = (days: readonly PublicDay[]) => daysSummary(days, english)
  const listed = (days: readonly PublicDay[]) => toText(badDays(days, english))
  t.equal(listed(daysWith({})), '<p>No downtime in the last 90 days.</p>')
  t.equal(said(daysWith({ 4: 60_000, 9: 30_000 })), '1 min of downtime on 2 of the last 90 days.')
  t.equal(said(daysWith({ 89: null })), 'No downtime in the days with data.')
  const bad = daysWith({ 0: 60_000, 2: dayMs })
  t.equal(
    listed(bad.with(89, { ...bad[89]!, degradedMs: 120_000, maintenanceMs: 1_000 })),
    '<ul><li><b>15 Jun</b> 1 min down, 2 min degraded, 1 s of maintenance</li>\
<li><b>13 Jun</b> 1 d down</li></ul>',
  )
  const many = daysWith(Object.fromEntries(Array.from({ length: 40 }, (_, ago) => [ago, 1_000])))
  t.match(listed(many), '<li>and 10 earlier</li>')
})

const pageTextFor = (view: PublicPage) =>
  toText(statusPage({ view, language: view.language ?? 'en', root: '/status/acme' }))

t.test('a page is one document that says its state in its title', async (t) => {
  const incidents = [makePublicIncident()]
  const view = toPublicPage(makePage(), [makeSource({}, 'down')], incidents, noonMs)!
  const page = pageTextFor(view)
  t.match(page, /^<!doctype html>\n<html lang="en">/)
  t.match(page, '<title>Acme status – Major outage</title>')
  t.match(page, '<time datetime="2026-06-15T12:00:00.000Z">15 June 2026 at 12:00 UTC</time>')
  t.match(page, 'for 1 h so far')
  t.match(page, `<link rel="stylesheet" href="${pageStyle.path}">`)
  t.notMatch(page, /<script(?! src="\/assets\/)|<style|\sstyle=|http:\/\/(?!www\.w3\.org)/)
  t.notMatch(page, 'noindex')
  for (const tag of ['main', 'section', 'ul', 'li', 'p', 'div', 'article', 'svg', 'header']) {
    const opened = page.split(new RegExp(`<${tag}[ >]`)).length
    t.equal(opened, page.split(`</${tag}>`).length, `${tag} is closed`)
  }
})

t.test(
  'an owner adds links, an announcement and a footer, and lays the services out',
  async (t) => {
    const own = {
      headLinks: [
        { label: 'Shop <b>', url: 'https://acme.example/?a=1&b=2' },
        { label: 'Old', url: ' http://acme.example/"old' },
        { label: 'Mail', url: 'mailto:help@acme.example?subject=a&body=b' },
        { label: 'Script', url: 'javascript:alert(1)' },
      ],
      announcement: 'We move on **Friday**. <script>',
      footer: 'Acme, [imprint](https://acme.example/imprint)',
      layout: 'tiles' as const,
    }
    const view = toPublicPage(makePage(own), [makeSource({}, 'up')], [], noonMs)!
    const page = pageTextFor(view)
    t.match(page, '<a class="own" href="https://acme.example/?a=1&amp;b=2" rel="noopener">')
    t.match(page, '<bdi>Shop &lt;b&gt;</bdi>')
    t.match(page, '<a class="own" href="http://acme.example/%22old" rel="noopener">')
    t.match(page, 'href="mailto:help@acme.example?subject=a&amp;body=b"')
    t.notMatch(page, 'Script')
    t.match(page, /class="say card">.*We move on <strong>Friday<\/strong>\. &lt;script&gt;/s)
    t.ok(page.indexOf('class="say') < page.indexOf('class="overall'), 'above the state')
    t.match(page, /class="own-foot">.*href="https:\/\/acme\.example\/imprint"/s)
    t.match(page, '<ul class="svc tiles">')
    const usual = pageTextFor(toPublicPage(makePage(), [makeSource({}, 'up')], [], noonMs)!)
    t.notMatch(usual, /class="(own|say|own-foot)|tiles/)
  },
)

t.test('without a script the page is fetched again each minute', async (t) => {
  const page = pageTextFor(seededPage({ monitors: 1 }))
  t.match(page, '<noscript><meta http-equiv="refresh" content="60"></noscript>')
})

t.test('a page is as its owner has set it', async (t) => {
  const page = (fields: Partial<StatusPage>) =>
    pageTextFor(seededPage({ monitors: 2, page: fields }))
  t.match(page({ noindex: true }), '<meta name="robots" content="noindex">')
  const dark = page({ theme: { accent: '#ff8800', mode: 'dark' } })
  t.match(dark, 'class="dark"')
  t.match(dark, '<meta name="color-scheme" content="dark">')
  t.match(dark, `<link rel="stylesheet" href="${accentStyle('#ff8800').path}">`)
  t.match(page({}), /Monitored by <a href="https:\/\/up\.test\/"/)
  t.notMatch(page({ showMonitoredBy: false }), 'Monitored by')
  t.match(page({ allowsSubscribers: true }), '<a href="/status/acme/subscribe">Subscribe</a>')
  t.notMatch(page({}), '/subscribe')
  t.match(page({ language: 'ar' }), '<html lang="ar" dir="rtl">')
  t.match(
    page({ timezone: 'Europe/Berlin' }),
    'All times are in <span id="zone">Europe/Berlin</span>.',
  )
})

t.test('services stand in their sections; what is in none comes last', async (t) => {
  const seeded = seededPage({ monitors: 3 })
  const [first, second, third] = seeded.monitors!
  const sections = [{ name: 'Shop & more', monitorIds: [second!.id] }]
  const page = pageTextFor(seededPage({ monitors: 3, page: { sections } }))
  const inOrder = ['Shop &amp; more', second!.name, 'Other services', first!.name, third!.name]
  const places = inOrder.map((name) => page.indexOf(`${name}</h3>`))
  t.notOk(places.includes(-1))
  t.same(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.equal(page.split('<details class="card group" open>').length - 1, 2)
})

t.test('a large page folds what is good, and shows what is not', async (t) => {
  const calm = pageTextFor(seededPage({ monitors: 80 }))
  t.equal(calm.split('<svg').length - 1, 80, 'every service is in the page')
  t.match(calm, /<div class="card"><details class="group"><summary class="maintenance">/)
  const fire = pageTextFor(seededPage({ monitors: 80, isOnFire: true }))
  const [shown = '', folded = ''] = fire.split('<details class="group">')
  t.equal(shown.split('<i>Outage</i>').length - 1, 4)
  t.notMatch(folded, '<i>Outage</i>')
  const sections = pageTextFor(seededPage({ monitors: 80, isOnFire: true, hasSections: true }))
  t.equal(sections.split('<details class="card group">').length - 1, 3, 'good ones are closed')
  t.equal(sections.split('<details class="card group" open>').length - 1, 1)
})

t.test('incidents that were declared show their newest update; the others one line', async (t) => {
  const page = pageTextFor(seededPage({ monitors: 20, isOnFire: true }))
  const [, ongoing = ''] = page.split('<h2 id="ongoing">')
  const list = ongoing.slice(0, ongoing.indexOf('</section>'))
  t.equal(list.split('<li class="inc').length - 1, 2)
  t.equal(list.split('<details>').length - 1, 4)
  t.ok(list.indexOf('Payments are delayed') < list.indexOf('Checkout API is down'))
  t.match(list, 'lost its primary')
  t.notMatch(list, 'up to ten minutes', 'what was said before is on the page of the incident')
  t.match(list, '<a href="/status/acme/incidents/inc_declared0"')
})

t.test('the banner says how many services are affected, the worst first', async (t) => {
  const bannerOf = (view: PublicPage) => pageTextFor(view).split('</section>')[0] ?? ''
  const [first, second, third] = seededPage({ monitors: 3 }).monitors ?? []
  if (!first || !second || !third) throw new Error('there are three')
  const monitors = [
    { ...first, name: 'Search', state: 'degraded' as const },
    { ...second, name: 'Shop', state: 'up' as const },
    { ...third, name: 'Checkout', state: 'down' as const },
  ]
  const view = { ...seededPage({ monitors: 3 }), monitors }
  t.match(bannerOf(view), 'Affected services: 2 of 3 – <bdi>Checkout</bdi>, <bdi>Search</bdi></p>')
  const page = pageTextFor(view)
  t.ok(page.indexOf('Search</h3>') < page.indexOf('Checkout</h3>'), 'the order of the owner stays')
  const many = Array.from({ length: 9 }, () => monitors[2] ?? third)
  t.match(bannerOf({ ...view, monitors: many }), /9 of 9 .*Checkout<\/bdi> \+4<\/p>/)
  t.notMatch(bannerOf({ ...view, monitors: null }), 'Affected')
  t.notMatch(bannerOf({ ...view, monitors: [second] }), 'Affected')
})

t.test('open incidents are listed the worst first', async (t) => {
  const slow = makePublicIncident({ id: 'inc_slow' as IncidentId, severity: 'degraded' })
  const out = makePublicIncident({
    ...{ id: 'inc_out' as IncidentId, startedAtMs: slow.startedAtMs - 1_000 },
  })
  const view = toPublicPage(makePage(), [makeSource()], [slow, out], noonMs)
  if (!view) throw new Error('the page is shown')
  const [, ongoing = ''] = pageTextFor(view).split('<h2 id="ongoing">')
  t.ok(ongoing.indexOf('inc_out') < ongoing.indexOf('inc_slow'))
})

t.test('response times are lines on an axis with round numbers', async (t) => {
  t.equal(axisTopMs(1), 1)
  t.equal(axisTopMs(120), 200)
  t.equal(axisTopMs(201), 500)
  t.equal(axisTopMs(1_001), 2_000)
  t.equal(chartLine([100, 200, 0], 200), 'M0 30l1-30 1 60')
  t.equal(chartLine([null, 100, null, 100, 100], 200), 'M1 30h.2M3 30l1 0')
  const shown = seededPage({ monitors: 1, page: { showResponseTimes: true } })
  const times = shown.monitors![0]!.responseTimes!
  const page = pageTextFor(shown)
  t.match(page, `Median ${times.p50Ms} ms`)
  t.match(page, `95th percentile ${times.p95Ms} ms`)
  t.match(page, '<time datetime="2026-06-14T12:00Z">12:00</time>')
  t.notMatch(pageTextFor(seededPage({ monitors: 1 })), '<figure')
})

t.test('a page of fifty services is small', async (t) => {
  const page = pageTextFor(seededPage({ monitors: 50 }))
  t.ok(page.length < 30_500, `${page.length} characters`)
})

t.test('ongoing incidents are not denied by the list of past ones', async (t) => {
  const ongoing = makePublicIncident()
  const past = makePublicIncident({
    id: 'inc_past' as IncidentId,
    title: 'Long over',
    state: 'resolved',
    resolvedAtMs: noonMs,
  })
  const pastSection = (...incidents: Incident[]) => {
    const view = toPublicPage(makePage(), [makeSource()], incidents, noonMs)!
    return pageTextFor(view).split('<section aria-labelledby="past">')[1]
  }
  t.match(pastSection(), 'No incidents reported.')
  t.match(pastSection(ongoing), 'No other incidents.')
  for (const incidents of [[past], [past, ongoing]]) {
    t.match(pastSection(...incidents), 'Long over')
    t.notMatch(pastSection(...incidents), /No (other )?incidents/)
  }
})

t.test('the not-found page keeps search engines away', async (t) => {
  t.match(toText(notFoundPage()), '<meta name="robots" content="noindex">')
})

t.test('the style sheet has its hash in its path and loads nothing else', async (t) => {
  t.match(styleSheet.path, /^\/assets\/status-page\.[0-9a-f]{16}\.css$/)
  t.notMatch(styleSheet.bytes.toString(), /url\((?!"inter-)|@import/)
})

/** WCAG 2.2 relative luminance and contrast. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const long = hex.length === 4 ? hex.replace(/[0-9a-f]/g, '$&$&') : hex
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(long.slice(at, at + 2), 16) / 255
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

t.test('text has enough contrast in light and in dark (WCAG AA)', async (t) => {
  const themes = styleSheet.bytes.toString().match(/\{--paper[^}]+\}/g) ?? []
  t.equal(themes.length, 3, 'light, dark, and chosen dark')
  for (const theme of themes) {
    const color = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(theme)?.[1] ?? ''
    for (const ground of ['paper', 'card']) {
      for (const ink of ['ink', 'soft']) t.ok(contrast(color(ink), color(ground)) >= 4.5, ink)
    }
    for (const tone of ['up', 'slow', 'down', 'calm', 'none']) {
      t.ok(contrast(color(`${tone}-ink`), color('card')) >= 4.5, `${tone} text`)
      t.ok(contrast(color('ink'), color(`${tone}-wash`)) >= 4.5, `${tone} banner`)
      t.ok(contrast(color('soft'), color(`${tone}-wash`)) >= 4.5, `${tone} banner's time`)
      t.ok(contrast(color(tone), color('card')) >= 2.2, `${tone} dots and bars`)
    }
  }
})
