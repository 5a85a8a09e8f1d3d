// The history of a status page: the incidents and the maintenance of one month.
import { type Html, html } from '../html.ts'
import { asOneDocument, markdown } from '../markdown.ts'
import type {
  DocumentContext,
  PublicIncident,
  PublicMaintenance,
  PublicMonth,
} from '../view/public-page.ts'
import { incidentPath, incidentTone } from './incident-page.ts'
import { homeOf } from './page-frame.ts'
import { incidentTitle, type PageText } from './page-text.ts'
import { subPage } from './sub-page.ts'

export function historyPage(context: DocumentContext, history: PublicMonth): Html {
  return asOneDocument(() => wholePage(context, history))
}

function wholePage(context: DocumentContext, history: PublicMonth): Html {
  const { incidents, maintenance, isWhole, month } = history
  return subPage(context, (text) => {
    const { words, formats } = text
    return {
      title: words.history.title({ month: formats.month(month) }),
      lead: monthLinks(history, context, text),
      main: html`<section aria-labelledby="incidents"><h2 id="incidents">\
${words.headings.incidents}</h2>
${
  incidents.length === 0
    ? html`<p class="card quiet">${words.empty.month}</p>`
    : incidents.map((incident) => incidentItem(incident, context, text))
}
${!isWhole && html`<p class="facts">${words.history.onlyNewest({ count: incidents.length })}</p>`}</section>
${
  maintenance.length > 0 &&
  html`<section aria-labelledby="maintenance"><h2 id="maintenance">\
${words.headings.maintenance}</h2>
${maintenance.map((one) => maintenanceItem(one, text))}</section>`
}
<p class="links"><a href="${homeOf(context)}">${words.footer.currentStatus}</a></p>`,
    }
  })
}

function monthLinks(
  { earlier, later }: PublicMonth,
  { root }: DocumentContext,
  { words, formats }: PageText,
): Html | null {
  if (earlier === null && later === null) return null
  const link = (month: string, label: string, rel: string) => html`<a rel="${rel}" \
aria-label="${label}: ${formats.month(month)}" href="${root}/history?month=${month}">\
${formats.month(month)}</a>`
  return html`<nav class="months" aria-label="${words.headings.history}"><span>\
${earlier !== null && link(earlier, words.history.earlier, 'prev')}</span><span>\
${later !== null && link(later, words.history.later, 'next')}</span></nav>
`
}

export function incidentItem(
  incident: PublicIncident,
  { root, view }: DocumentContext,
  { words, formats }: PageText,
): Html {
  const { startedAtMs, resolvedAtMs, monitorNames, isOpen } = incident
  const names = formats.list(monitorNames)
  const endMs = resolvedAtMs ?? view.generatedAtMs
  const span = formats.span(Math.max(0, endMs - startedAtMs))
  return html`<article class="card incident ${incidentTone(incident)}">
<div class="row"><h3 dir="auto"><a href="${incidentPath(root, incident)}">\
${incidentTitle(incident, words)}</a></h3> <span class="state">\
${isOpen ? words.incident.ongoing : words.incident.resolved}</span></div>
<p class="facts">${names !== '' && html`<bdi>${names}</bdi> · `}\
${formats.timeTag(startedAtMs)} · \
${isOpen ? words.incident.soFar({ span }) : words.incident.lasted({ span })}</p></article>
`
}

function maintenanceItem(one: PublicMaintenance, { words, formats }: PageText): Html {
  const names = formats.list(one.monitorNames)
  return html`<article class="card incident is-maintenance">
<div class="row"><h3 dir="auto">${one.name}</h3> <span class="state">\
${one.isOn ? words.maintenance.inProgress : words.maintenance.completed}</span></div>
<p class="facts">${names !== '' && html`<bdi>${names}</bdi> · `}\
${formats.timeTag(one.startsAtMs)} – ${formats.timeTag(one.endsAtMs)}</p>
${markdown(one.description, 3)}</article>
`
}
