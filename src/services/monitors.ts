// Monitors: create, look, change, pause, resume, delete, check now.
import { account } from '../actors/monitor/account.ts'
import type { Fleet } from '../actors/monitor/fleet.ts'
import type { Clock } from '../base/clock.ts'
import { Fault, invalidField } from '../base/fault.ts'
import { type ChannelId, type MonitorId, newId } from '../base/ids.ts'
import { initialHealth, shownState } from '../domain/health.ts'
import { limits } from '../domain/limits.ts'
import type { Monitor } from '../domain/monitor.ts'
import {
  completedInput,
  inputProblems,
  intervalSecondsOf,
  type MonitorFields,
  type MonitorInput,
} from '../domain/monitor-input.ts'
import { changedDeadlineAtMs } from '../domain/push.ts'
import type { Reading } from '../domain/reading.ts'
import { initialStanding, type Standing } from '../domain/standing.ts'
import type { VerdictKind } from '../domain/verdict.ts'
import type { Guard } from '../probes/guard.ts'
import type { Box } from '../seal/box.ts'
import { hashToken, mintToken } from '../seal/tokens.ts'
import { forgetMonitor } from '../store/forget.ts'
import type { Store } from '../store/store.ts'
import type { Tx } from '../store/write.ts'
import type { OrgScope, PageOf, PageRequest } from './context.ts'
import type { Incidents } from './incidents.ts'
import { openRequest, sealRequest, withKeptSecrets } from './monitor-request.ts'
import { type MonitorView, stateOf, viewOf } from './monitor-view.ts'
import type { Readings } from './readings.ts'
import { mustBeAt } from './revision.ts'

export interface MonitorFilter extends PageRequest {
  readonly isActive?: boolean | undefined
  readonly checkType?: Monitor['checkType'] | undefined
  readonly state?: MonitorView['state'] | undefined
  readonly tag?: string | undefined
  readonly q?: string | undefined
}

/** A finished check: what was seen, what it means, and the monitor as it now stands. */
export interface RunResult {
  readonly reading: Reading
  readonly verdict: VerdictKind
  readonly view: MonitorView
}

export interface MonitorsDeps {
  readonly store: Store
  readonly clock: Clock
  readonly fleet: Fleet
  readonly box: Box
  readonly incidents: Incidents
  readonly readings: Readings
  /** What is wrong with a URL as a target, or null. */
  readonly judgeUrl: Guard['judgeUrl']
  /** The first of these that is no channel of the organization, by its index, or null. */
  readonly unknownChannel: (
    orgId: OrgScope['orgId'],
    channelIds: readonly ChannelId[],
  ) => number | null
  /** The push address of a token. */
  readonly pushUrl: (token: string) => string
  /** Called when what pages show of the organization has changed. */
  readonly changed: (orgId: OrgScope['orgId']) => void
}

export type Monitors = ReturnType<typeof createMonitors>

export function createMonitors(deps: MonitorsDeps) {
  const { store, clock, fleet, box, incidents } = deps

  function found(scope: OrgScope, monitorId: MonitorId): Monitor {
    const monitor = store.monitors.get(scope.orgId, monitorId)
    if (!monitor) throw new Fault('not_found')
    return monitor
  }

  const standingOf = ({ orgId, id, createdAtMs }: Monitor) =>
    store.standings.get(orgId, id) ?? initialStanding(createdAtMs)

  const view = (scope: OrgScope, monitor: Monitor, standing = standingOf(monitor)) =>
    viewOf(deps, scope, monitor, standing)

  /** Throws Fault with every problem of the input, those that need the organization included. */
  function judge(scope: OrgScope, input: MonitorInput): void {
    const problems = inputProblems(input)
    const unknown = deps.unknownChannel(scope.orgId, input.notifyChannelIds)
    if (unknown !== null) {
      const pointer = `/notifyChannelIds/${unknown}`
      problems.push({ pointer, keyword: 'reference', message: 'is no channel of the organization' })
    }
    const [first] = problems
    if (first) {
      const detail = `${first.pointer.slice(1).replaceAll('/', '.')} ${first.message}`
      throw new Fault('validation_failed', detail, { errors: problems })
    }
    const refusal = input.url === null ? null : deps.judgeUrl(input.url)
    if (refusal !== null) {
      const { code, reason: message } = refusal
      const errors = [{ pointer: '/url', keyword: 'target', message }]
      throw new Fault(code, `url ${message}`, { errors })
    }
  }

  /** The record's own part of the input: secrets sealed, empty texts gone. */
  function fieldsOf(input: MonitorInput) {
    const { headers, body, intervalMinutes, ...plain } = input
    return {
      ...plain,
      headerNames: Object.keys(headers),
      requestBox: sealRequest(box, { headers, body }),
      intervalSeconds: intervalSecondsOf(input),
    }
  }

  function mintPushToken(input: MonitorInput) {
    if (input.checkType !== 'push') return { pushTokenHash: null, pushTokenBox: null }
    const token = mintToken('spp')
    return { pushTokenHash: hashToken(token), pushTokenBox: box.seal(token) }
  }

  function inputOf(monitor: Monitor): MonitorInput {
    const { headers, body } = openRequest(box, monitor)
    return { ...monitor, headers, body, intervalMinutes: Math.ceil(monitor.intervalSeconds / 60) }
  }

  /** The standing of a monitor that begins or ceases to be watched: it starts from nothing. */
  function restarted(tx: Tx, monitor: Monitor, wasActive: boolean): Standing {
    const nowMs = clock.nowMs()
    const before = store.standings.get(monitor.orgId, monitor.id) ?? initialStanding(nowMs)
    if (wasActive) incidents.close(tx, monitor, before, 'paused')
    const state = wasActive ? shownState(before.health) : 'paused'
    const span = { state, fromMs: before.accountedToMs, toMs: nowMs } as const
    const tallies = account(store, tx, monitor, before, [span])
    const fresh = { health: initialHealth(nowMs), deadlineAtMs: null, accountedToMs: nowMs }
    return { ...before, ...tallies, ...fresh, isPaused: wasActive }
  }

  /** The standing that a change leaves behind. */
  function afterChange(tx: Tx, before: Monitor, monitor: Monitor): Standing | undefined {
    if (monitor.isActive !== before.isActive) return restarted(tx, monitor, before.isActive)
    const standing = store.standings.get(monitor.orgId, monitor.id)
    if (!standing) return undefined
    const deadlineAtMs = changedDeadlineAtMs(before, monitor, standing, clock.nowMs())
    return { ...standing, deadlineAtMs }
  }

  async function save(
    scope: OrgScope,
    monitorId: MonitorId,
    expectedRevision: number | undefined,
    change: (before: Monitor) => Monitor,
  ): Promise<MonitorView> {
    const saved = await store.write((tx) => {
      const before = found(scope, monitorId)
      mustBeAt(expectedRevision, before, 'The monitor')
      const changed = change(before)
      if (changed === before) return { before, monitor: before }
      const monitor = { ...changed, updatedAtMs: clock.nowMs(), revision: before.revision + 1 }
      store.monitors.put(tx, monitor)
      const standing = afterChange(tx, before, monitor)
      if (standing) store.standings.put(tx, monitor.orgId, monitor.id, standing)
      return { before, monitor }
    })
    if (saved.monitor !== saved.before) {
      const phase = saved.before.isActive ? 'start' : 'created'
      fleet.start(saved.monitor, phase, store.standings.get(scope.orgId, monitorId))
      deps.changed(scope.orgId)
    }
    return view(scope, saved.monitor)
  }

  return {
    /** Throws Fault: validation_failed, target_not_allowed, conflict (quota). */
    async create(scope: OrgScope, fields: MonitorFields): Promise<MonitorView> {
      const input = completedInput(fields)
      judge(scope, input)
      const nowMs = clock.nowMs()
      const monitor: Monitor = {
        ...fieldsOf(input),
        ...mintPushToken(input),
        id: newId('monitor', nowMs),
        orgId: scope.orgId,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        revision: 1,
      }
      const standing = { ...initialStanding(nowMs), isPaused: !monitor.isActive }
      await store.write((tx) => {
        const most = limits.monitorsPerOrgMax
        if (store.monitors.count(scope.orgId) >= most) {
          throw new Fault('conflict', `An organization has at most ${most} monitors.`)
        }
        store.monitors.put(tx, monitor)
        store.standings.put(tx, monitor.orgId, monitor.id, standing)
      })
      fleet.start(monitor, 'created', standing)
      deps.changed(scope.orgId)
      return view(scope, monitor, standing)
    },

    get: (scope: OrgScope, monitorId: MonitorId) => view(scope, found(scope, monitorId)),

    /** Newest first. A filter looks at no more than a bounded number of records for a page. */
    list(scope: OrgScope, filter: MonitorFilter): PageOf<MonitorView> {
      const items: MonitorView[] = []
      let after = filter.after as MonitorId | undefined
      for (let scanned = 0; scanned < limits.listScanMax; ) {
        const slice = store.monitors.list(scope.orgId, filter.limit + 1, after)
        for (const monitor of slice) {
          if (items.length === filter.limit) {
            return { items, nextAfter: items.at(-1)?.monitor.id ?? monitor.id }
          }
          after = monitor.id
          if (!fits(monitor, filter)) continue
          const standing = standingOf(monitor)
          if (filter.state && stateOf(monitor, standing) !== filter.state) continue
          items.push(view(scope, monitor, standing))
        }
        scanned += slice.length
        if (slice.length <= filter.limit) return { items }
      }
      return after ? { items, nextAfter: after } : { items }
    },

    /** A merge patch (RFC 7396) of the fields of creation. checkType is fixed. */
    async change(
      scope: OrgScope,
      monitorId: MonitorId,
      fields: MonitorFields,
      expectedRevision?: number,
    ): Promise<MonitorView> {
      return save(scope, monitorId, expectedRevision, (before) => {
        if (fields.checkType !== undefined && fields.checkType !== before.checkType) {
          throw invalidField('/checkType', 'constant', 'cannot be changed after creation')
        }
        const base = inputOf(before)
        const headers = fields.headers as MonitorInput['headers'] | null | undefined
        const kept = headers ? { headers: withKeptSecrets(headers, base.headers) } : {}
        const input = completedInput({ ...fields, ...kept }, base)
        judge(scope, input)
        return { ...before, ...fieldsOf(input) }
      })
    },

    pause: (scope: OrgScope, monitorId: MonitorId) =>
      save(scope, monitorId, undefined, (before) =>
        before.isActive ? { ...before, isActive: false } : before,
      ),

    resume: (scope: OrgScope, monitorId: MonitorId) =>
      save(scope, monitorId, undefined, (before) =>
        before.isActive ? before : { ...before, isActive: true },
      ),

    /** Its open incident is closed with it; its history goes in slices afterwards. */
    async remove(scope: OrgScope, monitorId: MonitorId, expectedRevision?: number): Promise<void> {
      await store.write((tx) => {
        const monitor = found(scope, monitorId)
        mustBeAt(expectedRevision, monitor, 'The monitor')
        const standing = store.standings.get(scope.orgId, monitorId)
        if (standing) incidents.close(tx, monitor, standing, 'deleted')
        store.monitors.remove(tx, monitor)
        store.standings.remove(tx, scope.orgId, monitorId)
        store.checks.removeEvidence(tx, scope.orgId, monitorId)
        store.garbage.add(tx, { orgId: scope.orgId, monitorId })
      })
      fleet.stop(monitorId)
      deps.changed(scope.orgId)
      await forgetMonitor(store, { orgId: scope.orgId, monitorId })
    },

    /**
     * Checks now, or joins the check in flight; resolves when the result is durable. On a push
     * monitor it looks whether a report is overdue. Throws Fault('conflict') on a paused one.
     */
    async run(scope: OrgScope, monitorId: MonitorId): Promise<RunResult> {
      const monitor = found(scope, monitorId)
      if (!monitor.isActive) throw new Fault('conflict', 'The monitor is paused: resume it first.')
      const { reading, committed } = await fleet.check(monitorId)
      return { reading, verdict: committed.verdict, view: view(scope, monitor, committed.standing) }
    },
  }
}

function fits(monitor: Monitor, filter: MonitorFilter): boolean {
  if (filter.isActive !== undefined && monitor.isActive !== filter.isActive) return false
  if (filter.checkType && monitor.checkType !== filter.checkType) return false
  if (filter.tag && !monitor.tags.includes(filter.tag)) return false
  const q = filter.q?.toLowerCase()
  return (
    !q || monitor.name.toLowerCase().includes(q) || Boolean(monitor.url?.toLowerCase().includes(q))
  )
}
