// The parts of the process that a command may use; passed in, so that tests can run commands.
import type { RunningClock } from '../base/clock.ts'
import type { Watchdog } from './watchdog/watchdog.ts'

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly version: string
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean
  readonly clock: RunningClock
  /** Writes a line to standard output: the command's result. */
  print(line: string): void
  /** Writes a line to standard error: a problem. */
  complain(line: string): void
  /** Calls `run` for every SIGTERM and SIGINT. */
  onSignal(run: (signal: string) => void): void
  /** Calls `run` for an uncaught error. */
  onBug(run: (error: unknown) => void): void
  /** Kills the process once its event loop has stood still for so long. */
  startWatchdog(silenceMsMax: number): Watchdog
  /** Ends the process now. */
  exit(code: number): void
}

export interface CommandOptions {
  readonly configPath: string | undefined
}
