// Which monitors the overview shows, as the address says it, and in which order.
import type { MonitorEntry, MonitorState } from '../../stores/monitors.ts'

export interface Filter {
  readonly q: string
  readonly state: MonitorState | undefined
  readonly tag: string | undefined
  /** By tag; a monitor with several tags is in several groups. */
  readonly isGrouped: boolean
  /** Undefined: the worst first. */
  readonly order: Order | undefined
}

const sortKeys = ['name', 'since', 'response'] as const
export type SortKey = (typeof sortKeys)[number]

export interface Order {
  readonly by: SortKey
  readonly isDown: boolean
}

/** What a first click on a column shows: names from A, and what is newest or slowest. */
const firstOrders: Readonly<Record<SortKey, Order>> = {
  name: { by: 'name', isDown: false },
  since: { by: 'since', isDown: true },
  response: { by: 'response', isDown: true },
}

/** The order after a click on a column: its own, then the other way round, then the worst first again. */
export function nextOrder(order: Order | undefined, by: SortKey): Order | undefined {
  const first = firstOrders[by]
  if (order?.by !== by) return first
  return order.isDown === first.isDown ? { by, isDown: !first.isDown } : undefined
}

export type Row =
  | { readonly kind: 'monitor'; readonly key: string; readonly entry: MonitorEntry }
  | {
      readonly kind: 'group'
      readonly key: string
      readonly tag: string | undefined
      readonly count: number
    }

/** Whether nothing that orders it changed. */
export function isSameRow(before: Row, after: Row): boolean {
  if (before.kind === 'group' || after.kind === 'group') return false
  return before.entry === after.entry
}

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

export function filterOf(query: Readonly<Record<string, string>>): Filter {
  const { q = '', state, tag, by, sort = '' } = query
  const key = sortKeys.find((known) => sort.replace('-', '') === known)
  return {
    q,
    state: stateOrder.find((known) => known === state),
    tag: tag === '' ? undefined : tag,
    isGrouped: by === 'tag',
    order: key && { by: key, isDown: sort.startsWith('-') },
  }
}

/** The address with some parts of the filter changed. */
export function withFilter(path: string, filter: Filter, changes: Partial<Filter>): string {
  const { q, state, tag, isGrouped, order } = { ...filter, ...changes }
  const query = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(state === undefined ? {} : { state }),
    ...(tag === undefined ? {} : { tag }),
    ...(isGrouped ? { by: 'tag' } : {}),
    ...(order ? { sort: `${order.isDown ? '-' : ''}${order.by}` } : {}),
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

/** Worst first: what is failing, and not down yet, stands below what is known to be bad. */
export const rowOrder = stateOrder.flatMap((state) =>
  state === 'degraded' ? [state, 'confirming' as const] : [state],
)

/** Its place in `rowOrder`. */
export function rankedAs({
  state,
  isConfirming,
}: Pick<MonitorEntry, 'state' | 'isConfirming'>): (typeof rowOrder)[number] {
  return isConfirming && state !== 'degraded' ? 'confirming' : state
}

/** `entries` are in the order of their names, which those keep that are alike otherwise. */
function inOrder(entries: readonly MonitorEntry[], { by, isDown }: Order): MonitorEntry[] {
  if (by === 'name') return isDown ? entries.toReversed() : [...entries]
  // Read once for each: ten thousand are compared a hundred thousand times.
  const keyed = entries.map((entry) => ({ entry, at: numberOf(entry, by) }))
  keyed.sort((a, b) => {
    // What has no value stands last, whatever the direction.
    if (a.at === null || b.at === null) return Number(a.at === null) - Number(b.at === null)
    return isDown ? b.at - a.at : a.at - b.at
  })
  return keyed.map(({ entry }) => entry)
}

function numberOf(entry: MonitorEntry, by: 'since' | 'response'): number | null {
  return by === 'since' ? Date.parse(entry.since) : entry.glance.peek().responseTimeMs
}

/** `monitors` are in the order of their names, so that only their states are left to be ordered. */
export function rowsOf(
  monitors: ReadonlyMap<string, MonitorEntry>,
  { q, state, tag, isGrouped, order }: Filter,
): readonly Row[] {
  const wanted = q.trim().toLocaleLowerCase()
  const byState = new Map(rowOrder.map((state): [typeof state, MonitorEntry[]] => [state, []]))
  const fitting: MonitorEntry[] = []
  for (const entry of monitors.values()) {
    const isFitting =
      (state === undefined || entry.state === state) &&
      (tag === undefined || entry.tags.includes(tag)) &&
      (wanted === '' || entry.name.toLocaleLowerCase().includes(wanted))
    if (!isFitting) continue
    if (order) fitting.push(entry)
    else byState.get(rankedAs(entry))?.push(entry)
  }
  const sorted = order ? inOrder(fitting, order) : [...byState.values()].flat()
  if (!isGrouped) return sorted.map((entry) => ({ kind: 'monitor', key: entry.id, entry }))
  const groups = new Map<string | undefined, MonitorEntry[]>()
  for (const entry of sorted) {
    for (const name of entry.tags.length === 0 ? [undefined] : entry.tags) {
      const group = groups.get(name)
      if (group) group.push(entry)
      else groups.set(name, [entry])
    }
  }
  // Groups keep the order in which their worst monitors came.
  return [...groups].flatMap(([name, entries]) => [
    { kind: 'group' as const, key: `tag ${name ?? ''}`, tag: name, count: entries.length },
    ...entries.map((entry) => ({
      kind: 'monitor' as const,
      key: `${name ?? ''} ${entry.id}`,
      entry,
    })),
  ])
}
