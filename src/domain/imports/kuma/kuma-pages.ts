// Status pages of Uptime Kuma (server/model/status_page.js, group.js, incident.js).
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { slugPattern } from '../../pages/page-address.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  flagOf,
  listOf,
  type Note,
  nameOf,
  textOf,
} from '../foreign.ts'
import { originOf } from './kuma-columns.ts'

/** The texts of a page: see http/api/pages/status-pages.ts. */
const titleCharsMax = 200
const descriptionCharsMax = 2_000
const footerCharsMax = 1_000
const announcementCharsMax = 1_000

const slugForm = new RegExp(slugPattern)

/** `monitorIdOf`: the id of a monitor in the document; undefined if it was left out. */
export function pageOf(
  row: ForeignFields,
  monitorIdOf: (id: unknown) => string | undefined,
  note: Note,
): ForeignItem {
  const fitting = (what: string, value: unknown, charsMax: number) => {
    const text = textOf(value)
    if (text.length > charsMax) note(`its ${what} of ${text.length} characters, cut to ${charsMax}`)
    return clip(text, charsMax)
  }
  const slug = textOf(row.slug)
  if (!slugForm.test(slug))
    note(`its address ${clip(slug, limits.slugCharsMax)}: it gets another one`)
  const theme = textOf(row.theme)
  const sections = sectionsOf(row, monitorIdOf, note)
  noteOthers(row, note)
  return {
    name: nameOf(row.title, slug || 'Status page'),
    ...originOf('status_page', row),
    ...(slugForm.test(slug) ? { slug } : {}),
    title: fitting('title', row.title, titleCharsMax),
    description: fitting('description', row.description, descriptionCharsMax),
    footer: fitting('footer', row.footer_text, footerCharsMax),
    announcement: fitting('incidents', pinnedText(row), announcementCharsMax),
    isEnabled: flagOf(row.published),
    noindex: !flagOf(row.search_engine_index),
    showMonitoredBy: row.show_powered_by === undefined || flagOf(row.show_powered_by),
    showHistory: !flagOf(row.show_only_last_heartbeat),
    theme: { accent: null, mode: theme === 'light' || theme === 'dark' ? theme : 'auto' },
    ...pictureOf(row, note),
    sections,
    publicMonitorIds: sections.flatMap(({ monitorIds }) => monitorIds),
  }
}

interface KumaSection {
  readonly name: string
  readonly monitorIds: readonly string[]
}

/** A monitor is in one section of a page. */
function sectionsOf(
  { groups }: ForeignFields,
  monitorIdOf: (id: unknown) => string | undefined,
  note: Note,
): readonly KumaSection[] {
  const shown = new Set<string>()
  const given = listOf(groups).map(fieldsOf)
  const sections = given.slice(0, limits.pageSectionsMax).map((group, index) => {
    const monitorIds: string[] = []
    for (const { monitor_id } of listOf(group.monitors).map(fieldsOf)) {
      const id = monitorIdOf(monitor_id)
      if (id === undefined || shown.size >= limits.pageMonitorsMax) continue
      if (shown.has(id)) note(`a monitor that is also in its group ${textOf(group.name)}`)
      else monitorIds.push(id)
      shown.add(id)
    }
    return { name: nameOf(group.name, `Group ${index + 1}`), monitorIds }
  })
  const { pageSectionsMax, pageMonitorsMax } = limits
  if (given.length > sections.length) note(`of its ${given.length} groups, ${pageSectionsMax}`)
  if (shown.size >= pageMonitorsMax) note(`monitors beyond the first ${pageMonitorsMax}`)
  return sections
}

/** What stands above everything while it is pinned. */
function pinnedText({ incidents }: ForeignFields): string {
  return listOf(incidents)
    .map(fieldsOf)
    .filter(({ pin, active }) => flagOf(pin) && flagOf(active))
    .map(({ title, content }) => `**${textOf(title)}**\n\n${textOf(content)}`)
    .join('\n\n')
}

/** Kuma's own picture means that there is none. */
function pictureOf({ icon }: ForeignFields, note: Note): { readonly logoUrl?: string } {
  const url = textOf(icon)
  if (/^https:\/\//i.test(url) && url.length <= limits.urlCharsMax) return { logoUrl: url }
  if (url !== '' && url !== '/icon.svg') note('its picture: upload it')
  return {}
}

function noteOthers(row: ForeignFields, note: Note): void {
  for (const domain of listOf(row.domains)) {
    note(
      `its domain ${textOf(domain)}: add it to the page, which asks for a proof of the host name`,
    )
  }
  const monitors = listOf(row.groups).flatMap((group) => listOf(fieldsOf(group).monitors))
  const links = monitors.map(fieldsOf).filter(({ send_url }) => flagOf(send_url))
  const own = links.filter(({ custom_url }) => textOf(custom_url) !== '').length
  if (links.length > 0) {
    note(
      `the links of its monitors to what they look at: ${links.length}, of them ${own} elsewhere`,
    )
  }
  const past = listOf(row.incidents)
    .map(fieldsOf)
    .filter(({ pin, active }) => !flagOf(pin) || !flagOf(active))
  if (past.length > 0) note(`its incidents that are over, or not shown: ${past.length}`)
  // What its editor shows at first.
  const css = textOf(row.custom_css).replace(/\s+/g, '')
  if (css !== '' && css !== 'body{}') note('its CSS, which is for the elements of Kuma')
  if (flagOf(row.show_tags)) note('that it shows tags')
  if (flagOf(row.show_certificate_expiry)) note('that it shows how long certificates are valid')
  const analytics = textOf(row.analytics_type) || (textOf(row.google_analytics_tag_id) && 'google')
  if (analytics !== '' && analytics !== undefined) {
    const which = textOf(row.analytics_id) || textOf(row.google_analytics_tag_id)
    const from = textOf(row.analytics_script_url)
    note(
      `its analytics ${[analytics, which, from].filter((one) => one !== '').join(' ')}: a page loads nothing of others`,
    )
  }
  if (textOf(row.rss_title) !== '') note(`the title of its feed, "${textOf(row.rss_title)}"`)
}
