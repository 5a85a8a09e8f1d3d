// Which monitors the overview shows, as the address says it, and in which order.
import type { MonitorEntry, MonitorState } from '../../stores/monitors.ts'

export interface Filter {
  readonly q: string
  readonly state: MonitorState | undefined
  readonly tag: string | undefined
  /** By tag; a monitor with several tags is in several groups. */
  readonly isGrouped: boolean
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
  const { q = '', state, tag, by } = query
  return {
    q,
    state: stateOrder.find((known) => known === state),
    tag: tag === '' ? undefined : tag,
    isGrouped: by === 'tag',
  }
}

/** The address with some parts of the filter changed. */
export function withFilter(path: string, filter: Filter, changes: Partial<Filter>): string {
  const { q, state, tag, isGrouped } = { ...filter, ...changes }
  const query = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(state === undefined ? {} : { state }),
    ...(tag === undefined ? {} : { tag }),
    ...(isGrouped ? { by: 'tag' } : {}),
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

/** `monitors` are in the order of their names, so that only their states are left to be ordered. */
export function rowsOf(
  monitors: ReadonlyMap<string, MonitorEntry>,
  { q, state, tag, isGrouped }: Filter,
): readonly Row[] {
  const wanted = q.trim().toLocaleLowerCase()
  const byState = new Map(rowOrder.map((state): [typeof state, MonitorEntry[]] => [state, []]))
  for (const entry of monitors.values()) {
    const isFitting =
      (state === undefined || entry.state === state) &&
      (tag === undefined || entry.tags.includes(tag)) &&
      (wanted === '' || entry.name.toLocaleLowerCase().includes(wanted))
    if (isFitting) byState.get(rankedAs(entry))?.push(entry)
  }
  const sorted = [...byState.values()].flat()
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
