// The clock: the only source of time, and one timing wheel with one OS timer for the whole fleet.
import { createWheel } from './wheel.ts'

/** An XState clock (its two timer methods) that can also tell the time. */
export interface Clock {
  /**
   * Wall clock, milliseconds since 1970. It runs at the monotonic clock's pace: a step of the
   * system's clock shows as one jump that listeners are told of, never as a surprise.
   */
  nowMs(): number
  /** Monotonic milliseconds with a fraction. For durations. */
  monoMs(): number
  /** Runs `run` once after `delayMs`. Any length is right, also beyond 2^31 ms. */
  setTimeout(run: (...args: never[]) => void, delayMs: number): unknown
  /** Forgets a timer. An unknown or fired one is ignored. */
  clearTimeout(timer: unknown): void
}

/** Time did something that no timer could foresee. */
export interface Jump {
  /** `step`: the wall clock was set. `stall`: this process did not run (stopped, or blocked). */
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
// Node's timers hold 31 bits; the wheel wakes up earlier and looks again. How long the process did
// not run is known as exactly as it wakes often.
const sleepMsMax = 1_000

/** What the clock is made of; tests bring their own. */
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
  // Only what sleep() gave out comes back.
  wakeNever: (sleeper) => clearTimeout(sleeper as NodeJS.Timeout),
}

interface Timer {
  run: (...args: never[]) => void
  dueTick: number
}

/** Starts the real clock. One OS timer is armed for the earliest timer, none while there is none. */
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
  const tell = (kind: Jump['kind'], deltaMs: number) => {
    for (const listener of listeners) listener({ kind, deltaMs })
  }

  function watchForJumps(lateMs: number): void {
    const stepMs = wallMs() - nowMs()
    anchorMs = wallMs()
    anchorMonoMs = monoMs()
    if (Math.abs(stepMs) >= stepMsMin) tell('step', stepMs)
    if (lateMs >= stallMsMin) tell('stall', lateMs)
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
