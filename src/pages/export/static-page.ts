// A status page as files that any web server or bucket serves: all documents, linked relatively.
import { pagePictureKinds, pictureFileName } from '../../domain/pages/page.ts'
import { textsOf } from '../../texts/texts.ts'
import { fontFiles } from '../fonts.ts'
import { toText } from '../html.ts'
import { badgeSvg, shieldsJson } from '../machine/badges/badge.ts'
import { monitorBadge, pageBadge } from '../machine/badges/page-badges.ts'
import { calendarDocument } from '../machine/calendar.ts'
import { atomFeed, jsonFeed, rssFeed } from '../machine/feeds/feed-documents.ts'
import { pagePicture } from '../machine/picture/page-picture.ts'
import { statuspageDocument, statuspagePaths } from '../machine/statuspage.ts'
import { widgetDocument } from '../machine/widget.ts'
import { historyPage } from '../status/history-page.ts'
import { incidentPage } from '../status/incident-page.ts'
import { ownStyle, stylesOf } from '../status/look/page-assets.ts'
import { servicePage } from '../status/service-page.ts'
import { statusPage } from '../status/status-page.ts'
import type { DocumentContext, PageDocument, PublicIncident } from '../view/public-page.ts'
import { withRelativeLinks } from './relative-links.ts'

export interface StaticFile {
  /** Relative, with slashes. */
  readonly path: string
  readonly body: Uint8Array
}

/** The documents, one after the other, because they are many. `context.root` is `exportRoot`. */
export function* staticPage(context: DocumentContext): Generator<StaticFile> {
  const { view, figures, language } = context
  const months = monthsOf(context)
  const incidents = incidentsOf(context, months)
  const services = view.monitors ?? []
  const pictures = picturesOf(context)
  const own = view.css === '' ? undefined : ownStyle(view.css)
  const known = new Set([
    'index.html',
    'history.html',
    'widget.html',
    ...months.map(({ month }) => `history/${month}.html`),
    ...incidents.map(({ id }) => `incidents/${id}.html`),
    ...services.map(({ id }) => `services/${id}.html`),
    ...plainPaths,
    ...pictures.map(({ path }) => path),
    ...(own ? [own.path.slice(1)] : []),
  ])
  const page = (path: string, markup: string): StaticFile => ({
    path,
    body: Buffer.from(withRelativeLinks(markup, { path, known, url: view.url })),
  })
  yield page('index.html', toText(statusPage(context)))
  for (const { path, bytes } of [...stylesOf(view.theme, view.look), ...fontFiles]) {
    yield { path: path.slice(1), body: bytes }
  }
  if (own) yield { path: own.path.slice(1), body: own.bytes }
  yield* pictures
  for (const incident of incidents) {
    yield page(`incidents/${incident.id}.html`, toText(incidentPage(context, incident)))
  }
  for (const service of services) {
    const year = context.reader.year(service.id)
    if (year) yield page(`services/${service.id}.html`, toText(servicePage(context, service, year)))
  }
  for (const [at, month] of months.entries()) {
    const markup = toText(historyPage(context, month))
    if (at === 0) yield page('history.html', markup)
    yield page(`history/${month.month}.html`, markup)
  }
  yield page('widget.html', String(widgetDocument(context, 'auto').body))
  yield* filesOf('feed.atom', atomFeed(context))
  yield* filesOf('feed.rss', rssFeed(context))
  yield* filesOf('feed.json', jsonFeed(context))
  yield* filesOf(
    'calendar.ics',
    calendarDocument(view, figures.maintenance(), textsOf('status-page', language)),
  )
  yield* filesOf('og.png', pagePicture(view))
  for (const path of statuspagePaths) {
    yield* filesOf(`api/v2/${path}.json`, statuspageDocument(path, context))
  }
  yield* badgeFiles('badge', pageBadge(context, null))
  for (const { id } of view.monitors ?? []) {
    const request = { metric: 'state', window: '90d', label: null } as const
    yield* badgeFiles(`badge/${id}`, monitorBadge(context, id, request))
  }
}

const plainPaths = ['feed.atom', 'feed.rss', 'feed.json', 'calendar.ics', 'og.png']

function* badgeFiles(path: string, badge: ReturnType<typeof monitorBadge>): Generator<StaticFile> {
  if (!badge) return
  yield* filesOf(`${path}.svg`, badgeSvg(badge))
  yield* filesOf(`${path}.json`, shieldsJson(badge))
}

function* filesOf(path: string, document: PageDocument | undefined): Generator<StaticFile> {
  if (document) yield { path, body: Buffer.from(document.body) }
}

/** Months of the history, and incidents, in an export of a page. */
const exportMonthsMax = 24
const exportIncidentsMax = 1_000

function picturesOf({ view, reader }: DocumentContext): StaticFile[] {
  return pagePictureKinds.flatMap((kind) => {
    const about = view.pictures[kind]
    const body = about && reader.picture(kind)
    return about && body ? [{ path: `pictures/${pictureFileName(kind, about)}`, body }] : []
  })
}

/** The newest first. */
function monthsOf({ reader }: DocumentContext) {
  const months = []
  let found = reader.month(null)
  while (found && months.length < exportMonthsMax) {
    months.push(found)
    found = found.earlier === null ? null : reader.month(found.earlier)
  }
  return months
}

function incidentsOf(
  { view, reader }: DocumentContext,
  months: ReturnType<typeof monthsOf>,
): PublicIncident[] {
  const listed = [...(view.incidents ?? []), ...months.flatMap(({ incidents }) => incidents)]
  const ids = [...new Set(listed.map(({ id }) => id))].slice(0, exportIncidentsMax)
  return ids.flatMap((id) => reader.incident(id) ?? [])
}
