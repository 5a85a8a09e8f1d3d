// The document of an organization as those read it who write it for other products: what a format cannot say is
// collected from what nobody read.

import {
  createNotes,
  type ForeignFields,
  type ForeignNote,
  fieldsOf,
  listOf,
  type Note,
  numberOf,
  textOf,
} from '../imports/foreign.ts'
import { monitorDefaults } from '../monitors/monitor-fields.ts'
import { hasVariables, withoutVariables } from './yaml-text.ts'

interface ExportedFile {
  readonly name: string
  readonly contentType: string
  readonly text: string
}

/** What was written for another product, and what its form has no words for. */
export interface ForeignExport {
  readonly files: readonly ExportedFile[]
  readonly notes: readonly ForeignNote[]
}

/** Pauses after each item, so that other work can have its turn. */
export type ForeignWriting = Generator<undefined, ForeignExport>

/** The lists of a document of ours, each with what is read of it. */
export interface Outgoing {
  readonly monitors: readonly OutgoingMonitor[]
  readonly channels: readonly OutgoingChannel[]
  readonly windows: readonly ForeignFields[]
  readonly notes: ReturnType<typeof createNotes>
  /** The channels that are told of a monitor: none, its own, or else the default ones. */
  channelsOf(monitor: OutgoingMonitor): readonly OutgoingChannel[]
  /** The colour that the organization gives a tag. */
  colorOf(tag: string): string | undefined
  /** The groups that the monitor is a member of. */
  groupsOf(monitor: OutgoingMonitor): readonly OutgoingMonitor[]
}

export interface OutgoingChannel {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly config: ForeignFields
  readonly isActive: boolean
  readonly isDefault: boolean
  readonly tellsEnds: boolean
  /** Names of fields of the config that the document does not have; of headers, with their own. */
  readonly omitted: readonly string[]
  readonly note: Note
}

/** `document`: as an export has it. `lacking`: lists for which the format has nothing. */
export function outgoing(document: object, lacking: readonly string[]): Outgoing {
  const lists = fieldsOf(document)
  const notes = createNotes()
  const omitted = omittedOf(listOf(lists.secretsOmitted).map(textOf))
  const monitors = listOf(lists.monitors).map((item, index) => {
    return createMonitor(plainItem(item), omitted(`monitors/${index}`), notes)
  })
  const channels = listOf(lists.channels).map((item, index) => {
    return channelOf(plainItem(item), omitted(`channels/${index}`), notes)
  })
  const tagsOf = new Map(
    listOf(lists.channels)
      .map(fieldsOf)
      .map(({ id, tags }) => [id, listOf(tags).map(textOf)]),
  )
  const colors = listOf(lists.tagColors).map(fieldsOf)
  const colorOf = new Map(colors.map(({ tag, color }) => [textOf(tag), textOf(color)]))
  const defaults = channels.filter(({ isDefault }) => isDefault)
  const byId = new Map(channels.map((channel) => [channel.id, channel]))
  const groups = new Map<unknown, OutgoingMonitor[]>()
  for (const monitor of monitors) {
    for (const member of listOf(monitor.peek('memberIds'))) {
      const others = groups.get(member)
      if (others) others.push(monitor)
      else groups.set(member, [monitor])
    }
  }
  for (const name of lacking) {
    const count = listOf(lists[name]).length
    if (count > 0) notes.of(null)(`not in it: ${wordsOf[name] ?? name} (${count})`)
  }
  noteOmitted(listOf(lists.windowsOmitted).map(fieldsOf), notes.of(null))
  return {
    monitors,
    channels,
    windows: listOf(lists.maintenance).map(fieldsOf),
    notes,
    channelsOf(monitor) {
      if (monitor.peek('alertsNobody') === true) return []
      if (monitor.flag('alertsNobody')) return []
      const named = monitor.texts('notifyChannelIds')
      const wanted = named.length > 0 ? named.flatMap((id) => byId.get(id) ?? []) : defaults
      const tags = listOf(monitor.peek('tags')).map(textOf)
      return wanted.filter(({ id }) => {
        const only = tagsOf.get(id) ?? []
        return only.length === 0 || only.some((tag) => tags.includes(tag))
      })
    },
    colorOf: (tag) => colorOf.get(tag),
    groupsOf: ({ id }) => groups.get(id) ?? [],
  }
}

/** Windows that are named; of others there is their number. */
const omittedNamedMax = 5

/** The windows that the document lacks. */
function noteOmitted(windows: readonly ForeignFields[], note: Note): void {
  for (const reason of ['ended', 'no_monitors']) {
    const names = windows.filter((one) => one.reason === reason).map(({ name }) => textOf(name))
    if (names.length === 0) continue
    const which = reason === 'ended' ? 'that are over' : 'whose monitors were deleted'
    const named = names.slice(0, omittedNamedMax).join(', ')
    const more = names.length > omittedNamedMax ? ', …' : ''
    note(`not in it: maintenance windows ${which} (${names.length}): ${named}${more}`)
  }
}

/** The item without signs that stand for variables of ours: a text of a member must not name what an operator has. */
function plainItem(item: unknown): ForeignFields {
  const text = JSON.stringify(item)
  return fieldsOf(hasVariables(text) ? JSON.parse(withoutVariables(text)) : item)
}

/** Lists of the document by the words that people have for them, where these are others. */
const wordsOf: Readonly<Record<string, string>> = {
  statusPages: 'status pages',
  maintenance: 'maintenance windows',
  templates: 'templates of incidents',
}

/** Pointers to what is omitted, below the pointer to an item. */
function omittedOf(pointers: readonly string[]) {
  const byItem = new Map<string, string[]>()
  for (const pointer of pointers) {
    const [, list = '', index = '', ...rest] = pointer.split('/')
    const name = rest.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('/')
    const others = byItem.get(`${list}/${index}`)
    if (others) others.push(name)
    else byItem.set(`${list}/${index}`, [name])
  }
  return (item: string): readonly string[] => byItem.get(item) ?? []
}

/** What every format says, or what follows from the rest. */
const alwaysSaid = ['id', 'name', 'checkType', 'intervalMinutes', 'isPublic'] as const

export type OutgoingMonitor = ReturnType<typeof createMonitor>

function createMonitor(
  item: ForeignFields,
  omitted: readonly string[],
  notes: ReturnType<typeof createNotes>,
) {
  const said = new Set<string>(alwaysSaid)
  const defaults: ForeignFields = { ...monitorDefaults }
  const read = (field: string) => {
    said.add(field)
    return item[field] ?? defaults[field]
  }
  const name = textOf(item.name)
  const checkType = textOf(item.checkType)
  const noted: string[] = []
  const noteOf = notes.of(name)
  const note: Note = (text) => {
    noted.push(text)
    noteOf(text)
  }
  const kept = omitted.filter((pointer) => pointer !== 'pushToken' && pointer !== 'keptAddresses')
  return {
    id: textOf(item.id),
    name,
    checkType,
    note,
    /** What was noted of it. */
    notes: (): readonly string[] => noted,
    is: (...types: readonly string[]) => types.includes(checkType),
    /** Its fields by name: what is read counts as said in the format. */
    text: (field: string) => textOf(read(field)),
    number: (field: string) => numberOf(read(field)) ?? 0,
    flag: (field: string) => read(field) === true,
    texts: (field: string) => listOf(read(field)).map(textOf),
    list: (field: string) => listOf(read(field)).map(fieldsOf),
    fields: (field: string) => fieldsOf(read(field)),
    /** The value, which is not said by that. */
    peek: (field: string): unknown => item[field] ?? defaults[field],
    intervalSeconds: () =>
      numberOf(item.intervalSeconds) ?? (numberOf(item.intervalMinutes) ?? 5) * 60,
    /** The names of the headers, passwords and variables that the document does not have. */
    omitted: kept,
    omittedIn: (field: string) =>
      kept.flatMap((pointer) =>
        pointer.startsWith(`${field}/`) ? [pointer.slice(field.length + 1)] : [],
      ),
    /** The fields that somebody set and nobody said. */
    unsaid(): readonly string[] {
      return Object.entries(item).flatMap(([field, value]) => {
        const isUsual = JSON.stringify(value) === JSON.stringify(defaults[field] ?? null)
        return said.has(field) || isUsual || field === 'intervalSeconds' ? [] : [field]
      })
    },
  }
}

function channelOf(
  item: ForeignFields,
  omitted: readonly string[],
  notes: ReturnType<typeof createNotes>,
): OutgoingChannel {
  const name = textOf(item.name)
  const events = listOf(item.events).map(textOf)
  const note = notes.of(name)
  const lost = [
    ...(item.minSeverity === 'down' ? ['minSeverity'] : []),
    ...(numberOf(item.delayMinutes) ? ['delayMinutes'] : []),
    ...(item.quietHours ? ['quietHours'] : []),
  ]
  if (lost.length > 0) note(`not in it: ${lost.join(', ')}`)
  return {
    id: textOf(item.id),
    name,
    type: textOf(item.type),
    config: fieldsOf(item.config),
    isActive: item.isActive !== false,
    isDefault: item.isDefault === true,
    tellsEnds: events.length === 0 || events.includes('incident.resolved'),
    omitted: omitted.flatMap((pointer) =>
      pointer.startsWith('config/') ? [pointer.slice('config/'.length)] : [],
    ),
    note,
  }
}

/** Names what the format does not say of the monitor. */
export function noteUnsaid(monitor: OutgoingMonitor, others: readonly string[] = []): void {
  const unsaid = [...monitor.unsaid(), ...others]
  if (unsaid.length > 0) monitor.note(`not in it: ${unsaid.join(', ')}`)
}

/** The notes as lines that begin with a sign of comments. */
export function commentLines(notes: readonly ForeignNote[], sign = '#'): string {
  return notes
    .map(({ name, text }) => {
      const line = name === null ? text : `"${name}": ${text}`
      return `${sign} - ${line.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`
    })
    .join('')
}
