// Which write is next: each owner's in order, and the owners in turns. One that writes much therefore
// delays the others by one write each, not by all of its own.

export function createWriteLanes<T>() {
  /** What the service itself writes, such as results of checks: every other turn, however many own. */
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
      const write = lane.shift()
      lanes.delete(owner)
      if (lane.length > 0) lanes.set(owner, lane)
      return write
    }
    return undefined
  }

  return {
    add: (owner: string | undefined, write: T) => void laneOf(owner).push(write),

    /** Before the others of the owner. */
    addFirst: (owner: string | undefined, write: T) => void laneOf(owner).unshift(write),

    /** The next one, or undefined if none waits. */
    take(): T | undefined {
      const isOwnWork = ownWork.length > 0 && (!wasOwnWork || lanes.size === 0)
      wasOwnWork = isOwnWork
      return isOwnWork ? ownWork.shift() : takeOwners()
    },
  }
}
