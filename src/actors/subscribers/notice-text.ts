// A notice in words of a language: for letters, and for chats.

import type { NewsKind } from '../../domain/subscribers/news.ts'
import {
  incidentTitle,
  type PageText,
  pageTextOf,
  updateMessage,
} from '../../pages/status/page-text.ts'
import type { PublicIncident } from '../../pages/view/public-page.ts'
import type { Language } from '../../texts/languages.ts'
import { type AreaTexts, textsOf } from '../../texts/texts.ts'
import type { IncidentNotice, MaintenanceNotice, NoticeContent } from './notice-content.ts'

/** The page as letters name it. */
export interface NoticePage {
  readonly title: string
  /** The address of the page, without a slash at its end. */
  readonly url: string
  readonly timezone: string
}

export interface NoticeText {
  readonly title: string
  readonly tone: 'bad' | 'warning' | 'good' | 'neutral'
  readonly facts: readonly NoticeFact[]
  readonly link: { readonly label: string; readonly url: string }
  /** Equal for all notices about one matter. */
  readonly matterId: string
}

interface NoticeFact {
  readonly label: string
  readonly value: string
  readonly url?: string
}

interface Writing extends PageText {
  readonly page: NoticePage
  readonly own: AreaTexts<'subscribers'>
}

export function noticeText(
  news: NewsKind,
  content: NoticeContent,
  page: NoticePage,
  language: Language,
): NoticeText {
  const writing = { ...pageTextOf(page, language), page, own: textsOf('subscribers', language) }
  return content.kind === 'incidents'
    ? incidentText(news, content, writing)
    : maintenanceText(news, content, writing)
}

const openTones = { outage: 'bad', degraded: 'warning', notice: 'warning' } as const

function incidentText(news: NewsKind, { incidents }: IncidentNotice, writing: Writing): NoticeText {
  const { own, words, page } = writing
  const [first, ...others] = incidents
  const title = incidentTitle(first, words)
  const isOne = others.length === 0
  return {
    title: `${own.news[news]}: ${isOne ? title : own.andMore({ title, more: others.length })}`,
    tone: news === 'opened' ? openTones[first.kind] : news === 'resolved' ? 'good' : 'neutral',
    facts: isOne ? factsOf(first, writing) : incidents.map((one) => lineOf(one, writing)),
    link: isOne
      ? { label: own.viewIncident, url: incidentUrl(page, first) }
      : { label: own.viewPage, url: page.url },
    matterId: first.id,
  }
}

/** The facts of an incident with news of its own. */
function factsOf(incident: PublicIncident, { words, formats }: Writing): NoticeFact[] {
  const { monitorNames, startedAtMs, resolvedAtMs, updates } = incident
  return [
    ...updates.map((update) => ({
      label: `${words.incident.updates[update.kind]} · ${formats.shortDateTime(update.atMs)}`,
      value: updateMessage(update, words),
    })),
    ...(monitorNames.length === 0
      ? []
      : [{ label: words.incident.affected, value: monitorNames.join(', ') }]),
    { label: words.incident.started, value: formats.dateTime(startedAtMs) },
    ...(resolvedAtMs === null
      ? []
      : [
          { label: words.incident.ended, value: formats.dateTime(resolvedAtMs) },
          { label: words.incident.duration, value: formats.span(resolvedAtMs - startedAtMs) },
        ]),
  ]
}

/** The line of one incident among several. */
function lineOf(incident: PublicIncident, { words, formats, page }: Writing): NoticeFact {
  const atMs = incident.resolvedAtMs ?? incident.startedAtMs
  return {
    label: formats.dateTime(atMs),
    value: incidentTitle(incident, words),
    url: incidentUrl(page, incident),
  }
}

export function incidentUrl({ url }: Pick<NoticePage, 'url'>, { id }: Pick<PublicIncident, 'id'>) {
  return `${url}/incidents/${id}`
}

function maintenanceText(
  news: NewsKind,
  { windowId, name, description, startsAtMs, endsAtMs, monitorNames }: MaintenanceNotice,
  { own, words, formats, page }: Writing,
): NoticeText {
  const { allServices, from, until } = words.maintenance
  const affected = monitorNames.length === 0 ? allServices : monitorNames.join(', ')
  return {
    title: `${own.news[news]}: ${name}`,
    tone: news === 'ended' ? 'good' : 'neutral',
    facts: [
      { label: from, value: formats.dateTime(startsAtMs) },
      { label: until, value: formats.dateTime(endsAtMs) },
      { label: words.incident.affected, value: affected },
      ...(description === '' ? [] : [{ label: name, value: description }]),
    ],
    link: { label: own.viewPage, url: page.url },
    matterId: windowId,
  }
}
