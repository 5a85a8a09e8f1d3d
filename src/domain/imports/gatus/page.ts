// The front page of Gatus as a status page, with its groups and its announcements.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type Note,
  nameOf,
  textOf,
} from '../foreign.ts'
import { noteOthers } from './parts.ts'

/** A monitor that the front page of Gatus has. */
export interface PagedMonitor {
  readonly id: string
  readonly group: string
}

const titleCharsMax = 200
const descriptionCharsMax = 2_000
const announcementCharsMax = 1_000
const linksMax = 6
const linkLabelCharsMax = 40

export function pageOf(
  config: ForeignFields,
  monitors: readonly PagedMonitor[],
  note: Note,
): ForeignItem {
  const ui = fieldsOf(config.ui)
  noteOthers(ui, settings, note, 'the look of its page: ')
  const name = nameOf(ui.header ?? ui.title, 'Gatus')
  const title = textOf(ui['dashboard-heading']) || textOf(ui.title)
  const description = textOf(ui['dashboard-subheading']) || textOf(ui.description)
  const shown = monitors.slice(0, limits.pageMonitorsMax)
  if (shown.length < monitors.length) {
    note(`its page has the first ${shown.length} of ${monitors.length} monitors`)
  }
  return {
    name,
    origin: 'page/front',
    isEnabled: false,
    ...(title === '' ? {} : { title: clip(title, titleCharsMax) }),
    ...(description === '' ? {} : { description: clip(description, descriptionCharsMax) }),
    ...logoOf(ui, note),
    ...linksOf(ui, note),
    ...(typeof ui['dark-mode'] === 'boolean'
      ? { theme: { mode: ui['dark-mode'] ? 'dark' : 'light' } }
      : {}),
    ...announcementOf(config.announcements, note),
    publicMonitorIds: shown.map(({ id }) => id),
    sections: sectionsOf(shown, note),
  }
}

const settings = [
  'title',
  'description',
  'dashboard-heading',
  'dashboard-subheading',
  'header',
  'logo',
  'link',
  'buttons',
  'dark-mode',
]

function logoOf(ui: ForeignFields, note: Note): ForeignFields {
  const logo = textOf(ui.logo)
  const isWeb = /^https:/i.test(logo) && logo.length <= limits.urlCharsMax
  if (logo !== '' && !isWeb) note('the logo of its page: upload it, or give it an https address')
  return isWeb ? { logoUrl: logo } : {}
}

/** Where the logo leads, and the buttons. */
function linksOf(ui: ForeignFields, note: Note): ForeignFields {
  const link = textOf(ui.link)
  const buttons = listOf(ui.buttons).map(fieldsOf)
  const wanted = [
    ...(link === '' ? [] : [{ label: nameOf(ui.header, 'Home'), url: link }]),
    ...buttons.map((button) => ({ label: nameOf(button.name, 'Link'), url: textOf(button.link) })),
  ]
  const links = wanted.filter(({ url }) => /^(https?|mailto):/i.test(url)).slice(0, linksMax)
  if (links.length < wanted.length) {
    note(`the links of its page: ${links.length} of ${wanted.length} became links at its head`)
  }
  if (links.length === 0) return {}
  return {
    headLinks: links.map(({ label, url }) => ({ label: clip(label, linkLabelCharsMax), url })),
  }
}

/** The announcements that Gatus shows at the top, the newest first. */
function announcementOf(announcements: unknown, note: Note): ForeignFields {
  const all = listOf(announcements).map(fieldsOf)
  const current = all.filter(({ archived }) => archived !== true)
  if (current.length < all.length) note('its archived announcements')
  if (current.length === 0) return {}
  const said = current
    .toSorted((one, other) => textOf(other.timestamp).localeCompare(textOf(one.timestamp)))
    .map(({ timestamp, type, message }) => {
      const kind = textOf(type) === '' || type === 'none' ? '' : ` (${textOf(type)})`
      return `**${textOf(timestamp)}**${kind}: ${textOf(message)}`
    })
  return { announcement: clip(said.join('\n\n'), announcementCharsMax) }
}

/** Groups in the order of their names, as there; monitors without a group come last, without a heading. */
function sectionsOf(monitors: readonly PagedMonitor[], note: Note) {
  const byGroup = Map.groupBy(monitors, ({ group }) => group)
  const groups = [...byGroup].filter(([group]) => group !== '')
  const sections = groups
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([group, members]) => ({
      name: nameOf(group, group),
      monitorIds: members.map(({ id }) => id),
    }))
  if (sections.length > limits.pageSectionsMax) {
    note(`the groups of its page: the first ${limits.pageSectionsMax} became sections`)
  }
  return sections.slice(0, limits.pageSectionsMax)
}
