// The time of a simulation: the world's events, and the timers of a daemon that may stand still,
// have its clock set, or die with all its timers.
import type { Jump, RunningClock } from '../../../src/base/clock.ts'
import { Heap, type Heaped } from '../../../src/base/waiting/heap.ts'

interface Timer extends Heaped {
  /** By the elapsed time of its owner. */
  readonly dueMs: number
  readonly order: number
  readonly run: (...args: never[]) => void
}

const isBefore = (one: Timer, other: Timer) =>
  one.dueMs === other.dueMs ? one.order < other.order : one.dueMs < other.dueMs

const never = Number.POSITIVE_INFINITY

export class SimTime {
  #elapsedMs = 0
  #order = 0
  #nowOffsetMs: number
  #wallOffsetMs: number
  readonly #events = new Heap<Timer>(isBefore)
  #life: LifeClock | undefined

  constructor(startAtMs: number) {
    this.#nowOffsetMs = startAtMs
    this.#wallOffsetMs = startAtMs
  }

  /** The only time of the world: no clock that is set changes it. */
  get elapsedMs(): number {
    return this.#elapsedMs
  }

  /** What the daemon takes for the time. It never goes back. */
  get nowMs(): number {
    return this.#elapsedMs + this.#nowOffsetMs
  }

  get wallMs(): number {
    return this.#elapsedMs + this.#wallOffsetMs
  }

  nextOrder(): number {
    this.#order += 1
    return this.#order
  }

  /** An event of the world, which takes place whatever becomes of the daemon. */
  at(elapsedMs: number, run: () => void): void {
    const dueMs = Math.max(this.#elapsedMs, Math.round(elapsedMs))
    this.#events.put({ dueMs, order: this.nextOrder(), run, heapAt: -1 })
  }

  /** The clock of the next life of the daemon. */
  begin(tickMs: number): LifeClock {
    this.#life = new LifeClock(this, tickMs)
    return this.#life
  }

  /** The wall clock is set; the daemon's time follows it forward only. Returns the step. */
  set(byMs: number): number {
    this.#wallOffsetMs += byMs
    const stepMs = Math.max(0, this.#wallOffsetMs - this.#nowOffsetMs)
    this.#nowOffsetMs += stepMs
    return stepMs
  }

  /** When the next thing happens; infinite if nothing ever does. */
  nextMs(): number {
    return Math.min(this.#events.first()?.dueMs ?? never, this.#life?.nextMs() ?? never)
  }

  /** Moves to that time, and runs what is due then: first the world, then the daemon. */
  moveTo(elapsedMs: number): void {
    this.#elapsedMs = elapsedMs
    for (let next = this.#events.first(); next; next = this.#events.first()) {
      if (next.dueMs > elapsedMs) break
      this.#events.remove(next)
      next.run()
    }
    this.#life?.runDue()
  }
}

export class LifeClock implements RunningClock {
  readonly #time: SimTime
  readonly #tickMs: number
  readonly #timers = new Heap<Timer>(isBefore)
  readonly #listeners: ((jump: Jump) => void)[] = []
  readonly #stalls: { readonly endMs: number; readonly lengthMs: number }[] = []
  /** How its clock was set while it stood still. */
  readonly #unheard: { readonly byMs: number; readonly stepMs: number }[] = []
  /** How far this process is behind, because it stood still. */
  #behindMs = 0
  #isStanding = false
  #isDead = false

  /** Timers run at whole ticks. */
  constructor(time: SimTime, tickMs: number) {
    this.#time = time
    this.#tickMs = tickMs
  }

  // Bound properties, because the clock's methods are handed around without their object.
  readonly nowMs = (): number => this.#time.nowMs
  readonly wallMs = (): number => this.#time.wallMs
  readonly monoMs = (): number => this.#time.elapsedMs
  readonly cpuMs = (): number => this.#time.elapsedMs
  readonly stalledMs = (sinceMs: number): number =>
    this.#stalls
      .filter(({ endMs }) => endMs > sinceMs)
      .reduce((sum, { lengthMs }) => sum + lengthMs, 0)

  readonly setTimeout = (run: (...args: never[]) => void, delayMs: number): unknown => {
    const dueMs = this.#time.elapsedMs - this.#behindMs + Math.max(0, delayMs)
    return this.#set(run, Math.ceil(dueMs / this.#tickMs) * this.#tickMs)
  }

  /** Answers from outside come between two ticks. */
  readonly setExactTimeout = (run: () => void, delayMs: number): unknown =>
    this.#set(run, Math.ceil(this.#time.elapsedMs - this.#behindMs + delayMs))

  #set(run: (...args: never[]) => void, dueMs: number): Timer {
    const timer: Timer = { dueMs, order: this.#time.nextOrder(), run, heapAt: -1 }
    if (!this.#isDead) this.#timers.put(timer)
    return timer
  }

  readonly clearTimeout = (timer: unknown): void => {
    if (isTimer(timer) && timer.heapAt >= 0) this.#timers.remove(timer)
  }

  readonly notBefore = (): void => {}
  readonly stop = (): void => this.kill()
  readonly onJump = (listener: (jump: Jump) => void): void => void this.#listeners.push(listener)

  /** The process dies: none of its timers runs. */
  kill(): void {
    this.#isDead = true
    for (let timer = this.#timers.first(); timer; timer = this.#timers.first()) {
      this.#timers.remove(timer)
    }
  }

  get isStanding(): boolean {
    return this.#isStanding
  }

  /** The process is stopped, as by SIGSTOP, until `goOn`. */
  standStill(): void {
    this.#isStanding = true
  }

  /** Learns only now that its clock was set meanwhile. Returns the whole time that it missed. */
  goOn(stoodMs: number): number {
    this.#isStanding = false
    this.#behindMs += stoodMs
    this.#notify('stall', stoodMs)
    let missedMs = stoodMs
    for (const { byMs, stepMs } of this.#unheard.splice(0)) {
      this.noteSet(byMs, stepMs)
      if (stepMs >= 1_000) missedMs += stepMs
    }
    return missedMs
  }

  /** The wall clock was set, by `stepMs` beyond the daemon's time if that is positive. */
  noteSet(byMs: number, stepMs: number): void {
    if (this.#isStanding) {
      this.#unheard.push({ byMs, stepMs })
      return
    }
    if (stepMs > 0) this.#notify('step', stepMs)
    if (byMs < 0) this.#notify('setBack', -byMs)
  }

  nextMs(): number {
    const first = this.#timers.first()
    return first && !this.#isStanding ? first.dueMs + this.#behindMs : never
  }

  runDue(): void {
    while (this.nextMs() <= this.#time.elapsedMs) {
      const timer = this.#timers.first()
      if (!timer) return
      this.#timers.remove(timer)
      timer.run()
    }
  }

  #notify(kind: Jump['kind'], deltaMs: number): void {
    if (kind !== 'setBack') this.#stalls.push({ endMs: this.#time.elapsedMs, lengthMs: deltaMs })
    for (const listener of this.#listeners) listener({ kind, deltaMs })
  }
}

function isTimer(timer: unknown): timer is Timer {
  return typeof timer === 'object' && timer !== null && 'heapAt' in timer
}
