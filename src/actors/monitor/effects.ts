// How a monitor acts: the probe behind its gate, the transaction, the clock. Provided once for all.
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
  /** Looks at the monitor's target once; never rejects. */
  readonly probe: (monitor: Monitor, signal: AbortSignal) => Promise<Reading>
  /** The host that a check of this monitor burdens: the gate's key. */
  readonly hostOf: (monitor: Monitor) => string
  /** Whether nobody may be able to reach us at present, so that no report is missed yet. */
  readonly isCutOff: () => Promise<boolean>
  /** Whether somebody waits for this check: then its commit is urgent. */
  readonly isAwaited: (monitor: Monitor) => boolean
  /** A check began, so many milliseconds after it was due. */
  readonly onStart: (monitor: Monitor, latenessMs: number) => void
  /** A reading was committed; null where the monitor was deleted meanwhile. */
  readonly onCommitted: (monitor: Monitor, reading: Reading, committed: Committed | null) => void
}

export function provideMonitor(deps: MonitorDeps): typeof checkMachine {
  const { clock, commit, gate } = deps

  async function take({ monitor, dueAtMs }: CheckContext, signal: AbortSignal): Promise<Reading> {
    const host = deps.hostOf(monitor)
    const { orgId } = monitor
    // Whoever waits for it stands before all that is merely due in the same organization.
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
    // Who looks once a day must not be left in the dark for a day because one look failed.
    return { health: next, dueAtMs: Math.min(nextDueAtMs, nowMs + limits.unseenRetryMs) }
  }

  return checkMachine.provide({
    actors: {
      check: fromPromise<Settled, CheckContext>(async ({ input, signal }) => {
        const reading = await take(input, signal)
        // The actor ended meanwhile, and cut its check short: that says nothing of the target.
        signal.throwIfAborted()
        // A commit does not end with its actor: what was seen is not thrown away.
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
        // Not stored: once we can be reached again, the fleet makes of it what is right.
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
