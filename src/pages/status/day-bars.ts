// Draws ninety days of one monitor as a strip of bars, and describes them in words.
//
// A quiet quarter is one dashed line. A day with trouble is a pale bar, with a part that is as high as
// the trouble was long: half an hour is a quarter, a whole day is all of it.
import { dayMs } from '../../domain/health/span.ts'
import { type Html, html } from '../html.ts'
import type { PublicDay } from '../view/public-page.ts'
import type { PageText } from './page-text.ts'

const height = 10
const leastPart = 2

/** What a day is drawn as: down before degraded before maintenance. */
type BarTone = 'none' | 'up' | 'down' | 'degraded' | 'maintenance'

function toneOf(day: PublicDay): BarTone {
  if (day.downMs > 0) return 'down'
  if (day.degradedMs > 0) return 'degraded'
  if (day.maintenanceMs > 0) return 'maintenance'
  return day.upRatio === null ? 'none' : 'up'
}

/** Half an hour and half a day should both be seen, so the height is the cube root of the share. */
function partHeight(ms: number): number {
  const part = Math.round(height * Math.cbrt(Math.min(1, ms / dayMs)))
  return Math.max(leastPart, part)
}

/** What happened on a day; '' if nothing did. */
export function eventsOf(day: PublicDay, { words, formats }: PageText): string {
  const parts = [
    day.downMs > 0 && words.days.down({ span: formats.span(day.downMs) }),
    day.degradedMs > 0 && words.days.degraded({ span: formats.span(day.degradedMs) }),
    day.maintenanceMs > 0 && words.days.maintenance({ span: formats.span(day.maintenanceMs) }),
  ]
  return parts.filter((part) => part !== false).join(formats.marks.comma)
}

/** One sentence that describes the strip. */
export function daysSummary(days: readonly PublicDay[], { words, formats }: PageText): string {
  const known = days.filter((day) => day.upRatio !== null)
  if (known.length === 0) return words.days.noDataInDays({ days: days.length })
  const hurt = known.filter((day) => day.downMs > 0)
  const isWhole = known.length === days.length
  if (hurt.length === 0) {
    return isWhole
      ? words.days.noDowntimeInDays({ days: days.length })
      : words.days.noDowntimeWhereKnown
  }
  const total = formats.span(hurt.reduce((sum, day) => sum + day.downMs, 0))
  if (isWhole) return words.days.downOnDays({ span: total, hurt: hurt.length, days: days.length })
  if (known.length === 1) return words.days.downOnOnlyDay({ span: total })
  return words.days.downOnKnownDays({ span: total, hurt: hurt.length, known: known.length })
}

/** What the colours of days mean, as far as they occur. */
export function meanings(all: readonly PublicDay[], { legend }: PageText['words']): Html {
  const has = (test: (day: PublicDay) => boolean) => all.some(test)
  return html`<ul aria-label="${legend.heading}">\
<li><i></i>${legend.up}</li>\
${has((day) => day.degradedMs > 0) && html`<li><i class="p"></i>${legend.degraded}</li>`}\
${
  has((day) => day.downMs > 0) &&
  html`<li><i class="d"></i>${legend.partlyDown}</li><li><i class="D"></i>${legend.down}</li>`
}\
${has((day) => day.maintenanceMs > 0) && html`<li><i class="m"></i>${legend.maintenance}</li>`}\
${has((day) => day.upRatio === null) && html`<li><i class="n"></i>${legend.noData}</li>`}</ul>`
}

/** Whether anything but uptime is known of some day. */
export function hasBadDay(days: readonly PublicDay[]): boolean {
  return days.some((day) => day.downMs + day.degradedMs + day.maintenanceMs > 0)
}

const hasEvents = (tone: BarTone) => tone !== 'up' && tone !== 'none'

/** Runs of days that are drawn alike, as lines from left to right. */
function runs(tones: readonly BarTone[], wanted: BarTone): string {
  let shape = ''
  let length = 0
  for (let at = 0; at <= tones.length; at += 1) {
    if (tones[at] === wanted) {
      length += 1
      continue
    }
    if (length > 0) shape += `M${at - length} 5h${length}`
    length = 0
  }
  return shape
}

const eventMs = {
  down: (day: PublicDay) => day.downMs,
  degraded: (day: PublicDay) => day.degradedMs,
  maintenance: (day: PublicDay) => day.maintenanceMs,
} as const

/**
 * Pale bars of one tone, and over them parts as high as the trouble was long. The style sheet moves
 * these parts to the middle of their bars, and turns the drawing upside down.
 */
function troubled(
  days: readonly PublicDay[],
  tones: readonly BarTone[],
  tone: keyof typeof eventMs,
  [pale, strong]: readonly [string, string],
): Html | null {
  const bars = runs(tones, tone)
  if (bars === '') return null
  const parts = days.flatMap((day, at) =>
    tones[at] === tone ? [`M${at} 0v${partHeight(eventMs[tone](day))}`] : [],
  )
  return html`<path class="${pale}" d="${bars}"/><path class="${strong}" d="${parts.join('')}"/>`
}

/**
 * The bars: green ones, and over them the bars of the days that were different. With a label they are
 * an image with a description; without one the same is said elsewhere. `isSum`: of several monitors.
 */
export function dayBars(days: readonly PublicDay[], label: string | null, isSum = false): Html {
  const tones = days.map(toneOf)
  const bare = runs(tones, 'none')
  const shapes = html`<path d="M0 5h${days.length}"/>\
${bare !== '' && html`<path class="n" d="${bare}"/>`}\
${troubled(days, tones, 'maintenance', ['m', 'M'])}\
${troubled(days, tones, 'degraded', ['p', 'P'])}\
${troubled(days, tones, 'down', ['d', 'D'])}</svg>`
  const box = `0 0 ${days.length} ${height}`
  if (isSum) {
    return html`<svg class="sum" viewBox="${box}" preserveAspectRatio="none" aria-hidden="true">${shapes}`
  }
  return label === null
    ? html`<svg viewBox="${box}" preserveAspectRatio="none" aria-hidden="true">${shapes}`
    : html`<svg viewBox="${box}" preserveAspectRatio="none" role="img" aria-label="${label}">${shapes}`
}

/** Days with downtime, slowness or maintenance that a page lists of a monitor. */
const publicBadDaysMax = 30

/** What happened by day, newest first. All days in one sentence only where that says more. */
export function badDays(days: readonly PublicDay[], text: PageText): Html {
  const { words, formats } = text
  const bad = days.filter((day) => hasEvents(toneOf(day))).toReversed()
  const listed = bad
    .slice(0, publicBadDaysMax)
    .map((day) => html`<li><b>${formats.utcDay(day.startMs)}</b> ${eventsOf(day, text)}</li>`)
  const more = bad.length - listed.length
  return html`${(bad.length === 0 || more > 0) && html`<p>${daysSummary(days, text)}</p>`}${
    bad.length > 0 &&
    html`<ul>${listed}${more > 0 && html`<li>${words.days.andEarlier({ days: more })}</li>`}</ul>`
  }`
}

/** The days of several monitors as one: each as bad as the worst of them was. */
export function sumOfDays(all: readonly (readonly PublicDay[])[]): readonly PublicDay[] {
  const [first = []] = all
  return first.map(({ startMs }, at) => {
    const days = all.flatMap((one) => one[at] ?? [])
    const most = (of: (day: PublicDay) => number) => Math.max(...days.map(of))
    const ratios = days.flatMap(({ upRatio }) => upRatio ?? [])
    return {
      startMs,
      upRatio: ratios.length === 0 ? null : Math.min(...ratios),
      hasShare: days.some(({ hasShare }) => hasShare),
      downMs: most(({ downMs }) => downMs),
      degradedMs: most(({ degradedMs }) => degradedMs),
      maintenanceMs: most(({ maintenanceMs }) => maintenanceMs),
    }
  })
}
