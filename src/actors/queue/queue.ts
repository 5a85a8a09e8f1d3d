// The outbox of one desk: one actor for each lane that something is owed to. Start, wake, stop.
import { type ActorRefFrom, createActor } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import { laneMachine } from './machine.ts'
import type { Slots } from './slots.ts'
import type { Desk, Errand, LaneWork } from './types.ts'

export interface RunningDesk<Lane> {
  /** Takes up everything that is owed since before the last stop. */
  start(): void
  /** Something became owed to the lane and is on disk. */
  wake(lane: Lane): void
  /** Stops these lanes; a message that is under way is cut off. What is owed to them stays. */
  halt(isMeant: (lane: Lane) => boolean): void
  /** How many messages are owed, over all lanes. */
  pending(): number
  /** Sends nothing new; resolves when what is under way is recorded, or was given up. */
  stop(): Promise<void>
}

export interface DeskDeps {
  readonly clock: Clock
  readonly log: Log
}

interface Berth<Lane> {
  readonly lane: Lane
  readonly key: string
  readonly actor: Actor
  readonly crashes: number
}

type Actor = ActorRefFrom<typeof laneMachine>

/** Sends what is owed, each lane for itself: one that fails or hangs delays no other. */
export function runDesk<Lane>(desk: Desk<Lane>, { clock, log }: DeskDeps): RunningDesk<Lane> {
  const berths = new Map<string, Berth<Lane>>()
  const underWay = new Set<string>()
  let isStopping = false
  let emptied = () => {}

  const machine = laneMachine.provide({
    delays: { untilDue: ({ context }) => Math.max(0, context.dueAtMs - clock.nowMs()) },
  })

  function workOf(lane: Lane): LaneWork {
    return {
      async choose(signal) {
        return isStopping ? { kind: 'done' } : desk.choose(lane, signal)
      },
      send: (errand, signal) => depart(desk.keyOf(lane), errand, signal),
      onError: (error) => log.error(`${desk.name} step failed`, { ...fieldsOf(lane), error }),
    }
  }

  function depart(key: string, errand: Errand, signal: AbortSignal): Promise<Outcome> {
    async function within<T>(slots: Slots, run: () => Promise<T>): Promise<T> {
      await slots.take(signal)
      underWay.add(key)
      try {
        signal.throwIfAborted()
        return await run()
      } finally {
        underWay.delete(key)
        slots.free()
      }
    }
    return errand.send({ signal, within })
  }

  function launch(lane: Lane, crashes: number): void {
    const key = desk.keyOf(lane)
    const actor = createActor(machine, { clock, input: { work: workOf(lane) } })
    berths.set(key, { lane, key, actor, crashes })
    actor.subscribe({
      error: (error) => onCrash(lane, actor, error),
      complete: () => leave(key, actor),
    })
    actor.start()
  }

  function leave(key: string, actor: Actor): void {
    if (berths.get(key)?.actor !== actor) return
    berths.delete(key)
    if (berths.size === 0) emptied()
  }

  /** A bug of ours in one lane's actor must not take the others: it starts anew, ever later. */
  function onCrash(lane: Lane, actor: Actor, error: unknown): void {
    const key = desk.keyOf(lane)
    const current = berths.get(key)
    if (current?.actor !== actor) return
    const crashes = Math.min(current.crashes + 1, limits.actorCrashesMax)
    log.error(`${desk.name} actor crashed`, { ...fieldsOf(lane), crashes, error })
    if (isStopping) {
      leave(key, actor)
      return
    }
    clock.setTimeout(
      () => {
        if (berths.get(key) === current && !isStopping) launch(lane, crashes)
      },
      limits.actorRestartMs * 2 ** (crashes - 1),
    )
  }

  /** Whether the actor has a message out, or an outcome that is not on disk yet. */
  function mustFinish({ key, actor }: Berth<Lane>): boolean {
    return underWay.has(key) || actor.getSnapshot().matches('recording')
  }

  function halt({ key, actor }: Berth<Lane>): void {
    actor.stop()
    leave(key, actor)
  }

  function wake(lane: Lane): void {
    if (isStopping) return
    const berth = berths.get(desk.keyOf(lane))
    if (berth) berth.actor.send({ type: 'lane.woken' })
    else launch(lane, 0)
  }

  return {
    start() {
      for (const lane of desk.owedLanes()) wake(lane)
    },
    wake,
    halt(isMeant) {
      for (const berth of [...berths.values()]) if (isMeant(berth.lane)) halt(berth)
    },
    pending: () => desk.pending(),
    async stop() {
      isStopping = true
      for (const berth of [...berths.values()]) if (!mustFinish(berth)) halt(berth)
      if (berths.size === 0) return
      await new Promise<void>((resolve) => {
        const timer = clock.setTimeout(resolve, limits.deliveryDrainMs)
        emptied = () => {
          clock.clearTimeout(timer)
          resolve()
        }
      })
      // What is cut here stays owed and goes out again, with the same id, at the next start.
      for (const berth of [...berths.values()]) halt(berth)
    },
  }
}

/** A lane in the log: its own fields, or its key where it is a plain one. */
function fieldsOf(lane: unknown): object {
  return typeof lane === 'object' && lane !== null ? lane : { lane }
}
