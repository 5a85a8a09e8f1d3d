// A hierarchical timing wheel: adding and removing a timer costs the same for any number of timers.
// After G. Varghese and T. Lauck, "Hashed and Hierarchical Timing Wheels" (1987), scheme 7.

/** Four wheels of 256 slots; a slot spans 1, 256, 65,536 and 16.7 million ticks. */
const levels = 4
const slotBits = 8
const slots = 1 << slotBits
const slotMask = slots - 1
const reachTicks = 2 ** (levels * slotBits) - 1

interface WheelEntry<T> {
  readonly item: T
  /** The slot whose list holds it; null once it fired or was removed. */
  slot: number | null
  next: WheelEntry<T> | null
  previous: WheelEntry<T> | null
  readonly dueTick: number
}

export function createWheel<T>(fire: (item: T) => void) {
  let currentTick = 0
  let size = 0
  const heads: (WheelEntry<T> | null)[] = new Array(levels * slots).fill(null)
  /** One bit per slot that holds anything, so that an idle wheel finds its next tick quickly. */
  const occupied = new Uint32Array((levels * slots) / 32)

  function insert(entry: WheelEntry<T>, slot: number): void {
    const head = heads[slot] ?? null
    entry.slot = slot
    entry.previous = null
    entry.next = head
    if (head) head.previous = entry
    heads[slot] = entry
    occupied[slot >> 5] = (occupied[slot >> 5] ?? 0) | (1 << (slot & 31))
  }

  function link(entry: WheelEntry<T>): void {
    // A timer beyond the last wheel waits in its farthest slot and is placed again from there.
    const dueTick = Math.min(Math.max(entry.dueTick, currentTick + 1), currentTick + reachTicks)
    let level = 0
    while (level < levels - 1 && dueTick - currentTick >= slots ** (level + 1)) level++
    insert(entry, level * slots + (Math.floor(dueTick / slots ** level) & slotMask))
  }

  function unlink(entry: WheelEntry<T>, slot: number): void {
    if (entry.next) entry.next.previous = entry.previous
    if (entry.previous) entry.previous.next = entry.next
    else heads[slot] = entry.next
    if (!heads[slot]) occupied[slot >> 5] = (occupied[slot >> 5] ?? 0) & ~(1 << (slot & 31))
    entry.slot = null
    entry.next = null
    entry.previous = null
  }

  /** Slots from the current one (exclusive) to the next occupied one on a level, cyclically. */
  function distance(level: number): number | undefined {
    const current = Math.floor(currentTick / slots ** level) & slotMask
    const base = level * slots
    for (let steps = 1; steps <= slots; steps++) {
      const slot = base + ((current + steps) & slotMask)
      const word = occupied[slot >> 5] ?? 0
      if (word === 0 && (slot & 31) === 0 && steps + 31 <= slots) {
        steps += 31
        continue
      }
      if (word & (1 << (slot & 31))) return steps
    }
    return undefined
  }

  /** The next tick at which `advance` has work, or undefined when the wheel is empty. */
  function nextTick(): number | undefined {
    if (size === 0) return undefined
    let next = Number.POSITIVE_INFINITY
    for (let level = 0; level < levels; level++) {
      const steps = distance(level)
      if (steps === undefined) continue
      const span = slots ** level
      next = Math.min(next, (Math.floor(currentTick / span) + steps) * span)
    }
    return next
  }

  /** Moves the timers of the coarser wheels for this tick down to finer ones. */
  function cascade(): void {
    for (let level = levels - 1; level > 0; level--) {
      const span = slots ** level
      if (currentTick % span !== 0) continue
      const slot = level * slots + (Math.floor(currentTick / span) & slotMask)
      for (const entry of listOf(heads[slot] ?? null)) {
        unlink(entry, slot)
        if (entry.dueTick > currentTick) link(entry)
        else insert(entry, currentTick & slotMask)
      }
    }
  }

  return {
    /** Adds a timer and returns its handle. A timer that is already due fires at the next tick. */
    add(item: T, dueTick: number): WheelEntry<T> {
      const entry: WheelEntry<T> = { item, slot: null, next: null, previous: null, dueTick }
      link(entry)
      size++
      return entry
    },

    /** Removes a timer by its handle. Ignores anything else, and handles that fired. */
    remove(handle: unknown): void {
      const entry = handle as WheelEntry<T> | undefined
      if (!entry || typeof entry.slot !== 'number') return
      unlink(entry, entry.slot)
      size--
    },

    nextTick,

    /**
     * Moves to the tick and fires everything due by then, in order of ticks. Stops earlier, behind a
     * tick, once it has fired `most`: the next call continues.
     */
    advance(toTick: number, most = Number.POSITIVE_INFINITY): void {
      let fired = 0
      for (let next = nextTick(); next !== undefined && next <= toTick; next = nextTick()) {
        if (fired >= most) return
        currentTick = next
        cascade()
        // One at a time, so that a timer can remove a later one of the same tick.
        const slot = currentTick & slotMask
        for (const entry of listOf(heads[slot] ?? null)) {
          if (entry.slot !== slot) continue
          unlink(entry, slot)
          size--
          fired++
          fire(entry.item)
        }
      }
      currentTick = Math.max(currentTick, toTick)
    },

    clear(): void {
      // Marks each as removed, so that its handle is ignored later.
      for (const head of heads) for (const entry of listOf(head)) entry.slot = null
      heads.fill(null)
      occupied.fill(0)
      size = 0
    },
  }
}

/** The entries of a slot's list, oldest first. */
function listOf<T>(head: WheelEntry<T> | null): WheelEntry<T>[] {
  const entries: WheelEntry<T>[] = []
  for (let entry = head; entry; entry = entry.next) entries.push(entry)
  return entries.reverse()
}
