// Takes an import back: deletes what it made, and puts back what it changed.
import { Fault } from '../../../base/fault.ts'
import type {
  ImportId,
  IncidentId,
  MonitorId,
  OrgId,
  PageId,
  SubscriberId,
} from '../../../base/ids.ts'
import type { ExportedName } from '../../../base/nouns.ts'
import { createYielder, laterTurn } from '../../../base/yielding.ts'
import { onlySwitchedOff } from '../../../domain/alerts/channel.ts'
import { dayMs, hourMs } from '../../../domain/health/span.ts'
import { floorTo } from '../../../domain/health/time-window.ts'
import type { ImportRecord, ImportStep, UndoLine } from '../../../domain/imports/import-record.ts'
import type { Incident } from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Monitor } from '../../../domain/monitors/monitor.ts'
import { onlyResumed } from '../../../domain/monitors/monitor.ts'
import { onlyWentLive } from '../../../domain/monitors/shadow.ts'
import { removeInSlices } from '../../../store/forget.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import type { Portables, StoredObject } from '../../portable.ts'

/** Deletes objects of a list, as people do: with what belongs to them. */
type Removals = Readonly<Record<ExportedName, (scope: OrgScope, id: string) => Promise<unknown>>>

export interface UndoDeps {
  readonly portables: Partial<Portables>
  readonly removals: Removals
}

/** How long an import can be taken back. */
const undoMsMax = dayMs

/** What is named by others goes after these. */
const undoOrder: readonly ExportedName[] = [
  ...(['statusPages', 'maintenance', 'templates', 'monitors'] as const),
  ...(['channels', 'secrets', 'locations'] as const),
]

/** Objects of a list that are deleted or put back at the same time. */
const stepsTogether = 20

/** What is done with a step of the import. */
interface UndoStep {
  readonly step: ImportStep
  readonly line: UndoLine
}

export function createUndo({ store, clock, audit }: Core, { portables, removals }: UndoDeps) {
  /** Throws conflict for one that was undone, or is older than a day. */
  function mustBeUndoable({ state, atMs }: ImportRecord): void {
    if (state === 'undone') throw new Fault('conflict', 'This import was undone.')
    if (clock.nowMs() - atMs <= undoMsMax) return
    throw new Fault('conflict', 'An import can be undone for a day.')
  }

  /** `kept`: what an undo that was interrupted had found changed; what it did itself is no change. */
  function stepOf(
    { orgId, source }: ImportRecord,
    step: ImportStep,
    kept: ReadonlySet<string> | undefined,
  ): readonly UndoStep[] {
    const { list, name, id, action, origin } = step.line
    if (id === null || (action !== 'create' && action !== 'change')) return []
    const stored = portables[list]?.again.find(orgId, id)
    const lineOf = (done: UndoLine['action']) => [{ step, line: { list, name, id, action: done } }]
    if (!stored) return lineOf('gone')
    if (action === 'change') {
      const isChanged = kept ? kept.has(id) : !isAsLeft(stored, step.revision)
      return lineOf(isChanged ? 'changedSince' : 'restore')
    }
    // A later import may have changed it, or the undo of one.
    const known = source && origin !== null ? { orgId, source, list, origin } : undefined
    const last = known && store.importOrigins.get(known)
    const { revision = stored.revision } = last?.id === id ? last : step
    const isAsMade = isAsLeft(stored, revision) || onlyWentLive(stored, revision)
    const isChanged = kept ? kept.has(id) : !isAsMade
    return lineOf(isChanged ? 'changedSince' : 'delete')
  }

  /** What an undo does, by the order in which it is done. Yields to other work. */
  async function planOf(record: ImportRecord): Promise<readonly UndoStep[]> {
    const kept = record.keptIds && new Set(record.keptIds)
    const yielder = createYielder(clock, limits.turnMs)
    const byList = new Map<ExportedName, UndoStep[]>(undoOrder.map((list) => [list, []]))
    for (const part of store.imports.steps(record.orgId, record.id)) {
      for (const step of part) {
        byList.get(step.line.list)?.push(...stepOf(record, step, kept))
        if (yielder.isDue()) await yielder.pause()
      }
    }
    const steps = [...byList.values()].flat()
    const isNeeded = await channelsNeeded(record.orgId, steps)
    return steps.map(({ step, line }) => ({
      step,
      line: line.action === 'delete' && isNeeded.has(line.id) ? { ...line, action: 'inUse' } : line,
    }))
  }

  /** The channels that monitors name which stay: without them, these would alert nobody. Yields to other work. */
  async function channelsNeeded(orgId: OrgId, steps: readonly UndoStep[]) {
    const needed = new Set<string>()
    const isDone = ({ list, action }: UndoLine) =>
      list === 'monitors' && (action === 'delete' || action === 'restore')
    const leaving = new Set(steps.flatMap(({ line }) => (isDone(line) ? [line.id] : [])))
    let last: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, limits.scanSlice, last)
      for (const { id, notifyChannelIds } of slice) {
        if (!leaving.has(id)) for (const channelId of notifyChannelIds) needed.add(channelId)
      }
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.id
      if (last) await laterTurn()
    } while (last)
    return needed
  }

  /** What is remembered of the item is as before the import. */
  async function forgetOrigin(
    { orgId, source }: ImportRecord,
    { line, former }: ImportStep,
    revision?: number,
  ) {
    const { list, origin } = line
    if (source === null || origin === null) return
    await store.write((tx) => {
      const now = revision === undefined ? {} : { revision }
      if (former) store.importOrigins.put(tx, { ...former, ...now })
      else store.importOrigins.remove(tx, { orgId, source, list, origin })
    })
  }

  async function remove(
    scope: OrgScope,
    record: ImportRecord,
    { step, line }: UndoStep,
  ): Promise<UndoLine> {
    try {
      await removals[line.list](scope, line.id)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      // Somebody uses it meanwhile, or has deleted it.
      if (error.code !== 'not_found') return { ...line, action: 'inUse' }
    }
    await forgetOrigin(record, step)
    return line
  }

  async function restore(
    scope: OrgScope,
    record: ImportRecord,
    { step, line }: UndoStep,
  ): Promise<UndoLine> {
    const { before, revision, line: done } = step
    const again = portables[line.list]?.again
    if (!again || !before) return { ...line, action: 'changedSince' }
    try {
      const restored = await store.write((tx) => {
        const stored = again.find(scope.orgId, line.id)
        if (!stored || !isAsLeft(stored, revision)) return undefined
        const ready = again.former ? again.former(before) : before
        const follow = again.replace(tx, scope, stored, ready, done.fields)
        return { follow, revision: stored.revision + 1 }
      })
      if (!restored) return { ...line, action: 'changedSince' }
      restored.follow?.()
      await forgetOrigin(record, step, restored.revision)
      return line
    } catch (error) {
      // What it was names something that is not there any more, or its address is taken.
      if (!(error instanceof Fault)) throw error
      return { ...line, action: 'changedSince' }
    }
  }

  /** Deletes the days and hours that the import alone brought to a monitor that stays. */
  async function removePeriods({ orgId }: ImportRecord, { id, createdAtMs }: Monitor) {
    const mayGoOn = () => true
    for (const [table, unitMs] of [
      [store.days, dayMs],
      [store.hours, hourMs],
    ] as const) {
      const beforeMs = floorTo(unitMs, createdAtMs)
      await removeInSlices(
        store,
        (tx, limit) => {
          table.notePast(tx, id)
          return table.trim(tx, orgId, id, beforeMs, limit)
        },
        mayGoOn,
      )
    }
  }

  /** Deletes the outages that the import brought to a monitor that stays: as many as requests have brought. */
  async function removeOutages({ orgId, id: importId }: ImportRecord, { id }: Monitor) {
    const filter = { monitorId: id, limit: limits.scanSlice }
    let after: IncidentId | undefined
    do {
      const slice: Incident[] = []
      for (const one of store.incidents.newestFirst(orgId, { ...filter, after })) {
        slice.push(one)
        if (slice.length === limits.scanSlice) break
      }
      await store.write((tx) => {
        for (const one of slice) if (one.importId === importId) store.incidents.remove(tx, one)
      })
      after = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.id
      if (after) await laterTurn()
    } while (after)
  }

  async function undone(scope: OrgScope, before: ImportRecord): Promise<readonly UndoLine[]> {
    const steps = await planOf(before)
    const record = { ...before, keptIds: before.keptIds ?? changedIn(steps) }
    const isRunning = store.imports.running(scope.orgId, record.id) !== undefined
    await store.write((tx) => store.imports[isRunning ? 'putRunning' : 'put'](tx, record))
    const yielder = createYielder(clock, limits.turnMs)
    const done: UndoLine[] = []
    const undoOne = async (one: UndoStep) => {
      if (one.line.action === 'delete') return remove(scope, record, one)
      if (one.line.action === 'restore') return restore(scope, record, one)
      return one.line
    }
    for (const list of undoOrder) {
      const ofList = steps.filter(({ line }) => line.list === list)
      for (let at = 0; at < ofList.length; at += stepsTogether) {
        // They share commits.
        done.push(...(await Promise.all(ofList.slice(at, at + stepsTogether).map(undoOne))))
        if (yielder.isDue()) await yielder.pause()
      }
    }
    for (const pageId of record.subscriberPageIds ?? []) await removeSubscribers(record, pageId)
    await removePast(record)
    await store.write((tx) => {
      const undoneAtMs = clock.nowMs()
      for (const hash of record.pingKeyHashes ?? []) {
        if (store.pingKeys.ownerOf(hash) === scope.orgId) {
          store.pingKeys.remove(tx, scope.orgId, hash)
        }
      }
      store.imports.put(tx, { ...record, state: 'undone', undoneAtMs, outages: 0 })
      audit.note(tx, scope, { action: 'import.undone', objectId: record.id })
    })
    return done
  }

  async function removePast(record: ImportRecord): Promise<void> {
    const { orgId, pastIds, outageIds = [] } = record
    for (const id of pastIds) {
      const monitor = store.monitors.readable(orgId, id)
      if (monitor) await removePeriods(record, monitor)
    }
    // Earlier imports noted both as one.
    for (const id of new Set([...pastIds, ...outageIds])) {
      const monitor = store.monitors.readable(orgId, id)
      if (monitor) await removeOutages(record, monitor)
    }
  }

  /** Deletes the subscribers that the import brought to a page that stays, as if they had never come. */
  async function removeSubscribers({ orgId, id: importId }: ImportRecord, pageId: PageId) {
    let last: SubscriberId | undefined
    do {
      const slice = store.subscribers.list(orgId, pageId, limits.scanSlice, last)
      await store.write((tx) => {
        for (const one of slice) {
          if (one.consent?.importId !== importId) continue
          store.subscribers.remove(tx, one)
          store.subscriberNews.forgetSubscriber(tx, orgId, one.id)
        }
      })
      last = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.id
      if (last) await laterTurn()
    } while (last)
  }

  return {
    /** What an undo would do. Throws conflict, as it does. */
    async plan(record: ImportRecord): Promise<readonly UndoLine[]> {
      mustBeUndoable(record)
      return (await planOf(record)).map(({ line }) => line)
    },

    /**
     * Deletes and puts back, one by one; if it is interrupted, it may be asked for again. Throws conflict for one
     * that was undone, or is older than a day.
     */
    async undo(scope: OrgScope, record: ImportRecord): Promise<readonly UndoLine[]> {
      mustBeUndoable(record)
      return undone(scope, record)
    },

    /** Takes one back of which only a part is written. */
    async takeBack(scope: OrgScope, id: ImportId): Promise<void> {
      const record = store.imports.running(scope.orgId, id)
      if (record) await undone(scope, record)
    },
  }
}

const changedIn = (steps: readonly UndoStep[]) =>
  steps.flatMap(({ line }) => (line.action === 'changedSince' ? [line.id] : []))

/** Whether no person, and no later import, changed it since that revision. */
const isAsLeft = (stored: StoredObject, revision: number | undefined) =>
  stored.revision === revision || onlySwitchedOff(stored, revision) || onlyResumed(stored, revision)
