// The side effects of a monitor: the probe behind its gate, the transaction, the clock. Shared by
// all actors.
import { fromPromise } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Gate } from '../../base/gate.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { isConfirming } from '../../domain/health/health.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Monitor, retrySeconds } from '../../domain/monitors/monitor.ts'
import { dueAfterCheck } from '../../domain/monitors/schedule.ts'
import type { Commit, Committed } from './commit.ts'
import { checkMachine, type Settled } from './machine.ts'
import { type Deadline, type OverdueInput, pushMachine } from './push-machine.ts'
import type { CheckContext } from './types.ts'

export interface MonitorDeps {
  readonly clock: Clock
  readonly gate: Gate
  readonly commit: Commit
  /** Checks the monitor's target once; never rejects. */
  readonly probe: (monitor: Monitor, signal: AbortSignal) => Promise<Reading>
  /** The host that a check of this monitor contacts: the key for the gate. */
  readonly hostOf: (monitor: Monitor) => string
  /** Whether senders may currently be unable to reach us, so that no report is missed yet. */
  readonly isCutOff: () => Promise<boolean>
  /** Whether somebody waits for this check, so that its commit is urgent. */
  readonly isAwaited: (monitor: Monitor) => boolean
  /** A check started, this long after it was due. */
  readonly onStart: (monitor: Monitor, latenessMs: number) => void
  /** A reading was committed; null where the monitor was deleted meanwhile. */
  readonly onCommitted: (monitor: Monitor, reading: Reading, committed: Committed | null) => void
}

export function provideMonitor(deps: MonitorDeps): typeof checkMachine {
  const { clock, commit, gate } = deps

  async function take({ monitor, dueAtMs }: CheckContext, signal: AbortSignal): Promise<Reading> {
    const host = deps.hostOf(monitor)
    const { orgId } = monitor
    // An awaited check precedes everything merely due in the same organization.
    await gate.enter(host, deps.isAwaited(monitor) ? 0 : dueAtMs, orgId)
    try {
      deps.onStart(monitor, clock.nowMs() - dueAtMs)
      return await deps.probe(monitor, signal)
    } finally {
      gate.leave(host, orgId)
    }
  }

  async function settle(context: CheckContext, reading: Reading): Promise<Settled> {
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
    if (reading.result !== 'unknown') return { health: next, dueAtMs: nextDueAtMs }
    // A monitor that is checked once a day must not be unknown for a day because one check failed.
    return { health: next, dueAtMs: Math.min(nextDueAtMs, nowMs + limits.unseenRetryMs) }
  }

  return checkMachine.provide({
    actors: {
      check: fromPromise<Settled, CheckContext>(async ({ input, signal }) => {
        const reading = await take(input, signal)
        // The actor ended meanwhile and aborted its check, which says nothing about the target.
        signal.throwIfAborted()
        // A commit does not end with its actor, so that its reading is not lost.
        return settle(input, reading)
      }),
    },
    delays: {
      untilDue: ({ context }) => Math.max(0, context.dueAtMs - clock.nowMs()),
    },
  })
}

export function providePush(deps: MonitorDeps): typeof pushMachine {
  return pushMachine.provide({
    actors: {
      commitOverdue: fromPromise<Deadline, OverdueInput>(async ({ input }) => {
        const { monitor, ...expected } = input
        // Not stored: the fleet corrects it once we can be reached again.
        if (await deps.isCutOff()) {
          return { ...expected, deadlineAtMs: deps.clock.nowMs() + limits.pushHeldMs }
        }
        const committed = await deps.commit.missed(monitor, expected)
        const { lastReportAtMs = null, deadlineAtMs = null } = committed?.monitorState ?? {}
        return { lastReportAtMs, deadlineAtMs }
      }),
    },
    delays: {
      untilDeadline: ({ context }) => Math.max(0, (context.deadlineAtMs ?? 0) - deps.clock.nowMs()),
    },
  })
}
