// Incidents and planned work on the main page: what is going on in few lines, what is over by day.
import { type Html, html } from '../html.ts'
import { markdown } from '../markdown.ts'
import type {
  DocumentContext,
  OverallLevel,
  PublicIncident,
  PublicMaintenance,
} from '../view/public-page.ts'
import { incidentPath } from './incident-page.ts'
import { incidentTitle, type PageText, updateBody, updateMessage } from './page-text.ts'

const tones: Readonly<Record<PublicIncident['kind'], OverallLevel>> = {
  outage: 'down',
  degraded: 'degraded',
  notice: 'maintenance',
}

export type ListContext = Pick<DocumentContext, 'view' | 'root'> & { readonly text: PageText }

const names = (all: readonly string[], { formats }: PageText) =>
  all.length > 0 && html` · <span dir="auto">${all.join(formats.marks.comma)}</span>`

/** Its title, which leads to its page. */
export function incidentLink(incident: PublicIncident, { root, text }: ListContext): Html {
  const title = incidentTitle(incident, text.words)
  return html`<a href="${incidentPath(root, incident)}" dir="auto">${title}</a>`
}

/** What was last said, in words that a person wrote. */
function lastMessage(incident: PublicIncident, { words }: PageText): Html | null {
  const said = incident.updates.map((update) => updateMessage(update, words))
  const message = said.find((one) => one !== '')
  return message === undefined ? null : html`<div class="clip">${markdown(message, 3)}</div>`
}

/** One that a person declared: with its newest update. */
function declaredItem(incident: PublicIncident, context: ListContext): Html {
  const { words, formats } = context.text
  const [newest] = incident.updates
  const tone = tones[incident.kind]
  return html`<li class="inc ${tone}"><div class="one"><h3>${incidentLink(incident, context)}</h3>\
${newest && html`<i>${words.incident.updates[newest.kind]}</i>`}</div>\
${lastMessage(incident, context.text)}\
<p class="facts">${newest && formats.shortTimeTag(newest.atMs)}${names(incident.monitorNames, context.text)}</p></li>\n`
}

/** One that the daemon opened: a line that opens. */
function automaticItem(incident: PublicIncident, context: ListContext): Html {
  const { root, text, view } = context
  const { words, formats } = text
  const tone = tones[incident.kind]
  const span = formats.span(Math.max(0, view.generatedAtMs - incident.startedAtMs))
  const updates = incident.updates.map(
    (update) =>
      html`<li>${formats.shortTimeTag(update.atMs)} <b>${words.incident.updates[update.kind]}</b>${updateBody(update, text, 3)}</li>`,
  )
  return html`<li class="${tone}"><details><summary>\
<h3 dir="auto">${incidentTitle(incident, words)}</h3>\
<span class="when">${words.incident.soFar({ span })}</span></summary><div class="in">\
<p class="facts">${formats.timeTag(incident.startedAtMs)}${names(incident.monitorNames, context.text)}</p>\
${updates.length > 0 && html`<ol>${updates}</ol>`}\
<p><a href="${incidentPath(root, incident)}">${words.incident.details}</a></p>\
</div></details></li>\n`
}

/** From the worst to the least. */
const kindsByWeight: readonly PublicIncident['kind'][] = ['outage', 'degraded', 'notice']

/** What people declared, then what the daemon found: each the worst first, then the newest. */
export function ongoingIncidents(context: ListContext): Html | null {
  const { view, text } = context
  const open = (view.incidents ?? [])
    .filter(({ isOpen }) => isOpen)
    .toSorted((a, b) => kindsByWeight.indexOf(a.kind) - kindsByWeight.indexOf(b.kind))
  if (open.length === 0) return null
  const declared = open.filter(({ isDeclared }) => isDeclared)
  const automatic = open.filter(({ isDeclared }) => !isDeclared)
  return html`<section aria-labelledby="ongoing"><h2 id="ongoing">${text.words.headings.ongoing}</h2>
<ul class="card lines">${declared.map((one) => declaredItem(one, context))}\
${automatic.map((one) => automaticItem(one, context))}</ul></section>`
}

function maintenanceItem(one: PublicMaintenance, { words, formats }: PageText): Html {
  const isOneDay = formats.date(one.startsAtMs) === formats.date(one.endsAtMs)
  const end = isOneDay ? formats.clockTag(one.endsAtMs) : formats.shortTimeTag(one.endsAtMs)
  const when = html`${formats.shortTimeTag(one.startsAtMs)} – ${end}`
  const state = one.isOn ? words.maintenance.inProgress : words.maintenance.planned
  const affected =
    one.monitorNames.length > 0
      ? one.monitorNames.join(formats.marks.comma)
      : words.maintenance.allServices
  const line = html`<summary><h3 dir="auto">${one.name}</h3>\
<span class="when">${when}</span><i>${state}</i></summary><div class="in">\
${markdown(one.description, 3)}\
<p class="facts">${words.incident.affected}${formats.marks.colon}<span dir="auto">${affected}</span></p></div>`
  const item = one.isOn ? html`<details open>${line}</details>` : html`<details>${line}</details>`
  return html`<li class="maintenance">${item}</li>\n`
}

/** Work in progress, or work to come. */
export function maintenanceList({ view, text }: ListContext, isOn: boolean): Html | null {
  const listed = view.maintenance.filter((one) => one.isOn === isOn)
  if (listed.length === 0) return null
  const id = isOn ? 'maintenance' : 'planned'
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${text.words.headings.maintenance}</h2>
<ul class="card lines">${listed.map((one) => maintenanceItem(one, text))}</ul></section>`
}

function pastItem(incident: PublicIncident, context: ListContext): Html {
  const { text } = context
  const { words, formats } = text
  const endedAtMs = incident.resolvedAtMs ?? incident.startedAtMs
  const span = formats.span(Math.max(0, endedAtMs - incident.startedAtMs))
  return html`<li><div class="one up"><h4>${incidentLink(incident, context)}</h4>\
<span class="when">${words.incident.lasted({ span })}</span>\
<i>${words.incident.resolved}</i></div>${lastMessage(incident, text)}</li>`
}

export function pastIncidents(context: ListContext, days: number): Html | null {
  const { view, text, root } = context
  if (view.incidents === null) return null
  const { words, formats } = text
  const past = view.incidents.filter(({ isOpen }) => !isOpen)
  const byDay = Map.groupBy(past, ({ startedAtMs }) => formats.date(startedAtMs))
  // Open incidents have their own section, which "no incidents" would contradict.
  const none = view.incidents.length > 0 ? words.empty.otherIncidents : words.empty.incidents
  const listed = [...byDay].map(
    ([day, incidents]) =>
      html`<div class="day"><h3>${day}</h3><ul>${incidents.map((one) => pastItem(one, context))}</ul></div>\n`,
  )
  return html`<section aria-labelledby="past"><h2 id="past">${words.headings.recentIncidents({ days })}</h2>
${past.length > 0 ? html`<div class="card">${listed}</div>` : html`<p class="card quiet">${none}</p>`}
<p class="more"><a href="${root}/history">${words.history.link}</a></p></section>`
}
