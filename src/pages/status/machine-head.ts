// What the head of a page tells programs: its feeds, and how chats and social networks show it.
import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Html, html } from '../html.ts'
import type { DocumentContext } from '../view/public-page.ts'
import type { PageText } from './page-text.ts'

/** `description`: of the page, as plain text. */
export function machineHead(
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
