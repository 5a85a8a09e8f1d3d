// Fuzzing: dice from a seed, inputs bent at random, and how long one may take.
import { testSeed } from './depth.ts'
import { seededRandom } from './seeded-random.ts'
import { leastMs } from './starvation.ts'

/** The same inputs every time, unless the environment names another seed. */
export const fuzzSeed = testSeed()

export interface Dice {
  /** From 0 up to but without `end`. */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** So many characters of these. */
  text(length: number, from: readonly string[]): string
  bytes(length: number): Buffer
}

export function createDice(seed = fuzzSeed): Dice {
  const random = seededRandom(seed)
  const below = (end: number): number => Math.floor(random() * end)
  function pick<T>(from: readonly T[]): T {
    const found = from[below(from.length)]
    if (found === undefined) throw new Error('nothing to pick from')
    return found
  }
  return {
    below,
    chance: (probability) => random() < probability,
    pick,
    text: (length, from) => Array.from({ length }, () => pick(from)).join(''),
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}

/** A text with a few of its places changed: dropped, doubled, swapped for others or for hostile. */
export function mutated(dice: Dice, text: string, pieces: readonly string[]): string {
  let now = text
  for (let left = 1 + dice.below(4); left > 0; left--) {
    const at = dice.below(now.length + 1)
    const length = dice.below(6)
    const cut = now.slice(at, at + length)
    const put = dice.pick([
      () => '',
      () => cut + cut,
      () => dice.pick(pieces),
      () => cut + dice.pick(pieces),
      () => now.slice(dice.below(now.length + 1)).slice(0, 12),
    ])
    now = now.slice(0, at) + put() + now.slice(at + length)
  }
  return now
}

/** The same for bytes, lengths among them. */
export function mutatedBytes(dice: Dice, bytes: Buffer): Buffer {
  const now = Buffer.from(bytes)
  for (let left = 1 + dice.below(4); left > 0 && now.length > 0; left--) {
    now[dice.below(now.length)] = dice.pick([0, 1, 0x7f, 0x80, 0xff, dice.below(256)])
  }
  if (dice.chance(0.3)) return now.subarray(0, dice.below(now.length + 1))
  return dice.chance(0.2) ? Buffer.concat([now, dice.bytes(dice.below(20))]) : now
}

export interface Stopwatch {
  /** Runs it. One that takes too long is run again, since the machine may have been at fault. */
  time<T>(name: string, run: () => T): T
  /** The names of what took too long every time, also now. */
  slow(): readonly string[]
  /** A line: how many there were, and how long they took. */
  summary(): string
}

const rerunsMax = 3
const laterRerunsMax = 10
const bucketsPerMs = 100

export function createStopwatch(msMax: number): Stopwatch {
  const doubtful: { readonly name: string; readonly run: () => unknown }[] = []
  const buckets: number[] = []
  let count = 0
  let worst = { ms: 0, name: '' }

  function percentile(share: number): number {
    let left = count * share
    const at = buckets.findIndex((many) => {
      left -= many ?? 0
      return left <= 0
    })
    return (at + 1) / bucketsPerMs
  }

  return {
    time(name, run) {
      const startedMs = performance.now()
      const result = run()
      const firstMs = performance.now() - startedMs
      const ms = Math.min(firstMs, firstMs > msMax ? leastMs(msMax, run, rerunsMax) : firstMs)
      count += 1
      const bucket = Math.floor(ms * bucketsPerMs)
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
      if (ms > msMax) doubtful.push({ name, run })
      else if (ms > worst.ms) worst = { ms, name }
      return result
    },
    slow: () =>
      doubtful.flatMap(({ name, run }) => {
        const ms = leastMs(msMax, run, laterRerunsMax)
        if (ms > worst.ms) worst = { ms, name }
        return ms > msMax ? [`${ms.toFixed(1)} ms: ${name}`] : []
      }),
    summary() {
      const [half, most, nearly] = [0.5, 0.99, 0.999].map((share) => percentile(share).toFixed(2))
      const { ms, name } = worst
      const times = `p50 ${half}, p99 ${most}, p99.9 ${nearly}, worst ${ms.toFixed(2)} ms`
      const again = `${doubtful.length} tried again at the end`
      return `${count} inputs, seed ${fuzzSeed}: ${times}, ${again}; worst: ${JSON.stringify(name)}`
    },
  }
}
