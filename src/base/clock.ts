// The clock: the only source of time, and one timing wheel with one OS timer for the whole fleet.
import { createWheel } from './wheel.ts'

/** An XState clock (its two timer methods) that can also tell the time. */
export interface Clock {
  /**
   * Wall clock, milliseconds since 1970. It runs at the pace of the monotonic clock: when the
   * system clock is set, it jumps once and tells its listeners.
   */
  nowMs(): number
  /** Monotonic milliseconds with a fraction. For durations. */
  monoMs(): number
  /** Runs `run` once after `delayMs`, which may exceed 2^31 ms. */
  setTimeout(run: (...args: never[]) => void, delayMs: number): unknown
  /** Cancels a timer. Ignores an unknown or fired one. */
  clearTimeout(timer: unknown): void
}

/** A jump of time that no timer could foresee. */
export interface Jump {
  /** `step`: the wall clock was set. `stall`: the process did not run (suspended or blocked). */
  readonly kind: 'step' | 'stall'
  readonly deltaMs: number
}

export interface RunningClock extends Clock {
  onJump(listener: (jump: Jump) => void): void
  /** Cancels every timer. */
  stop(): void
}

const stepMsMin = 1_000
const stallMsMin = 5_000
// Node's timers hold 31 bits, so the wheel wakes up earlier. The wake-ups also measure stalls: the
// shorter this is, the more exactly.
const sleepMsMax = 1_000

/** The time sources of a clock; tests provide their own. */
export interface ClockSources {
  /** The system's wall clock, which may be set. */
  wallMs(): number
  monoMs(): number
  sleep(run: () => void, ms: number): unknown
  wakeNever(sleeper: unknown): void
}

const realSources: ClockSources = {
  wallMs: () => Date.now(),
  monoMs: () => performance.now(),
  sleep: (run, ms) => setTimeout(run, ms),
  // Only values that sleep() returned come back.
  wakeNever: (sleeper) => clearTimeout(sleeper as NodeJS.Timeout),
}

interface Timer {
  run: (...args: never[]) => void
  dueTick: number
}

/** Starts the real clock. It arms one OS timer, for the earliest timer, or none. */
export function startClock(sources: ClockSources = realSources): RunningClock {
  const { wallMs, monoMs } = sources
  const originMonoMs = monoMs()
  let anchorMs = wallMs()
  let anchorMonoMs = originMonoMs
  let armedTick = Number.POSITIVE_INFINITY
  let sleeper: unknown
  const listeners: ((jump: Jump) => void)[] = []
  const wheel = createWheel<Timer>((timer) => timer.run())

  const nowMs = () => Math.round(anchorMs + monoMs() - anchorMonoMs)
  const tickNow = () => Math.floor(monoMs() - originMonoMs)
  const notifyJump = (kind: Jump['kind'], deltaMs: number) => {
    for (const listener of listeners) listener({ kind, deltaMs })
  }

  function watchForJumps(lateMs: number): void {
    const stepMs = wallMs() - nowMs()
    anchorMs = wallMs()
    anchorMonoMs = monoMs()
    if (Math.abs(stepMs) >= stepMsMin) notifyJump('step', stepMs)
    if (lateMs >= stallMsMin) notifyJump('stall', lateMs)
  }

  function wake(): void {
    const tick = tickNow()
    watchForJumps(tick - armedTick)
    armedTick = Number.POSITIVE_INFINITY
    try {
      wheel.advance(tick)
    } finally {
      arm()
    }
  }

  function arm(): void {
    const nextTick = wheel.nextTick()
    if (nextTick === undefined || nextTick >= armedTick) return
    const tick = tickNow()
    const sleepMs = Math.min(Math.max(1, nextTick - tick), sleepMsMax)
    armedTick = tick + sleepMs
    if (sleeper !== undefined) sources.wakeNever(sleeper)
    sleeper = sources.sleep(wake, sleepMs)
  }

  return {
    nowMs,
    monoMs,
    setTimeout(run, delayMs) {
      const elapsedMs = monoMs() - originMonoMs
      const timer = wheel.add({ run, dueTick: Math.ceil(elapsedMs + Math.max(0, delayMs)) })
      if (timer.dueTick < armedTick) arm()
      return timer
    },
    clearTimeout: (timer) => wheel.remove(timer),
    onJump: (listener) => listeners.push(listener),
    stop() {
      wheel.clear()
      if (sleeper !== undefined) sources.wakeNever(sleeper)
    },
  }
}
