// Status pages of OneUptime and its scheduled maintenance.
//
// The fields: Common/Models/DatabaseModels/StatusPage.ts and the models beside it, ScheduledMaintenance.ts.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { carriedSubscriber } from '../carried-subscriber.ts'
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
import { headLinksOf, noteDomain } from '../foreign-page.ts'
import { pointWindow } from '../point-windows.ts'
import { idTextOf } from './ids.ts'

/** What is asked of each list, and what is in it. Older versions have no other columns. */
export const pageLists = {
  'status-page': {
    what: 'status pages',
    select: {
      ...{ name: true, pageTitle: true, pageDescription: true, isPublicStatusPage: true },
      ...{ enableSearchEngineIndexing: true, enableEmailSubscribers: true, copyrightText: true },
      ...{ customCSS: true, customJavaScript: true, headerHTML: true, footerHTML: true },
      ...{ requireSsoForLogin: true },
    },
  },
  'status-page-group': {
    what: 'groups of status pages',
    select: { name: true, description: true, order: true, statusPageId: true },
  },
  'status-page-resource': {
    what: 'resources of status pages',
    select: {
      ...{ statusPageId: true, monitorId: true, monitorGroupId: true, statusPageGroupId: true },
      ...{ displayName: true, displayDescription: true, displayTooltip: true, order: true },
    },
  },
  'status-page-header-link': {
    what: 'links of status pages',
    select: { title: true, link: true, order: true, statusPageId: true },
  },
  'status-page-domain': {
    what: 'addresses of status pages',
    select: { fullDomain: true, statusPageId: true },
  },
  'status-page-subscriber': {
    what: 'subscribers of status pages',
    select: {
      ...{ statusPageId: true, subscriberEmail: true, createdAt: true, isUnsubscribed: true },
      ...{ isSubscriptionConfirmed: true, isSubscribedToAllResources: true },
      statusPageResources: { _id: true },
    },
  },
  'scheduled-maintenance': {
    what: 'scheduled maintenance',
    select: {
      ...{ title: true, description: true, startsAt: true, endsAt: true },
      ...{ monitors: { _id: true }, isVisibleOnStatusPage: true },
    },
  },
} as const

type PageList = keyof typeof pageLists
export type PageAnswers = Readonly<Record<PageList, readonly ForeignFields[]>>

/** The lists in answers, as `oneuptimeApi` reads them. */
export function pageAnswersIn(answers: readonly unknown[]): PageAnswers {
  const lists = answers.map((answer) => fieldsOf(fieldsOf(answer).lists))
  const of = (list: PageList) => lists.flatMap((one) => listOf(one[list])).map(fieldsOf)
  return {
    'status-page': of('status-page'),
    'status-page-group': of('status-page-group').toSorted(byOrder),
    'status-page-resource': of('status-page-resource').toSorted(byOrder),
    'status-page-header-link': of('status-page-header-link').toSorted(byOrder),
    'status-page-domain': of('status-page-domain'),
    'status-page-subscriber': of('status-page-subscriber'),
    'scheduled-maintenance': of('scheduled-maintenance'),
  }
}

function byOrder(one: ForeignFields, other: ForeignFields): number {
  return (numberOf(one.order) ?? 0) - (numberOf(other.order) ?? 0)
}

/** The monitors there that pages and windows name. */
export function namedMonitors(answers: PageAnswers): ReadonlySet<string> {
  const shown = answers['status-page-resource'].map(({ monitorId }) => idTextOf(monitorId))
  const kept = answers['scheduled-maintenance'].flatMap(monitorsOf)
  return new Set([...shown, ...kept])
}

function monitorsOf({ monitors }: ForeignFields): readonly string[] {
  return listOf(monitors).map((one) => idTextOf(fieldsOf(one)._id))
}

interface PagesFrame {
  /** The ids in the document, by the id there. */
  readonly idsOf: (there: string) => readonly string[]
  readonly notesOf: NotesOf
}

export interface OneuptimePages {
  readonly statusPages: readonly ForeignItem[]
  /** What pages call their monitors, by the ids in the document. */
  readonly names: ReadonlyMap<string, string>
}

export function pagesOf(answers: PageAnswers, frame: PagesFrame): OneuptimePages {
  const names = new Map<string, string>()
  const byPage = (list: PageList) =>
    Map.groupBy(answers[list], ({ statusPageId }) => idTextOf(statusPageId))
  const of = {
    groups: byPage('status-page-group'),
    resources: byPage('status-page-resource'),
    links: byPage('status-page-header-link'),
    addresses: byPage('status-page-domain'),
    subscribers: byPage('status-page-subscriber'),
  }
  const statusPages = answers['status-page'].map((page) => {
    const there = idTextOf(page._id)
    const name = nameOf(page.name, 'Status page')
    const origin = `status-page/${there}`
    const note = frame.notesOf(name, origin)
    note('this page is not enabled yet: choose a look, and upload its pictures')
    const [domain] = of.addresses.get(there) ?? []
    const address = textOf(domain?.fullDomain)
    noteDomain(address, note)
    const groups = (of.groups.get(there) ?? []).slice(0, limits.pageSectionsMax)
    const titles = new Map(groups.map((one) => [idTextOf(one._id), nameOf(one.name, 'Monitors')]))
    if (groups.some(({ description }) => textOf(description) !== ''))
      note('the descriptions of its groups')
    const resources = of.resources.get(there) ?? []
    const shown = new Map<string, string>()
    for (const resource of resources) {
      const label = nameOf(resource.displayName, '')
      const ids = frame.idsOf(idTextOf(resource.monitorId)).filter((id) => !shown.has(id))
      if (ids.length === 0 || shown.size + ids.length > limits.pageMonitorsMax)
        note(`its "${label}": only monitors, each once, are on pages here`)
      const more = [resource.displayDescription, resource.displayTooltip].map(textOf)
      if (more.some((text) => text !== '')) note(`what it says of "${label}"`)
      for (const id of ids.slice(0, limits.pageMonitorsMax - shown.size)) {
        shown.set(id, idTextOf(resource.statusPageGroupId))
        names.set(id, ids.length === 1 ? label : '')
      }
    }
    const subscribers = subscribersOf(of.subscribers.get(there) ?? [], {
      source: `${address || name} (OneUptime)`,
      groupOf: new Map(
        resources.map((one) => [idTextOf(one._id), titles.get(idTextOf(one.statusPageGroupId))]),
      ),
      note,
    })
    const byGroup = Map.groupBy([...shown], ([, group]) => group)
    return {
      ...{ name, origin, isEnabled: false },
      ...pageFieldsOf(page, of.links.get(there) ?? [], note),
      publicMonitorIds: [...shown.keys()],
      sections: [...titles].map(([group, title]) => ({
        name: title,
        monitorIds: (byGroup.get(group) ?? []).map(([id]) => id),
      })),
      ...(subscribers.length === 0 ? {} : { subscribers }),
    }
  })
  return { statusPages, names }
}

const lacked: Readonly<Record<string, string>> = {
  customCSS: 'its CSS: it is made for other pages',
  customJavaScript: 'its JavaScript',
  headerHTML: 'its header in HTML',
  footerHTML: 'its footer in HTML',
  copyrightText: 'the last line of the page: write it as its footer',
}

function pageFieldsOf(
  page: ForeignFields,
  links: readonly ForeignFields[],
  note: Note,
): ForeignFields {
  for (const [name, text] of Object.entries(lacked)) if (textOf(page[name]) !== '') note(text)
  if (page.requireSsoForLogin === true) note('that readers sign in there: here it is for members')
  const title = clip(textOf(page.pageTitle), limits.titleCharsMax)
  const description = clip(textOf(page.pageDescription), limits.descriptionCharsMax)
  const headLinks = links.map(
    ({ title: label, link }) => [nameOf(label, 'Link'), idTextOf(link)] as const,
  )
  return {
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    ...headLinksOf(headLinks, note),
    noindex: page.enableSearchEngineIndexing === false,
    allowsSubscribers: page.enableEmailSubscribers !== false,
    ...(page.isPublicStatusPage === false ? { visibility: 'members' } : {}),
  }
}

interface PageReaders {
  readonly source: string
  /** The title of the section of a resource. */
  readonly groupOf: ReadonlyMap<string, string | undefined>
  readonly note: Note
}

/** It tells when somebody subscribed, not when they confirmed. */
function subscribersOf(
  given: readonly ForeignFields[],
  { source, groupOf, note }: PageReaders,
): readonly object[] {
  const isReader = (one: ForeignFields) =>
    one.isSubscriptionConfirmed === true &&
    one.isUnsubscribed !== true &&
    idTextOf(one.subscriberEmail) !== ''
  const readers = given.filter(isReader)
  const left = given.length - readers.length
  if (left > 0)
    note(`${left} of its subscribers had not confirmed, or are told in another way: they stayed`)
  return readers.map((one) => {
    const chosen = one.isSubscribedToAllResources === false ? listOf(one.statusPageResources) : []
    const reader = {
      address: idTextOf(one.subscriberEmail),
      confirmedAt: idTextOf(one.createdAt),
      chosen: chosen.map((resource) => idTextOf(fieldsOf(resource)._id)),
    }
    return carriedSubscriber(reader, { source, sectionNameOf: (resource) => groupOf.get(resource) })
  })
}

/** What is still to come of scheduled maintenance. */
export function windowsOf(
  answers: PageAnswers,
  readAtMs: number,
  { idsOf, notesOf }: PagesFrame,
): readonly ForeignItem[] {
  const all = answers['scheduled-maintenance']
  const toCome = all.filter(({ endsAt }) => Date.parse(idTextOf(endsAt)) > readAtMs)
  if (toCome.length < all.length)
    notesOf(null)(`${all.length - toCome.length} maintenances that are over stayed there`)
  return toCome.flatMap((item) => {
    const name = nameOf(item.title, 'Maintenance')
    const origin = `scheduled-maintenance/${idTextOf(item._id)}`
    const note = notesOf(name, origin)
    const monitorIds = monitorsOf(item).flatMap(idsOf)
    const [startMs, endMs] = [item.startsAt, item.endsAt].map((at) => Date.parse(idTextOf(at)) || 0)
    const times = { startMs: startMs ?? 0, endMs: endMs ?? 0, untilMs: 0, readAtMs, every: '' }
    const found =
      monitorIds.length === 0
        ? 'it is about no monitor here'
        : pointWindow({ ...times, count: 1 }, note)
    if (typeof found === 'string') {
      note(`this window was left out: ${found}`)
      return []
    }
    const description = clip(textOf(item.description), limits.descriptionCharsMax)
    return {
      ...{ name, origin, monitorIds, ...found },
      isPublic: item.isVisibleOnStatusPage !== false,
      ...(description === '' ? {} : { description }),
    }
  })
}
