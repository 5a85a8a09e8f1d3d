// Loads the settings for every command; problems go to standard error, one line each.
import { type LoadResult, loadSettings, problemLine } from '../config/load.ts'
import type { CommandOptions, Host } from './host.ts'

type Good = Extract<LoadResult, { settings: unknown }>

/** The settings, or undefined after reporting each problem. */
export function settingsFor(host: Host, { configPath }: CommandOptions): Good | undefined {
  const { env, cwd, isTerminal } = host
  const loaded = loadSettings({ configPath, env, cwd, isTerminal })
  if ('settings' in loaded) return loaded
  for (const problem of loaded.problems) host.complain(problemLine(problem))
  return undefined
}
