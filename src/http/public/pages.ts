// Serves public status pages: under /status/:slug, and at the root of their own subdomain.
import { perObject } from '../../base/per-object.ts'
import { notFoundPage, pageHeaders } from '../../pages/frame.ts'
import { toText } from '../../pages/html.ts'
import { styleSheet } from '../../pages/style-sheet.ts'
import type { RenderedPage } from '../../services/pages/public-pages.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'

export interface PageHosts {
  readonly baseUrl: string
  /** No setting names the public address: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /**
   * The domain of which each page has a subdomain, `{subdomain}.{statusDomain}`; null if pages have
   * none.
   */
  readonly statusDomain: string | null
}

const cacheHeaders = [
  ['Cache-Control', 'public, max-age=10'],
  ['Vary', 'Accept-Encoding'],
] as const
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/**
 * Unknown and disabled pages and unknown hosts get the same response, so that it does not reveal
 * which one it is.
 */
const notFound: RawReply = {
  status: 404,
  head: rawHead([...pageHeaders, ['Cache-Control', 'no-store']]),
  body: Buffer.from(toText(notFoundPage())),
}

const styleReply: RawReply = {
  status: 200,
  head: rawHead([
    ['Content-Type', styleSheet.contentType],
    ['Cache-Control', styleSheet.cacheControl],
  ]),
  body: styleSheet.bytes,
}

interface PageReplies {
  readonly plain: RawReply
  readonly gzip: RawReply
  readonly unchanged: RawReply
}

/** The replies are built once per rendered page, and serve tens of thousands of requests. */
const repliesFor = perObject((page: RenderedPage): PageReplies => {
  const etag = ['ETag', page.etag] as const
  const plain = [...pageHeaders, ...cacheHeaders, etag]
  const gzip = rawHead([...plain, ['Content-Encoding', 'gzip']])
  return {
    plain: { status: 200, head: rawHead(plain), body: page.html },
    gzip: { status: 200, head: gzip, body: page.gzip },
    unchanged: { status: 304, head: rawHead([...cacheHeaders, etag]) },
  }
})

/** Whether the client accepts gzip (RFC 9110 §12.5.3; no other coding is considered). */
function takesGzip(acceptEncoding: string): boolean {
  return /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))\s*(?:[;,]|$)/i.test(acceptEncoding)
}

/** RFC 9110 §13.1.2: a weak comparison with each tag of the list. */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}

function replyTo(request: RawRequest, page: RenderedPage | undefined): RawReply {
  if (!page) return notFound
  const replies = repliesFor(page)
  if (matches(request.header('if-none-match'), page.etag)) return replies.unchanged
  return takesGzip(request.header('accept-encoding')) ? replies.gzip : replies.plain
}

/** Checks whether a host is the one of the base URL. */
function nameCheck(baseUrl: string): (host: string) => boolean {
  const own = new URL(baseUrl).hostname.toLowerCase()
  return loopbackHosts.has(own) ? (host) => loopbackHosts.has(host) : (host) => host === own
}

export type StatusPages = ReturnType<typeof statusPages>

/** The hosts of the service and of its pages, and the routes of the pages. */
export function statusPages({ baseUrl, isBaseGuessed, statusDomain }: PageHosts) {
  const suffix = statusDomain === null ? null : `.${statusDomain.toLowerCase()}`
  const isPageHost = (host: string) => suffix !== null && host.endsWith(suffix)
  // A proxy may be in front of the service, so without the setting any host can be its name.
  const isOwnName = isBaseGuessed ? () => true : nameCheck(baseUrl)
  const isOwnHost = (host: string) => !isPageHost(host) && isOwnName(host)
  const shared = {
    rate: 'page',
    headers: ['accept-encoding', 'if-none-match'],
  } as const

  const bySlug: RawRoute = {
    ...shared,
    name: 'pages.status',
    path: '/status/:slug',
    handle(request, { publicPages }) {
      const { host, params, nowMs } = request
      if (!isOwnHost(host)) return notFound
      return replyTo(request, publicPages.render({ slug: params.slug ?? '' }, nowMs))
    },
  }
  const withSlash: RawRoute = {
    ...shared,
    name: 'pages.status.slash',
    path: '/status/:slug/',
    handle({ host, params }) {
      if (!isOwnHost(host)) return notFound
      const location = `/status/${encodeURIComponent(params.slug ?? '')}`
      return { status: 308, head: rawHead([...cacheHeaders, ['Location', location]]) }
    },
  }
  const style: RawRoute = {
    ...shared,
    name: 'pages.style',
    path: styleSheet.path,
    handle: () => styleReply,
  }

  /** What a path of the service is at every other host: at the root a page may have its own. */
  function elsewhere(path: string): RawRoute {
    return {
      ...shared,
      name: 'pages.elsewhere',
      path,
      handle(request, { publicPages }) {
        const { host, nowMs } = request
        if (path !== '/' || suffix === null || !isPageHost(host)) return notFound
        const subdomain = host.slice(0, -suffix.length)
        return replyTo(request, publicPages.render({ subdomain }, nowMs))
      },
    }
  }

  return { routes: [bySlug, withSlash, style] as readonly RawRoute[], isOwnHost, elsewhere }
}
