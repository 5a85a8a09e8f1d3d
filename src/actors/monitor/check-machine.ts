// The actor of a monitor that this daemon checks: waits until a check is due, passes the gate,
// takes a reading and commits it.

import { assign, setup } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Gate } from '../../base/gate.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { type SeenVerdict, steadyVerdict } from '../../domain/health/fold-verdict.ts'
import { isConfirming } from '../../domain/health/health.ts'
import { limits } from '../../domain/limits/limits.ts'
import { home } from '../../domain/locations/choice.ts'
import { type Monitor, retrySeconds } from '../../domain/monitors/monitor.ts'
import {
  dueAfterCheck,
  firstDueAtMs,
  offsetOf,
  stalledRetryMs,
  unseenRetryMs,
} from '../../domain/schedule/schedule.ts'
import type { Commit, CommitResult } from './commit.ts'

export interface CheckDeps {
  readonly clock: Clock
  readonly gate: Gate
  readonly commit: Commit
  /** Checks the monitor's target once; never rejects. May set it aside unless it `mustCount`. */
  readonly probe: (monitor: Monitor, signal: AbortSignal, mustCount: boolean) => Promise<Reading>
  /** The host that a check of this monitor contacts: the key for the gate. */
  readonly hostOf: (monitor: Monitor) => string
  /** Whether a person waits for this check: then it is committed at once. */
  readonly isAwaited: (monitor: Monitor) => boolean
  /** A check was made that started this long after it was due. */
  readonly onStart: (monitor: Monitor, latenessMs: number) => void
  /** A reading was committed; `committed` is null if the monitor was deleted meanwhile. */
  readonly onCommitted: (monitor: Monitor, reading: Reading, committed: CommitResult | null) => void
}

/** The result of a check for the schedule, once its reading is committed. */
interface CheckResult {
  /**
   * The verdict that would change nothing about the committed health, so that its commit is not
   * urgent; null: there is none. Undefined before the first result. Not the health itself: that would
   * be a tenth of what a monitor takes in memory.
   */
  readonly steady: SeenVerdict | null | undefined
  /** When the next check is due, wall clock. */
  readonly dueAtMs: number
  /**
   * The results in a row that were set aside. It is bounded, so that an outage is found even on a
   * machine that stalls again and again.
   */
  readonly setAside: number
}

interface CheckContext extends CheckResult {
  readonly monitor: Monitor
  readonly work: Work
}

/** What an actor has begun outside of the chart. */
interface Work {
  /** While it waits: the timer of the next check. */
  alarm: unknown
  /** While it checks: ends the check. */
  controller: AbortController | undefined
}

type CheckEvent =
  /** Check now, be due at a time that is earlier than planned, or at another time. */
  | {
      readonly type: 'check.requested' | 'check.hastened' | 'check.moved'
      readonly atMs: number
    }
  | { readonly type: 'check.due' }
  | { readonly type: 'check.settled'; readonly result: CheckResult }
  | { readonly type: 'check.crashed'; readonly error: unknown }
  /** The monitor is watched no more, or by another actor. */
  | { readonly type: 'monitor.left' }

/**
 * The timer and the check are begun by actions. With `after` and `invoke` XState would keep a record
 * of each timer and make an actor for each check: half of the processor time of the chart, a sixth of
 * all that a check allocates, and a tenth of the memory of a monitor.
 */
export function createCheckMachine(deps: CheckDeps) {
  const { clock, commit, gate } = deps

  async function take(context: CheckContext, signal: AbortSignal): Promise<Reading> {
    const { monitor, dueAtMs } = context
    const host = deps.hostOf(monitor)
    const { orgId } = monitor
    // A check that a person waits for comes before all others of the organization.
    await gate.enter(host, deps.isAwaited(monitor) ? 0 : dueAtMs, orgId)
    try {
      const startedAtMs = clock.nowMs()
      const reading = await deps.probe(
        monitor,
        signal,
        context.setAside >= limits.stalledResultsMax,
      )
      deps.onStart(monitor, startedAtMs - dueAtMs + (reading.waitedMs ?? 0))
      return reading
    } finally {
      gate.leave(host, orgId)
    }
  }

  async function settle(context: CheckContext, reading: Reading): Promise<CheckResult> {
    const { monitor, steady, dueAtMs } = context
    const believed = steady === undefined || deps.isAwaited(monitor) ? {} : { steady }
    const committed = await commit.reading(monitor, reading, believed)
    deps.onCommitted(monitor, reading, committed)
    const next = committed?.pace ?? committed?.monitorState.health
    const nowMs = clock.nowMs()
    const nextDueAtMs = dueAfterCheck({
      monitorId: monitor.id,
      previousDueAtMs: dueAtMs,
      intervalMs: monitor.intervalSeconds * 1_000,
      retryMs: retrySeconds(monitor) * 1_000,
      isConfirming: next !== undefined && isConfirming(next),
      offsetMs: offsetOf(monitor, home),
      nowMs,
    })
    // After an unknown result the next check comes soon: a monitor with daily checks must not stay
    // unknown for a day.
    let soonAtMs = nextDueAtMs
    if (reading.isSetAside) {
      // The check gets a slot in a short interval, because many results are set aside at once.
      soonAtMs = firstDueAtMs(monitor.id, stalledRetryMs, nowMs, 'start')
    } else if (reading.result === 'unknown') {
      soonAtMs = nowMs + unseenRetryMs
    }
    return {
      steady: next && steadyVerdict(next),
      dueAtMs: Math.min(nextDueAtMs, soonAtMs),
      setAside: reading.isSetAside ? context.setAside + 1 : 0,
    }
  }

  async function check(context: CheckContext, signal: AbortSignal): Promise<CheckResult> {
    const reading = await take(context, signal)
    // The actor left during the check, so the result says nothing about the target.
    signal.throwIfAborted()
    // The commit continues even if the actor leaves, so that a finished reading is not lost.
    return settle(context, reading)
  }

  return setup({
    types: {
      context: {} as CheckContext,
      events: {} as CheckEvent,
      input: {} as { readonly monitor: Monitor; readonly dueAtMs: number },
    },
    actions: {
      adopt: assign((_, params: CheckResult) => params),
      setDueTime: assign(({ context }, params: { atMs: number }) => ({
        dueAtMs: Math.min(context.dueAtMs, params.atMs),
      })),
      moveDueTime: assign((_, { atMs }: { atMs: number }) => ({ dueAtMs: atMs })),
      setAlarm({ context: { work, dueAtMs }, self }) {
        const delayMs = Math.max(0, dueAtMs - clock.nowMs())
        work.alarm = clock.setTimeout(() => self.send({ type: 'check.due' }), delayMs)
      },
      clearAlarm({ context: { work } }) {
        clock.clearTimeout(work.alarm)
        work.alarm = undefined
      },
      beginCheck({ context, self }) {
        const controller = new AbortController()
        context.work.controller = controller
        check(context, controller.signal).then(
          (result) => self.send({ type: 'check.settled', result }),
          (error: unknown) => self.send({ type: 'check.crashed', error }),
        )
      },
      forgetCheck({ context: { work } }) {
        work.controller = undefined
      },
      endCheck({ context: { work } }) {
        work.controller?.abort()
      },
      crash(_, { error }: { error: unknown }) {
        throw error
      },
    },
  }).createMachine({
    id: 'monitor',
    context: ({ input }) => ({
      ...input,
      steady: undefined,
      setAside: 0,
      work: { alarm: undefined, controller: undefined },
    }),
    initial: 'waiting',
    states: {
      waiting: {
        entry: 'setAlarm',
        exit: 'clearAlarm',
        on: {
          'check.due': 'checking',
          // The check is due now and goes to the gate at once. The next scheduled one still takes
          // place.
          'check.requested': {
            target: 'checking',
            actions: { type: 'setDueTime', params: ({ event }) => ({ atMs: event.atMs }) },
          },
          'check.hastened': {
            target: 'waiting',
            reenter: true,
            actions: { type: 'setDueTime', params: ({ event }) => ({ atMs: event.atMs }) },
          },
          'check.moved': {
            target: 'waiting',
            reenter: true,
            actions: { type: 'moveDueTime', params: ({ event }) => ({ atMs: event.atMs }) },
          },
          'monitor.left': 'left',
        },
      },
      // Takes a reading and commits it in one state: a separate commit state made each check an
      // eighth slower, without a difference for the schedule. A target that is down is a reading. A
      // rejection is a bug and ends the actor; the fleet restarts it.
      checking: {
        entry: 'beginCheck',
        on: {
          'check.settled': {
            target: 'waiting',
            actions: [{ type: 'adopt', params: ({ event }) => event.result }, 'forgetCheck'],
          },
          'check.crashed': {
            actions: { type: 'crash', params: ({ event }) => ({ error: event.error }) },
          },
          'monitor.left': { target: 'left', actions: 'endCheck' },
        },
      },
      left: { type: 'final' },
    },
  })
}
