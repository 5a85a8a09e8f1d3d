// Stops what was started in the opposite order, each step with a name and a deadline.
import { assert } from './assert.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log/log.ts'
import { within } from './timeout.ts'

const stepDeadlineMs = 10_000

export type Stack = ReturnType<typeof createStack>

export function createStack({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const steps: { name: string; stop: () => unknown; deadlineMs: number }[] = []
  let stopping: Promise<readonly string[]> | undefined

  async function withDeadline(stop: () => unknown, deadlineMs: number): Promise<void> {
    // `stop` may throw synchronously: inside an async function that becomes a rejection.
    const run = async () => {
      await stop()
      return true
    }
    const isDone = await within(clock, run(), deadlineMs)
    if (!isDone) throw new Error(`not done after ${deadlineMs} ms`)
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
    /** Registers how to stop what was just started. `deadlineMs` limits this step alone. */
    push(name: string, stop: () => unknown, deadlineMs = stepDeadlineMs): void {
      assert(!stopping, `${name} was started during shutdown`)
      steps.push({ name, stop, deadlineMs })
    },

    /**
     * Stops everything, last first. A step that fails or is late is logged and skipped; resolves
     * with their names. Further calls return the same promise.
     */
    stop(): Promise<readonly string[]> {
      stopping ??= stopAll()
      return stopping
    },
  }
}
