// Draws the response times of the newest hours: the median, and what 95 of 100 checks kept.
import { hourMs } from '../../domain/health/span.ts'
import { type Html, html } from '../html.ts'
import type { PublicLocation, PublicResponseTimes } from '../view/public-page.ts'
import type { PageText } from './page-text.ts'

const height = 60
const roundSteps = [1, 2, 5]

/** The least round number that is not below: 1, 2 or 5 with zeros. */
export function axisTopMs(mostMs: number): number {
  for (let scale = 1; ; scale *= 10) {
    const found = roundSteps.find((step) => step * scale >= mostMs)
    if (found !== undefined) return found * scale
  }
}

/** A line through the hours, interrupted at hours without a value. An hour alone is a short dash. */
export function chartLine(values: readonly (number | null)[], topMs: number): string {
  let shape = ''
  let lastY: number | null = null
  for (const [at, value] of values.entries()) {
    if (value === null) {
      lastY = null
      continue
    }
    const y = Math.round(height * (1 - value / topMs))
    if (lastY !== null) {
      const step = y - lastY
      shape += `${shape.endsWith('l') ? '' : ' '}1${step < 0 ? '' : ' '}${step}`
    } else if ((values[at + 1] ?? null) === null) shape += `M${at} ${y}h.2`
    else shape += `M${at} ${y}l`
    lastY = y
  }
  return shape
}

export function responseChart(
  times: PublicResponseTimes,
  locations: readonly PublicLocation[],
  { words, formats }: PageText,
): Html {
  const { hours, p50Ms, p95Ms } = times
  const topMs = axisTopMs(Math.max(1, ...hours.map((hour) => hour.p95Ms ?? 0)))
  const [first] = hours
  const last = hours.at(-1)
  const { responseTimes } = words
  const p50s = hours.map((hour) => hour.p50Ms)
  const p95s = hours.map((hour) => hour.p95Ms)
  return html`<figure><figcaption>${responseTimes.ofLastDays({ days: 1 })}${formats.marks.colon}<i></i>${responseTimes.median} \
${formats.responseTime(p50Ms)}${formats.marks.comma}<i class="q"></i>${responseTimes.p95} \
${formats.responseTime(p95Ms)}</figcaption><p>${formats.responseTime(topMs)}</p>\
<svg viewBox="0 0 ${Math.max(1, hours.length - 1)} ${height}" preserveAspectRatio="none" \
aria-hidden="true"><path class="q" d="${chartLine(p95s, topMs)}"/>\
<path d="${chartLine(p50s, topMs)}"/></svg>\
<div>${first && hourTag(first.startMs, formats)}${last && hourTag(last.startMs + hourMs, formats)}\
</div>${byLocation(locations, formats)}</figure>`
}

/** The median from each location. */
function byLocation(
  locations: readonly PublicLocation[],
  { responseTime }: PageText['formats'],
): Html | null {
  const known = locations.flatMap(({ name, p50Ms }) => (p50Ms === null ? [] : [{ name, p50Ms }]))
  if (known.length === 0) return null
  return html`<ul>${known.map(
    ({ name, p50Ms }) => html`<li><b>${responseTime(p50Ms)}</b> <bdi>${name}</bdi></li>`,
  )}</ul>`
}

/** The time of an axis, which the script turns to the zone of the reader. */
function hourTag(atMs: number, formats: PageText['formats']): Html {
  const iso = new Date(atMs).toISOString()
  return html`<time datetime="${iso.slice(0, 'yyyy-mm-ddThh:mm'.length)}Z">${formats.time(atMs)}</time>`
}
