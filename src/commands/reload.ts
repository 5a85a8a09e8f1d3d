// Reload (SIGHUP): reads the settings again, applies the ones that can change while the daemon runs, and
// names the others. Settings with a problem change nothing.
import type { Log } from '../base/log/log.ts'
import type { SettingsChange } from '../config/live.ts'
import { type LoadedSettings, loadSettings, type Problem, problemLine } from '../config/load.ts'
import type { CommandOptions, Host } from './model/host.ts'
import type { Supervisor } from './supervisor.ts'

export interface ReloadDeps {
  readonly host: Pick<Host, 'env' | 'cwd' | 'isTerminal'>
  readonly options: CommandOptions
  readonly log: Log
  readonly supervisor: Pick<Supervisor, 'tell' | 'tellReloading'>
  readonly apply: (
    loaded: LoadedSettings,
  ) => Promise<SettingsChange | { readonly problems: readonly Problem[] }>
}

/** Returns a function that reloads once; calls made meanwhile are followed by one more. */
export function createReload({ host, options, log, supervisor, apply }: ReloadDeps) {
  let running: Promise<void> | undefined
  let isWantedAgain = false

  async function reload(): Promise<void> {
    await supervisor.tellReloading()
    const { env, cwd, isTerminal } = host
    const loaded = loadSettings({ ...options, env, cwd, isTerminal })
    if ('problems' in loaded) return refuse(loaded.problems)
    for (const warning of loaded.warnings) log.warn(warning)
    const change = await apply(loaded)
    if ('problems' in change) return refuse(change.problems)
    const { applied, needRestart } = change
    log.info('the settings were reloaded', { applied })
    if (needRestart.length > 0) log.warn(`needs a restart: ${needRestart.join(', ')}`)
    await supervisor.tell('READY=1')
  }

  async function refuse(found: readonly Problem[]): Promise<void> {
    const problems = found.map(problemLine)
    log.error('the settings were not reloaded: nothing has changed', { problems })
    await supervisor.tell('READY=1')
  }

  async function reloadAll(): Promise<void> {
    do {
      isWantedAgain = false
      await reload()
    } while (isWantedAgain)
  }

  return (): Promise<void> => {
    isWantedAgain = true
    running ??= reloadAll().finally(() => {
      running = undefined
    })
    return running
  }
}
