// stillup serve: starts the daemon, and stops it on a signal.
import { exitCodes, StartFailure } from '../base/exit.ts'
import type { Log, MainLog } from '../base/log/log.ts'
import { createStack, type Stack } from '../base/stack.ts'
import type { LoadedSettings } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { endsItsRun } from '../net/run/stray-errors.ts'
import { createFilesPort } from '../services/doctor/machine/files.ts'
import { isLocal, openAddresses, proxyOf } from './addresses.ts'
import { firstSteps, places } from './first-steps.ts'
import { defineCommand } from './model/command.ts'
import type { CommandOptions, Host } from './model/host.ts'
import { settingsToServe } from './model/settings.ts'
import type { RunningApp, StartApp } from './model/start-app.ts'
import { isNodeHere } from './node-here.ts'
import { createReload } from './reload.ts'
import { openLog, startFailed, stopAll, waitForSignal } from './running.ts'
import { createSupervisor } from './supervisor.ts'

export const command = defineCommand({
  about:
    'It runs until SIGTERM or SIGINT, then stops within 30 seconds; a second signal ends it at once.',
  exits: { 0: 'stopped by a signal', 1: 'a second signal ended it at once' },
  hasJson: false,
  run: ({ host, configPath }) =>
    serve(host, { configPath }, async (own, world) => {
      if (own.settings.cluster.servers.length === 0) return (await host.loadApp())(own, world)
      return (await host.loadMember())(own, world, proxyOf(host.env))
    }),
})

/** The longest time that a stop takes. */
export const stopMsMax = 30_000

/** Runs until a signal; returns the exit code. */
export async function serve(
  host: Host,
  options: CommandOptions,
  startApp: StartApp,
): Promise<number> {
  const loaded = settingsToServe(host, options)
  if (!loaded) return exitCodes.config
  const { settings, source, warnings } = loaded
  const { clock, version } = host
  const log = openLog(host, settings)
  const stack = createStack({ clock, log })
  const stopped = waitForSignal(host, log)
  const stopping = new AbortController()
  void stopped.then((signal) => stopping.abort(signal))
  const reloads = collectReloads(host)
  const bug = (error: unknown) => {
    if (endsItsRun()) {
      log.error('a check or a message failed because of a bug', { error })
      return
    }
    log.error('a bug: the daemon ends and should be restarted', { error })
    host.exit(exitCodes.software)
  }
  host.onBug(bug)
  log.info('starting', { version, pid: process.pid, config: source, dir: settings.data.dir })
  for (const warning of warnings) log.warn(warning)
  try {
    const { signal } = stopping
    await start({ host, options, loaded, log, stack, startApp, bug, reloads, stopping: signal })
  } catch (error) {
    await stack.stop()
    if (!stopping.signal.aborted || error !== stopping.signal.reason) {
      return startFailed(host, error, log)
    }
    log.info('stopped')
    return exitCodes.ok
  }
  const signal = await stopped
  log.info('stopping', { signal })
  return stopAll(clock, log, stack, stopMsMax)
}

interface StartDeps {
  readonly host: Host
  readonly options: CommandOptions
  readonly loaded: LoadedSettings
  readonly log: MainLog
  readonly stack: Stack
  readonly startApp: StartApp
  readonly bug: (error: unknown) => void
  readonly reloads: ReturnType<typeof collectReloads>
  readonly stopping: AbortSignal
}

/** How much longer the supervisor shall wait for the start, each time. */
const upgradeExtendedMs = 60_000

async function start(deps: StartDeps): Promise<void> {
  const { host, options, loaded, log, stack, startApp, bug, reloads, stopping } = deps
  const { settings } = loaded
  const { clock, env, version, program } = host
  const supervisor = createSupervisor({ env, clock, log })
  const watchdog = createWatchdogSwitch(host)
  const app = await startApp(loaded, {
    clock,
    log,
    version,
    stopping,
    standsBy(status) {
      stack.push('watchdog', () => watchdog.use(0))
      void watchdog.use(settings.system.watchdogSeconds)
      supervisor.startPings()
      void supervisor.tell('READY=1', `STATUS=${status}`)
    },
    progress(status) {
      const extendedUs = upgradeExtendedMs * 1_000
      void supervisor.tell(`STATUS=${status}`, `EXTEND_TIMEOUT_USEC=${extendedUs}`)
    },
    fail(error) {
      if (error instanceof StartFailure) {
        log.error(error.message, { hint: error.hint })
        return host.exit(error.exitCode)
      }
      log.error('the disk failed: the daemon ends and should be restarted', { error })
      host.exit(exitCodes.io)
    },
  })
  // The watchdog starts before the app, so that it watches to the end.
  void watchdog.use(settings.system.watchdogSeconds)
  stack.push('watchdog', () => watchdog.use(0))
  stack.push('app', app.stop, stopMsMax)
  stack.push('supervisor', () => {
    supervisor.stop()
    return supervisor.tell('STOPPING=1')
  })
  const addresses = openAddresses(app.address)
  const [address, ...others] = addresses
  log.info('listening', { address, ...(others.length > 0 ? { others } : {}) })
  tellGuess(app, settings, log)
  const { firstRun, baseUrl, isLocalAllowed, statusPages } = app
  if (firstRun) {
    const hasNode = await isNodeHere(env, createFilesPort(clock))
    host.print(firstSteps({ address, baseUrl, isLocalAllowed, hasNode, ...firstRun }))
  } else {
    host.print(places({ baseUrl, addresses, statusPages, program }))
  }
  const announce = async () => {
    await app.ready
    log.info('ready')
    supervisor.startPings()
    await supervisor.tell('READY=1', `STATUS=Listening on ${address}`)
    reloads.begin(() => reload().catch(bug))
  }
  const reload = createReload({
    host,
    options,
    log,
    supervisor,
    async apply(next) {
      const change = app.reload(next)
      if ('problems' in change) return change
      log.setLevel(next.settings.log.level)
      await watchdog.use(next.settings.system.watchdogSeconds)
      return change
    },
  })
  stack.push('reloads', () => reloads.end())
  // It is not awaited, so that a signal works while many monitors are still being started.
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

/** Reloads that are asked for before everything runs wait until then. */
function collectReloads(host: Host) {
  let isWanted = false
  let run = (): unknown => {
    isWanted = true
    return undefined
  }
  host.onReload(() => void run())
  return {
    begin(reload: () => unknown): void {
      run = reload
      if (isWanted) reload()
    },
    end(): void {
      run = () => undefined
    },
  }
}

/** The watchdog of the process, as the settings want it; 0 is off. */
function createWatchdogSwitch(host: Host) {
  let seconds = 0
  let watchdog: ReturnType<Host['startWatchdog']> | undefined
  return {
    async use(next: number): Promise<void> {
      if (next === seconds) return
      seconds = next
      const former = watchdog
      watchdog = next > 0 ? host.startWatchdog(next * 1_000) : undefined
      await former?.stop()
    },
  }
}
