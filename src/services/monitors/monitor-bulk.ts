// Bulk operations: many monitors created in one transaction, or changed or deleted in slices.
import { Fault, type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { createYielder } from '../../base/yielding.ts'
import type { AuditNote } from '../../domain/audit/audit.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type BulkChange, changedInBulk, saysNothing } from '../../domain/monitors/bulk-change.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorFields } from '../../domain/monitors/monitor-fields.ts'
import { completedInput } from '../../domain/monitors/monitor-input.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { createChanges, type MonitorChange } from './monitor-changes.ts'
import { createDrafts, newMonitorState } from './monitor-drafts.ts'
import type { MonitorsDeps } from './monitors.ts'
import { createProblems } from './part-problems.ts'

/** Exactly one of the two. */
export interface MonitorSelector {
  readonly ids?: readonly MonitorId[] | undefined
  readonly tag?: string | undefined
}

export interface CreateOptions {
  readonly signal?: AbortSignal
  /** Validates the shape of one monitor, if that has not happened yet. */
  readonly problemsOfOne?: (fields: MonitorFields) => readonly FieldProblem[]
}

export type BulkDeps = Omit<MonitorsDeps, 'readings' | 'pushUrl' | 'runLimits'>

/** Monitors that one transaction changes or deletes; fewer, if they use up a time slice. */
export const bulkWriteSlice = 100
/** The ids in the audit entry of a change of many monitors. */
const auditIdsMax = 500

export function createMonitorBulk(core: Core, deps: BulkDeps) {
  const { store, clock, audit, quotas } = core
  const drafts = createDrafts(core, deps)
  const changes = createChanges(core, deps)

  function mustHaveRoom({ orgId }: OrgScope, more: number): void {
    deps.mustBeApproved(orgId)
    quotas.mustHaveRoom(orgId, 'monitors', store.monitors.count(orgId), more)
  }

  /** Again, in the transaction: what they name may have been deleted since they were judged. */
  function mustKnowReferences({ orgId }: OrgScope, monitors: readonly Monitor[]): void {
    const named = [...new Set(monitors.flatMap(({ notifyChannelIds }) => notifyChannelIds))]
    const needed = new Set(monitors.flatMap(({ dependsOn }) => dependsOn))
    const isKnown = deps.unknownChannel(orgId, named) === null
    if (isKnown && [...needed].every((id) => store.monitors.has(orgId, id))) return
    const problems = monitors.flatMap((monitor, index) =>
      drafts
        .referenceProblems(orgId, monitor)
        .map((problem) => ({ ...problem, pointer: `/monitors/${index}${problem.pointer}` })),
    )
    refuseInvalid(problems.slice(0, limits.fieldProblemsMax))
  }

  async function forEach<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
    const yielder = createYielder(clock, limits.turnMs)
    for (const item of items) {
      act(item)
      if (yielder.isDue()) await yielder.pause()
    }
  }

  /** The entries contain the monitors' ids, so that a search for one finds them. */
  function note(
    tx: Tx,
    scope: OrgScope,
    what: Omit<AuditNote, 'objectId'>,
    ids: readonly MonitorId[],
  ): void {
    for (let from = 0; from < ids.length; from += auditIdsMax) {
      const some = ids.slice(from, from + auditIdsMax)
      const [only] = some
      if (some.length === 1 && only) audit.note(tx, scope, { ...what, objectId: only })
      else audit.note(tx, scope, { ...what, objectId: null, detail: some.join(' ') })
    }
  }

  function noteChanges(tx: Tx, scope: OrgScope, changed: readonly MonitorChange[]): void {
    const idsOf = (did: (one: MonitorChange) => boolean) =>
      changed.filter(did).map(({ monitor }) => monitor.id)
    const paused = idsOf(({ before, monitor }) => before.isActive && !monitor.isActive)
    const resumed = idsOf(({ before, monitor }) => !before.isActive && monitor.isActive)
    const tagged = idsOf(({ before, monitor }) => before.tags !== monitor.tags)
    note(tx, scope, { action: 'monitor.paused' }, paused)
    note(tx, scope, { action: 'monitor.resumed' }, resumed)
    note(tx, scope, { action: 'monitor.changed', fields: ['tags'] }, tagged)
  }

  /** Newest first. */
  async function taggedWith({ orgId }: OrgScope, tag: string): Promise<readonly MonitorId[]> {
    const yielder = createYielder(clock, limits.turnMs)
    const ids: MonitorId[] = []
    let last: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, limits.bulkSlice, last)
      for (const { id, tags } of slice) if (tags.includes(tag)) ids.push(id)
      if (ids.length > limits.bulkMonitorsMax) {
        const rule = `is on more than ${limits.bulkMonitorsMax} monitors: select them by their ids`
        throw invalidField('/tag', 'maximum', rule)
      }
      last = slice.length < limits.bulkSlice ? undefined : slice.at(-1)?.id
      if (yielder.isDue()) await yielder.pause()
    } while (last)
    return ids
  }

  async function selected(
    scope: OrgScope,
    { ids, tag }: MonitorSelector,
  ): Promise<readonly MonitorId[]> {
    if (ids && tag !== undefined)
      throw invalidField('/tag', 'oneOf', 'must be absent when ids is given')
    if (ids) return ids
    if (tag !== undefined) return taggedWith(scope, tag)
    throw invalidField('/ids', 'oneOf', 'is required unless tag is given')
  }

  /**
   * The monitors with these ids, each once. An id outside the organization is a problem if the caller
   * named it; a monitor that lost its tag meanwhile is skipped. `judge` may refuse one.
   */
  async function found(
    { orgId }: OrgScope,
    ids: readonly MonitorId[],
    tag: string | undefined,
    judge: (monitor: Monitor) => void = () => {},
  ): Promise<readonly MonitorId[]> {
    const yielder = createYielder(clock, limits.turnMs)
    const problems: FieldProblem[] = []
    const monitors: Monitor[] = []
    const seen = new Set<MonitorId>()
    for (const [index, id] of ids.entries()) {
      if (seen.has(id)) continue
      const monitor = store.monitors.get(orgId, id)
      if (monitor && isOf(monitor, tag)) {
        seen.add(id)
        monitors.push(monitor)
      }
      if (!monitor && tag === undefined) {
        const message = 'is not a monitor of this organization'
        problems.push({ pointer: `/ids/${index}`, keyword: 'reference', message })
        if (problems.length >= limits.fieldProblemsMax) break
      }
      if (yielder.isDue()) await yielder.pause()
    }
    refuseInvalid(problems)
    for (const monitor of monitors) judge(monitor)
    return monitors.map(({ id }) => id)
  }

  const isOf = ({ tags }: Monitor, tag: string | undefined) =>
    tag === undefined || tags.includes(tag)

  /**
   * Writes what `act` makes of the monitors, in slices: no other write waits for thousands of them. What
   * was deleted or lost its tag meanwhile is skipped. `follow` is called after each commit.
   */
  async function inSlices<Made>(
    { orgId }: OrgScope,
    { ids, tag }: { readonly ids: readonly MonitorId[]; readonly tag: string | undefined },
    act: (tx: Tx, monitor: Monitor) => Made,
    note: (tx: Tx, made: readonly Made[]) => void,
    follow: (made: Made) => void,
  ): Promise<readonly Made[]> {
    const all: Made[] = []
    for (let next = 0; next < ids.length; ) {
      const slice = await store.write((tx) => {
        const yielder = createYielder(clock, limits.turnMs)
        const made: Made[] = []
        let end = next
        do {
          const id = ids[end]
          const monitor = id && store.monitors.get(orgId, id)
          if (monitor && isOf(monitor, tag)) made.push(act(tx, monitor))
          end += 1
        } while (end < ids.length && end - next < bulkWriteSlice && !yielder.isDue())
        note(tx, made)
        return { made, end }
      })
      next = slice.end
      await forEach(slice.made, follow)
      all.push(...slice.made)
    }
    return all
  }

  return {
    /**
     * Returns the ids in the same order. First checks are spread over the intervals. Throws, with
     * pointers below /monitors/{index}, validation_failed and target_not_allowed; also
     * kyc_required, conflict (quota), unavailable (aborted before the write).
     */
    async create(
      scope: OrgScope,
      many: readonly MonitorFields[],
      { signal, problemsOfOne }: CreateOptions = {},
    ): Promise<readonly MonitorId[]> {
      mustHaveRoom(scope, many.length)
      const problems = createProblems(clock)
      const draft = (fields: MonitorFields) => {
        const wrong = problemsOfOne?.(fields) ?? []
        if (wrong.length > 0) throw new Fault('validation_failed', undefined, { errors: wrong })
        const input = completedInput(fields)
        drafts.judge(scope.orgId, input)
        return drafts.monitorOf(scope.orgId, input)
      }
      const monitors = await problems.ofMany('/monitors', many, draft, signal)
      problems.throwAny()
      const ids = monitors.map(({ id }) => id)
      await store.write((tx) => {
        mustHaveRoom(scope, monitors.length)
        mustKnowReferences(scope, monitors)
        store.monitors.putNew(tx, scope.orgId, monitors)
        for (const monitor of monitors) {
          store.monitorStates.put(tx, scope.orgId, monitor.id, newMonitorState(monitor))
        }
        note(tx, scope, { action: 'monitor.created' }, ids)
        return ids
      })
      await forEach(monitors, changes.started)
      return ids
    },

    /**
     * Pauses, resumes or tags all; throws validation_failed before the first is changed. They change in
     * slices: a daemon that ends meanwhile leaves some as they were.
     */
    async change(
      scope: OrgScope,
      selector: MonitorSelector,
      change: BulkChange,
    ): Promise<{ readonly matched: number; readonly changed: number }> {
      if (saysNothing(change))
        throw invalidField('', 'minProperties', 'must contain at least one change')
      const { tag } = selector
      const changedOf = (before: Monitor): Monitor => {
        const after = changedInBulk(before, change)
        if (after) return after
        const rule = `would give ${before.id} more than ${limits.tagsMax} tags`
        throw invalidField('/addTags', 'maxItems', rule)
      }
      const ids = await found(scope, await selected(scope, selector), tag, changedOf)
      const all = await inSlices<MonitorChange | null>(
        scope,
        { ids, tag },
        (tx, before) => {
          // One that got tags since it was judged keeps these.
          const after = changedInBulk(before, change) ?? before
          return after === before ? null : changes.put(tx, before, after)
        },
        (tx, made) => noteChanges(tx, scope, made.filter(isChange)),
        // Resumed monitors are checked in their slots, not all at once.
        (made) => made && changes.follow(made, 'start'),
      )
      return { matched: all.length, changed: all.filter(isChange).length }
    },

    /**
     * Resolves with the number deleted, in slices as above; their history is deleted in slices
     * afterwards.
     */
    async remove(scope: OrgScope, selector: MonitorSelector): Promise<number> {
      const { tag } = selector
      const ids = await found(scope, await selected(scope, selector), tag)
      const removed = await inSlices(
        scope,
        { ids, tag },
        (tx, monitor) => {
          changes.remove(tx, monitor)
          return monitor.id
        },
        (tx, made) => note(tx, scope, { action: 'monitor.deleted' }, made),
        deps.fleet.stop,
      )
      return removed.length
    },
  }
}

function isChange(made: MonitorChange | null): made is MonitorChange {
  return made !== null
}
