// The API of status pages: schemas and routes.

import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  colorModes,
  type PagePictureKind,
  pageLayouts,
  pageLooks,
  pagePictureKinds,
  pageVisibilities,
  pictureFileName,
  titleOf,
} from '../../../domain/pages/page.ts'
import { labelPattern, slugPattern } from '../../../domain/pages/page-address.ts'
import { pageCssBytesMax } from '../../../domain/pages/page-css.ts'
import {
  pictureBytesMax,
  pictureFormats,
  picturePixelsMax,
  pictureSidePxMax,
} from '../../../domain/pages/picture-file.ts'
import { toText } from '../../../pages/html.ts'
import { statusPage } from '../../../pages/status/status-page.ts'
import type { PageChanges } from '../../../services/pages/page-fields.ts'
import type { PageRecord } from '../../../services/pages/pages.ts'
import { languages } from '../../../texts/languages.ts'
import { exampleMonitorIds } from '../../openapi/examples.ts'
import { withTimes } from '../../output/times.ts'
import { documented } from '../../routing/documented.ts'
import {
  answer,
  type BodyRules,
  del,
  get,
  list,
  patch,
  post,
  put,
  resource,
  wirePage,
} from '../../routing/route.ts'

const pageTitleCharsMax = 200
const pageDescriptionCharsMax = 2_000
/** `#rrggbb`. */
const colorCharsMax = 7
const announcementCharsMax = 1_000
const footerCharsMax = 1_000

const PageIn = s.object({
  name: s.text({
    charsMax: limits.nameCharsMax,
    pattern: '\\S',
    rule: 'must not be blank',
    description: 'The name in lists; it need not be unique.',
  }),
  slug: s.optional(
    s.text({
      charsMax: limits.slugCharsMax,
      // An empty text means none; then a slug is derived from the name.
      pattern: `^$|${slugPattern}`,
      rule: 'may contain a-z, 0-9 and hyphens',
      description:
        'The end of its address, `/status/<slug>`; unique on the service. Absent: made from the name.',
    }),
  ),
  isEnabled: s.preset(s.flag, true, 'False: the page and everything below it are not found.'),
  isDefault: s.preset(
    s.flag,
    false,
    'Marks the main page of the organization, at most one: to set it takes it from the other.',
  ),
  isListed: s.preset(
    s.flag,
    false,
    'Whether the front page of the service, /, names this page. While anyone may register, it names none.',
  ),
  title: s.optional(
    s.text({ charsMax: pageTitleCharsMax }),
    'The heading of the page. Absent: the name.',
  ),
  description: s.optional(
    s.text({ charsMax: pageDescriptionCharsMax }),
    'What the page says below its title, in Markdown.',
  ),
  logoUrl: s.optionalOrNull(
    documented(s.text({ charsMax: limits.urlCharsMax }), {
      pattern: '^$|^[hH][tT][tT][pP][sS]:',
      'x-rule': 'must be an https URL',
    }),
    "The https address of a picture at the head of the page. null or `''`: none.",
  ),
  headLinks: s.optionalOrNull(
    s.described(
      s.listOf(
        s.object({
          label: s.text({
            charsMax: limits.pageHeadLinkLabelCharsMax,
            pattern: '\\S',
            rule: 'must not be blank',
            description: 'What the link says.',
          }),
          url: s.text({
            charsMax: limits.urlCharsMax,
            description: 'An http, https or mailto URL.',
          }),
        }),
        limits.pageHeadLinksMax,
      ),
      'Links at the head of the page, in their order.',
    ),
  ),
  announcement: s.optional(
    s.text({ charsMax: announcementCharsMax }),
    'What stands above the state of everything, in Markdown. Absent: nothing.',
  ),
  footer: s.optional(
    s.text({ charsMax: footerCharsMax }),
    'What stands at the end of the page, in Markdown. Absent: nothing.',
  ),
  layout: s.preset(
    s.oneOf(pageLayouts),
    'rows',
    'How its monitors are laid out: a row of each, low rows, or tiles beside each other.',
  ),
  look: s.preset(
    s.oneOf(pageLooks),
    'plain',
    'The colours, the face and the shape of the page, each in light and in dark. `theme` says what is chosen apart from it.',
  ),
  css: s.optionalOrNull(
    s.text({
      charsMax: pageCssBytesMax,
      description:
        "The organization's own style sheet, after that of the look. It loads nothing: no `url()`, no `@import`, no `@font-face`; it has no escapes, and nothing in it is `fixed`. null or an empty text: none.",
    }),
  ),
  showHistory: s.preset(s.flag, true, 'Whether it draws the last 90 days of its monitors.'),
  showUptime: s.preset(s.flag, true, 'Whether it states the uptime of its monitors in 90 days.'),
  showIncidents: s.preset(
    s.flag,
    true,
    'Whether it shows incidents, their pages and their history.',
  ),
  showMonitors: s.preset(
    s.flag,
    true,
    'Whether it lists its monitors; without them it only sums them up.',
  ),
  showResponseTimes: s.preset(
    s.flag,
    true,
    'Whether the page draws the response times of its monitors.',
  ),
  showLocations: s.preset(
    s.flag,
    false,
    'Whether the page names the locations that its monitors are checked from: those from which one fails, and the response times from each.',
  ),
  showMonitoredBy: s.preset(
    s.flag,
    true,
    'Whether the page ends with a line that says what it is made with.',
  ),
  publicMonitorIds: s.optionalOrNull(
    s.listOf(s.idOf('monitor'), limits.pageMonitorsMax),
    'The monitors of the page; each must have `isPublic`. Absent or null: all that have it.',
  ),
  sections: s.optionalOrNull(
    s.described(
      s.listOf(
        s.object({
          name: s.text({
            charsMax: limits.nameCharsMax,
            pattern: '\\S',
            rule: 'must not be blank',
            description: 'The heading.',
          }),
          monitorIds: s.described(
            s.listOf(s.idOf('monitor'), limits.pageMonitorsMax),
            'Its monitors, in their order. A monitor is in one section at most.',
          ),
        }),
        limits.pageSectionsMax,
      ),
      'Groups of monitors, each with a heading. Monitors that are shown and in no section come after them.',
    ),
  ),
  theme: s.optionalOrNull(
    s.object({
      accent: s.optionalOrNull(
        s.text({
          charsMax: colorCharsMax,
          pattern: '^$|^#[0-9a-fA-F]{6}$',
          rule: 'must be a color such as #1f6feb',
          description: 'The color of links and of the head of the page.',
        }),
      ),
      mode: s.optionalOrNull(
        s.described(s.oneOf(colorModes), 'Light, dark, or as the system of the reader is set.'),
      ),
    }),
    'How it looks. null: as usual.',
  ),
  language: s.optionalOrNull(
    s.described(
      s.oneOf(languages),
      "The language of the page. null: the one that the reader's browser asks for, else the language of the organization.",
    ),
  ),
  timezone: s.optionalOrNull(
    s.text({
      charsMax: limits.timezoneCharsMax,
      description:
        'An IANA time zone such as Europe/Berlin. null: the time zone of the organization.',
    }),
  ),
  visibility: s.preset(
    s.oneOf(pageVisibilities),
    'everyone',
    'Who may read the page: `everyone`, or the `members` of the organization, signed in at the service. A page for members has no password, and is not at hosts of its own.',
  ),
  noindex: s.preset(s.flag, false, 'Asks search engines to leave the page out.'),
  allowsSubscribers: s.preset(s.flag, true, 'Whether readers may subscribe to the page.'),
})

/** The password of a status page, which its readers share. */
const pagePasswordCharsMin = 8

/** What callers set; a document of an export has no password. */
const PageWithPasswordIn = s.object({
  ...PageIn.properties,
  password: s.optionalOrNull(
    s.text({
      charsMax: limits.passwordCharsMax,
      pattern: `^$|^[\\s\\S]{${pagePasswordCharsMin},}$`,
      rule: `must have at least ${pagePasswordCharsMin} characters`,
      description:
        'What readers must enter to see the page; it is never shown. null or an empty text removes it. A new one shuts everybody out until they enter it.',
    }),
  ),
})

const subdomainTextCharsMax = 253

/** An empty text means none. */
const subdomainIn = s.nullable(
  documented(s.text({ charsMax: subdomainTextCharsMax }), {
    pattern: `^$|${labelPattern}`,
    'x-rule': 'must be one DNS label: a-z, 0-9 and inner hyphens, at most 63 characters',
  }),
)

const SubdomainIn = s.object({
  subdomain: s.described(
    subdomainIn,
    "One label below `http.statusDomain`, unique on the service. null or `''` removes it.",
  ),
})

const PictureOut = s.object({
  format: s.oneOf(pictureFormats),
  widthPx: s.anyNumber,
  heightPx: s.anyNumber,
  url: s.described(s.anyText, 'Its address below the page, which changes with the picture.'),
})

const pictureOut = s.nullable(PictureOut, 'null: none.')

/** Four characters for three bytes. */
const pictureCharsMax = Math.ceil(pictureBytesMax / 3) * 4

const pictureIn = s.text({
  charsMin: 1,
  charsMax: pictureCharsMax,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
  rule: 'must be base64',
  description: `The file in base64: a PNG, JPEG or WebP of at most ${pictureBytesMax / 1024} KiB, ${pictureSidePxMax} pixels on a side and ${picturePixelsMax / 1_000_000} million in all.`,
})

const PictureIn = s.object({ data: pictureIn })

const exportedPictures = s.described(
  s.object({
    logo: s.optionalOrNull(pictureIn),
    cover: s.optionalOrNull(pictureIn),
    favicon: s.optionalOrNull(pictureIn),
  }),
  'Its pictures. null, or absent: none.',
)

/** A page in an exported document, and in one that is imported. */
export const pageItem = {
  out: s.object({
    id: s.idOf('page'),
    ...PageIn.properties,
    subdomain: s.optional(subdomainIn),
    pictures: exportedPictures,
  }),
  in: s.object({
    id: s.optional(s.idInDocument('page')),
    ...PageIn.properties,
    subdomain: s.optional(subdomainIn, 'Its subdomain; null: none.'),
    pictures: s.optional(exportedPictures),
  }),
}

/** The field, its name and what surrounds them. */
const pictureBodyBytesMax = pictureCharsMax + 1_024

const PictureFileOut = s.object({
  format: s.oneOf(pictureFormats),
  widthPx: s.anyNumber,
  heightPx: s.anyNumber,
  data: s.described(s.anyText, 'The file as it is served, in base64.'),
})

const pictureKindPattern = { pictureKind: `^(${pagePictureKinds.join('|')})$` }

/** One clear pixel. */
const examplePicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const PageOut = s.revised({
  id: s.idOf('page'),
  orgId: s.idOf('org'),
  name: s.anyText,
  slug: s.anyText,
  subdomain: s.nullable(s.anyText),
  url: s.anyText,
  subdomainUrl: s.nullable(
    s.anyText,
    'The address at its subdomain; null without one, or without `http.statusDomain`.',
  ),
  isEnabled: s.flag,
  isDefault: s.flag,
  isListed: s.flag,
  title: s.anyText,
  description: s.anyText,
  logoUrl: s.nullable(s.anyText),
  pictures: s.described(
    s.object({ logo: pictureOut, cover: pictureOut, favicon: pictureOut }),
    'The pictures that were uploaded. A logo takes the place of `logoUrl`.',
  ),
  headLinks: s.listOf(s.object({ label: s.anyText, url: s.anyText }), limits.pageHeadLinksMax),
  announcement: s.anyText,
  footer: s.anyText,
  layout: s.oneOf(pageLayouts),
  look: s.oneOf(pageLooks),
  css: s.anyText,
  showHistory: s.flag,
  showUptime: s.flag,
  showIncidents: s.flag,
  showMonitors: s.flag,
  showResponseTimes: s.flag,
  showLocations: s.flag,
  showMonitoredBy: s.flag,
  publicMonitorIds: s.nullable(s.listOf(s.idOf('monitor'), limits.pageMonitorsMax)),
  sections: s.listOf(
    s.object({
      name: s.anyText,
      monitorIds: s.listOf(s.idOf('monitor'), limits.pageMonitorsMax),
    }),
    limits.pageSectionsMax,
  ),
  theme: s.object({ accent: s.nullable(s.anyText), mode: s.oneOf(colorModes) }),
  language: s.nullable(s.oneOf(languages)),
  timezone: s.nullable(s.anyText),
  visibility: s.oneOf(pageVisibilities),
  noindex: s.flag,
  allowsSubscribers: s.flag,
  subscribers: s.described(
    s.object({
      active: s.anyNumber,
      pending: s.anyNumber,
      failed: s.anyNumber,
      silent: s.described(
        s.anyNumber,
        'The active ones who hear nothing while the page is for members: URLs, and addresses that are not the verified address of a member.',
      ),
    }),
    'How many readers have subscribed, by state.',
  ),
  hasPassword: s.described(s.flag, 'Whether readers must enter a password.'),
  ...s.revisionFields,
})

const PreviewIn = s.object({
  ...PageIn.properties,
  statusPageId: s.optional(s.idOf('page'), 'The page that is changed, whose pictures are shown.'),
})

const PreviewOut = s.object({
  html: s.described(
    s.anyText,
    'The whole document, as a reader would get it, with links that lead nowhere yet.',
  ),
})

const pageTimes = withTimes('createdAt', 'updatedAt')
const toWire = (page: PageRecord) => ({
  ...pageTimes(page),
  title: titleOf(page),
  hasPassword: page.passwordHash !== null,
  pictures: {
    logo: wirePicture(page, 'logo'),
    cover: wirePicture(page, 'cover'),
    favicon: wirePicture(page, 'favicon'),
  },
})

function wirePicture({ url, pictures }: PageRecord, kind: PagePictureKind) {
  const about = pictures[kind]
  return about && { ...about, url: `${url}/pictures/${pictureFileName(kind, about)}` }
}

/** Rules that are also judged for requests with other problems; otherwise the service refuses the same. */
const rules: BodyRules = (fields: PageChanges, { scope, services }) =>
  scope ? services.pages.problems(scope, fields) : []

const admin = { role: 'admin' } as const
const viewer = { role: 'viewer' } as const

const examplePage = {
  name: 'Acme status',
  slug: 'acme',
  title: 'Is Acme up?',
  description: 'The state of our shop and its API.',
  isEnabled: true,
  showHistory: true,
  showUptime: true,
  showIncidents: true,
  showMonitors: true,
  publicMonitorIds: [exampleMonitorIds[0]],
}

export const statusPages = resource('/orgs/:orgId/status-pages', {
  about:
    'Public pages with the state and history of chosen monitors. Readers subscribe to a page by ' +
    'e-mail, webhook or Slack; nobody is subscribed without having confirmed it.',
  create: post('/', {
    who: admin,
    summary: 'Create a status page',
    example: examplePage,
    body: PageWithPasswordIn,
    rules,
    out: PageOut,
    message: 'Status page created',
  }).createdBy(async ({ scope, body: { password, ...page } }, { pages, pageLocks }) => {
    const passwordHash = await pageLocks.hashOf(password)
    return pages.create(scope, { ...page, passwordHash })
  }, toWire),
  preview: post('/preview', {
    who: admin,
    summary: 'The document of a status page that is not stored',
    description:
      'Takes what `create` takes, and stores nothing: an editor shows it while it is changed.',
    example: examplePage,
    body: PreviewIn,
    rules,
    out: PreviewOut,
  }).handledBy(({ scope, body, nowMs }, { pages, publicPages }) => {
    const { statusPageId, ...fields } = body
    const draft = publicPages.draftOf(pages.draft(scope, fields, statusPageId), nowMs)
    return { html: draft ? toText(statusPage(draft)) : '' }
  }),
  list: list('/', { who: viewer, summary: 'Status pages, newest first', out: PageOut }).handledBy(
    (call, { pages }) => wirePage(pages.list(call.scope, call.page), toWire),
  ),
  get: get('/:statusPageId', {
    who: viewer,
    summary: 'One status page',
    out: PageOut,
  }).handledBy((call, { pages }) => toWire(pages.get(call.scope, call.params.statusPageId))),
  change: patch('/:statusPageId', {
    who: admin,
    summary: 'Change a status page',
    example: { title: 'Acme: is it up?', publicMonitorIds: exampleMonitorIds },
    body: s.patchOf(PageWithPasswordIn),
    rules,
    out: PageOut,
    message: 'Status page updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { pages, pageLocks }) => {
    const { password, ...changes } = body
    // Before it is hashed: that takes a while, and a page that is not there needs none.
    if (password) pages.get(scope, params.statusPageId)
    const passwordHash = await pageLocks.hashOf(password)
    const all = { ...changes, passwordHash }
    return toWire(await pages.change(scope, params.statusPageId, all, expectedRevision))
  }),
  remove: del('/:statusPageId', {
    who: admin,
    summary: 'Delete a status page',
    message: 'Status page deleted',
  }).handledBy(({ scope, params, expectedRevision }, { pages }) =>
    pages.remove(scope, params.statusPageId, expectedRevision),
  ),
  getPicture: get('/:statusPageId/pictures/:pictureKind', {
    who: viewer,
    summary: 'A picture of a status page',
    patterns: pictureKindPattern,
    out: PictureFileOut,
  }).handledBy(({ scope, params }, { pages }) => {
    const { bytes, ...about } = pages.picture(scope, params.statusPageId, params.pictureKind)
    return { ...about, data: Buffer.from(bytes).toString('base64') }
  }),
  setPicture: put('/:statusPageId/pictures/:pictureKind', {
    who: admin,
    summary: 'Set the logo, the cover or the icon of a status page',
    description:
      'Only what draws the picture is kept: places, names, thumbnails and whatever else a file may carry are left out. ' +
      'It is deleted with its page.',
    patterns: pictureKindPattern,
    example: { data: examplePicture },
    body: PictureIn,
    bodyBytesMax: pictureBodyBytesMax,
    out: PageOut,
    message: 'Picture set',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { pages }) => {
    const { statusPageId, pictureKind } = params
    const bytes = Buffer.from(body.data, 'base64')
    return toWire(await pages.setPicture(scope, statusPageId, pictureKind, bytes, expectedRevision))
  }),
  removePicture: del('/:statusPageId/pictures/:pictureKind', {
    who: admin,
    summary: 'Remove a picture of a status page',
    patterns: pictureKindPattern,
    out: PageOut,
    message: 'Picture removed',
  }).handledBy(async ({ scope, params, expectedRevision }, { pages }) => {
    const { statusPageId, pictureKind } = params
    return toWire(await pages.setPicture(scope, statusPageId, pictureKind, null, expectedRevision))
  }),
  setSubdomain: patch('/:statusPageId/subdomain', {
    who: admin,
    summary: 'Set the platform subdomain; null or an empty text removes it',
    example: { subdomain: 'acme' },
    body: SubdomainIn,
    out: PageOut,
  }).handledBy(async ({ scope, params, body, expectedRevision }, { pages }) => {
    const { statusPageId } = params
    const page = await pages.setSubdomain(scope, statusPageId, body.subdomain, expectedRevision)
    const message = page.subdomain === null ? 'Subdomain removed' : 'Subdomain set'
    return answer(toWire(page), { message })
  }),
})
