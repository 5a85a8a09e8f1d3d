// What goes wrong in the world, all from one seed: targets, our network, receivers.
import type { MonitorId } from '../../../src/base/ids.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Dice of their own for each purpose, so that a new one changes no other. */
export function diceOf(seed: number, purpose: string): Dice {
  let mixed = seed >>> 0
  for (const letter of purpose) mixed = (Math.imul(mixed, 31) + letter.charCodeAt(0)) >>> 0
  const random = seededRandom(mixed)
  // The first numbers of similar seeds are similar.
  for (let at = 0; at < 3; at++) random()
  return {
    random,
    between: (from, to) => from + (to - from) * random(),
    whole: (from, to) => from + Math.floor((to - from + 1) * random()),
    wait: (meanMs) => -meanMs * Math.log(1 - random()),
    chance: (share) => random() < share,
    pick: (from) => {
      const picked = from[Math.floor(random() * from.length)]
      if (picked === undefined) throw new Error('there is nothing to pick from')
      return picked
    },
  }
}

export interface Dice {
  random(): number
  between(from: number, to: number): number
  whole(from: number, to: number): number
  /** Exponentially distributed, with this mean. */
  wait(meanMs: number): number
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

type Mood = 'good' | 'failed' | 'slow'

interface Episode {
  readonly fromMs: number
  readonly toMs: number
  readonly moodAt: (elapsedMs: number) => Mood
}

export interface FaultRates {
  /** The mean time between two outages of one target. */
  readonly outageEveryMs: number
  /** The end of all faults. */
  readonly untilMs: number
}

/** One target: how it is at any time, asked in order. */
export interface Target {
  /** A failure looks as if our own network could be the cause. */
  readonly isSilent: boolean
  moodAt(elapsedMs: number): Mood
}

/** Outages short, long and flapping, slow times, and those of a whole group. */
export function createTargets(seed: number, rates: FaultRates) {
  const groups = 8
  const groupOutages = Array.from({ length: groups }, (_, group) =>
    spans(diceOf(seed, `group ${group}`), {
      everyMs: 12 * rates.outageEveryMs,
      untilMs: rates.untilMs,
      lengthMs: (dice) => dice.between(5 * minuteMs, 90 * minuteMs),
    }),
  )

  return (monitorId: MonitorId, number: number, fromMs: number): Target => {
    const dice = diceOf(seed, `target ${monitorId}`)
    const common = groupOutages[number % groups] ?? []
    const isInGroup = dice.chance(0.3)
    const isSilent = dice.chance(0.5)
    let next = episode(dice, fromMs, rates)
    return {
      isSilent,
      moodAt(elapsedMs) {
        while (next.toMs <= elapsedMs) next = episode(dice, next.toMs, rates)
        const own = next.fromMs <= elapsedMs ? next.moodAt(elapsedMs) : 'good'
        if (own !== 'good') return own
        return isInGroup && isWithin(common, elapsedMs) ? 'failed' : 'good'
      },
    }
  }
}

function episode(dice: Dice, afterMs: number, { outageEveryMs, untilMs }: FaultRates): Episode {
  const fromMs = Math.round(afterMs + dice.wait(outageEveryMs))
  if (fromMs >= untilMs) return { fromMs: forever, toMs: forever, moodAt: () => 'good' }
  const kind = dice.random()
  const lengthMs =
    kind < 0.35
      ? dice.between(20_000, 6 * minuteMs)
      : kind < 0.65
        ? dice.between(6 * minuteMs, 6 * hourMs)
        : dice.between(20 * minuteMs, 3 * hourMs)
  const toMs = Math.min(untilMs, Math.round(fromMs + lengthMs))
  if (kind < 0.65) return { fromMs, toMs, moodAt: () => 'failed' }
  if (kind < 0.82) return { fromMs, toMs, moodAt: () => 'slow' }
  const swingMs = dice.between(90_000, 25 * minuteMs)
  const bad: Mood = dice.chance(0.8) ? 'failed' : 'slow'
  return {
    fromMs,
    toMs,
    moodAt: (elapsedMs) => (Math.floor((elapsedMs - fromMs) / swingMs) % 2 === 0 ? bad : 'good'),
  }
}

const forever = Number.POSITIVE_INFINITY

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

interface SpanPlan {
  readonly everyMs: number
  readonly untilMs: number
  readonly lengthMs: (dice: Dice) => number
}

/** Times of one kind of trouble, in order. */
export function spans(dice: Dice, { everyMs, untilMs, lengthMs }: SpanPlan): Span[] {
  const found: Span[] = []
  let atMs = dice.wait(everyMs)
  while (atMs < untilMs) {
    const fromMs = Math.round(atMs)
    const toMs = Math.round(Math.min(untilMs, fromMs + lengthMs(dice)))
    found.push({ fromMs, toMs })
    atMs = toMs + dice.wait(everyMs)
  }
  return found
}

export function isWithin(found: readonly Span[], elapsedMs: number): boolean {
  return spanAt(found, elapsedMs) !== undefined
}

/** The one that lasts at this time, by bisection. */
function spanAt(found: readonly Span[], elapsedMs: number): Span | undefined {
  let low = 0
  let high = found.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((found[middle]?.toMs ?? forever) <= elapsedMs) low = middle + 1
    else high = middle
  }
  const span = found[low]
  return span && span.fromMs <= elapsedMs ? span : undefined
}

/** How a receiver treats a message. `takenSilently`: it got it, and never answered. */
export type Treatment =
  | { readonly kind: 'taken' | 'refused' | 'unreachable' | 'takenSilently' | 'gone' }
  | { readonly kind: 'limited'; readonly retryAfterMs: number }

export interface Receiver {
  treat(elapsedMs: number): { readonly treatment: Treatment; readonly afterMs: number }
}

export type ReceiverKind = 'calm' | 'slow' | 'flaky' | 'rude'

const timeoutMs = 20_000

/** `calm` always answers at once; `slow` always, but late; `flaky` has bad hours; `rude` bad days. */
export function createReceiver(kind: ReceiverKind, seed: number, untilMs: number): Receiver {
  const dice = diceOf(seed, `receiver ${kind}`)
  const isRude = kind === 'rude'
  const bad =
    kind === 'calm' || kind === 'slow'
      ? []
      : spans(diceOf(seed, `trouble ${kind}`), {
          everyMs: isRude ? 6 * dayMs : 1.5 * dayMs,
          untilMs,
          lengthMs: (one) =>
            isRude ? one.between(hourMs, 7 * dayMs) : one.between(minuteMs, 5 * hourMs),
        })
  return {
    treat(elapsedMs) {
      if (kind === 'calm') return { treatment: { kind: 'taken' }, afterMs: 20 }
      const quickMs = Math.round(dice.between(20, 400))
      const trouble = spanAt(bad, elapsedMs)
      if (!trouble) {
        const afterMs = kind === 'slow' ? Math.round(dice.between(100, 15_000)) : quickMs
        return { treatment: { kind: 'taken' }, afterMs }
      }
      // Each time of trouble has a kind of its own.
      switch (Math.floor(trouble.fromMs / 1_000) % (isRude ? 5 : 4)) {
        case 0:
          return { treatment: { kind: 'unreachable' }, afterMs: quickMs }
        case 1:
          return { treatment: { kind: 'takenSilently' }, afterMs: timeoutMs }
        case 2: {
          const retryAfterMs = Math.round(dice.between(1_000, 20 * minuteMs))
          return { treatment: { kind: 'limited', retryAfterMs }, afterMs: quickMs }
        }
        case 3:
          return { treatment: { kind: 'refused' }, afterMs: quickMs }
        default:
          return { treatment: { kind: 'gone' }, afterMs: quickMs }
      }
    },
  }
}
