// When a monitor is checked. How is in effects.ts; what a reading means is in domain/.
import { assign, fromPromise, setup } from 'xstate'
import type { Health } from '../../domain/health/health.ts'
import type { CheckContext, CheckEvent, CheckInput } from './types.ts'

/** What a check leaves for the schedule, once its reading is committed. */
export interface Settled {
  readonly health: Health | undefined
  readonly dueAtMs: number
}

const missing = (name: string) => () => Promise.reject(new Error(`${name} was not provided`))

export const checkMachine = setup({
  types: {
    context: {} as CheckContext,
    events: {} as CheckEvent,
    input: {} as CheckInput,
    tags: {} as 'idle' | 'busy',
  },
  actors: {
    check: fromPromise<Settled, CheckContext>(missing('check')),
  },
  actions: {
    adopt: assign((_, params: { settled: Settled }) => ({
      health: params.settled.health,
      dueAtMs: params.settled.dueAtMs,
    })),
    askedAt: assign(({ context }, params: { atMs: number }) => ({
      dueAtMs: Math.min(context.dueAtMs, params.atMs),
    })),
  },
  delays: {
    untilDue: (): number => {
      throw new Error('untilDue was not provided')
    },
  },
}).createMachine({
  id: 'monitor',
  context: ({ input }) => ({ ...input, health: undefined }),
  initial: 'waiting',
  states: {
    waiting: {
      tags: 'idle',
      after: { untilDue: 'checking' },
      on: {
        // Due now: its turn at the gate is now, and the run that was due next still comes.
        'check.requested': {
          target: 'checking',
          actions: { type: 'askedAt', params: ({ event }) => ({ atMs: event.atMs }) },
        },
      },
    },
    // Takes a reading and commits it: in a state of its own the commit made a check an eighth
    // dearer, and the schedule knows no difference. A target that is down is a Reading, not a
    // rejection: that is a bug of ours, which ends the actor. The fleet starts it anew.
    checking: {
      tags: 'busy',
      invoke: {
        src: 'check',
        input: ({ context }) => context,
        onDone: {
          target: 'waiting',
          actions: { type: 'adopt', params: ({ event }) => ({ settled: event.output }) },
        },
      },
    },
  },
})
