// The parts of the process that a command may use; passed in, so that tests can run commands.
import type { RunningClock } from '../../base/clock.ts'
import type { convertApart } from '../../services/orgs/convert-apart.ts'
import type { Watchdog } from '../watchdog/watchdog.ts'
import type { StartApp, StartMember, StartStandby } from './start-app.ts'
import type { StartProbe } from './start-probe.ts'

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly version: string
  /** How this program is called here, as in hints: `stillup`, or `npx stillup` in an npm tree. */
  readonly program: string
  /** The versions of the native libraries inside, by name. */
  readonly libraries: Readonly<Record<string, string>>
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean
  /** Whether standard output is one. */
  readonly isOutputTerminal: boolean
  /** Whether a person can be asked: standard input and standard error are a terminal. */
  readonly isInteractive: boolean
  readonly clock: RunningClock
  /** Writes a line to standard output: the command's result. */
  print(line: string): void
  /** Writes a line to standard error: a problem. */
  complain(line: string): void
  /** Asks the person; resolves with the line that was typed, '' where there is none. A secret is not shown. */
  ask(question: string, about?: { readonly isSecret: boolean }): Promise<string>
  /** Calls `run` for every SIGTERM and SIGINT. */
  onSignal(run: (signal: string) => void): void
  /** Calls `run` for every SIGHUP that asks for a reload. */
  onReload(run: () => void): void
  /** Calls `run` for an uncaught error. */
  onBug(run: (error: unknown) => void): void
  /** Kills the process once its event loop has stood still for so long. */
  startWatchdog(silenceMsMax: number): Watchdog
  /** Loads the daemon, which no other command needs. */
  loadApp(): Promise<StartApp>
  /** Loads a member of a cluster. */
  loadMember(): Promise<StartMember>
  /** Loads the standby. */
  loadStandby(): Promise<StartStandby>
  /** Loads the remote probe. */
  loadProbe(): Promise<StartProbe>
  /** Converts a file of another product; a process apart does where this is absent. */
  readonly convert?: typeof convertApart
  /** Ends the process now. */
  exit(code: number): void
}

export interface CommandOptions {
  /** The file that --config names. */
  readonly configPath: string | undefined
}
