// The page of one service: its uptime, its response times, a calendar of a year, and its incidents.
import { limits } from '../../domain/limits/limits.ts'
import { placesIn } from '../../domain/locations/shown-places.ts'
import { type Html, html } from '../html.ts'
import type { DocumentContext, PublicMonitor, PublicYear } from '../view/public-page.ts'
import { badDays } from './day-bars.ts'
import { incidentItem } from './history-page.ts'
import { homeOf } from './page-frame.ts'
import type { PageText } from './page-text.ts'
import { responseChart } from './response-chart.ts'
import { classOf } from './services.ts'
import { subPage } from './sub-page.ts'
import { yearCalendar } from './year-calendar.ts'

export function servicePage(
  context: DocumentContext,
  monitor: PublicMonitor,
  year: PublicYear,
): Html {
  const { view, root } = context
  return subPage(context, (text) => {
    const { words } = text
    const state = words.states[monitor.state]
    const failing = placesIn(text.language, monitor.failsFrom)
    const incidents = (view.incidents ?? []).filter(({ monitorIds }) =>
      monitorIds.includes(monitor.id),
    )
    return {
      title: monitor.name,
      description: state,
      lead: html`<p class="${classOf(monitor.state)}"><span class="state">${state}</span></p>
${failing !== null && html`<p class="about">${failing}</p>`}`,
      main: html`${view.showUptime && uptimes(monitor, year, text)}
${
  monitor.responseTimes &&
  html`<section class="card svc chart" aria-label="${words.headings.responseTimes}">\
${responseChart(monitor.responseTimes, monitor.locations, text)}</section>`
}
${
  view.showHistory &&
  html`<section aria-labelledby="year"><h2 id="year">${words.days.lastYear}</h2>
<div class="card">${yearCalendar(year.days, text)}<div class="bad svc">${badDays(year.days, text)}</div></div></section>`
}
${
  incidents.length > 0 &&
  html`<section aria-labelledby="incidents"><h2 id="incidents">\
${words.headings.recentIncidents({ days: limits.publicIncidentDays })}</h2>
${incidents.map((incident) => incidentItem(incident, context, text))}</section>`
}
<p class="links"><a href="${homeOf(context)}">${words.footer.currentStatus}</a>\
${view.incidents && html` <a href="${root}/history">${words.history.link}</a>`}</p>`,
    }
  })
}

function uptimes({ uptime90d }: PublicMonitor, year: PublicYear, text: PageText): Html {
  const { words, formats } = text
  const newest = [limits.historyDays, uptime90d] as const
  const all = [year.knownDays, year.uptime] as const
  const rows = year.knownDays > limits.historyDays ? [newest, all] : [newest]
  return html`<dl class="card about-incident">${rows.map(
    ([days, ratio]) =>
      html`<div><dt>${words.days.overDays({ days })}</dt><dd>${
        ratio === null
          ? words.days.uptimeUnknown
          : words.days.uptime({ percent: formats.percent(ratio) })
      }</dd></div>\n`,
  )}</dl>`
}
