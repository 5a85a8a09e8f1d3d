// Results on their way to the daemon: kept until it has them, within bounds, with their age when they are sent.
import type { Clock } from '../base/clock.ts'
import { type ProbeResult, probeResultsMax, resultAgeMsMax } from '../domain/locations/protocol.ts'

/** A result as it was made; its age is told when it is sent. */
export interface MadeResult {
  readonly result: Omit<ProbeResult, 'ageMs'>
  /** When the check began, by the monotonic clock. */
  readonly startedMonoMs: number
  /** It tells nothing new, so it is among the first to be dropped. */
  readonly isAlike: boolean
  /** It is sent at once: a failure, a turn, or somebody waits for it. */
  readonly isUrgent: boolean
}

/** JSON without the closing brace, to which the age is added: half the memory, and counted exactly. */
interface HeldResult {
  readonly open: string
  readonly bytes: number
  readonly startedMonoMs: number
}

export interface ResultBatch {
  /** The JSON of `results`. */
  readonly list: string
  readonly size: number
  /** Whether nothing else is held. */
  readonly isAll: boolean
}

const heldMax = 10_000
const heldBytesMax = 32 * 1024 * 1024
const batchBytesMax = 1024 * 1024
/** The name and the digits of an age, with what is around them. */
const ageBytes = 24

export function createHeldResults(clock: Pick<Clock, 'monoMs'>) {
  /** By their number, oldest first. */
  const held = new Map<number, HeldResult>()
  const alike = new Set<number>()
  let bytes = 0
  let next = 0
  /** The numbers below this are in the batch that is on its way. */
  let sentBelow = 0
  let dropped = 0
  /** Checks that began before it have no age: the machine slept meanwhile. */
  let sinceMonoMs = Number.NEGATIVE_INFINITY

  function remove(number: number): void {
    const one = held.get(number)
    if (!one) return
    held.delete(number)
    alike.delete(number)
    bytes -= one.bytes
  }

  function drop(number: number): void {
    remove(number)
    dropped += 1
  }

  /** The oldest that says nothing new, else the oldest; what is on its way stays. */
  function dropOne(): void {
    const number = firstFrom(alike, sentBelow) ?? firstFrom(held.keys(), sentBelow)
    if (number !== undefined) drop(number)
  }

  return {
    hold({ result, startedMonoMs, isAlike }: MadeResult): void {
      if (startedMonoMs < sinceMonoMs) {
        dropped += 1
        return
      }
      const open = JSON.stringify(result).slice(0, -1)
      const one = { open, bytes: Buffer.byteLength(open) + ageBytes, startedMonoMs }
      held.set(next, one)
      if (isAlike) alike.add(next)
      next += 1
      bytes += one.bytes
      while (held.size > heldMax || bytes > heldBytesMax) dropOne()
    },
    size: () => held.size,
    /** Results that the daemon will never get. */
    dropped: () => dropped,
    /** The oldest ones; undefined if there are none. */
    takeBatch(): ResultBatch | undefined {
      const nowMs = clock.monoMs()
      const texts: string[] = []
      let batchBytes = 0
      for (const [number, { open, bytes: own, startedMonoMs }] of held) {
        const ageMs = nowMs - startedMonoMs
        if (ageMs > resultAgeMsMax) {
          drop(number)
          continue
        }
        if (texts.length === probeResultsMax) break
        if (texts.length > 0 && batchBytes + own > batchBytesMax) break
        batchBytes += own
        texts.push(`${open},"ageMs":${Math.round(ageMs)}}`)
        sentBelow = number + 1
      }
      if (texts.length === 0) return undefined
      return { list: `[${texts.join(',')}]`, size: texts.length, isAll: sentBelow === next }
    },
    /** The daemon has the batch, or will never take it. */
    settle(isTaken: boolean): void {
      for (const number of held.keys()) {
        if (number >= sentBelow) break
        if (isTaken) remove(number)
        else drop(number)
      }
      sentBelow = 0
    },
    /** Drops all of it, and what is still being made: the time that has passed since is unknown. */
    forget(): void {
      sinceMonoMs = clock.monoMs()
      for (const number of held.keys()) drop(number)
      sentBelow = 0
    },
  }
}

/** The first of the numbers that is not below `least`. */
function firstFrom(numbers: Iterable<number>, least: number): number | undefined {
  for (const number of numbers) if (number >= least) return number
  return undefined
}

/** What tells two results of one monitor apart. */
export function likeness({ result, error, status }: Omit<ProbeResult, 'ageMs'>): string {
  return `${result} ${status ?? ''} ${error?.kind ?? ''} ${error?.message ?? ''}`
}
