// Bulk operations: many monitors created in one transaction, or changed or deleted in slices.
import { Fault, type FieldProblem, invalidField, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { createYielder } from '../../base/yielding.ts'
import { type AuditNote, changedFields } from '../../domain/audit/audit.ts'
import { isChecked } from '../../domain/checks/check-type.ts'
import { limits } from '../../domain/limits/limits.ts'
import { hasVote } from '../../domain/locations/place.ts'
import {
  type BulkChange,
  type BulkRefusal,
  type BulkUndo,
  changedInBulk,
  createUndo,
  judgedFields,
  refusalsOf,
  saysNothing,
} from '../../domain/monitors/bulk-change.ts'
import { unreadableCertificates } from '../../domain/monitors/ca-certificates.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorFields } from '../../domain/monitors/monitor-fields.ts'
import { completedInput } from '../../domain/monitors/monitor-input.ts'
import { unusableClientCertificate } from '../../net/connection/usable-identity.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { createChanges, type MonitorChange } from './monitor-changes.ts'
import { createDrafts, newMonitorState } from './monitor-drafts.ts'
import { requestOf } from './monitor-request.ts'
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

export interface ChangeOptions {
  /** Says what would change, and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Leaves the monitors as they are that the change does not suit. Otherwise it refuses all. */
  readonly skipRefused?: boolean | undefined
  /** Asks for the changes that lead back. */
  readonly withUndo?: boolean | undefined
}

export interface BulkOutcome {
  readonly matched: number
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly refusals: readonly BulkRefusal[]
  /** Undefined unless asked for after a change; null if there is no way back. */
  readonly undo: readonly BulkUndo[] | null | undefined
}

export interface BulkChecks {
  readonly matched: number
  readonly started: number
  readonly paused: number
  /** Wait for reports, so that there is nothing to check. */
  readonly reporting: number
  /** Beyond what may be checked by hand in a minute. */
  readonly limited: number
}

/** What a change makes of a monitor, which is the same record if nothing changes. */
interface JudgedChange extends MonitorChange {
  /** The fields that differ, without isActive, tags and channels. */
  readonly fields: readonly string[]
}

export type BulkDeps = Omit<MonitorsDeps, 'readings' | 'pushUrl'>

/** Monitors that one transaction changes or deletes; fewer, if they use up a time slice. */
export const bulkWriteSlice = 100
/** The monitors that the limits of checks by hand may refuse before the others are not tried. */
const limitedTriesMax: number = limits.runsOfOrg.quota
/** The ids in the audit entry of a change of many monitors. */
const auditIdsMax = 500

const bothRule = 'must be changed together with clientKey'

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
    const needed = new Set(
      monitors.flatMap(({ dependsOn, memberIds }) => [...dependsOn, ...memberIds]),
    )
    const isKnown = deps.unknownChannel(orgId, named) === null
    const hasPlaces = monitors.some(hasVote)
    if (isKnown && !hasPlaces && [...needed].every((id) => store.monitors.has(orgId, id))) return
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

  function noteChanges(tx: Tx, scope: OrgScope, changed: readonly JudgedChange[]): void {
    const idsOf = (did: (one: JudgedChange) => boolean) =>
      changed.filter(did).map(({ monitor }) => monitor.id)
    const paused = idsOf(({ before, monitor }) => before.isActive && !monitor.isActive)
    const resumed = idsOf(({ before, monitor }) => !before.isActive && monitor.isActive)
    note(tx, scope, { action: 'monitor.paused' }, paused)
    note(tx, scope, { action: 'monitor.resumed' }, resumed)
    const byFields = new Map<string, JudgedChange[]>()
    for (const one of changed) {
      const names = changedNames(one).join(' ')
      if (names !== '') byFields.set(names, [...(byFields.get(names) ?? []), one])
    }
    for (const [names, some] of byFields) {
      const ids = some.map(({ monitor }) => monitor.id)
      note(tx, scope, { action: 'monitor.changed', fields: names.split(' ') }, ids)
    }
  }

  /** What is wrong with the change itself, whatever monitors it is for. */
  function problemsOfChange({ orgId }: OrgScope, change: BulkChange): readonly FieldProblem[] {
    const { fields = {}, addChannelIds = [] } = change
    const input = completedInput(fields)
    const { notifyChannelIds, dependsOn, memberIds, locations, caCertificates } = input
    const isHalf = Object.hasOwn(fields, 'clientCertificate') !== Object.hasOwn(fields, 'clientKey')
    const unknown = deps.unknownChannel(orgId, addChannelIds)
    const message = 'is not a channel of this organization'
    return [
      ...drafts.referenceProblems(orgId, { notifyChannelIds, dependsOn, memberIds, locations }),
      ...(unknown === null
        ? []
        : [{ pointer: `/addChannelIds/${unknown}`, keyword: 'reference', message }]),
      ...unreadableCertificates(caCertificates),
      ...unusableClientCertificate(input),
      // Whether it fits what each monitor has would be read for each.
      ...(isHalf
        ? [{ pointer: '/clientCertificate', keyword: 'required', message: bothRule }]
        : []),
    ]
  }

  function judgedChange(
    { orgId }: OrgScope,
    before: Monitor,
    change: BulkChange,
  ): JudgedChange | readonly FieldProblem[] {
    const patch = judgedFields(change)
    let monitor = before
    let fields: readonly string[] = []
    try {
      if (Object.keys(patch).length > 0) {
        const { base, input } = drafts.changed(orgId, before, patch, [])
        const { tags, notifyChannelIds } = before
        const after = { ...before, ...drafts.fieldsOf(input), tags, notifyChannelIds }
        // Secrets are encrypted anew each time, so what they hold is compared.
        const { requestBox, headerNames } = before
        const shown = { requestBox, headerNames, ...requestOf(input) }
        const { dependsOn, memberIds, locations } = base
        const was = { ...before, dependsOn, memberIds, locations, ...requestOf(base) }
        fields = changedFields(was, { ...after, ...shown })
        if (fields.length > 0) monitor = after
      }
      if (change.isActive && !before.isActive) drafts.mustMayResume(monitor)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return error.errors
    }
    const listed = changedInBulk(monitor, change)
    return isProblems(listed) ? listed : { before, monitor: listed, fields }
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
   * named it; a monitor that lost its tag meanwhile is skipped.
   */
  async function found(
    { orgId }: OrgScope,
    ids: readonly MonitorId[],
    tag: string | undefined,
  ): Promise<{ readonly monitors: readonly Monitor[]; readonly unknown: readonly UnknownId[] }> {
    const monitors = new Map<MonitorId, Monitor>()
    const unknown: UnknownId[] = []
    await forEach([...ids.entries()], ([index, id]) => {
      if (monitors.has(id)) return
      const monitor = store.monitors.get(orgId, id)
      if (monitor && isOf(monitor, tag)) monitors.set(id, monitor)
      if (!monitor && tag === undefined) unknown.push({ id, index })
    })
    return { monitors: [...monitors.values()], unknown }
  }

  /** The monitors of a request that each of its ids must name. */
  async function allOf(scope: OrgScope, selector: MonitorSelector): Promise<readonly Monitor[]> {
    const ids = await selected(scope, selector)
    const { monitors, unknown } = await found(scope, ids, selector.tag)
    mustBeKnown(unknown)
    return monitors
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
     * Changes all. Throws validation_failed before the first is changed if one is refused, unless
     * these are skipped. They change in slices: a daemon that ends meanwhile leaves some as they were.
     */
    async change(
      scope: OrgScope,
      selector: MonitorSelector,
      change: BulkChange,
      { dryRun = false, skipRefused = false, withUndo = false }: ChangeOptions = {},
    ): Promise<BulkOutcome> {
      if (saysNothing(change))
        throw invalidField('', 'minProperties', 'must contain at least one change')
      refuseInvalid(problemsOfChange(scope, change).slice(0, limits.fieldProblemsMax))
      const { tag } = selector
      const { monitors, unknown } = await found(scope, await selected(scope, selector), tag)
      if (!dryRun && !skipRefused) mustBeKnown(unknown)
      const refused = new Map<MonitorId, readonly FieldProblem[]>(
        unknown.map(({ id }) => [id, [{ pointer: '/ids', ...unknownRule }]]),
      )
      const unknownCount = refused.size
      const outcomeOf = (matched: number, changed: number) => ({
        ...{ matched, changed, unchanged: matched - changed - refused.size + unknownCount },
        ...{ refused: refused.size, refusals: refusalsOf(refused) },
      })
      const judge = (before: Monitor): JudgedChange | null => {
        const judged = judgedChange(scope, before, change)
        if (!isProblems(judged)) return judged
        refused.set(before.id, judged)
        return null
      }
      if (dryRun || !skipRefused) {
        let changed = 0
        await forEach(monitors, (monitor) => {
          const one = judge(monitor)
          if (one && isChange(one)) changed += 1
        })
        if (dryRun) return { ...outcomeOf(monitors.length, changed), undo: undefined }
        refuseInvalid(problemsOfAll(refusalsOf(refused)))
      }
      const ids = monitors.map(({ id }) => id)
      const undo = createUndo()
      const made = await inSlices<JudgedChange | null>(
        scope,
        { ids, tag },
        (tx, before) => {
          // One that was changed since it was judged may refuse it now.
          const judged = judge(before)
          if (!judged || !isChange(judged)) return judged
          return { ...judged, ...changes.put(tx, before, judged.monitor) }
        },
        (tx, made) => noteChanges(tx, scope, made.flatMap(changeIn)),
        (made) => {
          if (!made || !isChange(made)) return
          if (withUndo) undo.add(made)
          // Resumed monitors are checked in their slots, not all at once.
          changes.follow(made, 'start')
        },
      )
      const changed = made.flatMap(changeIn).length
      return { ...outcomeOf(made.length, changed), undo: withUndo ? undo.changes() : undefined }
    },

    /**
     * Resolves with the number deleted, in slices as above; their history is deleted in slices
     * afterwards.
     */
    async remove(scope: OrgScope, selector: MonitorSelector): Promise<number> {
      const ids = (await allOf(scope, selector)).map(({ id }) => id)
      const removed = await inSlices(
        scope,
        { ids, tag: selector.tag },
        (tx, monitor) => {
          changes.remove(tx, monitor)
          return monitor.id
        },
        (tx, made) => note(tx, scope, { action: 'monitor.deleted' }, made),
        deps.fleet.stop,
      )
      return removed.length
    },

    /**
     * Starts a check of each that is not paused and waits for no reports, as far as the limits of checks by
     * hand allow, and does not wait for the results. Throws rate_limited if they allow none.
     */
    async check(scope: OrgScope, selector: MonitorSelector): Promise<BulkChecks> {
      const monitors = await allOf(scope, selector)
      const active = monitors.filter(({ isActive }) => isActive)
      const checked = active.filter(isChecked)
      let started = 0
      let triesLeft = limitedTriesMax
      let limit: Fault | undefined
      await forEach(checked, ({ id }) => {
        if (triesLeft === 0) return
        try {
          deps.runLimits.take(scope.orgId, id)
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          limit ??= error
          triesLeft -= 1
          return
        }
        started += 1
        // Its result comes as every result does; a check that cannot start is one that did not happen.
        deps.fleet.check(id).catch(() => {})
      })
      if (limit && started === 0) throw limit
      return {
        matched: monitors.length,
        started,
        paused: monitors.length - active.length,
        reporting: active.length - checked.length,
        limited: checked.length - started,
      }
    },
  }
}

interface UnknownId {
  readonly id: MonitorId
  /** Its place in the request. */
  readonly index: number
}

const unknownRule = {
  keyword: 'reference',
  message: 'is not a monitor of this organization',
} as const

function mustBeKnown(unknown: readonly UnknownId[]): void {
  const named = unknown.slice(0, limits.fieldProblemsMax)
  refuseInvalid(named.map(({ index }) => ({ pointer: `/ids/${index}`, ...unknownRule })))
}

/** The problems of a request that is refused as a whole, each with a monitor that has it. */
function problemsOfAll(refusals: readonly BulkRefusal[]): FieldProblem[] {
  return refusals.map(({ ids, pointer, keyword, message }) => {
    const more = ids.length === 1 ? '' : ` and ${ids.length - 1} more`
    return { pointer, keyword, message: `${message}: ${ids[0]}${more}` }
  })
}

function changedNames({ before, monitor, fields }: JudgedChange): readonly string[] {
  const lists = ['tags', 'notifyChannelIds'] as const
  return [...fields, ...lists.filter((name) => before[name] !== monitor[name])]
}

const isProblems = (judged: object | readonly FieldProblem[]): judged is readonly FieldProblem[] =>
  Array.isArray(judged)

const isChange = ({ before, monitor }: MonitorChange): boolean => monitor !== before

const changeIn = (made: JudgedChange | null) => (made && isChange(made) ? [made] : [])
