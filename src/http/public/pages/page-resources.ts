// Every document of a status page, by its path. The first is the page itself.
import { asId } from '../../../base/ids.ts'
import { pagePictureKinds, pictureFileName } from '../../../domain/pages/page.ts'
import { isMonth } from '../../../domain/pages/page-month.ts'
import { htmlType, pageHeaders } from '../../../pages/frame.ts'
import { type Html, toText } from '../../../pages/html.ts'
import { historyPage } from '../../../pages/status/history-page.ts'
import { incidentPage } from '../../../pages/status/incident-page.ts'
import { ownStyle } from '../../../pages/status/look/page-assets.ts'
import { etagPlace } from '../../../pages/status/page-frame.ts'
import { servicePage } from '../../../pages/status/service-page.ts'
import { statusPage } from '../../../pages/status/status-page.ts'
import type { PageDocument } from '../../../pages/view/public-page.ts'
import { machineResources } from './machine-resources.ts'
import { oneOfEachPage, type PageResource } from './page-resource.ts'

const page = oneOfEachPage({
  name: 'pages.status',
  path: '',
  isLocal: true,
  isPage: true,
  make: (context) => ({
    contentType: htmlType,
    body: toText(statusPage(context)),
    headers: pageHeaders,
    etagPlace,
  }),
})

const incident: PageResource = {
  name: 'pages.incident',
  path: '/incidents/:incidentId',
  isLocal: true,
  isShared: false,
  wanted({ params }) {
    const id = asId('incident', params.incidentId ?? '')
    if (!id) return undefined
    return {
      key: `incident ${id}`,
      make(context) {
        const found = context.reader.incident(id)
        return found ? htmlDocument(incidentPage(context, found)) : undefined
      },
    }
  },
}

const service: PageResource = {
  name: 'pages.service',
  path: '/services/:monitorId',
  isLocal: true,
  isShared: false,
  ignoresQuery: true,
  wanted({ params }) {
    const id = asId('monitor', params.monitorId ?? '')
    if (!id) return undefined
    return {
      key: `service ${id}`,
      make(context) {
        const monitor = context.view.monitors?.find((one) => one.id === id)
        const year = monitor && context.reader.year(id)
        return year ? htmlDocument(servicePage(context, monitor, year)) : undefined
      },
    }
  },
}

const history: PageResource = {
  name: 'pages.history',
  path: '/history',
  isLocal: true,
  isShared: false,
  wanted({ queryText }) {
    const month = new URLSearchParams(queryText).get('month')
    if (month !== null && !isMonth(month)) return undefined
    return {
      key: `history ${month ?? ''}`,
      make(context) {
        const found = context.reader.month(month)
        return found ? htmlDocument(historyPage(context, found)) : undefined
      },
    }
  },
}

const pictureFile = /^(logo|cover|favicon)\.[0-9a-f]{16}\.(?:png|jpeg|webp)$/

/** A picture is nothing but a picture, also for those who open its address. */
const pictureHeaders = [
  ['Content-Security-Policy', "default-src 'none'; sandbox"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const

const picture: PageResource = {
  name: 'pages.ownPicture',
  path: '/pictures/:file',
  isLocal: false,
  isShared: false,
  isLasting: true,
  ignoresQuery: true,
  wanted({ params: { file = '' } }) {
    const kind = pagePictureKinds.find((one) => one === pictureFile.exec(file)?.[1])
    if (!kind) return undefined
    return {
      key: `picture ${file}`,
      make({ view, reader }) {
        const about = view.pictures[kind]
        const body = about && pictureFileName(kind, about) === file ? reader.picture(kind) : null
        if (!about || !body) return undefined
        return { contentType: `image/${about.format}`, body, headers: pictureHeaders }
      },
    }
  },
}

/** The organization's own style sheet. */
const ownSheet: PageResource = {
  name: 'pages.ownStyle',
  path: '/styles/:file',
  isLocal: false,
  isShared: false,
  isLasting: true,
  ignoresQuery: true,
  wanted: ({ params: { file = '' } }) => ({
    key: `style ${file}`,
    make({ view }) {
      const { path, contentType, bytes } = ownStyle(view.css)
      if (view.css === '' || path !== `/styles/${file}`) return undefined
      return { contentType, body: bytes }
    },
  }),
}

function htmlDocument(document: Html): PageDocument {
  return { contentType: htmlType, body: toText(document), headers: pageHeaders }
}

export const pageResources: readonly [PageResource, ...PageResource[]] = [
  page,
  incident,
  service,
  history,
  picture,
  ownSheet,
  ...machineResources,
]
