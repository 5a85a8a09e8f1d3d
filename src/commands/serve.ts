// stillup serve: starts the daemon, and stops it on a signal.
import type { Clock, RunningClock } from '../base/clock.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import { Fault } from '../base/fault.ts'
import { createLog, type Log } from '../base/log/log.ts'
import { createStack, type Stack } from '../base/stack.ts'
import { within } from '../base/timeout.ts'
import type { Settings } from '../config/settings.ts'
import { limits } from '../domain/limits/limits.ts'
import { KeyringError } from '../seal/keyring.ts'
import { isLocal, openAddresses } from './addresses.ts'
import { firstSteps, places } from './first-steps.ts'
import type { CommandOptions, Host } from './host.ts'
import { settingsFor } from './settings.ts'
import { createSupervisor } from './supervisor.ts'

export interface DaemonInputs {
  readonly clock: RunningClock
  readonly log: Log
  readonly version: string
  /** The disk failed: the process must end and restart. */
  readonly fail: (error: unknown) => void
}

export interface RunningApp {
  /** Its address, such as http://127.0.0.1:8080. */
  readonly address: string
  /** The public address, without a trailing slash. */
  readonly baseUrl: string
  /** No setting names it: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /** Whether monitors and channels may lead to this machine. */
  readonly isLocalAllowed: boolean
  /** The addresses of some status pages. */
  readonly statusPages: readonly string[]
  readonly firstRun: { readonly setupToken: string } | null
  /** Resolves when every monitor runs. */
  readonly ready: Promise<void>
  stop(): Promise<unknown>
}

/** Starts everything that serves and checks; app/app.ts in the daemon. */
export type StartApp = (settings: Settings, world: DaemonInputs) => Promise<RunningApp>

/** Runs until a signal; returns the exit code. */
export async function serve(
  host: Host,
  options: CommandOptions,
  startApp: StartApp,
): Promise<number> {
  const loaded = settingsFor(host, options)
  if (!loaded) return exitCodes.config
  const { settings, source, warnings } = loaded
  const { clock, version } = host
  const log = createLog({ ...settings.log, color: host.isTerminal && !host.env.NO_COLOR })
  const stack = createStack({ clock, log })
  const stopped = waitForSignal(host, log)
  const bug = (error: unknown) => {
    log.error('a bug: the daemon ends and should be restarted', { error })
    host.exit(exitCodes.software)
  }
  host.onBug(bug)
  log.info('starting', { version, pid: process.pid, config: source, dir: settings.data.dir })
  for (const warning of warnings) log.warn(warning)
  try {
    await start({ host, settings, log, stack, startApp, bug })
  } catch (error) {
    await stack.stop()
    return reportFailure(host, error, log)
  }
  const signal = await stopped
  log.info('stopping', { signal })
  return stopAll(clock, log, stack)
}

interface StartDeps {
  readonly host: Host
  readonly settings: Settings
  readonly log: Log
  readonly stack: Stack
  readonly startApp: StartApp
  readonly bug: (error: unknown) => void
}

async function start({ host, settings, log, stack, startApp, bug }: StartDeps): Promise<void> {
  const { clock, env, version } = host
  const app = await startApp(settings, {
    clock,
    log,
    version,
    fail(error) {
      if (error instanceof StartFailure) {
        log.error(error.message, { hint: error.hint })
        return host.exit(error.exitCode)
      }
      log.error('the disk failed: the daemon ends and should be restarted', { error })
      host.exit(exitCodes.io)
    },
  })
  // Before the app, so that it watches to the end.
  if (settings.system.watchdogSeconds > 0) {
    const watchdog = host.startWatchdog(settings.system.watchdogSeconds * 1_000)
    stack.push('watchdog', () => watchdog.stop())
  }
  stack.push('app', app.stop, limits.stopMsMax)
  const supervisor = createSupervisor({ env, clock, log })
  stack.push('supervisor', () => {
    supervisor.stop()
    return supervisor.tell('STOPPING=1')
  })
  const addresses = openAddresses(app.address)
  const [address, ...others] = addresses
  log.info('listening', { address, ...(others.length > 0 ? { others } : {}) })
  tellGuess(app, settings, log)
  const { firstRun, baseUrl, isLocalAllowed, statusPages } = app
  host.print(
    firstRun
      ? firstSteps({ address, baseUrl, isLocalAllowed, ...firstRun })
      : places({ baseUrl, addresses, statusPages }),
  )
  const announce = async () => {
    await app.ready
    log.info('ready')
    supervisor.startPings()
    await supervisor.tell('READY=1', `STATUS=Listening on ${address}`)
  }
  // Not awaited, so that a signal works while many monitors are still being started.
  announce().catch(bug)
}

/** People elsewhere cannot open what was derived from the address of this machine. */
function tellGuess({ address, baseUrl, isBaseGuessed }: RunningApp, settings: Settings, log: Log) {
  const isForOthers = !isLocal(address) || settings.http.trustedProxies.length > 0
  if (!isBaseGuessed || !isForOthers) return
  log.warn(
    `links in letters and alerts begin with ${baseUrl}, which is a guess: set http.baseUrl ` +
      '(STILLUP_HTTP_BASE_URL) to the address that people use',
  )
}

/** Resolves on the first signal; a second one ends the process at once. */
function waitForSignal(host: Host, log: Log): Promise<string> {
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

async function stopAll(clock: Clock, log: Log, stack: Stack): Promise<number> {
  const failed = await within(clock, stack.stop(), limits.stopMsMax)
  if (failed === undefined) log.error('not everything stopped in time')
  else log.info('stopped')
  return exitCodes.ok
}

function reportFailure(host: Host, error: unknown, log: Log): number {
  if (error instanceof StartFailure) {
    host.complain(`stillup: ${error.message}`)
    if (error.hint) host.complain(error.hint)
    return error.exitCode
  }
  if (error instanceof Fault && error.code === 'damaged_record') {
    host.complain('stillup: a stored record that every start needs is damaged (see the log)')
    host.complain('Put back the data directory from a backup (docs/operating.md, "Damaged data").')
    return exitCodes.config
  }
  if (error instanceof KeyringError) {
    host.complain(`stillup: ${error.message}`)
    return exitCodes.config
  }
  if (isSystemError(error)) {
    host.complain(`stillup: ${error.message}`)
    return exitCodes.io
  }
  log.error('a bug: the daemon could not start', { error })
  return exitCodes.software
}

/** Whether it is a system error, such as EACCES; our own errors have no such code. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))
}
