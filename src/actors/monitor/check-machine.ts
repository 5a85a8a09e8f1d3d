// The actor of a monitor that this daemon checks: waits until a check is due, passes the gate,
// takes a reading and commits it.
import { assign, fromPromise, setup } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Gate } from '../../base/gate.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { type Health, isConfirming } from '../../domain/health/health.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Monitor, retrySeconds } from '../../domain/monitors/monitor.ts'
import { dueAfterCheck, firstDueAtMs } from '../../domain/schedule/schedule.ts'
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
  /** A check started, this long after it was due. */
  readonly onStart: (monitor: Monitor, latenessMs: number) => void
  /** A reading was committed; `committed` is null if the monitor was deleted meanwhile. */
  readonly onCommitted: (monitor: Monitor, reading: Reading, committed: CommitResult | null) => void
}

/** The result of a check for the schedule, once its reading is committed. */
interface CheckResult {
  /** The committed health. It determines the pace of checks and how urgent the next commit is. */
  readonly health: Health | undefined
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
}

export function createCheckMachine(deps: CheckDeps) {
  const { clock, commit, gate } = deps

  async function take(context: CheckContext, signal: AbortSignal): Promise<Reading> {
    const { monitor, dueAtMs } = context
    const host = deps.hostOf(monitor)
    const { orgId } = monitor
    // A check that a person waits for comes before all others of the organization.
    await gate.enter(host, deps.isAwaited(monitor) ? 0 : dueAtMs, orgId)
    try {
      deps.onStart(monitor, clock.nowMs() - dueAtMs)
      return await deps.probe(monitor, signal, context.setAside >= limits.stalledResultsMax)
    } finally {
      gate.leave(host, orgId)
    }
  }

  async function settle(context: CheckContext, reading: Reading): Promise<CheckResult> {
    const { monitor, health, dueAtMs } = context
    const believed = health && !deps.isAwaited(monitor) ? { health } : {}
    const committed = await commit.reading(monitor, reading, believed)
    deps.onCommitted(monitor, reading, committed)
    const next = committed?.monitorState.health
    const nowMs = clock.nowMs()
    const nextDueAtMs = dueAfterCheck({
      monitorId: monitor.id,
      previousDueAtMs: dueAtMs,
      intervalMs: monitor.intervalSeconds * 1_000,
      retryMs: retrySeconds(monitor) * 1_000,
      isConfirming: next !== undefined && isConfirming(next),
      nowMs,
    })
    // After an unknown result the next check comes soon: a monitor with daily checks must not stay
    // unknown for a day.
    let soonAtMs = nextDueAtMs
    if (reading.isSetAside) {
      // At its slot of a short interval, because many results are set aside at once.
      soonAtMs = firstDueAtMs(monitor.id, limits.stalledRetryMs, nowMs, 'start')
    } else if (reading.result === 'unknown') {
      soonAtMs = nowMs + limits.unseenRetryMs
    }
    return {
      health: next,
      dueAtMs: Math.min(nextDueAtMs, soonAtMs),
      setAside: reading.isSetAside ? context.setAside + 1 : 0,
    }
  }

  return setup({
    types: {
      context: {} as CheckContext,
      events: {} as {
        /** Check now, be due at a time that is earlier than planned, or at another time. */
        readonly type: 'check.requested' | 'check.hastened' | 'check.moved'
        readonly atMs: number
      },
      input: {} as { readonly monitor: Monitor; readonly dueAtMs: number },
      tags: {} as 'idle' | 'busy',
    },
    actors: {
      check: fromPromise<CheckResult, CheckContext>(async ({ input, signal }) => {
        const reading = await take(input, signal)
        // The actor was stopped during the check, so the result says nothing about the target.
        signal.throwIfAborted()
        // The commit continues even if the actor is stopped, so that a finished reading is not
        // lost.
        return settle(input, reading)
      }),
    },
    actions: {
      adopt: assign((_, params: CheckResult) => params),
      setDueTime: assign(({ context }, params: { atMs: number }) => ({
        dueAtMs: Math.min(context.dueAtMs, params.atMs),
      })),
      moveDueTime: assign((_, { atMs }: { atMs: number }) => ({ dueAtMs: atMs })),
    },
    delays: {
      untilDue: ({ context }) => Math.max(0, context.dueAtMs - clock.nowMs()),
    },
  }).createMachine({
    id: 'monitor',
    context: ({ input }) => ({ ...input, health: undefined, setAside: 0 }),
    initial: 'waiting',
    states: {
      waiting: {
        tags: 'idle',
        after: { untilDue: 'checking' },
        on: {
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
        },
      },
      // Takes a reading and commits it in one state: a separate commit state made each check an
      // eighth slower, without a difference for the schedule. A target that is down is a reading. A
      // rejection is a bug and ends the actor; the fleet restarts it.
      checking: {
        tags: 'busy',
        invoke: {
          src: 'check',
          input: ({ context }) => context,
          onDone: {
            target: 'waiting',
            actions: { type: 'adopt', params: ({ event }) => event.output },
          },
        },
      },
    },
  })
}
