// Pages, components, incidents, maintenance and subscribers of Statuspage: answers of its Manage API.
//
// The fields: https://developer.statuspage.io/
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  type ForeignItem,
  type ForeignMonitor,
  fieldsOf,
  itemsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  numberOf,
  textOf,
} from '../foreign.ts'
import { pastOf } from './incidents.ts'
import { pageFieldsOf } from './page.ts'
import { documentIdOf, type StatuspagePage } from './parts.ts'
import { subscribersOf } from './subscribers.ts'

/** `answer`: what `statuspageApi` makes of all answers. */
export function fromStatuspage(answer: unknown): ForeignDocument {
  const { statusPages, readAt } = fieldsOf(answer)
  const readAtMs = Date.parse(textOf(readAt)) || 0
  const notes = createNotes()
  const given = listOf(statusPages).map(fieldsOf)
  itemsOf(
    given.flatMap(({ components }) => listOf(components)),
    'components',
  )
  const made = given.map((one) => pageOf(one, notes.of, readAtMs))
  return {
    // The ids are those of the whole service.
    source: { product: 'statuspage', installation: 'api.statuspage.io' },
    monitors: made.flatMap(({ monitors }) => monitors),
    statusPages: made.map(({ statusPage }) => statusPage),
    maintenance: made.flatMap(({ maintenance }) => maintenance),
    templates: made.flatMap(({ templates }) => templates),
    history: made.flatMap(({ history }) => history),
    notes: notes.all(),
  }
}

function pageOf(given: ForeignFields, notesOf: NotesOf, readAtMs: number) {
  const page = fieldsOf(given.page)
  const there = textOf(page.id)
  const name = nameOf(page.name, `Page ${there}`)
  const origin = `page/${there}`
  const note = notesOf(name, origin)
  const all = listOf(given.components).map(fieldsOf).toSorted(byPosition)
  const shown: StatuspagePage = {
    page,
    name,
    components: all.filter(({ group, id }) => group !== true && textOf(id) !== ''),
    groups: listOf(given.groups).map(fieldsOf).toSorted(byPosition),
    incidents: listOf(given.incidents).map(fieldsOf),
  }
  const monitors = shown.components.map((one) => monitorOf(one, notesOf))
  const sections = sectionsOf(shown, note)
  const subscribers = subscribersOf(listOf(given.subscribers).map(fieldsOf), {
    counts: fieldsOf(given.counts),
    source: `${textOf(page.domain) || name} (Statuspage)`,
    sectionNameOf: sectionNamesOf(shown, sections),
    note,
  })
  tellLists(given, note)
  const statusPage: ForeignItem = {
    name,
    origin,
    isEnabled: false,
    ...pageFieldsOf(page, note),
    publicMonitorIds: monitors.slice(0, limits.pageMonitorsMax).map(({ id }) => id),
    sections,
    ...(subscribers.length === 0 ? {} : { subscribers }),
  }
  const { history, maintenance } = pastOf(shown, notesOf, readAtMs)
  const known = new Set(monitors.map(({ id }) => id))
  const templates = listOf(given.templates).map((one) => templateOf(fieldsOf(one), known, name))
  return { monitors, statusPage, history, maintenance, templates }
}

const byPosition = (one: ForeignFields, other: ForeignFields) =>
  (numberOf(one.position) ?? 0) - (numberOf(other.position) ?? 0)

/** Nothing looks at a component: people, or programs by the API, say how it is. */
function monitorOf(component: ForeignFields, notesOf: NotesOf): ForeignMonitor & { id: string } {
  const there = textOf(component.id)
  const origin = `component/${there}`
  const name = nameOf(component.name, `Component ${there}`)
  const note = notesOf(name, origin)
  const description = clip(textOf(component.description), limits.descriptionCharsMax)
  const status = textOf(component.status)
  if (status !== '' && status !== 'operational') {
    note(`its state "${status}": say here how it is, once it is imported`)
  }
  if (component.only_show_if_degraded === true) {
    note('that it is shown only while it does not work: it is always shown here')
  }
  if (textOf(component.automation_email) !== '') {
    note(
      'the mail that changes its state: make a push monitor, or let a program tell it by the API',
    )
  }
  return {
    id: documentIdOf(there),
    origin,
    name,
    checkType: 'manual',
    isPublic: true,
    ...(description === '' ? {} : { description }),
  }
}

type Section = { readonly name: string; readonly monitorIds: readonly string[] }

function sectionsOf({ groups, components }: StatuspagePage, note: Note): readonly Section[] {
  const sections = groups.slice(0, limits.pageSectionsMax).map((group) => ({
    name: nameOf(group.name, 'Components'),
    monitorIds: components
      .filter(({ group_id }) => textOf(group_id) === textOf(group.id))
      .map(({ id }) => documentIdOf(id)),
  }))
  if (groups.length > sections.length) {
    note(`of its ${groups.length} groups, ${sections.length} are sections`)
  }
  if (components.length > limits.pageMonitorsMax) {
    note(`of its ${components.length} components, ${limits.pageMonitorsMax} are on the page`)
  }
  if (groups.some(({ description }) => textOf(description) !== '')) {
    note('the descriptions of its groups')
  }
  return sections
}

/** The section that shows a component. */
function sectionNamesOf({ components }: StatuspagePage, sections: readonly Section[]) {
  const byId = new Map(
    sections.flatMap(({ name, monitorIds }) => monitorIds.map((id) => [id, name] as const)),
  )
  const known = new Map(components.map(({ id }) => [textOf(id), byId.get(documentIdOf(id))]))
  return (component: string) => known.get(component)
}

const templateMonitorsMax = 100

/** A text for an incident, or for maintenance, if it says that it is planned. `page`: what a nameless one is called by. */
function templateOf(item: ForeignFields, known: ReadonlySet<string>, page: string): ForeignItem {
  const name = nameOf(item.name, `Template of ${page}`)
  const title = clip(textOf(item.title), limits.titleCharsMax)
  const text = clip(textOf(item.body), limits.incidentMessageCharsMax)
  const ids = listOf(item.components).map((one) => documentIdOf(fieldsOf(one).id))
  const isPlanned = /^(scheduled|in_progress|verifying|completed)$/.test(textOf(item.update_status))
  return {
    ...{ name, origin: `template/${textOf(item.id)}` },
    kind: isPlanned ? 'maintenance' : 'incident',
    ...(title === '' ? {} : { title }),
    ...(text === '' ? {} : { text }),
    monitorIds: ids.filter((id) => known.has(id)).slice(0, templateMonitorsMax),
    isPublic: true,
  }
}

function tellLists({ metrics, accessGroups }: ForeignFields, note: Note): void {
  const names = listOf(metrics).map((one) => nameOf(fieldsOf(one).name, 'without a name'))
  if (names.length > 0) {
    note(`its metrics (${clip(names.join(', '), metricsCharsMax)}): monitors draw their own`)
  }
  if (listOf(accessGroups).length > 0) {
    note('that groups of readers see other components: make a page for each')
  }
}

const metricsCharsMax = 150
