// Renders the public status page from its projection. It needs no script.

import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Html, html } from '../html.ts'
import { asOneDocument, markdown, plainText } from '../markdown.ts'
import type { DocumentContext, PublicPage } from '../view/public-page.ts'
import { maintenanceList, ongoingIncidents, pastIncidents } from './incident-lists.ts'
import { pageFrame } from './page-frame.ts'
import { type PageText, pageTextOf } from './page-text.ts'
import { isTroubled, services, worstFirst } from './services.ts'

/** Rounds to the minute, so that a page without news stays byte-identical for a while. */
const minuteOf = (atMs: number) => atMs - (atMs % 60_000)

function banner(page: PublicPage, { words, formats }: PageText): Html {
  const { level, kind } = page.overall
  return html`<section class="overall ${level}" aria-label="${words.currentStatus}"><div>
<h2>${words.overall[kind]}</h2>
${affected(page, { words })}\
<p>${words.updated} ${formats.timeTag(minuteOf(page.generatedAtMs))}</p></div></section>`
}

/** Names of affected services that the banner has; the list below has them all. */
const bannerNamesMax = 5

/** How many of how many services are affected, and the worst of them first. */
function affected({ monitors }: PublicPage, { words }: Pick<PageText, 'words'>): Html | null {
  const troubled = worstFirst((monitors ?? []).filter(isTroubled))
  if (monitors === null || troubled.length === 0) return null
  const names = troubled.slice(0, bannerNamesMax).map(({ name }) => html` <bdi>${name}</bdi>`)
  const left = troubled.length - names.length
  const count = words.affected({ bad: troubled.length, all: monitors.length })
  return html`<p class="hit">${count} –${names.map((name, at) => html`${at > 0 && ','}${name}`)}\
${left > 0 && html` +${left}`}</p>`
}

/** The whole document. It can show only what the projection contains. */
export function statusPage(context: StatusPageContext): Html {
  return asOneDocument(() => wholePage(context))
}

type StatusPageContext = Pick<DocumentContext, 'view' | 'language' | 'root'>

function wholePage({ view, language, root }: StatusPageContext): Html {
  const text = pageTextOf(view, language)
  const context = { view, root, text }
  const description = plainText(view.description)
  const announcement = markdown(view.announcement, 1)
  return pageFrame(
    { view, language, root },
    {
      title: `${view.title} – ${text.words.overall[view.overall.kind]}`,
      description,
      head: html`${machineHead(context, text, description)}\n`,
      isFollowed: true,
      body: html`${announcement && html`<div class="say card">${announcement}</div>\n`}\
${banner(view, text)}
${ongoingIncidents(context)}
${maintenanceList(context, true)}
${services(context)}
${maintenanceList(context, false)}
${pastIncidents(context, limits.publicIncidentDays)}`,
    },
  )
}

/** `description`: of the page, as plain text. */
function machineHead(
  { view, root }: Pick<DocumentContext, 'view' | 'root'>,
  { words }: PageText,
  description: string,
): Html {
  const sentence = words.overall[view.overall.kind]
  const about = clip(description, limits.pageMetaCharsMax) || sentence
  const canonical =
    view.url.startsWith('https:') && html`<link rel="canonical" href="${view.url}">\n`
  return html`${canonical}<link rel="alternate" type="application/atom+xml" title="Atom" href="${root}/feed.atom">
<link rel="alternate" type="application/rss+xml" title="RSS" href="${root}/feed.rss">
<link rel="alternate" type="application/feed+json" title="JSON Feed" href="${root}/feed.json">
<meta property="og:site_name" content="${view.title}">
<meta property="og:title" content="${view.title} – ${sentence}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${view.url}">
<meta property="og:image" content="${view.url}/og.png">
<meta name="twitter:card" content="summary_large_image">`
}
