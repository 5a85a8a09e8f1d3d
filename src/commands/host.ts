// What a command may use of its process: handed in, so that commands can be run by tests.
import type { RunningClock } from '../base/clock.ts'

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly version: string
  /** Whether standard error is a person's terminal. */
  readonly isTerminal: boolean
  readonly clock: RunningClock
  /** Writes a line to standard output: what the command was asked for. */
  print(line: string): void
  /** Writes a line to standard error: what went wrong. */
  complain(line: string): void
  /** Calls `run` for every SIGTERM and SIGINT. */
  onSignal(run: (signal: string) => void): void
  /** Calls `run` for an error that nobody caught. */
  onBug(run: (error: unknown) => void): void
  /** Ends the process now. */
  exit(code: number): void
}

export interface CommandOptions {
  readonly configPath: string | undefined
}
