// The actor of a push monitor: notices a missing report, a run that does not end, and an outage that
// ends by itself. The requests that bring reports commit them.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { wakesAtMs } from '../../domain/schedule/push-deadline.ts'
import type { Commit } from './commit.ts'
import type { Awaited } from './reports.ts'

export interface PushMachineDeps {
  readonly clock: Clock
  readonly commit: Pick<Commit, 'overdue'>
  /** Whether our own network is cut off, so that no report counts as missed yet. */
  readonly isCutOff: () => Promise<boolean>
}

interface PushDeadline {
  readonly lastReportAtMs: number | null
  /** When the next thing is due; null while nothing is expected. */
  readonly wakesAtMs: number | null
}

interface PushContext extends PushDeadline {
  readonly monitor: Monitor
}

/** The part of a state that the actor of the monitor knows. */
export function awaitedOf(monitorState: MonitorState): PushDeadline {
  return { lastReportAtMs: monitorState.lastReportAtMs, wakesAtMs: wakesAtMs(monitorState) }
}

export const nothingAwaited: PushDeadline = { lastReportAtMs: null, wakesAtMs: null }

/** The extra wait for a push report that is due while we cannot be reached. */
const pushHeldMs = 60_000

export function createPushMachine({ clock, commit, isCutOff }: PushMachineDeps) {
  return setup({
    types: {
      context: {} as PushContext,
      events: {} as
        /** The expected report changed: a report came, or this process was suspended. */
          | ({ readonly type: 'deadline.changed' } & PushDeadline)
          /** The monitor is watched no more, or by another actor. */
          | { readonly type: 'monitor.left' },
      input: {} as PushContext,
      tags: {} as 'idle' | 'busy',
    },
    actors: {
      // Resolves with the next deadline, or with none.
      commitOverdue: fromPromise<PushDeadline, PushContext & Awaited>(async ({ input }) => {
        const { monitor, ...awaited } = input
        // Not stored: when we can be reached again, the fleet moves the deadline.
        if (await isCutOff()) return { ...awaited, wakesAtMs: clock.nowMs() + pushHeldMs }
        const committed = await commit.overdue(monitor, awaited)
        return committed ? awaitedOf(committed.monitorState) : nothingAwaited
      }),
    },
    actions: {
      adopt: assign((_, { lastReportAtMs, wakesAtMs }: PushDeadline) => ({
        lastReportAtMs,
        wakesAtMs,
      })),
    },
    guards: {
      expectsReport: ({ context }) => context.wakesAtMs !== null,
    },
    delays: {
      untilDeadline: ({ context }) => Math.max(0, (context.wakesAtMs ?? 0) - clock.nowMs()),
    },
  }).createMachine({
    id: 'push',
    context: ({ input }) => input,
    initial: 'choosing',
    options: { maxIterations: 10 },
    on: {
      'deadline.changed': {
        target: '.choosing',
        actions: { type: 'adopt', params: ({ event }) => event },
      },
      'monitor.left': '.left',
    },
    states: {
      choosing: { always: [{ guard: 'expectsReport', target: 'expecting' }, { target: 'quiet' }] },
      /** Nothing is due: no report has come yet, or the missing one was already announced. */
      quiet: { tags: 'idle' },
      expecting: {
        tags: 'idle',
        after: { untilDeadline: 'overdue' },
      },
      overdue: {
        tags: 'busy',
        invoke: {
          src: 'commitOverdue',
          input: ({ context }) => ({
            monitor: context.monitor,
            lastReportAtMs: context.lastReportAtMs,
            wakesAtMs: required(context.wakesAtMs, 'the time that has come'),
          }),
          onDone: {
            target: 'choosing',
            actions: { type: 'adopt', params: ({ event }) => event.output },
          },
        },
      },
      left: { type: 'final' },
    },
  })
}
