// Errors that nobody waits for, thrown in a listener of a connection or the parser of a driver: each ends
// the run that it belongs to, and not the process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Failure, internalFailure } from '../failure.ts'

/** A guarded run. */
interface RunToEnd {
  end(found: Failure): void
}

const runs = new AsyncLocalStorage<RunToEnd>()

/** Does the work of a run: what throws later because of it belongs to the run. */
export function inRun<T>(run: RunToEnd, work: () => T): T {
  return runs.run(run, work)
}

/**
 * For a process' handler of `uncaughtException` and `unhandledRejection`, in whose context the error was
 * thrown: ends the run that it belongs to with a failure that is a bug of ours. False if it belongs to none.
 */
export function endsItsRun(): boolean {
  const run = runs.getStore()
  run?.end(internalFailure)
  return run !== undefined
}
