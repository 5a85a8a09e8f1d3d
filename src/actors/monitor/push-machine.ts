// The actor of a push monitor: notices a missing report. The requests that bring reports commit
// them.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Commit } from './commit.ts'

export interface PushMachineDeps {
  readonly clock: Clock
  readonly commit: Pick<Commit, 'missed'>
  /** Whether our own network is cut off, so that no report counts as missed yet. */
  readonly isCutOff: () => Promise<boolean>
}

interface PushDeadline {
  readonly lastReportAtMs: number | null
  /** When the next report becomes overdue; null while none is expected. */
  readonly deadlineAtMs: number | null
}

interface PushContext extends PushDeadline {
  readonly monitor: Monitor
}

interface OverdueInput extends PushContext {
  readonly deadlineAtMs: number
}

export function createPushMachine({ clock, commit, isCutOff }: PushMachineDeps) {
  return setup({
    types: {
      context: {} as PushContext,
      /** The deadline moved: a report came, or this process was suspended. */
      events: {} as { readonly type: 'deadline.changed' } & PushDeadline,
      input: {} as PushContext,
      tags: {} as 'idle' | 'busy',
    },
    actors: {
      // Resolves with the next deadline if a report came after all, and with none if it was missed.
      commitOverdue: fromPromise<PushDeadline, OverdueInput>(async ({ input }) => {
        const { monitor, ...expected } = input
        // Not stored: when we can be reached again, the fleet moves the deadline.
        if (await isCutOff()) {
          return { ...expected, deadlineAtMs: clock.nowMs() + limits.pushHeldMs }
        }
        const committed = await commit.missed(monitor, expected)
        const { lastReportAtMs = null, deadlineAtMs = null } = committed?.monitorState ?? {}
        return { lastReportAtMs, deadlineAtMs }
      }),
    },
    actions: {
      adopt: assign((_, { lastReportAtMs, deadlineAtMs }: PushDeadline) => ({
        lastReportAtMs,
        deadlineAtMs,
      })),
    },
    guards: {
      expectsReport: ({ context }) => context.deadlineAtMs !== null,
    },
    delays: {
      untilDeadline: ({ context }) => Math.max(0, (context.deadlineAtMs ?? 0) - clock.nowMs()),
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
    },
    states: {
      choosing: { always: [{ guard: 'expectsReport', target: 'expecting' }, { target: 'quiet' }] },
      /** No deadline: no report has come yet, or the missing one was already announced. */
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
            deadlineAtMs: required(context.deadlineAtMs, 'the deadline that passed'),
          }),
          onDone: {
            target: 'choosing',
            actions: { type: 'adopt', params: ({ event }) => event.output },
          },
        },
      },
    },
  })
}
