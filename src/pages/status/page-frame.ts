// The frame of every document of a status page that people read: head, title, footer, look and script.
import { light } from '../../base/colors.ts'
import { type HeadLink, type PagePictureKind, pictureFileName } from '../../domain/pages/page.ts'
import { frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { markdown } from '../markdown.ts'
import type {
  DocumentContext,
  OverallLevel,
  PublicPage,
  PublicPicture,
} from '../view/public-page.ts'
import { ownStyle, pageScript, stylesOf } from './look/page-assets.ts'
import { type PageText, pageTextOf } from './page-text.ts'

const iconColors: Readonly<Record<OverallLevel, string>> = {
  up: light.up,
  degraded: light.slow,
  down: light.down,
  maintenance: light.calm,
  unknown: light.none,
}

const product = 'stillup'

export interface PageParts {
  /** The title of the document. */
  readonly title: string
  /** The description of the document, as plain text. */
  readonly description?: string
  /** The heading of a page below the status page, which has a way back; the status page itself has none. */
  readonly heading?: Html
  /** More for the head; by default links to feeds. */
  readonly head?: Html
  /** What is in `main`. */
  readonly body: Html
  /** It is the page that the stream of events is about. */
  readonly isFollowed?: boolean
}

type FrameContext = Pick<DocumentContext, 'view' | 'language' | 'root'>

/** Where a followed page says its version. No text of members can look like it: quotes are escaped. */
export const etagPlace = 'data-etag=""'

/** The path of the page itself. */
export function homeOf({ root }: Pick<DocumentContext, 'root'>): string {
  return root === '' ? '/' : root
}

function header(context: FrameContext, { words }: PageText, heading: Html | undefined): Html {
  const { view } = context
  const { logo: own, cover } = view.pictures
  const logo = own
    ? picture(context, 'logo', own)
    : view.logoUrl !== null &&
      html`<img src="${view.logoUrl}" alt="" height="40" referrerpolicy="no-referrer">`
  const skip = html`<a class="skip" href="#main">${words.skipToContent}</a>`
  if (heading === undefined) {
    const about = markdown(view.description, 1)
    return html`${skip}
<header>${cover && picture(context, 'cover', cover)}<div class="head">${logo}<h1 dir="auto">${view.title}</h1>${headLinks(context, words)}</div>
${about && html`<div class="about">${about}</div>\n`}</header>`
  }
  return html`${skip}
<header><div class="head">${logo}<p class="back"><a href="${homeOf(context)}"><bdi>${view.title}</bdi></a></p></div>
${heading}</header>`
}

/** The path of a picture of the page. */
function picturePath({ root }: FrameContext, kind: PagePictureKind, of: PublicPicture): string {
  return `${root}/pictures/${pictureFileName(kind, of)}`
}

function picture(context: FrameContext, kind: PagePictureKind, one: PublicPicture): Html {
  const { format, widthPx, heightPx, base64 } = one
  const name = kind === 'cover' ? 'cover' : 'logo'
  if (base64 === undefined) {
    const path = picturePath(context, kind, one)
    return html`<img class="${name}" src="${path}" alt="" width="${widthPx}" height="${heightPx}">`
  }
  return html`<img class="${name}" src="data:image/${format};base64,${base64}" alt="" \
width="${widthPx}" height="${heightPx}">`
}

/** The owner's own links, and the way to subscribe. */
function headLinks({ view, root }: FrameContext, words: PageText['words']): Html | false {
  const { headLinks, allowsSubscribers } = view
  if (headLinks.length === 0 && !allowsSubscribers) return false
  return html`<nav>${headLinks.map(ownLink)}${allowsSubscribers && html`<a href="${root}/subscribe">${words.footer.subscribe}</a>`}</nav>`
}

/** As a browser reads the address. A hole in href takes https alone, so the other schemes stand before it. */
function ownLink({ label, url }: HeadLink): Html | null {
  const { protocol, href } = URL.parse(url) ?? {}
  const rest = href?.slice(protocol?.length)
  const text = html`<bdi>${label}</bdi>`
  if (protocol === 'https:') return html`<a class="own" href="${href}" rel="noopener">${text}</a>`
  if (protocol === 'http:')
    return html`<a class="own" href="http:${rest}" rel="noopener">${text}</a>`
  if (protocol !== 'mailto:') return null
  return html`<a class="own" href="mailto:${rest}" rel="noopener">${text}</a>`
}

/** What the script replaces by the reader's own zone. */
function zoneLine({ timezone }: PublicPage, { words }: PageText): Html {
  const mark = '{}'
  const [before = '', after = ''] = words.footer.timesIn({ zone: mark }).split(mark)
  return html`<p>${before}<span id="zone">${timezone}</span>${after}</p>`
}

function footer({ view, root }: FrameContext, text: PageText): Html {
  const { words } = text
  const [before = '', after = ''] = words.footer.monitoredBy({ product: '{}' }).split('{}')
  return html`<footer class="foot">${zoneLine(view, text)}<nav aria-label="${words.footer.feeds}">\
<a href="${root}/feed.atom">Atom</a><a href="${root}/feed.rss">RSS</a>\
<a href="${root}/feed.json">JSON</a><a href="${root}/calendar.ics">${words.footer.calendar}</a>\
</nav>${
    view.showMonitoredBy &&
    html`<p>${before}<a href="${view.serviceUrl}/" rel="noopener">${product}</a>${after}</p>`
  }</footer>`
}

/** What feed readers find; the status page itself names more in its own head. */
function feedLinks({ root, view }: FrameContext, { words }: PageText): Html {
  const title = words.feeds.incidents({ page: view.title })
  return html`<link rel="alternate" type="application/atom+xml" title="${title}" \
href="${root}/feed.atom">
<link rel="alternate" type="application/rss+xml" title="${title}" href="${root}/feed.rss">
<link rel="alternate" type="application/feed+json" title="${title}" href="${root}/feed.json">
`
}

function ownStylePath({ view, root }: FrameContext): readonly string[] {
  if (view.css === '') return []
  return [view.draftCssPath ?? root + ownStyle(view.css).path]
}

export function pageFrame(context: FrameContext, parts: PageParts): Html {
  const { view, language, root } = context
  const text = pageTextOf(view, language)
  const { path } = pageScript
  const { favicon } = view.pictures
  const events = `${root}/events`
  const ownFoot = markdown(view.footer, 1)
  const script = parts.isFollowed
    ? html`<script src="${path}" data-events="${events}" data-etag="" defer></script>`
    : html`<script src="${path}" data-events="${events}" defer></script>`
  return frame({
    language,
    title: parts.title,
    description: parts.description ?? '',
    isIndexed: !view.noindex,
    ...(favicon
      ? { iconPath: picturePath(context, 'favicon', favicon) }
      : { iconColor: iconColors[view.overall.level] }),
    colorMode: view.theme.mode,
    styles: [...stylesOf(view.theme, view.look).map(({ path }) => path), ...ownStylePath(context)],
    head: html`${parts.head ?? feedLinks(context, text)}${script}
<noscript><meta http-equiv="refresh" content="60"></noscript>`,
    body: html`<div class="bound">
${header(context, text, parts.heading)}
<p class="note" id="lost" role="status" hidden>${text.words.connectionLost}</p>
<main id="main">
${parts.body}
</main>
<p class="unseen" id="news" aria-live="polite"></p>
${ownFoot && html`<div class="own-foot">${ownFoot}</div>\n`}</div>
<div class="bound">
${footer(context, text)}
</div>`,
  })
}
