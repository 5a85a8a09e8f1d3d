// Bulk changes of monitors: their effect on one monitor, and what came of all.
import type { FieldProblem } from '../../base/fault.ts'
import type { ChannelId, MonitorId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import type { Monitor } from './monitor.ts'
import { type MonitorFields, secretFields } from './monitor-fields.ts'

/** The fields that only a single monitor's own change sets: they tell one monitor from others. */
export const ownFields = ['name', 'url', 'publicName', 'checkType', 'memberIds'] as const

/** The changes of many monitors, at least one of which is given. */
export interface BulkChange {
  readonly isActive?: boolean | undefined
  /** Tags and channels are set, then removed, then added. */
  readonly removeTags?: readonly string[] | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeChannelIds?: readonly ChannelId[] | undefined
  readonly addChannelIds?: readonly ChannelId[] | undefined
  /** A merge patch that each monitor gets, without `ownFields` and isActive. */
  readonly fields?: MonitorFields | undefined
}

export function saysNothing({ isActive, fields = {}, ...lists }: BulkChange): boolean {
  const { removeTags, addTags, removeChannelIds, addChannelIds } = lists
  const isListed = [removeTags, addTags, removeChannelIds, addChannelIds].some(
    (list = []) => list.length > 0,
  )
  return isActive === undefined && !isListed && Object.keys(fields).length === 0
}

/** The fields that need the rules between fields: what this file decides itself is left out. */
export function judgedFields({ fields = {} }: BulkChange): MonitorFields {
  const { tags, notifyChannelIds, ...judged } = fields
  return judged
}

/**
 * The monitor with other lists, and paused or resumed; the same record if nothing changes. The
 * problems if a list would be too long.
 */
export function changedInBulk(
  monitor: Monitor,
  change: BulkChange,
): Monitor | readonly FieldProblem[] {
  const { isActive = monitor.isActive, fields = {} } = change
  const tags = listAfter(monitor.tags, {
    set: fields.tags,
    remove: change.removeTags,
    add: change.addTags,
  })
  const notifyChannelIds = listAfter(monitor.notifyChannelIds, {
    set: fields.notifyChannelIds,
    remove: change.removeChannelIds,
    add: change.addChannelIds,
  })
  const problems = [
    ...tooLong('addTags', monitor.tags, tags, limits.tagsMax, 'tags'),
    ...tooLong(
      'addChannelIds',
      monitor.notifyChannelIds,
      notifyChannelIds,
      limits.notifyChannelsMax,
      'channels',
    ),
  ]
  if (problems.length > 0) return problems
  const isSame =
    isActive === monitor.isActive &&
    tags === monitor.tags &&
    notifyChannelIds === monitor.notifyChannelIds
  return isSame ? monitor : { ...monitor, isActive, tags, notifyChannelIds }
}

interface ListChange<Item> {
  /** Replaces the list; null and '' empty it. The schema has checked its type. */
  readonly set: unknown
  readonly remove: readonly Item[] | undefined
  readonly add: readonly Item[] | undefined
}

/** The same list if nothing changes. */
function listAfter<Item>(
  before: readonly Item[],
  { set, remove = [], add = [] }: ListChange<Item>,
): readonly Item[] {
  const base = set === undefined ? before : ((set || []) as readonly Item[])
  const kept = base.filter((item) => !remove.includes(item))
  const after = [...kept, ...new Set(add.filter((item) => !kept.includes(item)))]
  const isSame = after.length === before.length && after.every((item, n) => item === before[n])
  return isSame ? before : after
}

/** A list that was too long before may become shorter, and stay. */
function tooLong(
  field: string,
  before: readonly unknown[],
  after: readonly unknown[],
  most: number,
  what: string,
): FieldProblem[] {
  if (after.length <= most || after.length <= before.length) return []
  return [
    { pointer: `/${field}`, keyword: 'maxItems', message: `would make more than ${most} ${what}` },
  ]
}

/** A rule that refused some monitors. */
export interface BulkRefusal extends FieldProblem {
  readonly ids: readonly MonitorId[]
}

/** Monitors by the rules that refused them, the most frequent rule first. */
export const bulkRefusalsMax = 100

export function refusalsOf(
  refused: Iterable<readonly [MonitorId, readonly FieldProblem[]]>,
): readonly BulkRefusal[] {
  const byRule = new Map<string, FieldProblem & { readonly ids: MonitorId[] }>()
  let named = 0
  for (const [id, problems] of refused) {
    for (const { pointer, keyword, message } of problems) {
      if (named === limits.bulkMonitorsMax) break
      const key = `${pointer} ${message}`
      const known = byRule.get(key)
      if (!known && byRule.size === bulkRefusalsMax) continue
      if (known) known.ids.push(id)
      else byRule.set(key, { pointer, keyword, message, ids: [id] })
      named += 1
    }
  }
  return [...byRule.values()].sort((a, b) => b.ids.length - a.ids.length)
}

export type BulkUndo = { readonly ids: readonly MonitorId[] } & BulkChange

/** Bulk changes that give each monitor its former values. Each monitor is in at most one of them. */
export const bulkUndoMax = 50

/** A monitor that a bulk change changed, with the names of its fields that differ. */
export interface ChangedInBulk {
  readonly before: Monitor
  readonly monitor: Monitor
  readonly fields: readonly string[]
}

/** Collects the changes that lead back: comparing the former values of thousands takes its time. */
export function createUndo() {
  const byValues = new Map<string, { readonly ids: MonitorId[]; readonly change: BulkChange }>()
  let isPossible = true

  return {
    add({ before, monitor, fields }: ChangedInBulk): void {
      if (fields.some((name) => secretFields.has(name))) isPossible = false
      if (!isPossible) return
      const change = formerOf(before, monitor, fields)
      const key = JSON.stringify(change)
      const known = byValues.get(key)
      if (known) known.ids.push(monitor.id)
      else if (byValues.size === bulkUndoMax) isPossible = false
      else byValues.set(key, { ids: [monitor.id], change })
    },

    /** Null if it would take more than `bulkUndoMax` changes, or if a secret was changed. */
    changes: (): readonly BulkUndo[] | null =>
      isPossible ? [...byValues.values()].map(({ ids, change }) => ({ ids, ...change })) : null,
  }
}

function formerOf(before: Monitor, after: Monitor, fields: readonly string[]): BulkChange {
  const known: Readonly<Record<string, unknown>> = { ...before }
  const values = Object.fromEntries(fields.map((name) => [name, known[name]]))
  return {
    ...(before.isActive === after.isActive ? {} : { isActive: before.isActive }),
    ...delta(before.tags, after.tags, (addTags, removeTags) => ({ addTags, removeTags })),
    ...delta(before.notifyChannelIds, after.notifyChannelIds, (add, remove) => ({
      addChannelIds: add,
      removeChannelIds: remove,
    })),
    ...(fields.length === 0 ? {} : { fields: values }),
  }
}

type List<Item> = readonly Item[] | undefined

const orNone = <Item>(list: readonly Item[]): List<Item> => (list.length === 0 ? undefined : list)

/** What must be added and removed, so that monitors with different lists have the same way back. */
function delta<Item>(
  before: readonly Item[],
  after: readonly Item[],
  change: (add: List<Item>, remove: List<Item>) => BulkChange,
): BulkChange {
  const lost = before.filter((item) => !after.includes(item))
  const gained = after.filter((item) => !before.includes(item))
  return change(orNone(lost), orNone(gained))
}
