// Monitors: create, read, change, pause, resume, delete, check now.

import type { Commit } from '../../actors/monitor/commit.ts'
import { Fault, invalidField, notFound, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import { reaches } from '../../domain/access.ts'
import { type AuditNote, changedFields } from '../../domain/audit/audit.ts'
import { isGroup, isTold, waitsForReports } from '../../domain/checks/check-type.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { VerdictKind } from '../../domain/checks/verdict.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Monitor, withPushToken } from '../../domain/monitors/monitor.ts'
import type { MonitorFields } from '../../domain/monitors/monitor-fields.ts'
import { completedInput } from '../../domain/monitors/monitor-input.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { isSilent } from '../../domain/monitors/shadow.ts'
import { urlForViewers } from '../../probes/viewer-url.ts'
import type { Store } from '../../store/store.ts'
import type { Readings } from '../checks/readings.ts'
import { type RunLimits, waitForRun } from '../checks/run-limits.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { isMaintained } from '../maintenance/covered.ts'
import { mustBeAt } from '../revision.ts'
import type { FailingFromOf } from './failing-from.ts'
import { keptAfter } from './kept-addresses.ts'
import { type ChangesDeps, createChanges } from './monitor-changes.ts'
import { createDrafts, type DraftsDeps, newMonitorState, unsetAfter } from './monitor-drafts.ts'
import {
  createSecretsReader,
  type MonitorView,
  monitorStateOf,
  stateOf,
  type ViewDeps,
  viewOf,
} from './monitor-view.ts'
import { type SetState, stateReading } from './set-state.ts'

export interface RunResult {
  readonly reading: Reading
  readonly verdict: VerdictKind
  readonly view: MonitorView
}

export interface MonitorsDeps extends DraftsDeps, ChangesDeps {
  readonly commit: Pick<Commit, 'told'>
  readonly readings: Readings
  readonly pushUrl: (token: string) => string
  readonly mustBeApproved: (orgId: OrgScope['orgId']) => void
  readonly runLimits: RunLimits
  readonly failingFrom: FailingFromOf
}

/** The fields of creation, and which of its kept addresses stay; null: none. */
export type MonitorEdit = MonitorFields & { readonly keptAddresses?: readonly string[] | null }

interface RecordedChange extends Pick<AuditNote, 'action' | 'fields'> {
  /** The given record if nothing changes. */
  readonly monitor: Monitor
}

/** A push monitor's new token, and until when the one before works; null if it does not. */
export interface ReplacedToken extends Pick<MonitorView, 'pushToken' | 'pushUrl'> {
  readonly formerTokenUntilMs: number | null
}

/** How long a push token that was replaced still works. */
export const pushTokenOverlapMs = 86_400_000

export function createMonitors(core: Core, deps: MonitorsDeps) {
  const { store, clock, box, audit, quotas } = core
  const { commit, fleet, readings, pushUrl, failingFrom } = deps
  const drafts = createDrafts(core, deps)
  const changes = createChanges(core, deps)

  function found(scope: OrgScope, monitorId: MonitorId): Monitor {
    const monitor = store.monitors.get(scope.orgId, monitorId)
    if (!monitor) throw notFound('monitor')
    return monitor
  }

  const secretsOf = createSecretsReader({ box, pushUrl })
  const viewDeps = { store, clock, fleet, readings, failingFrom, secretsOf }

  /** A copy of the record, because views cache data as long as the record object lives. */
  const view = (scope: OrgScope, monitor: Monitor, monitorState = monitorStateOf(store, monitor)) =>
    viewOf(viewDeps, scope, { ...monitor }, monitorState)

  function shown(scope: OrgScope, monitorId: MonitorId): MonitorView {
    const monitor = store.monitors.recall(scope.orgId, monitorId)
    if (!monitor) throw notFound('monitor')
    return viewOf(viewDeps, scope, monitor, monitorStateOf(store, monitor))
  }

  async function save(
    scope: OrgScope,
    monitorId: MonitorId,
    expectedRevision: number | undefined,
    change: (before: Monitor) => RecordedChange,
  ): Promise<MonitorView> {
    const saved = await store.write((tx) => {
      const before = found(scope, monitorId)
      mustBeAt(expectedRevision, before, 'The monitor')
      const { monitor: changed, ...note } = change(before)
      if (changed === before) return null
      audit.note(tx, scope, { ...note, objectId: before.id })
      const after = changes.put(tx, before, changed)
      tx.afterCommit(() => changes.follow(after))
      return after.monitor
    })
    return saved ? view(scope, saved) : shown(scope, monitorId)
  }

  return {
    /** Throws validation_failed, target_not_allowed, kyc_required, conflict (quota). */
    async create(scope: OrgScope, fields: MonitorFields): Promise<MonitorView> {
      const input = completedInput(fields)
      drafts.judge(scope.orgId, input)
      const monitor = drafts.monitorOf(scope.orgId, input)
      const monitorState = newMonitorState(monitor)
      return store.write((tx) => {
        deps.mustBeApproved(scope.orgId)
        quotas.mustHaveRoom(scope.orgId, 'monitors', store.monitors.count(scope.orgId))
        // Again: one of them may have been deleted since.
        refuseInvalid(drafts.referenceProblems(scope.orgId, monitor))
        store.monitors.put(tx, monitor)
        audit.note(tx, scope, { action: 'monitor.created', objectId: monitor.id })
        store.monitorStates.put(tx, monitor.orgId, monitor.id, monitorState)
        tx.afterCommit(() => {
          fleet.start(monitor, 'created', monitorState)
          changes.created(monitor)
        })
        // Its actor, which the view asks for the next check, starts after the commit.
        const nextAtMs = fleet.firstAtMs(monitor)
        return { ...view(scope, monitor, monitorState), nextAtMs }
      })
    },

    get: shown,

    /** Newest first. With a filter, a page reads only a bounded number of records. */
    list: (scope: OrgScope, filter: MonitorFilter): PageOf<MonitorView> =>
      listMonitors(viewDeps, scope, filter),

    /** Applies a merge patch (RFC 7396) of the fields of creation. checkType is fixed. */
    async change(
      scope: OrgScope,
      monitorId: MonitorId,
      { keptAddresses: paths, ...fields }: MonitorEdit,
      expectedRevision?: number,
    ): Promise<MonitorView> {
      const unreadable = drafts.unreadable(found(scope, monitorId), fields)
      return save(scope, monitorId, expectedRevision, (before) => {
        if (fields.checkType !== undefined && fields.checkType !== before.checkType) {
          throw invalidField('/checkType', 'constant', 'cannot be changed after creation')
        }
        const { base, input } = drafts.changed(scope.orgId, before, fields, unreadable)
        const unset = unsetAfter(before, input, fields)
        const kept = paths === undefined ? {} : keptAfter(before, paths)
        const monitor = { ...before, ...drafts.fieldsOf(input), ...unset, ...kept }
        if (!before.isActive && monitor.isActive) drafts.mustMayResume(monitor)
        const isKept = monitor.keptAddresses === before.keptAddresses
        const changed = [...changedFields(base, input), ...(isKept ? [] : ['keptAddresses'])]
        return { monitor, action: 'monitor.changed', fields: changed }
      })
    },

    pause: (scope: OrgScope, monitorId: MonitorId) =>
      save(scope, monitorId, undefined, (before) => ({
        monitor: before.isActive ? { ...before, isActive: false } : before,
        action: 'monitor.paused',
      })),

    /**
     * Resumes a monitor, also one that was suspended because its checks crashed. Throws target_not_allowed
     * if it looks at what the operator does not list, and validation_failed if an import left a variable empty.
     */
    async resume(scope: OrgScope, monitorId: MonitorId): Promise<MonitorView> {
      const view = await save(scope, monitorId, undefined, (before) => {
        if (!before.isActive) drafts.mustMayResume(before)
        const monitor = before.isActive ? before : { ...before, isActive: true }
        return { monitor, action: 'monitor.resumed' }
      })
      if (!fleet.isSuspended(monitorId)) return view
      fleet.start(view.monitor, 'created', view.monitorState)
      return shown(scope, monitorId)
    },

    /**
     * Gives a push monitor a new token. The old one works for another day, or not at all with
     * `revokeNow`. Throws conflict for other kinds.
     */
    async replaceToken(
      scope: OrgScope,
      monitorId: MonitorId,
      { revokeNow = false }: { readonly revokeNow?: boolean | undefined },
    ): Promise<ReplacedToken> {
      const nowMs = clock.nowMs()
      const formerTokenUntilMs = revokeNow ? null : nowMs + pushTokenOverlapMs
      const { pushToken, pushUrl } = await save(scope, monitorId, undefined, (before) => {
        if (!waitsForReports(before)) {
          throw new Fault('conflict', 'Only a push monitor has a push token.')
        }
        const times = { nowMs, formerUntilMs: formerTokenUntilMs }
        const monitor = withPushToken(before, drafts.newPushToken(), times)
        return { monitor, action: 'monitor.token_replaced' }
      })
      return { pushToken, pushUrl, formerTokenUntilMs }
    },

    /** Sets the state of a manual monitor. Throws conflict for other kinds and a paused one. */
    async setState(scope: OrgScope, monitorId: MonitorId, set: SetState): Promise<MonitorView> {
      const monitor = found(scope, monitorId)
      if (!isTold(monitor) || isGroup(monitor)) {
        throw new Fault('conflict', 'Only a manual monitor has a state that people set.')
      }
      const committed = await commit.told(monitor, (tx) => {
        audit.note(tx, scope, {
          action: 'monitor.state_set',
          objectId: monitorId,
          detail: set.state,
        })
        return stateReading(set, clock.nowMs())
      })
      if (committed) return view(scope, monitor, committed.monitorState)
      found(scope, monitorId)
      throw new Fault('conflict', 'The monitor is paused: resume it first.')
    },

    /** Closes its open incident; its history is deleted in slices afterwards. */
    async remove(scope: OrgScope, monitorId: MonitorId, expectedRevision?: number): Promise<void> {
      await store.write((tx) => {
        const isDamaged = store.monitors.isDamaged(scope.orgId, monitorId)
        if (isDamaged) changes.discard(tx, scope.orgId, monitorId)
        else {
          const monitor = found(scope, monitorId)
          mustBeAt(expectedRevision, monitor, 'The monitor')
          changes.remove(tx, monitor)
        }
        audit.note(tx, scope, { action: 'monitor.deleted', objectId: monitorId })
        tx.afterCommit(() => fleet.stop(monitorId))
      })
    },

    /**
     * Joins a check in progress; resolves when the result is durable. For a push monitor it tests
     * whether a report is overdue. Throws conflict for a paused one, rate_limited, unavailable.
     */
    async run(scope: OrgScope, monitorId: MonitorId): Promise<RunResult> {
      const monitor = found(scope, monitorId)
      if (!monitor.isActive) throw new Fault('conflict', 'The monitor is paused: resume it first.')
      deps.runLimits.take(scope.orgId, monitorId)
      const running = fleet.check(monitorId)
      const { reading, committed } = await waitForRun(clock, monitor.timeoutMs, running)
      return {
        reading,
        verdict: committed.verdict,
        view: view(scope, monitor, committed.monitorState),
      }
    },
  }
}

export interface MonitorFilter extends PageRequest {
  readonly isActive?: boolean | undefined
  /** Whether nobody hears of it, because it is in a shadow run. */
  readonly isShadow?: boolean | undefined
  readonly checkType?: Monitor['checkType'] | undefined
  readonly state?: MonitorView['state'] | undefined
  readonly tag?: string | undefined
  readonly q?: string | undefined
}

/** The bodies, steps and authorities of the monitors of a page: it ends with the monitor that reaches this. */
export const pageLongCharsMax = 512 * 1024

/** One page; it reads only a bounded number of records. */
function listMonitors(
  deps: ViewDeps & { readonly store: Store },
  scope: OrgScope,
  filter: MonitorFilter,
): PageOf<MonitorView> {
  const { store, clock } = deps
  const shownState = (monitor: Monitor, monitorState: MonitorState) =>
    stateOf(monitor, monitorState, isMaintained(store, monitor, clock.nowMs()))
  const items: MonitorView[] = []
  let after = filter.after as MonitorId | undefined
  let longChars = 0
  // First pages are read again and again; further ones page through all monitors.
  const isRecalled = filter.after === undefined
  for (let scanned = 0; scanned < limits.listScanMax; ) {
    const slice = store.monitors.list(scope.orgId, filter.limit + 1, after)
    for (const monitor of slice) {
      // What is long is decrypted and sent in one turn.
      if (items.length === filter.limit || longChars >= pageLongCharsMax) {
        return { items, nextAfter: items.at(-1)?.monitor.id ?? monitor.id }
      }
      after = monitor.id
      if (!fits(monitor, filter, scope)) continue
      const monitorState = monitorStateOf(store, monitor, isRecalled)
      if (filter.state && shownState(monitor, monitorState) !== filter.state) continue
      const one = viewOf(deps, scope, monitor, monitorState, isRecalled)
      longChars += [one.body, monitor.caCertificates, monitor.clientCertificate].join('').length
      if (one.steps.length > 0) longChars += monitor.requestBox?.length ?? 0
      items.push(one)
    }
    scanned += slice.length
    if (slice.length <= filter.limit) return { items }
  }
  return after ? { items, nextAfter: after } : { items }
}

function fits(monitor: Monitor, filter: MonitorFilter, { role }: OrgScope): boolean {
  if (filter.isActive !== undefined && monitor.isActive !== filter.isActive) return false
  if (filter.isShadow !== undefined && isSilent(monitor) !== filter.isShadow) return false
  if (filter.checkType && monitor.checkType !== filter.checkType) return false
  if (filter.tag && !monitor.tags.includes(filter.tag)) return false
  const q = filter.q?.toLowerCase()
  if (!q || monitor.name.toLowerCase().includes(q)) return true
  // What a search finds tells as much as what is shown.
  const url = reaches(role, 'member') ? monitor.url : urlForViewers(monitor)
  return url?.toLowerCase().includes(q) ?? false
}
