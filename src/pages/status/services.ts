// The services of a status page: in their sections, each in one row that opens where there is more.
import { limits } from '../../domain/limits/limits.ts'
import { placesIn } from '../../domain/locations/shown-places.ts'
import { type Html, html } from '../html.ts'
import type { OverallLevel, PublicMonitor, PublicPage, PublicState } from '../view/public-page.ts'
import { badDays, dayBars, daysSummary, hasBadDay, meanings, sumOfDays } from './day-bars.ts'
import { incidentLink, type ListContext } from './incident-lists.ts'
import type { PageText } from './page-text.ts'
import { responseChart } from './response-chart.ts'

interface Shown extends Pick<PublicPage, 'showHistory' | 'showUptime' | 'layout'> {
  readonly root: string
  /** Links to the incidents that people declared about it. */
  readonly declared: (monitor: PublicMonitor) => readonly Html[]
}

function figure({ uptime90d }: PublicMonitor, { words, formats }: PageText): Html {
  return uptime90d === null
    ? html`<b title="${words.days.uptimeUnknown}">—</b>`
    : html`<b>${formats.percent(uptime90d)}</b>`
}

/** Where the page of a service is. */
function servicePath(root: string, { id }: Pick<PublicMonitor, 'id'>): string {
  return `${root}/services/${id}`
}

function monitorRow(monitor: PublicMonitor, page: Shown, text: PageText): Html {
  const { state, days, responseTimes, locations } = monitor
  const tone = toneOf[state]
  const hasMore = hasBadDay(days) || responseTimes !== null
  // The bars are described once: in the details, or by the bars themselves.
  const label = hasMore ? null : daysSummary(days, text)
  const path = servicePath(page.root, monitor)
  const name = hasMore ? monitor.name : html`<a href="${path}">${monitor.name}</a>`
  const failing = placesIn(text.language, monitor.failsFrom)
  const row = html`<h3>${name}</h3>\
${page.showHistory && dayBars(days, label)}${page.showUptime && figure(monitor, text)}\
<i>${text.words.states[state]}</i>${failing !== null && html`<small>${failing}</small>`}`
  const item = hasMore
    ? html`<details><summary>${row}</summary>${page.showHistory && badDays(days, text)}${
        responseTimes !== null && responseChart(responseTimes, locations, text)
      }<p class="at"><a href="${path}">${text.words.days.moreAbout({ name: monitor.name })}</a></p></details>`
    : html`<div>${row}</div>`
  const links = page.declared(monitor)
  const declared = links.length > 0 && html`<p class="at">${links}</p>`
  // Good is how the style sheet draws a row without a class.
  return tone === 'up'
    ? html`<li>${item}${declared}</li>\n`
    : html`<li class="${classOf(state)}">${item}${declared}</li>\n`
}

function rows(monitors: readonly PublicMonitor[], page: Shown, text: PageText): Html {
  const kind = `svc${page.showHistory ? '' : ' bare'}${page.layout === 'rows' ? '' : ` ${page.layout}`}`
  return html`<ul class="${kind}">${monitors.map((one) => monitorRow(one, page, text))}</ul>`
}

/** From the best to the worst. */
const tonesByWeight: readonly OverallLevel[] = ['unknown', 'up', 'maintenance', 'degraded', 'down']

/** The worst monitors first; monitors that are alike stay in the order of the page. */
export function worstFirst(monitors: readonly PublicMonitor[]): readonly PublicMonitor[] {
  const weightOf = ({ state }: PublicMonitor) => tonesByWeight.indexOf(toneOf[state])
  return monitors.toSorted((a, b) => weightOf(b) - weightOf(a))
}

export const isTroubled = ({ state }: PublicMonitor) => state === 'down' || state === 'degraded'

/** The days of a group, and its uptime: the mean of its monitors. */
function groupChart(monitors: readonly PublicMonitor[], page: Shown, text: PageText): Html | null {
  if (monitors.length < 2) return null
  const { words, formats } = text
  const known = monitors.flatMap(({ uptime90d }) => uptime90d ?? [])
  const mean = known.reduce((sum, ratio) => sum + ratio, 0) / known.length
  return html`${page.showHistory && dayBars(sumOfDays(monitors.map(({ days }) => days)), null, true)}${
    page.showUptime &&
    known.length > 0 &&
    html`<b><span class="unseen">${words.days.average} </span>${formats.percent(mean)}</b>`
  }`
}

/** The state of several monitors in an icon and a word, with how many they are. */
function summary(
  monitors: readonly PublicMonitor[],
  name: string | null,
  text: PageText,
  chart: Html | null = null,
): Html {
  const { formats, words } = text
  const { state } = worstFirst(monitors)[0] ?? { state: 'pending' as const }
  const troubled = monitors.filter(isTroubled).length
  const count = `${troubled > 0 ? `${formats.number(troubled)}/` : ''}${formats.number(monitors.length)}`
  const said = name === null ? count : `${words.states[state]} · ${count}`
  return html`<summary class="${classOf(state)}"><h3 dir="auto">${name ?? words.states[state]}</h3>\
${chart}<i>${said}</i></summary>`
}

/** Good monitors of one section of a larger page, above which they are folded into one line. */
const pageGoodRowsShown = 8

/**
 * On a large page, many good monitors of a section are folded into one line, so that readers see the
 * others at once.
 */
function foldedRows(monitors: readonly PublicMonitor[], page: Shown, text: PageText): Html {
  const good = monitors.filter((monitor) => !isTroubled(monitor))
  if (good.length <= pageGoodRowsShown) return rows(monitors, page, text)
  const troubled = monitors.filter(isTroubled)
  return html`${troubled.length > 0 && rows(troubled, page, text)}\
<details class="group">${summary(good, null, text)}${rows(good, page, text)}</details>`
}

type Group = { readonly name: string | null; readonly monitors: readonly PublicMonitor[] }

function group(one: Group, page: Shown, isLarge: boolean, text: PageText): Html {
  const { monitors } = one
  const name = one.name ?? text.words.headings.otherServices
  const isGood = !monitors.some(isTroubled)
  const isClosed = isLarge && isGood && monitors.length > pageGoodRowsShown
  const head = summary(monitors, name, text, groupChart(monitors, page, text))
  if (isClosed)
    return html`<details class="card group">${head}${rows(monitors, page, text)}</details>`
  return html`<details class="card group" open>${head}${
    isLarge ? foldedRows(monitors, page, text) : rows(monitors, page, text)
  }</details>`
}

/** Days of the history that a phone shows. The style sheet says the same. */
const narrowHistoryDays = 30

/** What the bars mean, and the time that they tell of. */
function legend(monitors: readonly PublicMonitor[], { words }: PageText): Html {
  const { days } = words
  const all = monitors.flatMap((monitor) => monitor.days)
  const first = Math.max(0, ...monitors.map((monitor) => monitor.days.length))
  return html`<div class="key">${meanings(all, words)}\
<p><span class="many">${days.daysAgo({ days: first })}</span>\
<span class="few">${days.daysAgo({ days: Math.min(first, narrowHistoryDays) })}</span> – ${days.today}</p></div>`
}

function declaredLinks({ view, root, text }: ListContext): Shown['declared'] {
  const byId = new Map((view.incidents ?? []).map((incident) => [incident.id, incident]))
  return ({ declaredIds }) =>
    declaredIds.flatMap((id) => {
      const incident = byId.get(id)
      return incident ? incidentLink(incident, { view, root, text }) : []
    })
}

/** Up to so many monitors, a status page shows the row of each. */
const pageRowsShown = 60

/** Null if the page does not show its services. */
export function services(context: ListContext): Html | null {
  const { view, text } = context
  const { monitors, sections, showHistory, showUptime, layout } = view
  const { root } = context
  const page = { showHistory, showUptime, layout, root, declared: declaredLinks(context) }
  if (monitors === null) return null
  const { words } = text
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]))
  const groups = sections.map(({ name, monitorIds }) => ({
    name,
    monitors: monitorIds.flatMap((id) => byId.get(id) ?? []),
  }))
  const isLarge = monitors.length > pageRowsShown
  const hasNames = groups.some(({ name }) => name !== null)
  const overDays = words.days.uptime({ percent: '' }).trim()
  const shown = hasNames
    ? groups.map((one) => group(one, page, isLarge, text))
    : html`<div class="card">${
        isLarge ? foldedRows(monitors, page, text) : rows(monitors, page, text)
      }</div>`
  return html`<section aria-labelledby="services"><div class="bar"><h2 id="services">\
${words.headings.services}</h2>${
    page.showUptime &&
    monitors.length > 0 &&
    html`<span>${overDays}${text.formats.marks.gap}${words.days.overDays({ days: limits.historyDays })}</span>`
  }</div>
${monitors.length > 0 ? shown : html`<p class="card quiet">${words.empty.services}</p>`}\
${page.showHistory && monitors.length > 0 && legend(monitors, text)}</section>`
}

/** The name of a class. States that tell nothing about the service have one colour. */
const toneOf: Readonly<Record<PublicState, OverallLevel>> = {
  up: 'up',
  degraded: 'degraded',
  down: 'down',
  maintenance: 'maintenance',
  pending: 'unknown',
  waiting: 'unknown',
  paused: 'unknown',
  unknown: 'unknown',
}

const marks: Partial<Record<PublicState, string>> = {
  pending: 'unknown pending',
  waiting: 'unknown pending',
  paused: 'unknown paused',
}

/** The classes that draw a state: its tone, and its icon where that has another one. */
export function classOf(state: PublicState): string {
  return marks[state] ?? toneOf[state]
}
