// When a lane's messages are sent: one at a time until nothing is owed.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import type { Choice, Errand, LaneContext, LaneEvent, LaneInput, LaneWork, Sent } from './types.ts'

export const laneMachine = setup({
  types: {
    context: {} as LaneContext,
    events: {} as LaneEvent,
    input: {} as LaneInput,
    tags: {} as 'idle' | 'busy',
  },
  actors: {
    chooseNext: fromPromise<Choice, LaneWork>(({ input, signal }) => input.choose(signal)),
    send: fromPromise<Outcome, { readonly work: LaneWork; readonly errand: Errand }>(
      ({ input, signal }) => input.work.send(input.errand, signal),
    ),
    // A record does not end with its actor: what was sent must be known.
    recordOutcome: fromPromise<void, Sent>(({ input }) => input.errand.record(input.outcome)),
  },
  actions: {
    takeUp: assign((_, params: { errand: Errand }) => ({ errand: params.errand })),
    waitFor: assign((_, params: { dueAtMs: number }) => ({ dueAtMs: params.dueAtMs })),
    hold: assign((_, params: { outcome: Outcome }) => ({ outcome: params.outcome })),
    letGo: assign({ errand: undefined, outcome: undefined }),
    tellFailure: ({ context }, params: { error: unknown }) => context.work.onError(params.error),
  },
  guards: {
    hasOneToSend: (_, params: { choice: Choice }) => params.choice.kind === 'send',
    mustWait: (_, params: { choice: Choice }) => params.choice.kind === 'wait',
  },
  delays: {
    untilDue: (): number => {
      throw new Error('untilDue was not provided')
    },
    untilRetry: 5_000,
  },
}).createMachine({
  id: 'lane',
  context: ({ input }) => ({ ...input, dueAtMs: 0, errand: undefined, outcome: undefined }),
  initial: 'choosing',
  states: {
    choosing: {
      tags: 'busy',
      // What was woken for may have been written after this look: it is taken again.
      on: { 'lane.woken': { target: 'choosing', reenter: true } },
      invoke: {
        src: 'chooseNext',
        input: ({ context }) => context.work,
        onDone: [
          {
            guard: { type: 'hasOneToSend', params: ({ event }) => ({ choice: event.output }) },
            target: 'sending',
            actions: {
              type: 'takeUp',
              params: ({ event }) => ({ errand: errandOf(event.output) }),
            },
          },
          {
            guard: { type: 'mustWait', params: ({ event }) => ({ choice: event.output }) },
            target: 'waiting',
            actions: {
              type: 'waitFor',
              params: ({ event }) => ({ dueAtMs: dueAtMsOf(event.output) }),
            },
          },
          { target: 'done' },
        ],
        onError: {
          target: 'recovering',
          actions: { type: 'tellFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    waiting: {
      tags: 'idle',
      after: { untilDue: 'choosing' },
      on: { 'lane.woken': 'choosing' },
    },
    sending: {
      tags: 'busy',
      invoke: {
        src: 'send',
        input: ({ context }) => ({
          work: context.work,
          errand: required(context.errand, 'the message to send'),
        }),
        onDone: {
          target: 'recording',
          actions: { type: 'hold', params: ({ event }) => ({ outcome: event.output }) },
        },
        // A receiver that fails is an outcome, not a rejection. To be here is a bug of ours.
        onError: {
          target: 'recovering',
          actions: { type: 'tellFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    recording: {
      tags: 'busy',
      invoke: {
        src: 'recordOutcome',
        input: ({ context }) => ({
          errand: required(context.errand, 'the message that was sent'),
          outcome: required(context.outcome, 'what came of it'),
        }),
        onDone: { target: 'choosing', actions: 'letGo' },
        onError: {
          target: 'recovering',
          actions: { type: 'tellFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    recovering: { tags: 'idle', after: { untilRetry: 'choosing' } },
    done: { type: 'final' },
  },
})

function errandOf(choice: Choice): Errand {
  return required(choice.kind === 'send' ? choice.errand : undefined, 'the message chosen')
}

function dueAtMsOf(choice: Choice): number {
  return choice.kind === 'wait' ? choice.untilMs : 0
}
