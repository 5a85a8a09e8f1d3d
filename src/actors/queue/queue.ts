// A durable queue: one actor for each recipient that something is owed to. Start, wake, stop.
import { type ActorRefFrom, createActor } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Choice, type Job, type RecordOutcome, recipientMachine } from './machine.ts'

/** What is owed to whom, and how it is sent: alerts to channels, letters to people. */
export interface QueueSpec<Recipient> {
  /** Names the queue in the log. */
  readonly name: string
  /** The same text for the same recipient, and for no other. */
  keyOf(recipient: Recipient): string
  /** Every recipient that something is owed to. */
  recipients(): readonly Recipient[]
  /** Writes nothing any more once the signal is aborted. */
  choose(recipient: Recipient, signal: AbortSignal): Promise<Choice>
  /** How long a stop waits for what is being sent. */
  readonly drainMs: number
}

export interface Queue<Recipient> {
  /** Takes up everything that is owed since before the last stop. */
  start(): void
  /** Something became owed to the recipient and is on disk. */
  wake(recipient: Recipient): void
  /** Stops these; a message that is being sent is cut off. What is owed to them stays owed. */
  halt(matches: (recipient: Recipient) => boolean): void
  /** Sends nothing new; resolves when what is being sent is recorded, or was given up. */
  stop(): Promise<void>
}

export interface QueueDeps {
  readonly clock: Clock
  readonly log: Log
}

interface RecipientQueue<Recipient> {
  readonly recipient: Recipient
  readonly key: string
  readonly actor: Actor
  readonly crashes: number
}

type Actor = ActorRefFrom<typeof recipientMachine>

/** Each recipient has a queue of its own: one that fails or hangs delays no other. */
export function runQueue<Recipient>(
  spec: QueueSpec<Recipient>,
  { clock, log }: QueueDeps,
): Queue<Recipient> {
  const queues = new Map<string, RecipientQueue<Recipient>>()
  /** The keys of those whose message is being sent. */
  const sending = new Set<string>()
  let isStopping = false
  let emptied = () => {}

  const machine = recipientMachine.provide({
    delays: { untilDue: ({ context }) => Math.max(0, context.dueAtMs - clock.nowMs()) },
  })

  function send(key: string, job: Job, signal: AbortSignal): Promise<RecordOutcome> {
    return job.send({
      signal,
      async within(slots, run) {
        await slots.take(signal)
        sending.add(key)
        try {
          signal.throwIfAborted()
          return await run()
        } finally {
          sending.delete(key)
          slots.free()
        }
      },
    })
  }

  function launch(recipient: Recipient, crashes: number): void {
    const key = spec.keyOf(recipient)
    const work = {
      choose: async (signal: AbortSignal): Promise<Choice> =>
        isStopping ? { kind: 'done' } : spec.choose(recipient, signal),
      send: (job: Job, signal: AbortSignal) => send(key, job, signal),
      onError: (error: unknown) =>
        log.error(`${spec.name} step failed`, { ...fieldsOf(recipient), error }),
    }
    const actor = createActor(machine, { clock, input: { work } })
    queues.set(key, { recipient, key, actor, crashes })
    actor.subscribe({
      error: (error) => onCrash(recipient, actor, error),
      complete: () => remove(key, actor),
    })
    actor.start()
  }

  function remove(key: string, actor: Actor): void {
    if (queues.get(key)?.actor !== actor) return
    queues.delete(key)
    if (queues.size === 0) emptied()
  }

  /** A bug of ours in one actor must not stop the others: it starts again, ever later. */
  function onCrash(recipient: Recipient, actor: Actor, error: unknown): void {
    const key = spec.keyOf(recipient)
    const current = queues.get(key)
    if (current?.actor !== actor) return
    const crashes = Math.min(current.crashes + 1, limits.actorCrashesMax)
    log.error(`${spec.name} actor crashed`, { ...fieldsOf(recipient), crashes, error })
    if (isStopping) {
      remove(key, actor)
      return
    }
    clock.setTimeout(
      () => {
        if (queues.get(key) === current && !isStopping) launch(recipient, crashes)
      },
      limits.actorRestartMs * 2 ** (crashes - 1),
    )
  }

  /** Whether it is sending, or has an outcome that is not on disk yet. */
  function mustFinish({ key, actor }: RecipientQueue<Recipient>): boolean {
    return sending.has(key) || actor.getSnapshot().matches('recording')
  }

  function halt(matches: (queue: RecipientQueue<Recipient>) => boolean): void {
    for (const queue of [...queues.values()]) {
      if (!matches(queue)) continue
      queue.actor.stop()
      remove(queue.key, queue.actor)
    }
  }

  function wake(recipient: Recipient): void {
    if (isStopping) return
    const queue = queues.get(spec.keyOf(recipient))
    if (queue) queue.actor.send({ type: 'queue.woken' })
    else launch(recipient, 0)
  }

  return {
    start() {
      for (const recipient of spec.recipients()) wake(recipient)
    },
    wake,
    halt: (matches) => halt(({ recipient }) => matches(recipient)),
    async stop() {
      isStopping = true
      halt((queue) => !mustFinish(queue))
      if (queues.size === 0) return
      await new Promise<void>((resolve) => {
        const timer = clock.setTimeout(resolve, spec.drainMs)
        emptied = () => {
          clock.clearTimeout(timer)
          resolve()
        }
      })
      // What is cut off here stays owed and goes out again, with the same id, at the next start.
      halt(() => true)
    },
  }
}

/** A recipient in the log: its own fields, or its key where it is a plain one. */
function fieldsOf(recipient: unknown): object {
  return typeof recipient === 'object' && recipient !== null ? recipient : { recipient }
}
