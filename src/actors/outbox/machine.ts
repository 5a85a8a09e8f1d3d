// When a channel's messages are sent: one at a time, in order, until nothing is owed.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { DeliveryId } from '../../base/ids.ts'
import type { Outcome } from '../../domain/delivery.ts'
import type { Lane } from '../../store/tables/deliveries.ts'
import type { Choice, OutboxContext, OutboxEvent, OutboxInput, Sending, Sent } from './types.ts'

const missing = (name: string) => () => Promise.reject(new Error(`${name} was not provided`))

export const outboxMachine = setup({
  types: {
    context: {} as OutboxContext,
    events: {} as OutboxEvent,
    input: {} as OutboxInput,
    tags: {} as 'idle' | 'busy',
  },
  actors: {
    chooseNext: fromPromise<Choice, Lane>(missing('chooseNext')),
    send: fromPromise<Outcome, Sending>(missing('send')),
    recordOutcome: fromPromise<void, Sent>(missing('recordOutcome')),
  },
  actions: {
    takeUp: assign((_, params: { deliveryId: DeliveryId }) => ({ deliveryId: params.deliveryId })),
    waitFor: assign((_, params: { dueAtMs: number }) => ({ dueAtMs: params.dueAtMs })),
    hold: assign((_, params: { outcome: Outcome }) => ({ outcome: params.outcome })),
    letGo: assign({ deliveryId: undefined, outcome: undefined }),
    logFailure: (_, _params: { error: unknown }) => {},
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
  id: 'outbox',
  context: ({ input }) => ({ ...input, dueAtMs: 0, deliveryId: undefined, outcome: undefined }),
  initial: 'choosing',
  states: {
    choosing: {
      tags: 'busy',
      // What was woken for may have been written after this look: it is taken again.
      on: { 'channel.woken': { target: 'choosing', reenter: true } },
      invoke: {
        src: 'chooseNext',
        input: ({ context }) => context.lane,
        onDone: [
          {
            guard: { type: 'hasOneToSend', params: ({ event }) => ({ choice: event.output }) },
            target: 'sending',
            actions: {
              type: 'takeUp',
              params: ({ event }) => ({ deliveryId: chosenIdOf(event.output) }),
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
          actions: { type: 'logFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    waiting: {
      tags: 'idle',
      after: { untilDue: 'choosing' },
      on: { 'channel.woken': 'choosing' },
    },
    sending: {
      tags: 'busy',
      invoke: {
        src: 'send',
        input: ({ context }) => ({
          lane: context.lane,
          deliveryId: required(context.deliveryId, 'the delivery to send'),
        }),
        onDone: {
          target: 'recording',
          actions: { type: 'hold', params: ({ event }) => ({ outcome: event.output }) },
        },
        // A receiver that fails is an outcome, not a rejection. To be here is a bug of ours.
        onError: {
          target: 'recovering',
          actions: { type: 'logFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    recording: {
      tags: 'busy',
      invoke: {
        src: 'recordOutcome',
        input: ({ context }) => ({
          lane: context.lane,
          deliveryId: required(context.deliveryId, 'the delivery that was sent'),
          outcome: required(context.outcome, 'what came of it'),
        }),
        onDone: { target: 'choosing', actions: 'letGo' },
        onError: {
          target: 'recovering',
          actions: { type: 'logFailure', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    recovering: { tags: 'idle', after: { untilRetry: 'choosing' } },
    done: { type: 'final' },
  },
})

function chosenIdOf(choice: Choice): DeliveryId {
  return required(choice.kind === 'send' ? choice.deliveryId : undefined, 'the delivery chosen')
}

function dueAtMsOf(choice: Choice): number {
  return choice.kind === 'wait' ? choice.untilMs : 0
}
