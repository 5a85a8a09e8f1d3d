// Loads the settings for every command; problems go to standard error, one line each.
import { exitCodes } from '../../base/exit.ts'
import { type LoadResult, loadSettings, problemLine } from '../../config/load.ts'
import { CommandFailure } from './failure.ts'
import type { CommandOptions, Host } from './host.ts'

type Good = Extract<LoadResult, { settings: unknown }>

/** The settings of a daemon that starts here, or undefined after reporting each problem. */
export function settingsToServe(host: Host, options: CommandOptions): Good | undefined {
  return reported(host, loadSettings({ ...surroundings(host), ...options }))
}

/**
 * The settings of the daemon that a command is about, which may be the installed service. Throws
 * CommandFailure, after reporting each problem.
 */
export function settingsFor(host: Host, options: CommandOptions): Good {
  const loaded = reported(host, loadedFor(host, options))
  if (loaded) return loaded
  throw new CommandFailure(exitCodes.config, 'the settings are not valid')
}

/** The same for a command that goes on without settings. */
export function loadedFor(host: Host, options: CommandOptions): LoadResult {
  return loadSettings({ ...surroundings(host), ...options, isForCommand: true })
}

function surroundings({ env, cwd, isTerminal }: Host) {
  return { env, cwd, isTerminal }
}

function reported(host: Host, loaded: LoadResult): Good | undefined {
  if ('settings' in loaded) return loaded
  for (const problem of loaded.problems) host.complain(problemLine(problem))
  return undefined
}
