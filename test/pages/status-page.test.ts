// How a status page reads: numbers that never flatter, days in words, and a document fit for all.
import t from 'tap'
import type { IncidentId } from '../../src/base/ids.ts'
import type { Incident } from '../../src/domain/incidents/incident.ts'
import { dayBars, daysSummary, downDays } from '../../src/pages/day-bars.ts'
import { notFoundPage } from '../../src/pages/frame.ts'
import { toText } from '../../src/pages/html.ts'
import type { PublicDay } from '../../src/pages/public-page.ts'
import { toPublicPage } from '../../src/pages/public-view.ts'
import { statusPage } from '../../src/pages/status-page.ts'
import { styleSheet } from '../../src/pages/style-sheet.ts'
import { percentText, spanText } from '../../src/pages/wording.ts'
import {
  dayMs,
  makePage,
  makePublicIncident,
  makeSource,
  noonMs,
  todayMs,
} from '../support/make-page.ts'

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

function daysWith(downMs: Record<number, number | null>): PublicDay[] {
  return Array.from({ length: 90 }, (_, index) => {
    const down = downMs[89 - index] === undefined ? 0 : downMs[89 - index]
    const startMs = todayMs - (89 - index) * dayMs
    if (down === null || down === undefined)
      return { startMs, upRatio: null, hasShare: false, downMs: 0 }
    return { startMs, upRatio: 1 - down / dayMs, hasShare: true, downMs: down }
  })
}

t.test('ninety quiet days are one line; a bad day stands alone and says how bad', async (t) => {
  const quiet = toText(dayBars(daysWith({})))
  t.equal(quiet.split('<path').length - 1, 1)
  t.match(quiet, 'd="M0 17H449"')
  t.match(quiet, '<title>18 Mar – 15 Jun: no downtime</title>')
  t.match(quiet, 'role="img" aria-label="No downtime in the last 90 days."')
  const bars = toText(dayBars(daysWith({ 0: 60_000, 1: dayMs, 89: null })))
  t.match(bars, '<path class="n" d="M0 17H4"><title>18 Mar: no data</title></path>')
  t.match(bars, '<path class="d" d="M440 17H444"><title>14 Jun: 1 d down (0% up)</title></path>')
  t.match(bars, '<path class="p" d="M445 17H449"><title>15 Jun: 1 min down (99.93% up)</title>')
})

t.test('days in words', async (t) => {
  t.equal(downDays(daysWith({})), null)
  t.equal(
    daysSummary(daysWith({ 4: 60_000, 9: 30_000 })),
    '1 min of downtime on 2 of the last 90 days.',
  )
  t.equal(daysSummary(daysWith({ 89: null })), 'No downtime in the days with data.')
  const many = daysWith(Object.fromEntries(Array.from({ length: 30 }, (_, ago) => [ago, 1_000])))
  t.match(toText(downDays(many)!), 'and 23 earlier')
})

t.test('a page is one document without a script that says its state in its title', async (t) => {
  const incidents = [makePublicIncident()]
  const view = toPublicPage(makePage(), [makeSource({}, 'down')], incidents, noonMs)!
  const page = toText(statusPage(view))
  t.match(page, /^<!doctype html>\n<html lang="en">/)
  t.match(page, '<title>Acme status – Major outage</title>')
  t.match(page, '<time datetime="2026-06-15T12:00:00.000Z">15 June 2026, 12:00 UTC</time>')
  t.match(page, 'for 1 h so far')
  t.match(page, `<link rel="stylesheet" href="${styleSheet.path}">`)
  t.notMatch(page, /<script|<style|\sstyle=|http:\/\/(?!www\.w3\.org)/)
  for (const tag of ['main', 'section', 'ul', 'li', 'p', 'div', 'article', 'svg', 'header']) {
    const opened = page.split(new RegExp(`<${tag}[ >]`)).length
    t.equal(opened, page.split(`</${tag}>`).length, `${tag} is closed`)
  }
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
    return toText(statusPage(view)).split('<section aria-labelledby="past">')[1]
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
  t.notMatch(styleSheet.bytes.toString(), /url\(|@import/)
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
  const themes = styleSheet.bytes.toString().match(/:root\{[^}]+\}/g) ?? []
  t.equal(themes.length, 2)
  for (const theme of themes) {
    const color = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{3,6})`).exec(theme)?.[1] ?? ''
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
