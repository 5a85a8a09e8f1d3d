// Organizations of very unequal size, which come, grow, change and leave. Millions of monitors are numbers, not objects.
import { bytesOf, orgLimits, paces } from './figures.ts'

/** Most are tiny, few are huge (Pareto): with 1.1, a mean of 7.5 monitors, and 1 in 30,000 has over 10,000. */
export const usualShape = 1.1
/** Newcomers begin with a part of what they will have, and have it after so many days. */
const beginnings = [
  { afterDays: 0, share: 0.1 },
  { afterDays: 7, share: 0.35 },
  { afterDays: 30, share: 1 },
] as const
/** Organizations that leave, and that change their size, of all of them, a day. */
const leavingADay = 0.02 / 30
const changingADay = 0.01

/** All organizations. Their sizes are what `setSize` of the cells last said. */
export interface Population {
  /** The monitors of each organization, by its number. */
  readonly monitors: Int32Array
  readonly intervalS: Int16Array
  readonly bornOn: Int32Array
  /** The numbers of those that are there. */
  readonly present: readonly number[]
  readonly readingsPerS: (org: number) => number
  readonly bytes: (org: number, day: number) => number
  /** A new one; its number. */
  readonly come: (day: number) => number
  /** Which organizations leave on a day. They are gone with the call. */
  readonly leavers: () => number[]
  /** Which ones have another size from this day on, and which. */
  readonly changes: (day: number) => readonly { readonly org: number; readonly to: number }[]
}

/** `room` is how many organizations there may ever be. */
export function createPopulation(
  random: () => number,
  room: number,
  shape = usualShape,
): Population {
  const monitors = new Int32Array(room)
  const intervalS = new Int16Array(room)
  const bornOn = new Int32Array(room)
  const present: number[] = []
  const isThere = new Uint8Array(room)
  const later = new Map<number, { org: number; to: number }[]>()
  let made = 0

  const largest = (interval: number) =>
    Math.min(orgLimits.monitors, orgLimits.readingsPerS * interval)

  /** A size between 1 and the largest, by the inverse of the bounded distribution. */
  const sizeOf = (interval: number) => {
    const tail = 1 - largestTail(shape)
    const size = Math.floor((1 - random() * tail) ** (-1 / shape))
    return Math.min(size, largest(interval))
  }

  const paceOf = () => {
    let left = random()
    for (const { intervalS, share } of paces) {
      left -= share
      if (left < 0) return intervalS
    }
    return 300
  }

  return {
    monitors,
    intervalS,
    bornOn,
    present,
    readingsPerS: (org) => (monitors[org] ?? 0) / (intervalS[org] ?? 60),
    bytes: (org, day) => {
      const many = monitors[org] ?? 0
      return bytesOf(many, many / (intervalS[org] ?? 60), day - (bornOn[org] ?? 0))
    },
    come: (day) => {
      const org = made
      made += 1
      if (made > room) throw new Error(`there is room for ${room} organizations`)
      const interval = paceOf()
      const size = sizeOf(interval)
      intervalS[org] = interval
      bornOn[org] = day
      for (const { afterDays, share } of beginnings) {
        const to = Math.ceil(size * share)
        if (afterDays === 0) monitors[org] = to
        else if (to > (monitors[org] ?? 0)) listOf(later, day + afterDays).push({ org, to })
      }
      isThere[org] = 1
      present.push(org)
      return org
    },
    leavers: () => {
      const gone: number[] = []
      for (let left = chanceCount(random, present.length * leavingADay); left > 0; left -= 1) {
        const at = Math.floor(random() * present.length)
        const org = present[at]
        const last = present.pop()
        if (org === undefined || last === undefined) continue
        if (last !== org) present[at] = last
        isThere[org] = 0
        gone.push(org)
      }
      return gone
    },
    changes: (day) => {
      const due = (later.get(day) ?? []).filter(({ org }) => isThere[org] === 1)
      later.delete(day)
      const changed = []
      for (let left = chanceCount(random, present.length * changingADay); left > 0; left -= 1) {
        const org = present[Math.floor(random() * present.length)] ?? 0
        const times = Math.exp(0.4 * normal(random))
        const to = Math.round((monitors[org] ?? 1) * times)
        changed.push({ org, to: Math.min(Math.max(1, to), largest(intervalS[org] ?? 60)) })
      }
      return [...due, ...changed]
    },
  }
}

function listOf<Item>(lists: Map<number, Item[]>, key: number): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** The share of sizes that would be beyond the largest. */
const largestTail = (shape: number) => orgLimits.monitors ** -shape

const chanceCount = (random: () => number, mean: number) =>
  Math.floor(mean) + (random() < mean % 1 ? 1 : 0)

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
