// What the feeds of a page tell: its incidents and its maintenance, the newest change first.
import type { Language } from '../../../texts/languages.ts'
import { type Html, html, toText } from '../../html.ts'
import { asOneDocument, markdown, plainText } from '../../markdown.ts'
import { incidentPath, newestUpdate } from '../../status/incident-page.ts'
import { incidentTitle, type PageText, pageTextOf, updateBody } from '../../status/page-text.ts'
import type {
  DocumentContext,
  PublicIncident,
  PublicMaintenance,
  PublicPage,
} from '../../view/public-page.ts'
import {
  incidentChangedAtMs,
  maintenanceChangedAtMs,
  pageChangedAtMs,
  tagOf,
} from '../page-identity.ts'

export interface Feed {
  /** Lasting. */
  readonly id: string
  readonly title: string
  readonly description: string
  readonly language: Language
  /** The address of the page. */
  readonly url: string
  readonly logoUrl: string | null
  readonly updatedAtMs: number
  readonly entries: readonly FeedEntry[]
}

export interface FeedEntry {
  /** Lasting. */
  readonly id: string
  readonly title: string
  readonly url: string
  readonly publishedAtMs: number
  readonly updatedAtMs: number
  /** The kind of the entry and its state, for programs and for people. */
  readonly category: string
  readonly summary: string
  /** HTML. */
  readonly content: string
}

export function feedOf(context: DocumentContext): Feed {
  return asOneDocument(() => wholeFeed(context))
}

const feedEntriesMax = 50

function wholeFeed({ view, language, figures }: DocumentContext): Feed {
  const text = pageTextOf(view, language)
  const matters = [
    ...(view.incidents ?? []).map((incident) => ({
      updatedAtMs: incidentChangedAtMs(incident),
      entry: () => incidentEntry(view, incident, text),
    })),
    ...figures.maintenance().map((one) => ({
      updatedAtMs: maintenanceChangedAtMs(one),
      entry: () => maintenanceEntry(view, one, text),
    })),
  ]
  // Written only now, because most of a long list is left out.
  const newest = matters
    .toSorted((a, b) => b.updatedAtMs - a.updatedAtMs)
    .slice(0, feedEntriesMax)
    .map(({ entry }) => entry())
  return {
    id: tagOf(view, view.id),
    title: text.words.feeds.incidents({ page: view.title }),
    description: plainText(view.description) || text.words.overall[view.overall.kind],
    language,
    url: view.url,
    logoUrl: view.logoUrl,
    updatedAtMs: Math.max(pageChangedAtMs(view), ...newest.map(({ updatedAtMs }) => updatedAtMs)),
    entries: newest,
  }
}

function incidentEntry(view: PublicPage, incident: PublicIncident, text: PageText): FeedEntry {
  const { words, formats } = text
  const state = incident.isOpen ? words.incident.ongoing : words.incident.resolved
  const names = incident.monitorNames.join(formats.marks.comma)
  const updates = incident.updates.map(
    (update) => html`<p><strong>${words.incident.updates[update.kind]}</strong> – \
${formats.timeTag(update.atMs)}</p>
${updateBody(update, text, 3)}
`,
  )
  const { postmortem } = incident
  const content = html`${names !== '' && html`<p>${words.incident.affected}${formats.marks.colon}${names}</p>\n`}\
${postmortem !== null && html`<h3>${words.incident.postmortem}</h3>\n${markdown(postmortem, 3)}\n`}\
${updates}`
  return {
    id: tagOf(view, incident.id),
    title: incidentTitle(incident, words),
    url: incidentPath(view.url, incident),
    publishedAtMs: incident.startedAtMs,
    updatedAtMs: incidentChangedAtMs(incident),
    category: state,
    summary: newestUpdate(incident, text) || state,
    content: contentText(content),
  }
}

function maintenanceEntry(view: PublicPage, one: PublicMaintenance, text: PageText): FeedEntry {
  const { words, formats } = text
  const names = one.monitorNames.join(formats.marks.comma) || words.maintenance.allServices
  const content = html`<p>${formats.timeTag(one.startsAtMs)} – ${formats.timeTag(one.endsAtMs)}</p>
<p>${names}</p>
${markdown(one.description, 3)}`
  return {
    id: tagOf(view, `${one.windowId}-${one.startsAtMs}`),
    title: one.name,
    url: view.url,
    publishedAtMs: Math.min(one.changedAtMs, one.startsAtMs),
    updatedAtMs: maintenanceChangedAtMs(one),
    category: one.isOn ? words.maintenance.inProgress : words.maintenance.planned,
    summary: `${formats.dateTime(one.startsAtMs)} – ${formats.dateTime(one.endsAtMs)}`,
    content: contentText(content),
  }
}

function contentText(content: Html): string {
  return toText(content).trim()
}
