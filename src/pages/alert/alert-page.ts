// The page that an alert links to: one incident, for the people whom a channel told of it, and the
// button that acknowledges it.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { actionPage } from '../action-page.ts'
import { frame } from '../frame.ts'
import { type Html, html } from '../html.ts'

/** What the page shows, in the words of its readers. */
export interface AlertView {
  readonly language: Language
  readonly title: string
  readonly tone: 'down' | 'degraded' | 'maintenance' | 'up'
  /** The state in a word or two. */
  readonly state: string
  /** What the reader should know first. */
  readonly notes: readonly string[]
  /** Present while it can be acknowledged. */
  readonly form: AcknowledgeForm | null
  readonly facts: readonly AlertFact[]
  readonly monitorsTitle: string
  readonly monitors: readonly AlertMonitor[]
  /** How many monitors are not shown; null for none. */
  readonly moreMonitors: string | null
  readonly runbookLabel: string
  readonly toldTitle: string
  /** Each channel that was to get the alert. */
  readonly told: readonly AlertTold[]
  readonly timelineTitle: string
  /** Newest first. */
  readonly entries: readonly AlertEntry[]
  /** The incident in the console, for people with an account. */
  readonly console: AlertPlace
  /** Public status pages that show it. */
  readonly statusPages: readonly AlertPlace[]
}

interface AcknowledgeForm {
  /** A path of this service. */
  readonly action: string
  readonly button: string
  readonly hint: string
}

export interface AlertTime {
  readonly atMs: number
  readonly text: string
}

export interface AlertFact {
  readonly label: string
  readonly value: string | AlertTime
}

interface AlertMonitor {
  readonly name: string
  readonly url: string | null
  readonly runbookUrl: string | null
}

interface AlertPlace {
  readonly label: string
  readonly href: string
}

export interface AlertTold {
  readonly channel: string
  readonly tone: 'up' | 'degraded' | 'down' | 'pending'
  /** Whether the channel got the alert, in a word or two. */
  readonly state: string
  /** When the channel got it, or when that is tried next. */
  readonly time: AlertTime | null
  /** Why the channel did not get it; null if nothing failed. */
  readonly reason: string | null
}

export interface AlertEntry {
  readonly time: AlertTime
  readonly label: string
  /** Empty if the label says it all. */
  readonly message: string
}

export function alertPage(view: AlertView): Html {
  const { title, tone, state, notes, form, entries, statusPages } = view
  return frame({
    title,
    language: view.language,
    isIndexed: false,
    body: html`<main class="task card alert is-${tone}">
<p class="state">${state}</p>
<h1 dir="auto">${title}</h1>
${notes.map((note) => html`<p class="note" dir="auto">${note}</p>\n`)}${form && formOf(form)}\
<dl>
${view.facts.map(factOf)}</dl>
${view.told.length > 0 && toldOf(view)}\
${view.monitors.length > 0 && monitorsOf(view)}\
<h2>${view.timelineTitle}</h2>
<ol class="updates">
${entries.map(entryOf)}</ol>
<p class="links">${[view.console, ...statusPages].map(
      ({ label, href }) => html`<a href="${href}" dir="auto">${label}</a>\n`,
    )}</p>
</main>`,
  })
}

/** The same for every link that leads nowhere, so that it does not reveal why. */
export function noAlertPage(language: Language): Html {
  const { title, about, next } = textsOf('entrance', language).noAlert
  return actionPage({ language, title, sentences: [about, next] })
}

function formOf({ action, button, hint }: AcknowledgeForm): Html {
  return html`<form method="post" action="${action}">
<button type="submit">${button}</button>
<small>${hint}</small>
</form>
`
}

function factOf({ label, value }: AlertFact): Html {
  const shown = typeof value === 'string' ? html`<span dir="auto">${value}</span>` : timeOf(value)
  return html`<div><dt>${label}</dt><dd>${shown}</dd></div>\n`
}

function toldOf({ toldTitle, told }: AlertView): Html {
  return html`<h2>${toldTitle}</h2>
<ul class="told">
${told.map(
  ({
    channel,
    tone,
    state,
    time,
    reason,
  }) => html`<li class="is-${tone}"><b dir="auto">${channel}</b>
<span class="state">${state}</span>
${time && timeOf(time)}
${reason !== null && html`<p dir="auto">${reason}</p>\n`}</li>
`,
)}</ul>
`
}

function monitorsOf({ monitorsTitle, monitors, moreMonitors, runbookLabel }: AlertView): Html {
  return html`<h2>${monitorsTitle}</h2>
<ul class="concerned">
${monitors.map((monitor) => monitorOf(monitor, runbookLabel))}\
${moreMonitors !== null && html`<li>${moreMonitors}</li>\n`}</ul>
`
}

function monitorOf({ name, url, runbookUrl }: AlertMonitor, runbookLabel: string): Html {
  return html`<li><b dir="auto">${name}</b>
${url !== null && html`<small dir="ltr">${url}</small>\n`}\
${runbookUrl !== null && runbookOf(runbookUrl, runbookLabel)}</li>
`
}

/** Pages link to nothing that can be changed on the way; such an address is shown to be copied. */
function runbookOf(url: string, label: string): Html {
  return url.toLowerCase().startsWith('https://')
    ? html`<a href="${url}" rel="noreferrer">${label}</a>\n`
    : html`<small>${label}: <span dir="ltr">${url}</span></small>\n`
}

function entryOf({ time, label, message }: AlertEntry): Html {
  return html`<li><h3 dir="auto">${label}</h3>
${message !== '' && html`<p dir="auto">${message}</p>\n`}${timeOf(time)}</li>
`
}

function timeOf({ atMs, text }: AlertTime): Html {
  return html`<time datetime="${new Date(atMs).toISOString()}">${text}</time>`
}
