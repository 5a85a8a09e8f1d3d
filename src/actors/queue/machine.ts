// The queue of one recipient: runs its jobs one at a time, until none is pending.
import { assign, fromPromise, setup } from 'xstate'
import { required } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import type { Slots } from './slots.ts'

/** What a job may use while it sends. */
export interface JobContext {
  /** Aborted when the queue abandons the attempt: the message stays pending. */
  readonly signal: AbortSignal
  /** Waits for a slot, then runs; stopping the queue waits for running work. */
  within<T>(slots: Slots, run: () => Promise<T>): Promise<T>
}

/** Writes the outcome of an attempt; durable when it resolves. */
export type RecordOutcome = () => Promise<void>

/** One message to be sent now. */
export interface Job {
  /**
   * Makes one attempt, and returns how to record its outcome. A failing receiver is an outcome too.
   * Rejects only if the queue was stopped before the message was sent, or because of a bug.
   */
  send(sending: JobContext): Promise<RecordOutcome>
}

/** What a recipient's queue does next. */
export type Choice =
  | { readonly kind: 'send'; readonly job: Job }
  /** Nothing is due before this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing is pending any more. */
  | { readonly kind: 'done' }

/** Sends one message, then records its outcome. */
export function attempt<Outcome>(
  send: (sending: JobContext) => Promise<Outcome>,
  record: (outcome: Outcome) => Promise<void>,
): Choice {
  async function sendOnce(sending: JobContext): Promise<RecordOutcome> {
    const outcome = await send(sending)
    return () => record(outcome)
  }
  return { kind: 'send', job: { send: sendOnce } }
}

/** The work of one recipient's queue. */
export interface RecipientWork {
  choose(signal: AbortSignal): Promise<Choice>
  send(job: Job, signal: AbortSignal): Promise<RecordOutcome>
  onError(error: unknown): void
}

interface RecipientContext {
  readonly work: RecipientWork
  readonly choice: Choice
  readonly recordOutcome: RecordOutcome | undefined
}

export function createRecipientMachine(clock: Clock) {
  return setup({
    types: {
      context: {} as RecipientContext,
      /** There is a new pending message, or the recipient changed: choose again. */
      events: {} as { readonly type: 'queue.woken' },
      input: {} as { readonly work: RecipientWork },
      tags: {} as 'idle' | 'busy',
    },
    actors: {
      chooseNext: fromPromise<Choice, RecipientWork>(({ input, signal }) => input.choose(signal)),
      send: fromPromise<RecordOutcome, { readonly work: RecipientWork; readonly job: Job }>(
        ({ input, signal }) => input.work.send(input.job, signal),
      ),
      // Runs to its end even if the actor is stopped, because a sent message must be recorded.
      record: fromPromise<void, RecordOutcome>(({ input: recordOutcome }) => recordOutcome()),
    },
    actions: {
      setChoice: assign((_, choice: Choice) => ({ choice })),
      setOutcome: assign((_, recordOutcome: RecordOutcome) => ({ recordOutcome })),
      clear: assign({ choice: done, recordOutcome: undefined }),
      reportError: ({ context }, params: { error: unknown }) => context.work.onError(params.error),
    },
    guards: {
      hasJob: (_, { kind }: Choice) => kind === 'send',
      mustWait: (_, { kind }: Choice) => kind === 'wait',
    },
    delays: {
      untilDue: ({ context: { choice } }) =>
        choice.kind === 'wait' ? Math.max(0, choice.untilMs - clock.nowMs()) : 0,
      untilRetry: 5_000,
    },
  }).createMachine({
    id: 'recipient',
    context: ({ input }) => ({ ...input, choice: done, recordOutcome: undefined }),
    initial: 'choosing',
    states: {
      choosing: {
        tags: 'busy',
        // The new message may have been stored after this choice read the store, so choose again.
        on: { 'queue.woken': { target: 'choosing', reenter: true } },
        invoke: {
          src: 'chooseNext',
          input: ({ context }) => context.work,
          onDone: [
            {
              guard: { type: 'hasJob', params: ({ event }) => event.output },
              target: 'sending',
              actions: { type: 'setChoice', params: ({ event }) => event.output },
            },
            {
              guard: { type: 'mustWait', params: ({ event }) => event.output },
              target: 'waiting',
              actions: { type: 'setChoice', params: ({ event }) => event.output },
            },
            { target: 'done' },
          ],
          onError: {
            target: 'recovering',
            actions: { type: 'reportError', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      waiting: {
        tags: 'idle',
        after: { untilDue: 'choosing' },
        on: { 'queue.woken': 'choosing' },
      },
      sending: {
        tags: 'busy',
        invoke: {
          src: 'send',
          input: ({ context }) => ({
            work: context.work,
            job: jobOf(context.choice),
          }),
          onDone: {
            target: 'recording',
            actions: { type: 'setOutcome', params: ({ event }) => event.output },
          },
          onError: {
            target: 'recovering',
            actions: { type: 'reportError', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      recording: {
        tags: 'busy',
        invoke: {
          src: 'record',
          input: ({ context }) => required(context.recordOutcome, 'the outcome of the attempt'),
          onDone: { target: 'choosing', actions: 'clear' },
          onError: {
            target: 'recovering',
            actions: { type: 'reportError', params: ({ event }) => ({ error: event.error }) },
          },
        },
      },
      recovering: { tags: 'idle', after: { untilRetry: 'choosing' } },
      done: { type: 'final' },
    },
  })
}

const done: Choice = { kind: 'done' }

function jobOf(choice: Choice): Job {
  return required(choice.kind === 'send' ? choice.job : undefined, 'the job that was chosen')
}
