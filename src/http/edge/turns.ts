// Limits how long requests keep the event loop from everything else, such as checks and other
// callers. uWebSockets.js reads half a megabyte of a connection at once, hands over each request in
// it, and reads on while more is there: a caller that sends faster than it is answered would never
// let go. So requests run at once only for a limited time per turn. Later ones wait for the next
// turn; if a caller sends another request meanwhile, the library closes its connection.
import type { Clock } from '../../base/clock.ts'

export interface Turns {
  /** Whether a request that arrives at this time may run at once. */
  hasTime(monoMs: number): boolean
  /** Runs the work in a later turn, in order. The work must not throw. */
  later(work: () => void): void
}

/** How long requests run in one turn of the event loop; requests that come later wait for the next. */
export const turnRequestsMsMax = 10
/** Requests that are not timed, also over several turns, unless they take time. */
export const turnRequestsUntimed = 32

export function createTurns(clock: Pick<Clock, 'monoMs'>): Turns {
  /**
   * Requests that get no callback to time their turn, because so few seldom take any time; and when
   * the first of them came.
   */
  let untimed: number = turnRequestsUntimed
  let untimedSinceMs: number | undefined
  let startedMonoMs: number | undefined
  /** True until everything that waits has run, so that newer requests do not run before it. */
  let isOver = false
  let isTurnAsked = false
  let waiting: (() => void)[] = []

  function askTurn(): void {
    if (isTurnAsked) return
    isTurnAsked = true
    setImmediate(nextTurn)
  }

  function nextTurn(): void {
    isTurnAsked = false
    untimed = turnRequestsUntimed
    untimedSinceMs = undefined
    startedMonoMs = undefined
    const untilMonoMs = clock.monoMs() + turnRequestsMsMax
    const works = waiting
    waiting = []
    let done = 0
    for (const work of works) {
      work()
      done += 1
      if (clock.monoMs() >= untilMonoMs) break
    }
    if (done < works.length) waiting = [...works.slice(done), ...waiting]
    isOver = isOver && waiting.length > 0
    if (waiting.length > 0) askTurn()
  }

  return {
    hasTime(monoMs) {
      if (isOver) return false
      if (untimed > 0) {
        untimed -= 1
        untimedSinceMs ??= monoMs
        if (monoMs - untimedSinceMs < turnRequestsMsMax) return true
        // Time has passed: between them, or because they take it.
        untimed = 0
      }
      if (startedMonoMs === undefined) {
        startedMonoMs = monoMs
        askTurn()
      }
      isOver = monoMs - startedMonoMs >= turnRequestsMsMax
      return !isOver
    },
    later(work) {
      waiting.push(work)
      askTurn()
    },
  }
}
