// Status pages of Better Stack.
//
// The fields: https://betterstack.com/docs/uptime/api/status-pages-api-response-params/ and the pages beside it.
import { limits } from '../../limits/limits.ts'
import { carriedSubscriber, type SubscriberPage } from '../carried-subscriber.ts'
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  numberOf,
  textOf,
} from '../foreign.ts'
import { headLinksOf, noteDomain, pageTimezoneOf } from '../foreign-page.ts'
import { documentIdOf } from './ids.ts'

export interface StackPage {
  readonly page: ForeignItem & {
    readonly publicMonitorIds: readonly string[]
    readonly sections: readonly { readonly name: string; readonly monitorIds: readonly string[] }[]
  }
  /** What the page calls its monitors, by their ids. */
  readonly names: ReadonlyMap<string, string>
}

/** `grouped`: the documents' ids of what is in a group, by its type and id there. */
export function pagesOf(
  ofType: (...types: string[]) => readonly ForeignFields[],
  grouped: ReadonlyMap<string, readonly string[]>,
  notesOf: NotesOf,
): readonly StackPage[] {
  const pages = ofType('status_page')
  const partsOf = (type: string) => {
    const all = ofType(type)
    const byPage = Map.groupBy(all, ({ statusPageId }) => textOf(statusPageId))
    return (page: string) => (pages.length === 1 ? all : (byPage.get(page) ?? []))
  }
  const [resourcesOf, sectionsIn, readersOf] = [
    partsOf('status_page_resource'),
    partsOf('status_page_section'),
    partsOf('status_page_subscriber'),
  ]
  return pages.map(({ id, attributes }) => {
    const there = textOf(id)
    const fields = fieldsOf(attributes)
    const name = nameOf(fields.company_name ?? fields.subdomain, `Page ${there}`)
    const note = notesOf(name, `status-page/${there}`)
    const domain = textOf(fields.custom_domain)
    noteDomain(domain, note)
    note('this page is not enabled yet')
    const known = pageFieldsOf(fields, note)
    const names = new Map<string, string>()
    const bySection = new Map<string, string[]>()
    const sectionsOf = new Map<string, string>()
    for (const resource of resourcesOf(there)) {
      const { resource_id, resource_type, public_name, status_page_section_id, explanation } =
        fieldsOf(resource.attributes)
      const section = textOf(status_page_section_id)
      sectionsOf.set(textOf(resource.id), section)
      const label = nameOf(public_name, '')
      const type = textOf(resource_type)
      if (textOf(explanation) !== '') note(`the explanation of its "${label}"`)
      const monitorIds = shownBy(type, textOf(resource_id), grouped)
      const fresh = monitorIds.filter((one) => !names.has(one))
      if (fresh.length === 0 || names.size + fresh.length > limits.pageMonitorsMax) {
        note(`its "${label || type}": only monitors and heartbeats, each once, are on pages here`)
        continue
      }
      // A group has one name for all that are in it.
      for (const one of fresh) names.set(one, isGroup(type) ? '' : label)
      bySection.set(section, [...(bySection.get(section) ?? []), ...fresh])
    }
    const shown = sectionsIn(there).slice(0, limits.pageSectionsMax)
    const sectionNames = new Map(
      shown.map((section) => [
        textOf(section.id),
        nameOf(fieldsOf(section.attributes).name, 'Monitors'),
      ]),
    )
    const sections = [...sectionNames].map(([sectionId, sectionName]) => ({
      name: sectionName,
      monitorIds: bySection.get(sectionId) ?? [],
    }))
    const subscribers = subscribersOf(readersOf(there), {
      source: `${domain || name} (Better Stack)`,
      sectionNameOf: (resource) => sectionNames.get(sectionsOf.get(resource) ?? ''),
      note,
    })
    return {
      page: {
        name,
        origin: `status-page/${there}`,
        isEnabled: false,
        ...known,
        publicMonitorIds: [...names.keys()],
        sections,
        ...(subscribers.length === 0 ? {} : { subscribers }),
      },
      names,
    }
  })
}

function isGroup(type: string): boolean {
  return type === 'MonitorGroup' || type === 'HeartbeatGroup'
}

function shownBy(
  type: string,
  id: string,
  grouped: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const kind = type.toLowerCase()
  if (isGroup(type)) return grouped.get(`${kind.replace('group', '')} ${id}`) ?? []
  const own = ['monitor', 'heartbeat'].includes(kind) ? documentIdOf({ type: kind, id }) : undefined
  return own === undefined ? [] : [own]
}

/** What a page has there and not here; each is named if it is set. */
const lacked: Readonly<Record<string, string>> = {
  announcement: 'its announcement: write it again if it still holds',
  custom_css: 'its CSS: it is made for other pages',
  custom_javascript: 'its JavaScript',
  dark_logo_url: 'its logo for dark screens',
  google_analytics_id: 'that Google Analytics counts its readers',
  min_incident_length: 'that short incidents are not shown',
  ip_allowlist: 'that only some networks see it: give the page a password',
}

function pageFieldsOf(fields: ForeignFields, note: Note): ForeignFields {
  for (const [name, text] of Object.entries(lacked)) {
    const value = fields[name]
    const isSet = Array.isArray(value) ? value.length > 0 : !['', '0'].includes(textOf(value))
    if (isSet) note(text)
  }
  const days = numberOf(fields.history) ?? 90
  if (days !== 90) note(`that it shows ${days} days: here 90`)
  if (fields.password_enabled === true)
    note('its password is not told: set one before it is enabled')
  if (fields.require_sso === true) note('that readers sign in there: here it is for members')
  if (fields.automatic_reports === false) note('that outages are not reported by themselves')
  const mode = textOf(fields.theme)
  const logoUrl = textOf(fields.logo_url)
  const headLinks = [
    ['Website', fields.company_url] as const,
    ['Contact', fields.contact_url] as const,
    ...listOf(fields.navigation_links).map((link) => {
      const { text, href } = fieldsOf(link)
      return [nameOf(text, 'Link'), href] as const
    }),
  ]
  return {
    noindex: fields.hide_from_search_engines === true,
    allowsSubscribers: fields.subscribable === true,
    ...(fields.require_sso === true ? { visibility: 'members' } : {}),
    ...(fields.whitelabeled === true ? { showMonitoredBy: false } : {}),
    ...(textOf(fields.layout) === 'horizontal' ? { layout: 'compact' } : {}),
    ...pageTimezoneOf(textOf(fields.timezone), note),
    ...(mode === 'light' || mode === 'dark' ? { theme: { mode } } : {}),
    ...(/^https:/.test(logoUrl) ? { logoUrl } : {}),
    ...headLinksOf(headLinks, note),
  }
}

interface StackSubscribers extends SubscriberPage {
  readonly note: Note
}

/** The subscribers who confirmed; one who chose resources hears of the sections that have them. */
function subscribersOf(
  given: readonly ForeignFields[],
  { note, ...page }: StackSubscribers,
): readonly object[] {
  let narrowed = 0
  const all = given.map(({ attributes }) => fieldsOf(attributes))
  const confirmed = all.filter(({ confirmed_at }) => textOf(confirmed_at) !== '')
  const subscribers = confirmed.map(({ email, confirmed_at, status_page_resource_ids }) => {
    const chosen = listOf(status_page_resource_ids).map(textOf)
    if (chosen.length > 0) narrowed += 1
    const one = { address: textOf(email), confirmedAt: textOf(confirmed_at), chosen }
    return carriedSubscriber(one, page)
  })
  const asked = all.length - confirmed.length
  if (asked > 0) note(`${asked} of its subscribers had not confirmed, and stayed there`)
  if (narrowed > 0) {
    note(`${narrowed} of its subscribers chose resources: they hear of the sections that have them`)
  }
  return subscribers
}
