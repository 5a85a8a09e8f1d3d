// The clock: the only source of time, and one timing wheel with one OS timer for the whole fleet.
import { AsyncResource } from 'node:async_hooks'
import { createWheel } from './waiting/wheel.ts'

/** An XState clock (its two timer methods) that can also tell the time. */
export interface Clock {
  /**
   * The time, milliseconds since 1970, for everything that is stored or compared with what is
   * stored. It runs at the pace of the monotonic clock and follows the wall clock forward, but never
   * goes back: once the wall clock is behind, it runs on a little slower until both are the same.
   */
  nowMs(): number
  /**
   * The system's wall clock as it is, for what others compare with their own: certificates,
   * signatures, one-time codes.
   */
  wallMs(): number
  /** Milliseconds of the monotonic clock, with a fraction, for durations. */
  monoMs(): number
  /** Milliseconds of processor time that all threads of this process have used, with a fraction. */
  cpuMs(): number
  /**
   * How much of the time since then (monotonic) this process did not run: stopped, suspended, or
   * blocked in one piece. 0 if it never did so for longer than half a second.
   */
  stalledMs(sinceMs: number): number
  /** Runs `run` once after `delayMs`, which may exceed 2^31 ms. Timers stand still in a stall. */
  setTimeout(run: (...args: never[]) => void, delayMs: number): unknown
  /** Cancels a timer. Ignores an unknown or fired one. */
  clearTimeout(timer: unknown): void
}

/** A jump of time that no timer could foresee. */
export interface Jump {
  /**
   * `step`: nowMs() jumped forward, because the wall clock was set or the machine slept. `setBack`:
   * the wall clock was set back, and nowMs() runs on. `stall`: the process did not run.
   */
  readonly kind: 'step' | 'setBack' | 'stall'
  /** The size of the jump; never negative. */
  readonly deltaMs: number
}

/**
 * The work of this thread from here on, in milliseconds: time that passes while the machine runs other
 * programs is not counted, nor what other threads do meanwhile. For work without a pause.
 */
export function startWork({ monoMs, cpuMs }: Pick<Clock, 'monoMs' | 'cpuMs'>): () => number {
  const startedMs = monoMs()
  const startedCpuMs = cpuMs()
  return () => Math.min(monoMs() - startedMs, cpuMs() - startedCpuMs)
}

/** A monotonic time in milliseconds that all threads of this process have in common. */
export function sharedMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}

export interface RunningClock extends Clock {
  onJump(listener: (jump: Jump) => void): void
  /** The time has certainly passed, so nowMs() must not show less. */
  notBefore(pastMs: number): void
  /** Cancels every timer. */
  stop(): void
}

const stepMsMin = 1_000
const stallMsMin = 500
// The wake-ups measure stalls: the shorter this is, the more exactly.
const sleepMsMax = 100
/** The pace while the wall clock is behind: an hour is caught up with in 32 hours. */
const slowPace = 31 / 32
/** The wall clock has whole milliseconds. */
const behindMsMin = 2
/**
 * Timers that fire before sockets get their turn. Without a bound, all that became due in a slow turn
 * makes the next one slower still. That is how garbage collection stopped a daemon with 100,000
 * monitors: while V8 marks, 64 KB of new objects, or one check, cost up to 5 ms.
 */
const timersPerTurn = 32
/** Stalls that are remembered; they took at least so many halves of a second. */
const stallsMax = 256

/** The time sources of a clock; tests provide their own. */
export interface ClockSources {
  /** The system's wall clock, which may be set. */
  wallMs(): number
  monoMs(): number
  cpuMs(): number
  sleep(run: () => void, ms: number): unknown
  wakeNever(sleeper: unknown): void
}

const realSources: ClockSources = {
  wallMs: () => Date.now(),
  monoMs: () => performance.now(),
  cpuMs() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
  sleep: (run, ms) => setTimeout(run, ms),
  // Only values that sleep() returned come back.
  wakeNever: (sleeper) => clearTimeout(sleeper as NodeJS.Timeout),
}

/** A stall that was noticed at a time of the monotonic clock. */
interface Stall {
  readonly endMs: number
  readonly lengthMs: number
}

/** Starts the real clock. It arms one OS timer, for the earliest timer, or none. */
export function startClock(sources: ClockSources = realSources): RunningClock {
  const { wallMs, monoMs } = sources
  /** When tick 0 was; a stall moves it, so that no timer sees the stall. */
  let originMonoMs = monoMs()
  /** The time at the newest wake-up, by all clocks, and the pace since then. */
  let anchorMonoMs = originMonoMs
  let anchorWallMs = wallMs()
  let anchorMs = anchorWallMs
  let pace = 1
  /** The newest wake-up, or the time at which the first timer was set; undefined without timers. */
  let awakeMonoMs: number | undefined
  let armedTick = Number.POSITIVE_INFINITY
  let sleeper: unknown
  const stalls: Stall[] = []
  const listeners: ((jump: Jump) => void)[] = []
  const wheel = createWheel<(...args: never[]) => void>((run) => run())

  const exactMs = () => anchorMs + (monoMs() - anchorMonoMs) * pace
  const tickNow = () => Math.floor(monoMs() - originMonoMs)
  const notifyJump = (kind: Jump['kind'], deltaMs: number) => {
    for (const listener of listeners) listener({ kind, deltaMs })
  }

  function anchor(ms: number): void {
    anchorMonoMs = monoMs()
    anchorWallMs = wallMs()
    anchorMs = ms
    pace = anchorMs - anchorWallMs > behindMsMin ? slowPace : 1
  }

  function remember(lengthMs: number): void {
    stalls.push({ endMs: monoMs(), lengthMs })
    if (stalls.length > stallsMax) stalls.shift()
  }

  /** How long the process has not run until now; 0 if that is too short for a stall. */
  function sleptMs(): number {
    if (awakeMonoMs === undefined) return 0
    const ms = monoMs() - awakeMonoMs
    return ms > stallMsMin ? ms : 0
  }

  /** How far nowMs() is behind the wall clock, if that is more than a little. */
  function behindMs(): number {
    const ms = wallMs() - exactMs()
    return ms >= stepMsMin ? ms : 0
  }

  function watchForJumps(lateMs: number): void {
    const stallMs = sleptMs()
    const stepMs = behindMs()
    const setMs = wallMs() - anchorWallMs - (monoMs() - anchorMonoMs)
    awakeMonoMs = monoMs()
    anchor(Math.max(exactMs(), wallMs()))
    if (stallMs > 0) {
      originMonoMs += Math.max(0, lateMs)
      remember(stallMs)
      notifyJump('stall', stallMs)
    }
    if (stepMs > 0) {
      // A machine that slept cannot be told from one whose clock was set.
      remember(stepMs)
      notifyJump('step', stepMs)
    }
    if (setMs <= -stepMsMin) notifyJump('setBack', -setMs)
  }

  // One sleeper serves all timers, so it must not run in the context (AsyncLocalStorage) of the
  // request that happened to set it: what its timers write would join that request's transaction.
  const wake = AsyncResource.bind(() => {
    watchForJumps(tickNow() - armedTick)
    armedTick = Number.POSITIVE_INFINITY
    try {
      wheel.advance(tickNow(), timersPerTurn)
    } finally {
      arm()
    }
  })

  function arm(): void {
    const nextTick = wheel.nextTick()
    if (nextTick === undefined) {
      if (armedTick === Number.POSITIVE_INFINITY) awakeMonoMs = undefined
      return
    }
    if (nextTick >= armedTick) return
    awakeMonoMs ??= monoMs()
    const tick = tickNow()
    const sleepMs = Math.min(Math.max(1, nextTick - tick), sleepMsMax)
    armedTick = tick + sleepMs
    if (sleeper !== undefined) sources.wakeNever(sleeper)
    sleeper = sources.sleep(wake, sleepMs)
  }

  return {
    nowMs: () => Math.round(exactMs()),
    wallMs,
    monoMs,
    cpuMs: sources.cpuMs,
    stalledMs(sinceMs) {
      let ms = sleptMs() + behindMs()
      for (let at = stalls.length - 1; at >= 0; at--) {
        const stall = stalls[at]
        if (!stall || stall.endMs <= sinceMs) break
        ms += stall.lengthMs
      }
      return ms
    },
    setTimeout(run, delayMs) {
      const elapsedMs = monoMs() - originMonoMs
      const timer = wheel.add(run, Math.ceil(elapsedMs + Math.max(0, delayMs)))
      if (timer.dueTick < armedTick) arm()
      return timer
    },
    clearTimeout: (timer) => wheel.remove(timer),
    onJump: (listener) => listeners.push(listener),
    notBefore(pastMs) {
      if (pastMs > exactMs()) anchor(pastMs)
    },
    stop() {
      wheel.clear()
      if (sleeper !== undefined) sources.wakeNever(sleeper)
    },
  }
}
