// The event stream of a status page: tells its reader when the page has changed.
import { countedAddress } from '../../../domain/network.ts'
import type { Services } from '../../../services/assembly/services.ts'
import { readerLanguage } from '../../../texts/reader-language.ts'
import { isLoopback } from '../../edge/address.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../../routing/raw-route.ts'
import { notFound } from './not-found.ts'
import type { PageDoors } from './page-doors.ts'
import { pageResources } from './page-resources.ts'

const streamHead = rawHead([
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  // A proxy that buffers responses would delay the events.
  ['X-Accel-Buffering', 'no'],
])

const [page] = pageResources

export function streamRoutes(doors: PageDoors): readonly RawRoute[] {
  return [
    streamRoute(doors, '/status/:slug/events', 'pages.events'),
    streamRoute(doors, '/events', 'pages.events.host'),
  ]
}

const pageStreamRetryMs = 3_000

/** Follows the page itself, as it is for this reader. */
function openStream(
  { placeOf, isOpenTo }: PageDoors,
  request: RawRequest,
  services: Services,
): RawReply {
  const place = placeOf(request)
  const found = place && services.publicPages.find(place.address)
  const wanted = page.wanted(request)
  if (!found || !wanted || !isOpenTo(found, request, services)) return notFound()
  const language = readerLanguage(request.header('accept-language'))
  // Behind a proxy that the settings do not name, all readers have the address of loopback.
  const caller = isLoopback(request.address) ? '' : countedAddress(request.address)
  const lastVersion = request.header('last-event-id')
  let write = (_text: string) => {}
  let close = () => {}
  const tell = (etag: string, version: string) =>
    write(`id: ${version}\nevent: change\ndata: ${etag}\n\n`)
  const opened = services.pageStreams.follow(
    place.address,
    { ...wanted, language, root: place.root },
    { caller, lastVersion },
    { tell, beat: () => write(':\n\n'), end: () => close() },
  )
  if (!opened) return notFound()
  const { etag, version, leave } = opened
  return {
    status: 200,
    head: streamHead,
    open(line) {
      write = line.write
      close = line.close
      line.onClosed(leave)
      line.write(`retry: ${pageStreamRetryMs}\nid: ${version}\n\n`)
      if (etag !== undefined) tell(etag, version)
    },
  }
}

function streamRoute(doors: PageDoors, path: string, name: string): RawRoute {
  return {
    name,
    path,
    rate: 'page',
    headers: ['accept-language', 'cookie', 'last-event-id'],
    handle: (request, services) => openStream(doors, request, services),
  }
}
