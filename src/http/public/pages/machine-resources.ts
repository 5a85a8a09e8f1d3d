// The documents of a status page for programs: Statuspage, feeds, badges, calendar, picture, widget.

import { asId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { badgeSvg, shieldsJson } from '../../../pages/machine/badges/badge.ts'
import { badgeMetrics, monitorBadge, pageBadge } from '../../../pages/machine/badges/page-badges.ts'
import { calendarDocument } from '../../../pages/machine/calendar.ts'
import { atomFeed, jsonFeed, rssFeed } from '../../../pages/machine/feeds/feed-documents.ts'
import { pagePicture } from '../../../pages/machine/picture/page-picture.ts'
import { statuspageDocument, statuspagePaths } from '../../../pages/machine/statuspage.ts'
import { widgetDocument, widgetThemes } from '../../../pages/machine/widget.ts'
import { figureWindows } from '../../../pages/view/public-page.ts'
import { textsOf } from '../../../texts/texts.ts'
import { pageParameters } from './page-parameters.ts'
import { oneOfEachPage, type PageResource } from './page-resource.ts'

const statuspage = statuspagePaths.map((path) =>
  oneOfEachPage({
    name: `pages.statuspage.${path.replaceAll('/', '.')}`,
    path: `/api/v2/${path}.json`,
    isShared: true,
    make: (context) => statuspageDocument(path, context),
  }),
)

const makers = [
  ['feed.atom', atomFeed],
  ['feed.rss', rssFeed],
  ['feed.json', jsonFeed],
  // Where Statuspage has them.
  ['history.atom', atomFeed],
  ['history.rss', rssFeed],
] as const

const feeds = makers.map(([file, make]) =>
  oneOfEachPage({ name: `pages.${file}`, path: `/${file}`, isShared: true, make }),
)

const calendar = oneOfEachPage({
  name: 'pages.calendar',
  path: '/calendar.ics',
  isShared: true,
  make: ({ view, figures, language }) =>
    calendarDocument(view, figures.maintenance(), textsOf('status-page', language)),
})

const picture = oneOfEachPage({
  name: 'pages.picture',
  path: '/og.png',
  isShared: true,
  make: ({ view }) => pagePicture(view),
})

const widget: PageResource = {
  name: 'pages.widget',
  path: '/widget',
  isLocal: true,
  isShared: false,
  wanted({ queryText }) {
    const parameters = pageParameters(queryText, { theme: widgetThemes })
    if (!parameters) return undefined
    const { theme } = parameters
    return { key: `widget ${theme}`, make: (context) => widgetDocument(context, theme) }
  },
}

const label = { charsMax: limits.badgeTextCharsMax }

const badgeTraits = { isLocal: false, isShared: true } as const

const pageBadges = [
  ['svg', badgeSvg],
  ['json', shieldsJson],
] as const

const badges = pageBadges.map(
  ([form, document]): PageResource => ({
    ...badgeTraits,
    name: `pages.badge.${form}`,
    path: `/badge.${form}`,
    wanted({ queryText }) {
      const asked = pageParameters(queryText, { label })
      if (!asked) return undefined
      return {
        key: JSON.stringify([`badge.${form}`, asked.label]),
        make: (context) => document(pageBadge(context, asked.label)),
      }
    },
  }),
)

const monitorBadges: PageResource = {
  ...badgeTraits,
  name: 'pages.badge.monitor',
  path: '/badge/:file',
  wanted({ params: { file = '' }, queryText }) {
    const [, id = '', form] = /^(.+)\.(svg|json)$/.exec(file) ?? []
    const monitorId = asId('monitor', id)
    const asked = pageParameters(queryText, { metric: badgeMetrics, window: figureWindows, label })
    if (!monitorId || !asked) return undefined
    return {
      key: JSON.stringify([file, asked.metric, asked.window, asked.label]),
      make(context) {
        const badge = monitorBadge(context, monitorId, asked)
        return badge && (form === 'svg' ? badgeSvg(badge) : shieldsJson(badge))
      },
    }
  },
}

export const machineResources: readonly PageResource[] = [
  ...statuspage,
  ...feeds,
  ...badges,
  monitorBadges,
  calendar,
  picture,
  widget,
]
