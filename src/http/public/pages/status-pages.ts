// The routes of public status pages: each document of a page at /status/:slug/… on the hosts of the
// service, and below the root of the hosts that belong to pages.
import { styleSheet } from '../../../pages/style-sheet.ts'
import type { Services } from '../../../services/assembly/services.ts'
import { readerLanguage } from '../../../texts/reader-language.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../../routing/raw-route.ts'
import { replyWith } from './document-reply.ts'
import { formRoutes } from './form-routes.ts'
import { createKnownRequests } from './known-requests.ts'
import { notFound, notFoundFor } from './not-found.ts'
import { pageAssetRoutes } from './page-assets.ts'
import { createPageDoors } from './page-doors.ts'
import type { PageForm } from './page-form.ts'
import type { PageResource } from './page-resource.ts'
import { pageResources } from './page-resources.ts'
import { streamRoutes } from './page-stream.ts'
import { subscribeForm } from './subscribe.ts'
import { unlockForm } from './unlock.ts'

export interface PageHosts {
  readonly baseUrl: string
  /** No setting names the public address: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /** Whether a host, in lower case and without its port, belongs to pages alone. */
  readonly isPageHost: (host: string) => boolean
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

const styleReply: RawReply = {
  status: 200,
  head: rawHead([
    ['Content-Type', styleSheet.contentType],
    ['Cache-Control', styleSheet.cacheControl],
  ]),
  body: styleSheet.bytes,
}

/** Checks whether a host is the one of the base URL. */
function nameCheck(baseUrl: string): (host: string) => boolean {
  const own = new URL(baseUrl).hostname.toLowerCase()
  return loopbackHosts.has(own) ? (host) => loopbackHosts.has(host) : (host) => host === own
}

const requestHeaders = ['accept-encoding', 'accept-language', 'cookie', 'if-none-match']

export type StatusPages = ReturnType<typeof statusPages>

/** The hosts of the service and of its pages, and the routes of the pages. */
export function statusPages(
  { baseUrl, isBaseGuessed, isPageHost }: PageHosts,
  forms: readonly PageForm[] = pageForms,
) {
  // A proxy may be in front of the service, so without the setting any host can be its name.
  const isOwnName = isBaseGuessed ? () => true : nameCheck(baseUrl)
  const isOwnHost = (host: string) => !isPageHost(host) && isOwnName(host)

  const known = createKnownRequests()

  const doors = createPageDoors(isOwnHost, baseUrl)
  const { placeOf, isOpenTo, wayIn } = doors

  function serve(resource: PageResource, request: RawRequest, services: Services): RawReply {
    const place = placeOf(request)
    const found = place && services.publicPages.find(place.address)
    if (!place || !found) return notFoundFor(request)
    if (!isOpenTo(found, request, services)) {
      // Pages for people lead to the way in; everything else is not there.
      return resource.isLocal ? wayIn(found, request, services) : notFoundFor(request)
    }
    const wanted = resource.wanted(request)
    if (!wanted) return notFoundFor(request)
    const language = resource.isLocal ? readerLanguage(request.header('accept-language')) : null
    const document = services.publicPages.render(
      place.address,
      { ...wanted, language, root: place.root },
      request.nowMs,
    )
    if (!document) return notFoundFor(request)
    if (!document.isPrivate) known.note(request, resource, document)
    return replyWith(document, request, resource)
  }

  function route(resource: PageResource, path: string, name: string): RawRoute {
    return {
      name,
      path,
      rate: resource.isLasting ? 'asset' : 'page',
      headers: requestHeaders,
      quick: known.lookFor(resource),
      handle: (request, services) => serve(resource, request, services),
    }
  }

  const [page] = pageResources
  const routes: readonly RawRoute[] = [
    ...pageResources.flatMap((resource) => {
      const { name, path } = resource
      const below = route(resource, `/status/:slug${path}`, name)
      // The root of a host is a path of the service too: see `elsewhere`.
      return path === '' ? [below] : [below, route(resource, path, `${name}.host`)]
    }),
    ...streamRoutes(doors),
    ...forms.flatMap((form) => formRoutes(form, { ...doors, baseUrl })),
    {
      name: 'pages.status.slash',
      path: '/status/:slug/',
      rate: 'page',
      handle({ host, params }) {
        if (!isOwnHost(host)) return notFound()
        const location = `/status/${encodeURIComponent(params.slug ?? '')}`
        const headers = [
          ['Cache-Control', 'public, max-age=10'],
          ['Location', location],
        ] as const
        return { status: 308, head: rawHead(headers) }
      },
    },
    { name: 'pages.style', path: styleSheet.path, rate: 'asset', handle: () => styleReply },
    ...pageAssetRoutes,
  ]

  /** What a path of the service is at every other host: at the root a page may have its own. */
  function elsewhere(path: string): RawRoute {
    const atRoot = route(page, path, 'pages.elsewhere')
    if (path === '/') return atRoot
    const { quick: _none, ...others } = atRoot
    return { ...others, handle: notFoundFor }
  }

  return { routes, isOwnHost, isPageHost, elsewhere }
}

/** Every form of a status page, by its path. */
export const pageForms: readonly PageForm[] = [subscribeForm, unlockForm]
