// The fleet: one actor per active monitor. Starts, replaces, checks, stops and drains them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AnyActorRef, createActor } from 'xstate'
import type { Clock, Jump } from '../../base/clock.ts'
import { Fault, notFound } from '../../base/fault.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { isChecked, isGroup, waitsForReports } from '../../domain/checks/check-type.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { isConfirming } from '../../domain/health/health.ts'
import { limits } from '../../domain/limits/limits.ts'
import { home } from '../../domain/locations/choice.ts'
import { isCheckedHere, type PlaceId, placesElsewhere } from '../../domain/locations/place.ts'
import { firstWordsMs } from '../../domain/locations/vote.ts'
import { type Monitor, retrySeconds } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { sharing } from '../../domain/monitors/sharing.ts'
import {
  isReportDue,
  movedExpectation,
  reportsSentence,
  wakesAtMs,
} from '../../domain/schedule/push-deadline.ts'
import { firstDueAtMs, offsetOf } from '../../domain/schedule/schedule.ts'
import { createPlacements } from '../locations/placements.ts'
import { type CheckDeps, createCheckMachine } from './check-machine.ts'
import type { CommitResult } from './commit.ts'
import { createGroupMachine } from './group-machine.ts'
import { createNursery } from './nursery.ts'
import {
  awaitedOf,
  createPushMachine,
  nothingAwaited,
  type PushMachineDeps,
} from './push-machine.ts'

/** The result of a requested check. */
export interface CheckRun {
  readonly reading: Reading
  readonly committed: CommitResult
}

export type Fleet = ReturnType<typeof startFleet>

export interface FleetDeps
  extends Omit<CheckDeps, 'isAwaited' | 'onCommitted'>,
    Pick<PushMachineDeps, 'isCutOff'> {
  readonly clock: Clock & { onJump?(listener: (jump: Jump) => void): void }
  readonly log: Log
  /** The checks of a monitor crashed again and again, so it runs no more until it is started anew. */
  readonly onSuspended: (monitor: Monitor, error: unknown) => void
  /** Whether the organization is deleted or switched off, so that its monitors do not run. */
  readonly isOff: (orgId: OrgId) => boolean
}

interface ActorSlot {
  readonly monitor: Monitor
  readonly actor: AnyActorRef
  /** Crashes in a row, without a result between them. */
  crashes: number
}

type StartPhase = 'created' | 'start'

const jumpSentences: Readonly<Record<Jump['kind'], string>> = {
  step: 'the wall clock was set, or this machine slept',
  setBack: 'the wall clock was set back: times run on a little slower until it has caught up',
  stall: 'the process stood still: results of checks in progress do not count',
}

type Waiter = { resolve(checked: CheckRun): void; reject(error: unknown): void }

const drainPollMs = 20
/** How much longer than a check its answer from elsewhere may take. */
const answerSlackMs = 10_000
/** The time over which checks with ignored failures are repeated. */
export const observerRecheckMs = 30_000
/** Checks that became due in a longer gap are made within this time after it. */
export const gapMsMax = 60_000

export function startFleet(deps: FleetDeps) {
  const { clock, log } = deps
  const slots = new Map<MonitorId, ActorSlot>()
  const waiters = new Map<MonitorId, Waiter[]>()
  /** The one that was started last. The next one is mostly of the same organization, and alike. */
  let newest: Monitor | undefined
  const placements = createPlacements({
    clock,
    onSilent(monitor) {
      deps.commit
        .silent(monitor)
        .catch((error: unknown) => log.error('silence not noted', { monitorId: monitor.id, error }))
    },
  })

  function onCommitted(monitor: Monitor, reading: Reading, committed: CommitResult | null): void {
    const current = slots.get(monitor.id)
    if (current) current.crashes = 0
    answerWaiters(monitor, reading, committed)
  }

  function answerWaiters(monitor: Monitor, reading: Reading, committed: CommitResult | null): void {
    const waiting = waiters.get(monitor.id)
    if (!waiting) return
    waiters.delete(monitor.id)
    for (const { resolve, reject } of waiting) {
      if (committed) resolve({ reading, committed })
      else reject(notFound('monitor'))
    }
  }

  const checkMachine = createCheckMachine({
    ...deps,
    onCommitted,
    isAwaited: (monitor) => waiters.has(monitor.id),
  })
  const pushMachine = createPushMachine(deps)
  const groupMachine = createGroupMachine(deps)
  const nursery = createNursery(clock, (id, error) => {
    const slot = slots.get(monitorIdOf(id))
    // Only the current actor counts: an earlier one of the monitor may fail, too.
    if (slot?.actor.getSnapshot().status === 'error') onCrash(slot, error)
  })

  function actorOf(
    monitor: Monitor,
    phase: StartPhase,
    monitorState: MonitorState | undefined,
  ): AnyActorRef {
    const nowMs = clock.nowMs()
    const { id } = monitor
    const parent = nursery.parent()
    if (isGroup(monitor)) return createActor(groupMachine, { parent, id, input: { monitor } })
    // What people tell waits for nothing.
    if (!isChecked(monitor)) {
      const awaited = monitorState ? awaitedOf(monitorState) : nothingAwaited
      return createActor(pushMachine, { parent, id, input: { monitor, ...awaited } })
    }
    // A confirmation that a restart interrupted continues at its fast pace.
    const isHurried = monitorState !== undefined && isConfirming(monitorState.health)
    const paceSeconds = isHurried ? retrySeconds(monitor) : monitor.intervalSeconds
    const offsetMs = offsetOf(monitor, home)
    const dueAtMs = firstDueAtMs(monitor.id, paceSeconds * 1_000, nowMs, phase, offsetMs)
    return createActor(checkMachine, { parent, id, input: { monitor, dueAtMs } })
  }

  function launch(
    monitor: Monitor,
    crashes: number,
    phase: StartPhase,
    monitorState: MonitorState | undefined,
  ): void {
    const actor = actorOf(monitor, phase, monitorState)
    slots.set(monitor.id, { monitor, actor, crashes })
    actor.start()
  }

  /**
   * A bug in one actor must not affect the others. The actor is restarted, after a longer pause
   * each time.
   */
  function onCrash(current: ActorSlot, error: unknown): void {
    const { monitor } = current
    const crashes = current.crashes + 1
    log.error('monitor actor crashed', { monitorId: monitor.id, crashes, error })
    failWaiters(monitor.id, error)
    current.crashes = crashes
    if (crashes >= limits.actorCrashesMax) {
      log.error('monitor suspended after repeated crashes', { monitorId: monitor.id })
      deps.onSuspended(monitor, error)
      return
    }
    clock.setTimeout(
      () => {
        if (slots.get(monitor.id) !== current) return
        launch(monitor, crashes, 'start', deps.commit.look(monitor)?.monitorState)
      },
      limits.actorRestartMs * 2 ** (crashes - 1),
    )
  }

  /** A monitor without checks has none to run, so this only tests whether a report is overdue. */
  async function lookAtDeadline({ monitor, actor }: ActorSlot): Promise<CheckRun> {
    const { lastReportAtMs, wakesAtMs } = actor.getSnapshot().context
    const isOverdue = wakesAtMs !== null && wakesAtMs <= clock.nowMs()
    const committed = isOverdue
      ? await deps.commit.overdue(monitor, { lastReportAtMs, wakesAtMs })
      : deps.commit.look(monitor)
    if (!committed) throw notFound('monitor')
    const { lastError, lastAtMs } = committed.monitorState
    const atMs = lastAtMs ?? monitor.createdAtMs
    const message = waitsForReports(monitor) ? reportsSentence(committed.monitorState) : undefined
    const lookReading = { atMs, durationMs: 0, ...(message === undefined ? {} : { message }) }
    if (lastError)
      return { reading: { ...lookReading, result: 'failed', error: lastError }, committed }
    return { reading: { ...lookReading, result: 'good' }, committed }
  }

  function isSuspended(monitorId: MonitorId): boolean {
    return (slots.get(monitorId)?.crashes ?? 0) >= limits.actorCrashesMax
  }

  function failWaiters(monitorId: MonitorId, error: unknown): void {
    const waiting = waiters.get(monitorId) ?? []
    waiters.delete(monitorId)
    for (const { reject } of waiting) reject(error)
  }

  function stop(monitorId: MonitorId): void {
    placements.stop(monitorId)
    const leaving = slots.get(monitorId)
    if (!leaving) return
    slots.delete(monitorId)
    leaving.actor.send({ type: 'monitor.left' })
    failWaiters(monitorId, new Fault('conflict', 'The monitor was changed while it was checked.'))
  }

  clock.onJump?.(({ kind, deltaMs }) => {
    log.warn(jumpSentences[kind], { deltaMs: Math.round(deltaMs) })
    if (kind === 'setBack') return
    for (const found of pushSlots()) {
      if (deltaMs >= limits.reportLostMs || mayBeMissed(found)) moveDeadline(found, deltaMs)
    }
    if (deltaMs > gapMsMax) {
      catchUp().catch((error: unknown) => log.error('due checks not spread', { error }))
    }
  })

  /**
   * After a long gap: timers stood still in it, so a monitor with a long interval would be checked
   * late by the whole gap. What became due is spread, because it is much.
   */
  async function catchUp(): Promise<void> {
    const nowMs = clock.nowMs()
    let moved = 0
    for (const { monitor, actor } of [...slots.values()]) {
      const intervalMs = monitor.intervalSeconds * 1_000
      if (!isChecked(monitor) || intervalMs <= gapMsMax) continue
      const { dueAtMs } = actor.getSnapshot().context
      const isOverdue = dueAtMs <= nowMs
      const atMs = isOverdue ? firstDueAtMs(monitor.id, gapMsMax, nowMs, 'start') : dueAtMs
      actor.send({ type: 'check.moved', atMs })
      moved += 1
      if (moved % limits.scanSlice === 0) await nextTurn()
    }
  }

  /** Waits for the first result of one of the places that were asked. */
  function answerOf(monitor: Monitor): Promise<CheckRun> {
    return new Promise<CheckRun>((resolve, reject) => {
      const waiter = { resolve, reject }
      waiters.set(monitor.id, [...(waiters.get(monitor.id) ?? []), waiter])
      clock.setTimeout(() => {
        const waiting = waiters.get(monitor.id) ?? []
        if (!waiting.includes(waiter)) return
        waiters.set(
          monitor.id,
          waiting.filter((one) => one !== waiter),
        )
        reject(new Fault('unavailable', 'No probe of its locations has answered in time.'))
      }, monitor.timeoutMs + answerSlackMs)
    })
  }

  /** When the first of the places that are not here looks next. */
  function nextPlacedMs(monitor: Monitor): number {
    const nowMs = clock.nowMs()
    const intervalMs = monitor.intervalSeconds * 1_000
    const times = placesElsewhere(monitor).map((place) =>
      firstDueAtMs(monitor.id, intervalMs, nowMs, 'start', offsetOf(monitor, place)),
    )
    return Math.min(...times)
  }

  /** Whether something is due, as far as the actor knows. */
  function mayBeMissed({ actor }: ActorSlot): boolean {
    const { wakesAtMs } = actor.getSnapshot().context
    return wakesAtMs !== null && wakesAtMs <= clock.nowMs()
  }

  function pushSlots(): ActorSlot[] {
    return [...slots.values()].filter(({ monitor }) => waitsForReports(monitor))
  }

  /** Whether a report or the end of a run may have been sent by now. */
  function wasDue({ monitor }: ActorSlot): boolean {
    const monitorState = deps.commit.look(monitor)?.monitorState
    if (!monitorState) return false
    const { deadlineAtMs, openRuns } = monitorState
    if (openRuns.length > 0) return true
    return deadlineAtMs !== null && isReportDue(monitor, deadlineAtMs, clock.nowMs())
  }

  /**
   * Moves the expected report of the stored state, because the actor may know an older report. Runs
   * before any timer.
   */
  function moveDeadline({ monitor, actor }: ActorSlot, byMs: number): void {
    const monitorState = deps.commit.look(monitor)?.monitorState
    if (!monitorState || wakesAtMs(monitorState) === null) return
    const moved = movedExpectation(monitor, monitorState, byMs, clock.nowMs())
    actor.send({ type: 'deadline.changed', ...awaitedOf({ ...monitorState, ...moved }) })
    deps.commit
      .expect(monitor, monitorState.lastReportAtMs, moved)
      .catch((error: unknown) => log.error('deadline not moved', { monitorId: monitor.id, error }))
  }

  function hasten(monitorId: MonitorId, atMs: number): void {
    slots.get(monitorId)?.actor.send({ type: 'check.hastened', atMs })
    if (!placements.monitor(monitorId)) return
    clock.setTimeout(
      () => {
        const placed = placements.monitor(monitorId)
        if (placed) placements.askOthers(placed, home)
      },
      Math.max(0, atMs - clock.nowMs()),
    )
  }

  return {
    /** Replaces an earlier actor. A paused monitor has none, nor one whose organization is off. */
    start(monitor: Monitor, phase: StartPhase, monitorState?: MonitorState): void {
      stop(monitor.id)
      if (!monitor.isActive || deps.isOff(monitor.orgId)) return
      newest = newest ? sharing(monitor, newest) : monitor
      placements.start(newest)
      if (isCheckedHere(newest)) launch(newest, 0, phase, monitorState)
    },
    stop,
    /** Stops the actors of an organization that is off, with yields. */
    async stopOrg(orgId: OrgId): Promise<void> {
      let stopped = 0
      const running = [...slots.values()].map(({ monitor }) => monitor)
      for (const monitor of [...running, ...placements.monitors()]) {
        if (monitor.orgId !== orgId) continue
        stop(monitor.id)
        stopped += 1
        if (stopped % limits.scanSlice === 0) await nextTurn()
        if (!deps.isOff(orgId)) return
      }
    },
    /** The running monitor's record. */
    monitor: (monitorId: MonitorId): Monitor | undefined =>
      slots.get(monitorId)?.monitor ?? placements.monitor(monitorId),
    /** Checks now, or joins the check in progress; resolves when its result is durable. */
    check(monitorId: MonitorId): Promise<CheckRun> {
      const found = slots.get(monitorId)
      const placed = placements.monitor(monitorId)
      if (placed) placements.askOthers(placed, home)
      if (placed && !found) return answerOf(placed)
      if (isSuspended(monitorId)) {
        const words = 'Its checks crash, so it is suspended: resume or change it to try again.'
        return Promise.reject(new Fault('unavailable', words))
      }
      if (found?.actor.getSnapshot().status !== 'active') {
        return Promise.reject(new Fault('unavailable', 'The monitor is not running at the moment.'))
      }
      if (!isChecked(found.monitor)) return lookAtDeadline(found)
      return new Promise<CheckRun>((resolve, reject) => {
        waiters.set(monitorId, [...(waiters.get(monitorId) ?? []), { resolve, reject }])
        found.actor.send({ type: 'check.requested', atMs: clock.nowMs() })
      })
    },
    /** The next check of a monitor that is not push is due at this time, unless one is sooner. */
    hasten,
    /** A result of one of its places was committed. If that begins to confirm something, the others look now. */
    placed(monitor: Monitor, place: PlaceId, reading: Reading, committed: CommitResult): void {
      placements.heard(monitor.id, place)
      if (place !== home) answerWaiters(monitor, reading, committed)
      const waitMs = firstWordsMs(monitor)
      // Its next check by itself may be a day away.
      if (committed.isHeldBack && monitor.intervalSeconds * 1_000 > waitMs) {
        hasten(monitor.id, clock.nowMs() + waitMs)
      }
      if (!committed.isInDoubt || !placements.askOthers(monitor, place)) return
      slots.get(monitor.id)?.actor.send({ type: 'check.hastened', atMs: clock.nowMs() })
    },
    placements,
    /** Repeats checks after an outage of our network, over observerRecheckMs. */
    checkSoon(monitorIds: readonly MonitorId[]): void {
      for (const [at, monitorId] of monitorIds.entries()) {
        const delayMs = Math.floor((at / monitorIds.length) * observerRecheckMs)
        clock.setTimeout(() => {
          const actor = slots.get(monitorId)?.actor
          actor?.send({ type: 'check.requested', atMs: clock.nowMs() })
        }, delayMs)
      }
    },
    /** We could not be reached for this long, so reports may have been lost: deadlines move. */
    forgiveReports(lostMs: number): void {
      for (const found of pushSlots()) if (wasDue(found)) moveDeadline(found, lostMs)
    },
    /** A push report was committed, so the deadline moved. */
    reported(monitorId: MonitorId, monitorState: MonitorState): void {
      slots.get(monitorId)?.actor.send({ type: 'deadline.changed', ...awaitedOf(monitorState) })
    },
    /** Members of these groups have turned, or count no longer; other monitors among them are passed over. */
    regroup(groupIds: readonly MonitorId[]): void {
      for (const id of groupIds) {
        const slot = slots.get(id)
        if (slot && isGroup(slot.monitor)) slot.actor.send({ type: 'members.turned' })
      }
    },
    /** The same for all groups of an organization, whose maintenance has changed. */
    regroupAll(orgId: OrgId): void {
      for (const { monitor, actor } of slots.values()) {
        if (monitor.orgId === orgId && isGroup(monitor)) actor.send({ type: 'members.turned' })
      }
    },
    /** When the monitor is checked next, or something is due of its sender. */
    nextAtMs(monitorId: MonitorId): number | null {
      const context = slots.get(monitorId)?.actor.getSnapshot().context
      const placed = placements.monitor(monitorId)
      if (placed)
        return Math.min(context?.dueAtMs ?? Number.POSITIVE_INFINITY, nextPlacedMs(placed))
      return context?.dueAtMs ?? context?.wakesAtMs ?? null
    },
    /** When a monitor that is created now is first checked. */
    firstAtMs: ({ id, orgId, checkType, isActive, intervalSeconds }: Monitor): number | null =>
      isActive && isChecked({ checkType }) && !deps.isOff(orgId)
        ? firstDueAtMs(id, intervalSeconds * 1_000, clock.nowMs(), 'created')
        : null,
    /** Whether it runs no more because its checks crashed. */
    isSuspended,
    size: () => slots.size + placements.apart(),
    /** Whether a check that was due before this time has not ended. */
    isBehind(sinceMs: number): boolean {
      for (const { actor } of slots.values()) {
        const dueAtMs = actor.getSnapshot().context.dueAtMs
        if (typeof dueAtMs === 'number' && dueAtMs < sinceMs) return true
      }
      return false
    },
    /**
     * Resolves once every actor is stopped and no check is in progress. Closing the store waits for
     * commits that are in progress then.
     */
    async drain(): Promise<void> {
      placements.close()
      for (const monitorId of [...slots.keys()]) stop(monitorId)
      while (deps.gate.load().inside > 0) {
        await new Promise<void>((resolve) => clock.setTimeout(resolve, drainPollMs))
      }
    },
  }
}

/** Actors carry the ids of their monitors. */
function monitorIdOf(actorId: string): MonitorId {
  return actorId as MonitorId
}
