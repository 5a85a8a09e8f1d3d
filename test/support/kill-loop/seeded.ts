// Random choices from a seed, so that a run that failed can be made again.
import { seededRandom } from '../seeded-random.ts'

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

export function createSeeded(seed: number): Seeded {
  const unit = seededRandom(seed)
  const seeded: Seeded = {
    unit,
    chance: (probability) => unit() < probability,
    between: (min, max) => min + Math.floor(unit() * (max - min + 1)),
    pick: (items) => items[Math.floor(unit() * items.length)],
    fork: () => createSeeded(Math.floor(unit() * 2 ** 32)),
  }
  return seeded
}
