// What is next: each owner's in order, and the owners in turns. One that asks for much therefore delays
// each of the others by one turn, not by all that it asked for.

export type Lanes<T> = ReturnType<typeof createLanes<T>>

export function createLanes<T>() {
  /** What the service does by itself, such as checks: every other turn, however many owners wait. */
  const ownWork: T[] = []
  /** The owner that is next comes first. */
  const lanes = new Map<string, T[]>()
  let wasOwnWork = false

  function laneOf(owner: string | undefined): T[] {
    if (owner === undefined) return ownWork
    const lane = lanes.get(owner) ?? []
    lanes.set(owner, lane)
    return lane
  }

  function takeOwners(): T | undefined {
    for (const [owner, lane] of lanes) {
      const next = lane.shift()
      lanes.delete(owner)
      if (lane.length > 0) lanes.set(owner, lane)
      return next
    }
    return undefined
  }

  return {
    get isEmpty() {
      return ownWork.length === 0 && lanes.size === 0
    },

    add: (owner: string | undefined, work: T) => void laneOf(owner).push(work),

    /** Before the others of the owner. */
    addFirst: (owner: string | undefined, work: T) => void laneOf(owner).unshift(work),

    /** The next one, or undefined if none waits. */
    take(): T | undefined {
      const isOwnWork = ownWork.length > 0 && (!wasOwnWork || lanes.size === 0)
      wasOwnWork = isOwnWork
      return isOwnWork ? ownWork.shift() : takeOwners()
    },
  }
}
