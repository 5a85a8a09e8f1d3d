// Notices missing push reports. Their own requests commit the reports.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { PushContext, PushEvent, PushInput } from './types.ts'

export interface OverdueInput {
  readonly monitor: Monitor
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number
}

/** The deadline after a look: a later one if a report came, null if it is missed. */
export interface Deadline {
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number | null
}

export const pushMachine = setup({
  types: {
    context: {} as PushContext,
    events: {} as PushEvent,
    input: {} as PushInput,
    tags: {} as 'idle' | 'busy',
  },
  actors: {
    commitOverdue: fromPromise<Deadline, OverdueInput>(() =>
      Promise.reject(new Error('commitOverdue was not provided')),
    ),
  },
  actions: {
    adopt: assign((_, params: Deadline) => params),
  },
  guards: {
    expectsReport: ({ context }) => context.deadlineAtMs !== null,
  },
  delays: {
    untilDeadline: (): number => {
      throw new Error('untilDeadline was not provided')
    },
  },
}).createMachine({
  id: 'push',
  context: ({ input }) => input,
  initial: 'choosing',
  options: { maxIterations: 10 },
  on: {
    'deadline.changed': {
      target: '.choosing',
      actions: { type: 'adopt', params: ({ event }) => deadlineOf(event) },
    },
  },
  states: {
    choosing: { always: [{ guard: 'expectsReport', target: 'expecting' }, { target: 'quiet' }] },
    /** Nothing is expected: no report has ever come, or a missing one was already announced. */
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

function deadlineOf(event: Deadline): Deadline {
  return { lastReportAtMs: event.lastReportAtMs, deadlineAtMs: event.deadlineAtMs }
}
