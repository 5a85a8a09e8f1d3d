// A monthly report as a page that prints well, in the language of its reader: the content of the signed
// statement, and its signature.
import type { ReportedIncident, UptimeReport } from '../domain/reports/uptime-report.ts'
import type { Language } from '../texts/languages.ts'
import { type AreaTexts, textsOf } from '../texts/texts.ts'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'
import { type PageFormats, pageFormats } from './page-formats.ts'

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

/** The words and the formats of the reader's language. */
interface ReportWriting {
  readonly words: AreaTexts<'report'>
  readonly formats: PageFormats
}

export function reportPage(
  { report, signature, publicKey }: ShownReport,
  language: Language,
): Html {
  const { organization, monitor, period, uptimeRatio, coverage, keyId, service, product } = report
  const words = textsOf('report', language)
  // Months of reports are those of UTC.
  const formats = pageFormats(language, 'UTC')
  const writing = { words, formats }
  const month = formats.month(period.month)
  const objective = objectiveText(report, writing)
  const made = {
    time: formats.dateTime(Date.parse(report.generatedAt)),
    version: product.version,
    service,
  }
  const about = {
    month,
    from: formats.dateTime(Date.parse(period.from)),
    until: formats.dateTime(Date.parse(period.to)),
  }
  return frame({
    title: words.title({ name: monitor.name, month }),
    language,
    isIndexed: false,
    body: html`<main class="report">
<header><p class="facts"><bdi>${organization.name}</bdi></p>
<h1><bdi>${monitor.name}</bdi></h1>
<p class="about">${words.about(about)}</p></header>
${!period.isComplete && html`<p class="note is-degraded">${words.running}</p>`}
<dl class="card">
<div><dt>${words.uptime}</dt>\
<dd><b>${uptimeRatio === null ? words.unknown : formats.percent(uptimeRatio)}</b></dd></div>
<div><dt>${words.coverage}</dt><dd>${formats.percent(coverage)}</dd></div>
${objective !== null && html`<div><dt>${words.objective}</dt><dd>${objective}</dd></div>\n`}\
<div><dt>${words.incidents.title}</dt><dd>${formats.number(report.incidentsTotal)}</dd></div>
</dl>
<section aria-labelledby="states"><h2 id="states">${words.times.title}</h2>
${stateTable(report, writing)}</section>
<section aria-labelledby="incidents"><h2 id="incidents">${words.incidents.title}</h2>
${incidentTable(report, writing)}</section>
<section aria-labelledby="signature"><h2 id="signature">${words.signature.title}</h2>
<p class="facts">${words.signature.made(made)}</p>
<p class="facts">${words.signature.about}</p>
<dl class="seal">
<div><dt>${words.signature.key}</dt><dd><span dir="ltr">${keyId}</span></dd></div>
<div><dt>${words.signature.publicKey}</dt><dd><span dir="ltr">${publicKey}</span></dd></div>
<div><dt>${words.signature.title}</dt><dd><span dir="ltr">${signature}</span></dd></div>
</dl></section>
</main>`,
  })
}

/** The percentage of the objective, and whether it was met so far. */
function objectiveText(
  { objectivePercent, uptimeRatio, period }: UptimeReport,
  { words, formats }: ReportWriting,
): string | null {
  if (objectivePercent === null) return null
  const goal = formats.goal(objectivePercent)
  if (uptimeRatio === null) return goal
  const { met, missed, metSoFar, missedSoFar } = words.objectives
  const isMet = uptimeRatio * 100 >= objectivePercent
  if (period.isComplete) return isMet ? met({ goal }) : missed({ goal })
  return isMet ? metSoFar({ goal }) : missedSoFar({ goal })
}

const stateNames = ['up', 'degraded', 'down', 'maintenance', 'paused', 'unknown'] as const

function stateTable({ seconds }: UptimeReport, { words, formats }: ReportWriting): Html {
  const { state, time, share, total } = words.times
  const rows = stateNames.map((name) => {
    const part = seconds.total === 0 ? '' : formats.percent(seconds[name] / seconds.total)
    return html`<tr class="is-${name}"><th scope="row"><span class="state">${words.states[name]}</span></th>\
<td class="figure">${timeIn(seconds[name], formats)}</td><td class="figure">${part}</td></tr>
`
  })
  return html`<table class="states card">
<thead><tr><th scope="col">${state}</th><th scope="col">${time}</th><th scope="col">${share}</th></tr></thead>
<tbody>
${rows}<tr><th scope="row">${total}</th><td class="figure">${timeIn(seconds.total, formats)}</td>\
<td class="figure">${formats.percent(1)}</td></tr>
</tbody></table>`
}

/** For people; the statement has the seconds, which stand below. */
function timeIn(seconds: number, formats: PageFormats): Html {
  if (seconds === 0) return html`–`
  return html`${formats.span(seconds * 1_000)}<small>${formats.seconds(seconds)}</small>`
}

function incidentTable({ incidents, incidentsTotal }: UptimeReport, writing: ReportWriting): Html {
  const { none, incident, start, end, inPeriod, more } = writing.words.incidents
  if (incidents.length === 0) return html`<p class="card quiet">${none}</p>`
  const count = incidentsTotal - incidents.length
  return html`<table class="states card">
<thead><tr><th scope="col">${incident}</th><th scope="col">${start}</th><th scope="col">${end}</th>\
<th scope="col">${inPeriod}</th></tr></thead>
<tbody>
${incidents.map((one) => incidentRow(one, writing))}</tbody></table>
${count > 0 && html`<p class="facts">${more({ count })}</p>`}`
}

function incidentRow(incident: ReportedIncident, { words, formats }: ReportWriting): Html {
  const { severity, isDeclared, causeKind, startedAt, endedAt, seconds } = incident
  const known = causeKind === null ? null : words.causes[causeKind]
  const cause = isDeclared ? words.incidents.declared : known
  return html`<tr><th scope="row">${words.severities[severity]}\
${cause !== null && html` <small>${cause}</small>`}</th>\
<td>${dayAndTime(startedAt, formats)}</td>\
<td>${endedAt === null ? words.incidents.open : dayAndTime(endedAt, formats)}</td>\
<td class="figure">${formats.span(seconds * 1_000)}</td></tr>
`
}

/** For a column whose head names the time zone. */
function dayAndTime(isoTime: string, formats: PageFormats): Html {
  const atMs = Date.parse(isoTime)
  return html`${formats.shortDate(atMs)} <small>${formats.clockTag(atMs)}</small>`
}
