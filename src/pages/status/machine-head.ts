// What the head of a page tells programs: its feeds, and how chats and social networks show it.
import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Html, html } from '../html.ts'
import { plainText } from '../markdown.ts'
import type { DocumentContext } from '../view/public-page.ts'
import { pageTextOf } from './page-text.ts'

export function machineHead({
  view,
  language,
  root,
}: Pick<DocumentContext, 'view' | 'language' | 'root'>): Html {
  const { words } = pageTextOf(view, language)
  const sentence = words.overall[view.overall.kind]
  const about = clip(plainText(view.description), limits.pageMetaCharsMax) || sentence
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
