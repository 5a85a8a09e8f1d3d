// stillup check-config: reports every problem in the settings; --defaults prints the commented
// file.
import { exitCodes } from '../base/exit.ts'
import { exampleFile } from '../config/example.ts'
import type { CommandOptions, Host } from './host.ts'
import { settingsFor } from './settings.ts'

export interface CheckConfigOptions extends CommandOptions {
  readonly defaults: boolean
}

/** Returns the exit code: 0 if a start would accept the settings, else 78. */
export async function checkConfig(host: Host, options: CheckConfigOptions): Promise<number> {
  if (options.defaults) {
    host.print(exampleFile().trimEnd())
    return exitCodes.ok
  }
  const loaded = settingsFor(host, options)
  if (!loaded) return exitCodes.config
  for (const warning of loaded.warnings) host.complain(`note: ${warning}`)
  host.print(`The settings are valid (${loaded.source ?? 'no file; defaults and variables'}).`)
  return exitCodes.ok
}
