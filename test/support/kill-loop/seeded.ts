// Random choices from a seed, so that a run that failed can be made again.

export interface Seeded {
  /** In [0, 1). */
  unit(): number
  /** Whether something of this probability happens. */
  chance(probability: number): boolean
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** One of them; undefined where there is none. */
  pick<T>(items: readonly T[]): T | undefined
  /** An independent sequence of its own. */
  fork(): Seeded
}

/** Mulberry32: 32 bits of state are plenty for choosing what a test does. */
export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const seeded: Seeded = {
    unit,
    chance: (probability) => unit() < probability,
    between: (min, max) => min + Math.floor(unit() * (max - min + 1)),
    pick: (items) => items[Math.floor(unit() * items.length)],
    fork: () => createSeeded(Math.floor(unit() * 2 ** 32)),
  }
  return seeded
}
