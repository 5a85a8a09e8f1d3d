// When a monitor is checked. effects.ts has the side effects; domain/ interprets readings.
import { assign, fromPromise, setup } from 'xstate'
import type { Health } from '../../domain/health/health.ts'
import type { CheckContext, CheckEvent, CheckInput } from './types.ts'

/** The input for the schedule after a reading is committed. */
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
        // Due now: it queues at the gate at once, and the next scheduled run still comes.
        'check.requested': {
          target: 'checking',
          actions: { type: 'askedAt', params: ({ event }) => ({ atMs: event.atMs }) },
        },
      },
    },
    // Takes a reading and commits it in one state: a separate commit state made a check an eighth
    // more expensive, without a difference for the schedule. A target that is down is a Reading,
    // not a rejection; a rejection is a bug, which ends the actor, and the fleet restarts it.
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
