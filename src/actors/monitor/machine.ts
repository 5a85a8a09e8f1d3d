// When a monitor is checked. How is in effects.ts; what a reading means is in domain/.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { Health } from '../../domain/health.ts'
import type { Monitor } from '../../domain/monitor.ts'
import type { Reading } from '../../domain/reading.ts'
import type { CheckContext, CheckEvent, CheckInput } from './types.ts'

export interface TakeInput {
  readonly monitor: Monitor
  readonly dueAtMs: number
}

export interface CommitInput extends TakeInput {
  readonly reading: Reading
  readonly health: Health | undefined
}

/** What a commit leaves for the schedule. */
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
    takeReading: fromPromise<Reading, TakeInput>(missing('takeReading')),
    commitReading: fromPromise<Settled, CommitInput>(missing('commitReading')),
  },
  actions: {
    hold: assign((_, params: { reading: Reading }) => ({ reading: params.reading })),
    adopt: assign((_, params: { settled: Settled }) => ({
      health: params.settled.health,
      dueAtMs: params.settled.dueAtMs,
      reading: undefined,
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
  context: ({ input }) => ({ ...input, health: undefined, reading: undefined }),
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
    // A target that is down is a Reading, not a rejection: that, here and below, is a bug of ours,
    // which ends the actor. The fleet starts it anew.
    checking: {
      tags: 'busy',
      invoke: {
        src: 'takeReading',
        input: ({ context }) => ({ monitor: context.monitor, dueAtMs: context.dueAtMs }),
        onDone: {
          target: 'committing',
          actions: { type: 'hold', params: ({ event }) => ({ reading: event.output }) },
        },
      },
    },
    committing: {
      tags: 'busy',
      invoke: {
        src: 'commitReading',
        input: ({ context }) => ({
          monitor: context.monitor,
          dueAtMs: context.dueAtMs,
          reading: required(context.reading, 'the reading to commit'),
          health: context.health,
        }),
        onDone: {
          target: 'waiting',
          actions: { type: 'adopt', params: ({ event }) => ({ settled: event.output }) },
        },
      },
    },
  },
})
