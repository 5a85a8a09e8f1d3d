// A queue in which owners take turns, and each owner's work keeps its order. An owner that asks for much
// delays each of the others by one turn, not by all that it asked for.

export function createFairQueue<T>() {
  /** What the service does by itself, such as checks: every other turn, however many owners wait. */
  const ownWork: T[] = []
  /** The owner whose turn is next comes first. */
  const byOwner = new Map<string, T[]>()
  let wasOwnWork = false

  function lineOf(owner: string | undefined): T[] {
    if (owner === undefined) return ownWork
    const line = byOwner.get(owner) ?? []
    byOwner.set(owner, line)
    return line
  }

  function takeOfOwners(): T | undefined {
    for (const [owner, line] of byOwner) {
      const next = line.shift()
      byOwner.delete(owner)
      if (line.length > 0) byOwner.set(owner, line)
      return next
    }
    return undefined
  }

  return {
    get isEmpty() {
      return ownWork.length === 0 && byOwner.size === 0
    },

    /** Work with no owner is the service's own work. */
    add: (owner: string | undefined, work: T) => void lineOf(owner).push(work),

    /** Puts it before the other work of the owner. */
    addFirst: (owner: string | undefined, work: T) => void lineOf(owner).unshift(work),

    /** Takes out what is next; undefined if nothing waits. */
    take(): T | undefined {
      const isOwnWork = ownWork.length > 0 && (!wasOwnWork || byOwner.size === 0)
      wasOwnWork = isOwnWork
      return isOwnWork ? ownWork.shift() : takeOfOwners()
    },
  }
}
