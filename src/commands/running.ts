// What commands that run until a signal have in common.
import type { Clock } from '../base/clock.ts'
import { exitCodes } from '../base/exit.ts'
import { createLog, type Log, type MainLog } from '../base/log/log.ts'
import type { Stack } from '../base/stack.ts'
import { within } from '../base/timeout.ts'
import type { Settings } from '../config/settings.ts'
import { reportFailure } from './model/failure.ts'
import type { Host } from './model/host.ts'

/** The log of the process, on standard error. */
export function openLog({ isTerminal, env }: Host, { log }: Pick<Settings, 'log'>): MainLog {
  return createLog({ ...log, color: isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' })
}

/** Resolves on the first signal; a second one ends the process at once. */
export function waitForSignal(host: Host, log: Log): Promise<string> {
  return new Promise((resolve) => {
    let signals = 0
    host.onSignal((signal) => {
      signals += 1
      if (signals === 1) return resolve(signal)
      log.warn('stopping at once', { signal })
      host.exit(exitCodes.failed)
    })
  })
}

/** Stops everything in at most `stopMsMax`; returns the exit code. */
export async function stopAll(
  clock: Clock,
  log: Log,
  stack: Stack,
  stopMsMax: number,
): Promise<number> {
  const failed = await within(clock, stack.stop(), stopMsMax)
  if (failed === undefined) log.error('not everything stopped in time')
  else log.info('stopped')
  return exitCodes.ok
}

/** Says why the start failed; returns the exit code. */
export function startFailed(host: Host, error: unknown, log: Log): number {
  const code = reportFailure(host, error)
  if (code !== undefined) return code
  log.error('a bug: the program could not start', { error })
  return exitCodes.software
}
