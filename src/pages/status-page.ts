// Renders the public status page from its projection as HTML without scripts.
import { dayBars, daysSummary, downDays } from './day-bars.ts'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'
import type {
  OverallLevel,
  PublicIncident,
  PublicMaintenance,
  PublicMonitor,
  PublicPage,
  PublicState,
} from './public-page.ts'
import { percentText, spanText, timeTag } from './wording.ts'

const stateLabels: Readonly<Record<PublicState, string>> = {
  up: 'Operational',
  degraded: 'Degraded performance',
  down: 'Outage',
  pending: 'No data yet',
  waiting: 'Waiting for the next result',
  paused: 'Monitoring paused',
  maintenance: 'Under maintenance',
  unknown: 'Monitoring interrupted',
}

const kindTones: Readonly<Record<PublicIncident['kind'], string>> = {
  outage: 'is-down',
  degraded: 'is-degraded',
  notice: 'is-maintenance',
}

const iconColors: Readonly<Record<OverallLevel, string>> = {
  up: '1f9d61',
  degraded: 'd99412',
  down: 'd5383f',
  maintenance: '4a78c4',
  unknown: '8a96a4',
}

const icon = (shape: Html) => html`<svg viewBox="0 0 32 32" width="32" height="32" \
aria-hidden="true" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" \
stroke-linejoin="round">${shape}</svg>`

const icons: Readonly<Record<OverallLevel, Html>> = {
  up: icon(html`<circle cx="16" cy="16" r="14"/><path d="M9.5 16.5l4.5 4.5 8.5-9"/>`),
  degraded: icon(html`<path d="M16 3.5L30 28H2zM16 12.5v7M16 23.6v.4"/>`),
  down: icon(html`<circle cx="16" cy="16" r="14"/><path d="M11 11l10 10M21 11L11 21"/>`),
  maintenance: icon(html`<circle cx="16" cy="16" r="14"/><path d="M16 8.5V16l5 3.5"/>`),
  unknown: icon(html`<circle cx="16" cy="16" r="14"/><path d="M10 16h12"/>`),
}

function header(page: PublicPage): Html {
  return html`<header>
<div class="head">${
    page.logoUrl !== null &&
    html`<img src="${page.logoUrl}" alt="" height="40" \
referrerpolicy="no-referrer">`
  }<h1 dir="auto">${page.title}</h1></div>
${page.description !== '' && html`<p class="about" dir="auto">${page.description}</p>\n`}</header>`
}

/** Rounds to the minute, so that a page without news stays byte-identical for a while. */
const minuteOf = (atMs: number) => atMs - (atMs % 60_000)

function overallBanner(page: PublicPage): Html {
  const { level, sentence } = page.overall
  return html`<section class="overall is-${level}" aria-label="Current status">${icons[level]}<div>
<p class="says">${sentence}</p>
<p>${timeTag(minuteOf(page.generatedAtMs))}</p></div></section>`
}

function monitorItem(monitor: PublicMonitor, page: PublicPage): Html {
  const { state, uptime90d, days } = monitor
  const figure =
    uptime90d === null
      ? html`<b title="Known after an hour of data">—</b>`
      : html`<b>${percentText(uptime90d)}</b>`
  const uptime = page.showUptime && html`${figure} uptime`
  const quiet = html`<p class="scale">${uptime} over 90 days</p>`
  const scale = html`<p class="scale"><span>90 days ago</span><i></i>\
${uptime && html`<span class="figure">${uptime}</span><i></i>`}<span>Today</span></p>`
  const history = html`${dayBars(days)}
${scale}
${downDays(days) ?? html`<p class="scale">${daysSummary(days)}</p>`}`
  return html`<li class="is-${state}"><div class="row"><h3 dir="auto">${monitor.name}</h3> \
<span class="state">${stateLabels[state]}</span></div>
${page.showHistory ? history : page.showUptime && quiet}</li>
`
}

function monitorSection(page: PublicPage): Html | null {
  if (page.monitors === null) return null
  const items = page.monitors.map((monitor) => monitorItem(monitor, page))
  return html`<section aria-labelledby="services"><h2 id="services">Services</h2>
${
  items.length > 0
    ? html`<ul class="card monitors">${items}</ul>`
    : html`<p class="card quiet">Nothing is shown here yet.</p>`
}</section>`
}

function incidentItem(incident: PublicIncident, nowMs: number): Html {
  const { resolvedAtMs, startedAtMs } = incident
  const lasted = spanText(Math.max(0, (resolvedAtMs ?? nowMs) - startedAtMs))
  const names = incident.monitorNames.join(', ')
  const tone = incident.isOpen ? kindTones[incident.kind] : 'is-up'
  const updates = incident.updates.map(
    (update) =>
      html`<li><p><strong>${update.label}</strong>${
        update.message !== '' && html` – <span dir="auto">${update.message}</span>`
      }</p>${timeTag(update.atMs)}</li>`,
  )
  return html`<article class="card incident ${tone}">
<div class="row"><h3 dir="auto">${incident.title}</h3> <span class="state">${
    incident.isOpen ? 'Ongoing' : 'Resolved'
  }</span></div>
<p class="facts">${names !== '' && html`<span dir="auto">${names}</span> · `}\
${timeTag(startedAtMs)} · ${incident.isOpen ? `for ${lasted} so far` : `lasted ${lasted}`}</p>
${updates.length > 0 && html`<ol class="updates">${updates}</ol>\n`}</article>
`
}

function incidentSection(page: PublicPage, isOpen: boolean): Html | null {
  if (page.incidents === null) return null
  const listed = page.incidents.filter((incident) => incident.isOpen === isOpen)
  const items = listed.map((incident) => incidentItem(incident, page.generatedAtMs))
  // Open incidents have their own section, which "no incidents" would contradict.
  const none = page.incidents.length > 0 ? 'No other incidents.' : 'No incidents reported.'
  if (isOpen && items.length === 0) return null
  const id = isOpen ? 'ongoing' : 'past'
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${
    isOpen ? 'Ongoing incidents' : 'Incidents of the last 15 days'
  }</h2>
${items.length > 0 ? items : html`<p class="card quiet">${none}</p>`}</section>`
}

function maintenanceItem(one: PublicMaintenance): Html {
  const names = one.monitorNames.join(', ')
  return html`<article class="card incident is-maintenance">
<div class="row"><h3 dir="auto">${one.name}</h3> <span class="state">${
    one.isOn ? 'In progress' : 'Planned'
  }</span></div>
<p class="facts">${names !== '' && html`<span dir="auto">${names}</span> · `}\
${timeTag(one.startsAtMs)} – ${timeTag(one.endsAtMs)}</p>
${one.description !== '' && html`<p class="facts" dir="auto">${one.description}</p>\n`}</article>
`
}

function maintenanceSection({ maintenance }: PublicPage): Html | null {
  if (maintenance.length === 0) return null
  return html`<section aria-labelledby="maintenance"><h2 id="maintenance">Maintenance</h2>
${maintenance.map(maintenanceItem)}</section>`
}

/** Renders the whole document. It can show only what the projection contains. */
export function statusPage(page: PublicPage): Html {
  return frame({
    title: `${page.title} – ${page.overall.sentence}`,
    description: page.description,
    isIndexed: true,
    iconColor: iconColors[page.overall.level],
    body: html`${header(page)}
<main>
${overallBanner(page)}
${incidentSection(page, true)}
${maintenanceSection(page)}
${monitorSection(page)}
${incidentSection(page, false)}
</main>
<footer class="foot"><p>All times are in UTC.</p><p>Monitored by stillup</p></footer>`,
  })
}
