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
  #elapsedMs = 0
  #order = 0
  readonly #timers = new Map<number, Timer>()
  readonly #listeners: ((jump: Jump) => void)[] = []

  constructor(startAtMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startAtMs
  }

  // Bound properties, because the clock's methods are handed around without their object.
  readonly nowMs = (): number => this.#nowMs
  readonly monoMs = (): number => this.#elapsedMs

  readonly setTimeout = (run: (...args: never[]) => void, delayMs: number): number => {
    this.#order += 1
    const dueAtMs = this.#elapsedMs + Math.max(0, delayMs)
    this.#timers.set(this.#order, { dueAtMs, order: this.#order, run })
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
      this.#moveTo(next.dueAtMs)
      this.#timers.delete(next.order)
      next.run()
      await nextTurn()
    }
    this.#moveTo(untilMs)
    await nextTurn()
  }

  /** The wall clock jumps (NTP, an operator); elapsed time and timers do not notice. */
  jump(byMs: number): void {
    this.#nowMs += byMs
    for (const listener of this.#listeners) listener({ kind: 'step', deltaMs: byMs })
  }

  /** The process stands still: time goes on, and no timer runs before the listeners were told. */
  stall(ms: number): void {
    this.#moveTo(this.#elapsedMs + ms)
    for (const listener of this.#listeners) listener({ kind: 'stall', deltaMs: ms })
  }

  readonly onJump = (listener: (jump: Jump) => void): void => {
    this.#listeners.push(listener)
  }

  #moveTo(elapsedMs: number): void {
    // A timer that a stall made late runs now, not in the past.
    if (elapsedMs <= this.#elapsedMs) return
    this.#nowMs += elapsedMs - this.#elapsedMs
    this.#elapsedMs = elapsedMs
  }

  #next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers.values()) {
      if (
        !first ||
        timer.dueAtMs < first.dueAtMs ||
        (timer.dueAtMs === first.dueAtMs && timer.order < first.order)
      ) {
        first = timer
      }
    }
    return first
  }
}
