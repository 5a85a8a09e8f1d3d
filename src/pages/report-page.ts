// A monthly report as a page that prints well: the content of the signed statement, and its signature.
import { countText } from '../base/sizes.ts'
import { timeText } from '../base/time-text.ts'
import type { ErrorKind } from '../domain/checks/reading.ts'
import type { Severity } from '../domain/incidents/incident.ts'
import type { ReportedIncident, UptimeReport } from '../domain/reports/uptime-report.ts'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'
import { percentText, spanText } from './wording.ts'

/** No scripts, no forms, no framing; only for people who may read the monitor, so never cached. */
export const reportPageHeaders: readonly (readonly [name: string, value: string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; " +
      "frame-ancestors 'none'",
  ],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
]

export interface ShownReport {
  readonly report: UptimeReport
  readonly signature: string
  readonly publicKey: string
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** `October 2026` */
function monthText(month: string): string {
  return `${monthNames[Number(month.slice(5)) - 1] ?? month} ${month.slice(0, 4)}`
}

const stateRows = [
  ['up', 'Up', 'is-up'],
  ['degraded', 'Slow, which counts as up', 'is-degraded'],
  ['down', 'Down', 'is-down'],
  ['maintenance', 'Maintenance, which does not count', 'is-maintenance'],
  ['paused', 'Paused, which does not count', 'is-paused'],
  ['unknown', 'Not known, which does not count', 'is-unknown'],
] as const

const severityWords: Readonly<Record<Severity, string>> = {
  down: 'Down',
  degraded: 'Slow',
  certificate: 'Certificate',
  domain: 'Domain',
  declared: 'Declared',
}

const causeWords: Readonly<Record<ErrorKind, string>> = {
  dns: 'name not resolved',
  connect: 'no connection',
  tls: 'TLS failed',
  timeout: 'no answer in time',
  reset: 'connection lost',
  status: 'wrong status',
  assertion: 'wrong content',
  body_too_large: 'answer too large',
  redirect_loop: 'too many redirects',
  blocked: 'target not allowed',
  invalid_response: 'invalid answer',
  reported: 'error reported',
  missed: 'report missing',
}

/** For people; the statement has the seconds, which stand below. */
function timeIn(seconds: number): Html {
  if (seconds === 0) return html`–`
  return html`${spanText(seconds * 1_000)}<small>${countText(seconds)} s</small>`
}

function stateTable({ seconds }: UptimeReport): Html {
  const rows = stateRows.map(([name, label, tone]) => {
    const share = seconds.total === 0 ? '' : percentText(seconds[name] / seconds.total)
    return html`<tr class="${tone}"><th scope="row"><span class="state">${label}</span></th>\
<td class="figure">${timeIn(seconds[name])}</td><td class="figure">${share}</td></tr>
`
  })
  return html`<table class="states card">
<thead><tr><th scope="col">State</th><th scope="col">Time</th><th scope="col">Share</th></tr></thead>
<tbody>
${rows}<tr><th scope="row">Total</th><td class="figure">${timeIn(seconds.total)}</td>\
<td class="figure">100%</td></tr>
</tbody></table>`
}

function incidentRow(incident: ReportedIncident): Html {
  const { severity, startedAt, endedAt, seconds } = incident
  const words = causeText(incident)
  const cause = words === null ? '' : html` <small>${words}</small>`
  const end = endedAt === null ? 'open' : shortTime(endedAt)
  return html`<tr><th scope="row">${severityWords[severity]}${cause}</th>\
<td>${shortTime(startedAt)}</td><td>${end}</td>\
<td class="figure">${spanText(seconds * 1_000)}</td></tr>
`
}

/** The time for a column whose head names the time zone. */
function shortTime(isoTime: string): string {
  return timeText(Date.parse(isoTime)).replace(/ UTC$/, '')
}

function causeText({ severity, isDeclared, causeKind }: ReportedIncident): string | null {
  if (isDeclared) return severity === 'declared' ? 'by a person' : 'declared by a person'
  return causeKind === null ? null : causeWords[causeKind]
}

function incidentTable({ incidents, incidentsTotal }: UptimeReport): Html {
  if (incidents.length === 0) return html`<p class="card quiet">There was no incident.</p>`
  const more = incidentsTotal - incidents.length
  return html`<table class="states card">
<thead><tr><th scope="col">Incident</th><th scope="col">Start (UTC)</th><th scope="col">End (UTC)</th>\
<th scope="col">In this period</th></tr></thead>
<tbody>
${incidents.map(incidentRow)}</tbody></table>
${more > 0 && html`<p class="facts">And ${more} more.</p>`}`
}

/** The percentage of the objective, and whether it was met so far. */
function objectiveText({ objectivePercent, uptimeRatio, period }: UptimeReport): string | null {
  if (objectivePercent === null) return null
  const goal = `${objectivePercent}%`
  if (uptimeRatio === null) return goal
  const isMet = uptimeRatio * 100 >= objectivePercent
  if (!period.isComplete) return `${goal}, ${isMet ? 'met' : 'not met'} so far`
  return `${goal}, ${isMet ? 'met' : 'not met'}`
}

export function reportPage({ report, signature, publicKey }: ShownReport): Html {
  const { organization, monitor, period, uptimeRatio, coverage, keyId, service, product } = report
  const uptime = uptimeRatio === null ? 'not known' : percentText(uptimeRatio)
  const objective = objectiveText(report)
  const until = `${timeText(Date.parse(period.from))} to ${timeText(Date.parse(period.to))}`
  return frame({
    title: `${monitor.name}: uptime in ${monthText(period.month)}`,
    isIndexed: false,
    body: html`<main class="report">
<header><p class="facts" dir="auto">${organization.name}</p>
<h1 dir="auto">${monitor.name}</h1>
<p class="about">Uptime report for ${monthText(period.month)}: ${until}</p></header>
${
  !period.isComplete &&
  html`<p class="note is-degraded">This month is still running: the report is not complete.</p>`
}
<dl class="card">
<div><dt>Uptime</dt><dd><b>${uptime}</b></dd></div>
<div><dt>Time that counts</dt><dd>${percentText(coverage)}</dd></div>
${objective !== null && html`<div><dt>Objective</dt><dd>${objective}</dd></div>\n`}\
<div><dt>Incidents</dt><dd>${report.incidentsTotal}</dd></div>
</dl>
<section aria-labelledby="states"><h2 id="states">Time in each state</h2>
${stateTable(report)}</section>
<section aria-labelledby="incidents"><h2 id="incidents">Incidents</h2>
${incidentTable(report)}</section>
<section aria-labelledby="signature"><h2 id="signature">Signature</h2>
<p class="facts">Made at ${timeText(Date.parse(report.generatedAt))} by stillup ${product.version} \
at ${service}. The statement with these figures is signed with Ed25519. It is in the same report as \
JSON, which “stillup verify-report” or any Ed25519 library verifies.</p>
<dl class="seal">
<div><dt>Key</dt><dd>${keyId}</dd></div>
<div><dt>Public key</dt><dd>${publicKey}</dd></div>
<div><dt>Signature</dt><dd>${signature}</dd></div>
</dl></section>
</main>`,
  })
}
