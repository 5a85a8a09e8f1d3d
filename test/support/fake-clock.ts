// A clock that moves only when a test says so; XState and the product take the same object.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock, Jump } from '../../src/base/clock.ts'

interface Timer {
  readonly dueAtMs: number
  readonly order: number
  readonly run: (...args: never[]) => void
}

export class FakeClock implements Clock {
  #nowMs: number
  #wallMs: number
  #elapsedMs = 0
  #order = 0
  readonly #stalls: { readonly endMs: number; readonly lengthMs: number }[] = []
  /** What waits, by its order; the queue has what was cleared as well. */
  readonly #timers = new Map<number, Timer>()
  #queue: Timer[] = []
  readonly #listeners: ((jump: Jump) => void)[] = []

  constructor(startAtMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startAtMs
    this.#wallMs = startAtMs
  }

  // Bound properties, because the clock's methods are handed around without their object.
  readonly nowMs = (): number => this.#nowMs
  readonly wallMs = (): number => this.#wallMs
  readonly monoMs = (): number => this.#elapsedMs
  readonly cpuMs = (): number => this.#elapsedMs
  readonly stalledMs = (sinceMs: number): number =>
    this.#stalls
      .filter(({ endMs }) => endMs > sinceMs)
      .reduce((sum, { lengthMs }) => sum + lengthMs, 0)

  readonly setTimeout = (run: (...args: never[]) => void, delayMs: number): number => {
    this.#order += 1
    const dueAtMs = this.#elapsedMs + Math.max(0, delayMs)
    this.#put({ dueAtMs, order: this.#order, run })
    return this.#order
  }

  readonly clearTimeout = (timer: unknown): void => {
    if (typeof timer === 'number') this.#timers.delete(timer)
  }

  /** How many timers are waiting. */
  get pending(): number {
    return this.#timers.size
  }

  /** Milliseconds until the next timer, or undefined where none waits. */
  get nextInMs(): number | undefined {
    const next = this.#next()
    return next && next.dueAtMs - this.#elapsedMs
  }

  /**
   * Moves on by `ms`: every timer that falls due runs at its own moment, in order, also those set
   * by an earlier one. After each the event loop turns once, so that promises settle.
   */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms
    await nextTurn()
    for (let next = this.#next(); next && next.dueAtMs <= untilMs; next = this.#next()) {
      await this.runNext()
    }
    this.#moveTo(untilMs)
    await nextTurn()
  }

  /** Moves on to the next timer, which runs; then the event loop turns once. */
  async runNext(): Promise<void> {
    const next = this.#next()
    if (!next) return
    this.#moveTo(next.dueAtMs)
    this.#timers.delete(next.order)
    next.run()
    await nextTurn()
  }

  /**
   * The wall clock jumps (NTP, an operator); elapsed time and timers do not notice. The time never
   * goes back: set back, it runs on. (The real clock also slows down until the wall clock is there.)
   */
  jump(byMs: number): void {
    this.#wallMs += byMs
    const stepMs = Math.max(0, this.#wallMs - this.#nowMs)
    this.#nowMs += stepMs
    if (stepMs > 0) {
      this.#stalls.push({ endMs: this.#elapsedMs, lengthMs: stepMs })
      this.#notify({ kind: 'step', deltaMs: stepMs })
    }
    if (byMs < 0) this.#notify({ kind: 'setBack', deltaMs: -byMs })
  }

  /** The process stands still: time goes on, timers do not, and the listeners are told. */
  stall(ms: number): void {
    this.#queue = []
    for (const timer of this.#timers.values()) this.#put({ ...timer, dueAtMs: timer.dueAtMs + ms })
    this.#moveTo(this.#elapsedMs + ms)
    this.#stalls.push({ endMs: this.#elapsedMs, lengthMs: ms })
    this.#notify({ kind: 'stall', deltaMs: ms })
  }

  readonly notBefore = (pastMs: number): void => {
    this.#nowMs = Math.max(this.#nowMs, pastMs)
  }

  readonly onJump = (listener: (jump: Jump) => void): void => {
    this.#listeners.push(listener)
  }

  #put(timer: Timer): void {
    this.#timers.set(timer.order, timer)
    insert(this.#queue, timer)
  }

  #notify(jump: Jump): void {
    for (const listener of this.#listeners) listener(jump)
  }

  #moveTo(elapsedMs: number): void {
    const byMs = elapsedMs - this.#elapsedMs
    this.#nowMs += byMs
    this.#wallMs += byMs
    this.#elapsedMs = elapsedMs
  }

  /** The first that is due; those that were cleared meanwhile go. */
  #next(): Timer | undefined {
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      if (this.#timers.get(first.order) === first) return first
      takeFirst(this.#queue)
    }
    return
  }
}

const isBefore = (one: Timer, other: Timer) =>
  one.dueAtMs < other.dueAtMs || (one.dueAtMs === other.dueAtMs && one.order < other.order)

/** Puts a timer into a heap: a fleet has thousands, of which each step needs the first. */
function insert(heap: Timer[], timer: Timer): void {
  let at = heap.length
  while (at > 0) {
    const parent = heap[(at - 1) >> 1]
    if (!parent || isBefore(parent, timer)) break
    heap[at] = parent
    at = (at - 1) >> 1
  }
  heap[at] = timer
}

function takeFirst(heap: Timer[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    const isRight = left !== undefined && right !== undefined && isBefore(right, left)
    const child = isRight ? right : left
    if (!child || isBefore(last, child)) break
    heap[at] = child
    at = 2 * at + (isRight ? 2 : 1)
  }
  heap[at] = last
}
