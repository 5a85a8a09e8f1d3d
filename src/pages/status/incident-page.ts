// The page of one incident: what is known of it, its timeline, and its post-mortem.
import { placesIn } from '../../domain/locations/shown-places.ts'
import { type Html, html } from '../html.ts'
import { markdown, plainText } from '../markdown.ts'
import type { DocumentContext, PublicIncident, PublicUpdate } from '../view/public-page.ts'
import { homeOf } from './page-frame.ts'
import { incidentTitle, type PageText, updateBody, updateMessage } from './page-text.ts'
import { subPage } from './sub-page.ts'

const kindTones: Readonly<Record<PublicIncident['kind'], string>> = {
  outage: 'is-down',
  degraded: 'is-degraded',
  notice: 'is-maintenance',
}

export function incidentTone({ isOpen, kind }: PublicIncident): string {
  return isOpen ? kindTones[kind] : 'is-up'
}

/** Where the page of an incident is. */
export function incidentPath(root: string, { id }: Pick<PublicIncident, 'id'>): string {
  return `${root}/incidents/${id}`
}

export function incidentPage(context: DocumentContext, incident: PublicIncident): Html {
  const { view } = context
  return subPage(context, (text) => {
    const { words } = text
    const state = incident.isOpen ? words.incident.ongoing : words.incident.resolved
    return {
      title: incidentTitle(incident, words),
      description: newestUpdate(incident, text),
      lead: html`<p class="${incidentTone(incident)}"><span class="state">${state}</span></p>\n`,
      main: html`${facts(incident, view.generatedAtMs, text)}
${timeline(incident, text)}
${postmortem(incident, text)}
<p class="links"><a href="${homeOf(context)}">${words.footer.currentStatus}</a> \
<a href="${context.root}/history">${words.history.link}</a></p>`,
    }
  })
}

/** The newest update as plain text; '' without one. */
export function newestUpdate(
  { updates: [newest] }: PublicIncident,
  { words, formats, language }: PageText,
): string {
  if (!newest) return ''
  const said = placesIn(language, newest.places ?? []) ?? ''
  const message = `${plainText(updateMessage(newest, words))} ${said}`.trim()
  const label = words.incident.updates[newest.kind]
  return message === '' ? label : label + formats.marks.colon + message
}

function facts(incident: PublicIncident, nowMs: number, { words, formats }: PageText): Html {
  const { startedAtMs, resolvedAtMs, monitorNames } = incident
  const lastedMs = Math.max(0, (resolvedAtMs ?? nowMs) - startedAtMs)
  const span = formats.span(lastedMs)
  const rows: readonly (readonly [string, Html | string] | null)[] = [
    monitorNames.length > 0 ? [words.incident.affected, formats.list(monitorNames)] : null,
    [words.incident.started, formats.timeTag(startedAtMs)],
    resolvedAtMs === null ? null : [words.incident.ended, formats.timeTag(resolvedAtMs)],
    [words.incident.duration, incident.isOpen ? words.incident.soFar({ span }) : span],
  ]
  return html`<dl class="card about-incident">${rows.map(
    (row) => row && html`<div><dt>${row[0]}</dt><dd><bdi>${row[1]}</bdi></dd></div>\n`,
  )}</dl>`
}

function timeline({ updates }: PublicIncident, text: PageText): Html | null {
  if (updates.length === 0) return null
  return html`<section aria-labelledby="timeline"><h2 id="timeline">\
${text.words.incident.timeline}</h2>
<ol class="card updates long">${updates.map((update) => timelineItem(update, text))}</ol></section>`
}

function timelineItem(update: PublicUpdate, text: PageText): Html {
  const { words, formats } = text
  return html`<li><p><strong>${words.incident.updates[update.kind]}</strong></p>
${updateBody(update, text, 2)}
${formats.timeTag(update.atMs)}</li>
`
}

/**
 * An update or a post-mortem as readers of the page see it; nothing for a text without a visible
 * character.
 */
export function incidentText(written: string): Html | null {
  return markdown(written, 2)
}

function postmortem({ postmortem: written }: PublicIncident, { words }: PageText): Html | null {
  const text = written === null ? null : incidentText(written)
  if (text === null) return null
  return html`<section aria-labelledby="postmortem"><h2 id="postmortem">\
${words.incident.postmortem}</h2>
<div class="card postmortem">${text}</div></section>`
}
