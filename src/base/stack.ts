// What was started is stopped in the opposite order, each step by name and with a deadline.
import { assert } from './assert.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log/log.ts'

export interface Stack {
  /** Registers how to stop what was just started. `deadlineMs` bounds this step alone. */
  push(name: string, stop: () => unknown, deadlineMs?: number): void
  /**
   * Stops everything, last first; a step that fails or is late is logged and left behind. Resolves
   * with the names of those. Calling it again gives the same promise.
   */
  stop(): Promise<readonly string[]>
}

export interface StackDeps {
  readonly clock: Clock
  readonly log: Log
}

const stepDeadlineMs = 10_000

export function createStack({ clock, log }: StackDeps): Stack {
  const steps: { name: string; stop: () => unknown; deadlineMs: number }[] = []
  let stopping: Promise<readonly string[]> | undefined

  function withDeadline(stop: () => unknown, deadlineMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`not done after ${deadlineMs} ms`))
      const timer = clock.setTimeout(late, deadlineMs)
      // `stop` may throw at once: inside an async function that is a rejection like any other.
      const run = async () => {
        await stop()
      }
      run()
        .then(resolve, reject)
        .finally(() => clock.clearTimeout(timer))
    })
  }

  async function stopAll(): Promise<readonly string[]> {
    const failed: string[] = []
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { name, stop, deadlineMs } = step
      const startedMs = clock.monoMs()
      try {
        await withDeadline(stop, deadlineMs)
        log.debug('stopped', { step: name, durationMs: Math.round(clock.monoMs() - startedMs) })
      } catch (error) {
        failed.push(name)
        log.error('could not stop', { step: name, error })
      }
    }
    return failed
  }

  return {
    push(name, stop, deadlineMs = stepDeadlineMs) {
      assert(!stopping, `${name} was started during shutdown`)
      steps.push({ name, stop, deadlineMs })
    },
    stop() {
      stopping ??= stopAll()
      return stopping
    },
  }
}
