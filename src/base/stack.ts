// Stops what was started in the opposite order, each step with a name and a deadline.
import { assert } from './assert.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log/log.ts'

export interface Stack {
  /** Registers how to stop what was just started. `deadlineMs` limits this step alone. */
  push(name: string, stop: () => unknown, deadlineMs?: number): void
  /**
   * Stops everything, last first. A step that fails or is late is logged and skipped; resolves with
   * their names. Further calls return the same promise.
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
      // `stop` may throw synchronously: inside an async function that becomes a rejection.
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
