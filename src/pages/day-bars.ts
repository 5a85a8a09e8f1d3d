// Draws ninety days of one monitor as a strip of bars, and describes them for screen readers.
import { limits } from '../domain/limits/limits.ts'
import { type Html, html } from './html.ts'
import type { PublicDay } from './public-page.ts'
import { dayText, percentText, spanText } from './wording.ts'

const barWidth = 4
const stepWidth = 5
const height = 34
/** Below this share of a day the bar shows "bad", above it "a little". */
const badRatio = 0.98

type Tone = 'n' | 'u' | 'p' | 'd'

function toneOf(day: PublicDay): Tone {
  if (day.upRatio === null) return 'n'
  if (day.downMs === 0) return 'u'
  return day.upRatio < badRatio ? 'd' : 'p'
}

interface BarRun {
  readonly tone: Tone
  readonly first: number
  readonly last: number
}

/** Merges neighbouring days that look alike into one run; a day with downtime stays alone. */
function runsOf(days: readonly PublicDay[]): BarRun[] {
  const runs: BarRun[] = []
  for (const [index, day] of days.entries()) {
    const tone = toneOf(day)
    const before = runs.at(-1)
    if (before && before.tone === tone && (tone === 'u' || tone === 'n')) {
      runs[runs.length - 1] = { ...before, last: index }
    } else {
      runs.push({ tone, first: index, last: index })
    }
  }
  return runs
}

function downText(day: PublicDay): string {
  const share = day.hasShare ? ` (${percentText(day.upRatio ?? 0)} up)` : ''
  return `${spanText(day.downMs)} down${share}`
}

function runTitle(run: BarRun, days: readonly PublicDay[]): string {
  const first = days[run.first]
  const last = days[run.last]
  if (!first || !last) return ''
  const when =
    run.first === run.last
      ? dayText(first.startMs)
      : `${dayText(first.startMs)} – ${dayText(last.startMs)}`
  if (run.tone === 'n') return `${when}: no data`
  return run.tone === 'u' ? `${when}: no downtime` : `${when}: ${downText(first)}`
}

/** One sentence that describes the strip. */
export function daysSummary(days: readonly PublicDay[]): string {
  const known = days.filter((day) => day.upRatio !== null)
  if (known.length === 0) return 'No data in the last 90 days.'
  const hurt = known.filter((day) => day.downMs > 0)
  const isWhole = known.length === days.length
  if (hurt.length === 0) {
    return `No downtime in ${isWhole ? `the last ${days.length} days` : 'the days with data'}.`
  }
  const total = hurt.reduce((sum, day) => sum + day.downMs, 0)
  const scope = isWhole ? `the last ${days.length} days` : `${known.length} days with data`
  const share = known.length === 1 ? 'the only day with data' : `${hurt.length} of ${scope}`
  return `${spanText(total)} of downtime on ${share}.`
}

/** Renders the strip. A run is one dashed line: a quiet quarter costs one element, not ninety. */
export function dayBars(days: readonly PublicDay[]): Html {
  const width = days.length * stepWidth - (stepWidth - barWidth)
  const lines = runsOf(days).map((run) => {
    const from = run.first * stepWidth
    const to = run.last * stepWidth + barWidth
    const title = html`<title>${runTitle(run, days)}</title>`
    const shape = `M${from} ${height / 2}H${to}`
    return html`<path class="${run.tone}" d="${shape}">${title}</path>`
  })
  return html`<svg class="days" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" \
role="img" aria-label="${daysSummary(days)}" fill="none" stroke="currentColor" \
stroke-width="${height}" stroke-dasharray="${barWidth} ${stepWidth - barWidth}">${lines}</svg>`
}

/** The days with downtime, newest first, inside a disclosure element that needs no script. */
export function downDays(days: readonly PublicDay[]): Html | null {
  const hurt = days.filter((day) => day.upRatio !== null && day.downMs > 0).toReversed()
  if (hurt.length === 0) return null
  const listed = hurt
    .slice(0, limits.publicDownDaysMax)
    .map((day) => html`<li><span>${dayText(day.startMs)}</span> <span>${downText(day)}</span></li>`)
  const more = hurt.length - listed.length
  return html`<details><summary>${daysSummary(days)}</summary><ul>${listed}${
    more > 0 && html`<li>and ${more} earlier</li>`
  }</ul></details>`
}
