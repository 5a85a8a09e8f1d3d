// Which monitors the overview shows, as the address says it, and in which order.
import type { MonitorEntry, MonitorState } from '../../../stores/monitors.ts'
import { inOwnOrder } from './own-order.ts'

export interface Filter {
  readonly q: string
  readonly state: FilterState | undefined
  readonly tag: string | undefined
  /** By tag; a monitor with several tags is in several groups. */
  readonly isGrouped: boolean
  /** Undefined: the worst first. */
  readonly order: Order | undefined
  readonly view: View
}

/** Partly: up, but failing from some of its locations. */
type FilterState = MonitorState | 'partly'

/** Rows with columns, cards, or tiles of which hundreds are on a screen. */
export const views = ['list', 'cards', 'map'] as const
export type View = (typeof views)[number]

const sortKeys = ['name', 'since', 'uptime', 'response'] as const
export type SortKey = (typeof sortKeys)[number]

export interface Order {
  /** Own: as the person put them. */
  readonly by: SortKey | 'own'
  readonly isDown: boolean
}

/** What a first click on a column shows: names from A, and what is newest, worst or slowest. */
const firstOrders: Readonly<Record<SortKey, Order>> = {
  name: { by: 'name', isDown: false },
  since: { by: 'since', isDown: true },
  uptime: { by: 'uptime', isDown: false },
  response: { by: 'response', isDown: true },
}

/** The order after a click on a column: its own, then the other way round, then the worst first again. */
export function nextOrder(order: Order | undefined, by: SortKey): Order | undefined {
  const first = firstOrders[by]
  if (order?.by !== by) return first
  return order.isDown === first.isDown ? { by, isDown: !first.isDown } : undefined
}

export interface MonitorItem {
  readonly kind: 'monitor'
  readonly key: string
  readonly entry: MonitorEntry
}

/** The head of a group: of a tag, or of what is before a slash in several, such as `shop` of `shop/web`. */
export interface GroupRow {
  readonly kind: 'group'
  readonly key: string
  /** Undefined: the monitors without a tag. */
  readonly tag: string | undefined
  /** 0: in no other group. */
  readonly depth: number
  readonly count: number
  /** How many are down, degraded, or in doubt. */
  readonly wrong: number
  readonly worst: Rank
  /** Its monitors and the groups in it are not shown. */
  readonly isFolded: boolean
}

export type Row = MonitorItem | GroupRow

/** Worst first. */
export const stateOrder: readonly MonitorState[] = [
  'down',
  'degraded',
  'unknown',
  'pending',
  'maintenance',
  'up',
  'paused',
]

/** What the list may be narrowed to, worst first. */
export const shownStates: readonly FilterState[] = stateOrder.flatMap((state) =>
  state === 'up' ? (['partly', state] as const) : [state],
)

/** Whether a monitor is in such a state; one that fails partly is up, too. */
const isIn = (entry: Pick<MonitorEntry, 'state' | 'isPartly'>, state: FilterState) =>
  state === 'partly' ? entry.isPartly : entry.state === state

export function filterOf(query: Readonly<Record<string, string>>): Filter {
  const { q = '', state, tag, by, sort = '', view } = query
  const key = ([...sortKeys, 'own'] as const).find((known) => sort.replace('-', '') === known)
  return {
    q,
    state: shownStates.find((known) => known === state),
    tag: tag === '' ? undefined : tag,
    isGrouped: by === 'tag',
    order: key && { by: key, isDown: sort.startsWith('-') },
    view: views.find((known) => known === view) ?? 'list',
  }
}

/** The address with some parts of the filter changed. */
export function withFilter(path: string, filter: Filter, changes: Partial<Filter>): string {
  const { q, state, tag, isGrouped, order, view } = { ...filter, ...changes }
  const query = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(state === undefined ? {} : { state }),
    ...(tag === undefined ? {} : { tag }),
    ...(isGrouped ? { by: 'tag' } : {}),
    ...(order ? { sort: `${order.isDown ? '-' : ''}${order.by}` } : {}),
    ...(view === 'list' ? {} : { view }),
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Worst first: what is failing, and not down yet, stands below what is known to be bad. */
export const rowOrder = stateOrder.flatMap((state) =>
  state === 'degraded' ? [state, 'confirming' as const] : [state],
)

export type Rank = (typeof rowOrder)[number]

/** The place of each rank, because thousands are compared a few times a second in a storm; 0 is the worst. */
export const rankPlaces = Object.fromEntries(
  rowOrder.map((rank, place) => [rank, place]),
) as Record<Rank, number>

/** What somebody should look at. */
const wrongRanks: readonly Rank[] = ['down', 'degraded', 'confirming', 'unknown']

/** Its place in `rowOrder`. */
export function rankedAs({
  state,
  isConfirming,
}: Pick<MonitorEntry, 'state' | 'isConfirming'>): Rank {
  return isConfirming && state !== 'degraded' ? 'confirming' : state
}

/** `entries` are in the order of their names, which those keep that are alike otherwise. */
function inOrder(
  entries: readonly MonitorEntry[],
  { by, isDown }: Order,
  { uptimes, own }: Pick<RowsContext, 'uptimes' | 'own'>,
): readonly MonitorEntry[] {
  if (by === 'own') return inOwnOrder(entries, own)
  if (by === 'name') return isDown ? entries.toReversed() : [...entries]
  // Read once for each: ten thousand are compared a hundred thousand times.
  const keyed = entries.map((entry) => ({ entry, at: numberOf(entry, by, uptimes) }))
  keyed.sort((a, b) => {
    // What has no value stands last, whatever the direction.
    if (a.at === null || b.at === null) return Number(a.at === null) - Number(b.at === null)
    return isDown ? b.at - a.at : a.at - b.at
  })
  return keyed.map(({ entry }) => entry)
}

function numberOf(
  entry: MonitorEntry,
  by: Exclude<SortKey, 'name'>,
  uptimes: ReadonlyMap<string, number>,
): number | null {
  if (by === 'since') return Date.parse(entry.since)
  if (by === 'uptime') return uptimes.get(entry.id) ?? null
  return entry.glance.peek().responseTimeMs
}

export interface RowsContext {
  /** The keys of groups that are folded. */
  readonly folded: ReadonlySet<string>
  /** Uptime by the id of the monitor: of those that have one. */
  readonly uptimes: ReadonlyMap<string, number>
  /** The ids of monitors in the order that the person gave them. */
  readonly own: readonly string[]
}

const bare: RowsContext = { folded: new Set(), uptimes: new Map(), own: [] }

/** `monitors` are in the order of their names, so that only their states are left to be ordered. */
export function rowsOf(
  monitors: ReadonlyMap<string, MonitorEntry>,
  { q, state, tag, isGrouped, order }: Filter,
  context: RowsContext = bare,
): readonly Row[] {
  const wanted = q.trim().toLocaleLowerCase()
  const byState = new Map(rowOrder.map((state): [typeof state, MonitorEntry[]] => [state, []]))
  const fitting: MonitorEntry[] = []
  for (const entry of monitors.values()) {
    const isFitting =
      (state === undefined || isIn(entry, state)) &&
      (tag === undefined || entry.tags.some((own) => own === tag || own.startsWith(`${tag}/`))) &&
      (wanted === '' || entry.name.toLocaleLowerCase().includes(wanted))
    if (!isFitting) continue
    if (order) fitting.push(entry)
    else byState.get(rankedAs(entry))?.push(entry)
  }
  const sorted = order ? inOrder(fitting, order, context) : [...byState.values()].flat()
  if (!isGrouped) return sorted.map((entry) => ({ kind: 'monitor', key: entry.id, entry }))
  return rowsIn(groupsOf(sorted), context.folded)
}

interface Group {
  readonly tag: string | undefined
  readonly entries: MonitorEntry[]
  /** In the order in which their worst monitors came. */
  readonly groups: Map<string, Group>
  /** Also of the groups in it; one with several of its tags counts once. */
  readonly known: Set<MonitorEntry>
  wrong: number
  worst: Rank
}

const emptyGroup = (tag: string | undefined): Group => ({
  tag,
  entries: [],
  groups: new Map(),
  known: new Set(),
  wrong: 0,
  worst: 'paused',
})

function groupsOf(entries: readonly MonitorEntry[]): ReadonlyMap<string, Group> {
  const root = emptyGroup(undefined)
  for (const entry of entries) {
    for (const tag of entry.tags.length === 0 ? [undefined] : entry.tags) {
      let group = root
      let path: string | undefined
      for (const part of tag?.split('/') ?? [' ']) {
        path = tag === undefined ? undefined : path === undefined ? part : `${path}/${part}`
        let inner = group.groups.get(part)
        if (!inner) {
          inner = emptyGroup(path)
          group.groups.set(part, inner)
        }
        count(inner, entry)
        group = inner
      }
      group.entries.push(entry)
    }
  }
  return root.groups
}

function count(group: Group, entry: MonitorEntry): void {
  if (group.known.has(entry)) return
  group.known.add(entry)
  const rank = rankedAs(entry)
  if (wrongRanks.includes(rank)) group.wrong += 1
  if (rankPlaces[rank] < rankPlaces[group.worst]) group.worst = rank
}

function rowsIn(
  groups: ReadonlyMap<string, Group>,
  folded: ReadonlySet<string>,
  depth = 0,
): readonly Row[] {
  return [...groups.values()].flatMap((group): readonly Row[] => {
    const { tag, entries, known, wrong, worst } = group
    const key = `tag ${tag ?? ''}`
    const isFolded = folded.has(key)
    const head = {
      kind: 'group' as const,
      key,
      tag,
      depth,
      count: known.size,
      wrong,
      worst,
      isFolded,
    }
    if (isFolded) return [head]
    const own = entries.map(
      (entry): Row => ({ kind: 'monitor', key: `${tag ?? ''} ${entry.id}`, entry }),
    )
    return [head, ...own, ...rowsIn(group.groups, folded, depth + 1)]
  })
}

/** Monitors side by side: a line of cards or tiles. */
interface LineRow {
  readonly kind: 'line'
  readonly key: string
  readonly rows: readonly MonitorItem[]
}

/** What the list is made of: rows one below the other, or lines. */
export type ShownItem = Row | LineRow

/** As many monitors in a line as there is room for; a group begins a new line. */
export function linesOf(rows: readonly Row[], perLine: number): readonly ShownItem[] {
  const items: ShownItem[] = []
  let open: MonitorItem[] = []
  function end(): void {
    const [first] = open
    if (first) items.push({ kind: 'line', key: first.key, rows: open })
    open = []
  }
  for (const row of rows) {
    if (row.kind === 'group') {
      end()
      items.push(row)
    } else if (open.push(row) >= perLine) end()
  }
  end()
  return items
}

export const entriesOf = (item: ShownItem): readonly MonitorEntry[] => {
  if (item.kind === 'line') return item.rows.map(({ entry }) => entry)
  return item.kind === 'monitor' ? [item.entry] : []
}

/** Whether nothing that orders it changed. */
export function isSameItem(before: ShownItem, after: ShownItem): boolean {
  const [old, now] = [entriesOf(before), entriesOf(after)]
  return now.length > 0 && old.length === now.length && old.every((entry, at) => entry === now[at])
}
