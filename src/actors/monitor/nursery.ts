// The parents of the actors of monitors: each has a small group, and learns of crashes in it.
import { createActor, fromTransition } from 'xstate'
import type { Clock } from '../../base/clock.ts'

/** XState's own: `xstate.done.actor.` or `xstate.error.actor.`, and the id of the actor. */
interface EndEvent {
  readonly type: string
  readonly actorId: string
  readonly error?: unknown
}

/** Actors of monitors that share a parent. */
export const actorsPerParent = 32

/**
 * An actor without a parent gets a system of its own from XState, which takes a third of its memory.
 * One system for all would be as wrong: whenever an actor ends, XState goes through all timers of its
 * system.
 *
 * `onCrash` gets the id of the actor.
 */
export function createNursery(clock: Clock, onCrash: (id: string, error: unknown) => void) {
  const logic = fromTransition((state: null, { type, actorId, error }: EndEvent) => {
    if (type.startsWith('xstate.error.actor.')) onCrash(actorId, error)
    return state
  }, null)

  function newParent() {
    return createActor(logic, { clock }).start()
  }

  let newest = newParent()
  let members = 0

  return {
    /** The parent for one more actor. */
    parent() {
      if (members === actorsPerParent) {
        newest = newParent()
        members = 0
      }
      members += 1
      return newest
    },
  }
}
