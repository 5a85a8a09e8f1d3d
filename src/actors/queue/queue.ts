// A durable queue: one actor per recipient with pending jobs. Starts, wakes and stops them.
import { type ActorRefFrom, createActor } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Choice, createRecipientMachine, type Job, type RecordOutcome } from './machine.ts'

/** The jobs of a queue and how to send them: alerts to channels, letters to people. */
export interface QueueSpec<Recipient> {
  /** Names the queue in the log. */
  readonly name: string
  /** Unique per recipient. */
  keyOf(recipient: Recipient): string
  /** Every recipient with pending jobs. */
  recipients(): readonly Recipient[]
  /** Writes nothing once the signal is aborted. */
  choose(recipient: Recipient, signal: AbortSignal): Promise<Choice>
  /** How long a stop waits for jobs in progress. */
  readonly drainMs: number
}

export interface Queue<Recipient> {
  /** Starts everything that was pending at the last stop. */
  start(): void
  /** The recipient has a new pending job, which is on disk. */
  wake(recipient: Recipient): void
  /** Stops these queues and aborts their jobs in progress. Pending jobs stay. */
  halt(matches: (recipient: Recipient) => boolean): void
  /** Starts nothing new; resolves when jobs in progress are recorded or abandoned. */
  stop(): Promise<void>
}

interface RecipientQueue<Recipient> {
  readonly recipient: Recipient
  readonly key: string
  readonly actor: Actor
  readonly crashes: number
}

type Actor = ActorRefFrom<ReturnType<typeof createRecipientMachine>>

/** Each recipient has its own queue: one that fails or hangs delays no other. */
export function runQueue<Recipient>(
  spec: QueueSpec<Recipient>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Queue<Recipient> {
  const queues = new Map<string, RecipientQueue<Recipient>>()
  /** The keys of recipients with a job in progress. */
  const sending = new Set<string>()
  let isStopping = false
  let emptied = () => {}

  const machine = createRecipientMachine(clock)

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

  /**
   * A bug in one actor must not stop the others. The actor is restarted, after a longer pause each
   * time.
   */
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

  /** Whether the queue is sending, or has an outcome that is not on disk yet. */
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
      // Aborted jobs stay pending. The next start runs them again with the same id.
      halt(() => true)
    },
  }
}

/** A recipient's fields for the log, or its key if it is a plain value. */
function fieldsOf(recipient: unknown): object {
  return typeof recipient === 'object' && recipient !== null ? recipient : { recipient }
}
