// A year of one service as twelve small months. Each is a table, so that a screen reader says weekday and day; a
// day on which something happened says what, and can be reached with the keyboard.
import { dayMs } from '../../domain/health/span.ts'
import { type Html, html } from '../html.ts'
import type { PublicDay } from '../view/public-page.ts'
import { eventsOf, meanings } from './day-bars.ts'
import type { PageText } from './page-text.ts'

const daysOfWeek = 7
/** A Monday, with which weeks begin. */
const mondayMs = 4 * dayMs

/** `days`: oldest first, whole months but the last one. Months before there was any data are left out. */
export function yearCalendar(days: readonly PublicDay[], text: PageText): Html {
  const months = [...Map.groupBy(days, ({ startMs }) => monthOf(startMs))]
  const first = months.findIndex(([, all]) => all.some(({ upRatio }) => upRatio !== null))
  const shown = months.slice(first)
  const all = shown.flatMap(([, ofMonth]) => ofMonth)
  return html`<div class="year">${shown.map(([month, ofMonth]) => monthTable(month, ofMonth, text))}</div>
<div class="key">${meanings(all, text.words)}</div>`
}

const monthOf = (startMs: number) => new Date(startMs).toISOString().slice(0, 'yyyy-mm'.length)

function monthTable(month: string, days: readonly PublicDay[], text: PageText): Html {
  const { formats } = text
  const before = weekday(days[0]?.startMs ?? mondayMs)
  const weeks = Map.groupBy(days.entries(), ([at]) => Math.floor((before + at) / daysOfWeek))
  const heads = Array.from({ length: daysOfWeek }, (_, at) => {
    const atMs = mondayMs + at * dayMs
    return html`<th scope="col" abbr="${formats.weekday(atMs)}">${formats.shortWeekday(atMs)}</th>`
  })
  return html`<table><caption>${formats.month(month)}</caption><thead><tr>${heads}</tr></thead>
<tbody>${[...weeks].map(
    ([week, all]) => html`<tr>${week === 0 && before > 0 && html`<td colspan="${before}"></td>`}\
${all.map(([at, day]) => dayCell(at + 1, day, text))}</tr>`,
  )}</tbody></table>`
}

const weekday = (startMs: number) => Math.floor((startMs - mondayMs) / dayMs) % daysOfWeek

function dayCell(number: number, day: PublicDay, text: PageText): Html {
  const events = eventsOf(day, text)
  if (events === '') {
    if (day.upRatio !== null) return html`<td class="u">${number}</td>`
    return html`<td class="n">${number}<span class="unseen"> ${text.words.days.noData}</span></td>`
  }
  // A text that stands beside the number where it is focused or pointed at.
  return html`<td class="${toneOf(day)}" tabindex="0">${number}<span class="what"> \
<b>${text.formats.fullUtcDay(day.startMs)}</b> ${events}</span></td>`
}

/** As the legend of the bars has them. */
function toneOf({ downMs, degradedMs }: PublicDay): string {
  if (downMs > 0) return downMs > dayMs / 2 ? 'D' : 'd'
  return degradedMs > 0 ? 'p' : 'm'
}
