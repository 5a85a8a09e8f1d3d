// Programs that some tests use and a machine may lack: looked up on PATH, never by a fixed path.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export type OptionalProgram =
  | 'bash'
  | 'chromium'
  | 'curl'
  | 'dnsmasq'
  | 'faketime'
  | 'gcc'
  | 'ip'
  | 'nft'
  | 'nginx'
  | 'ping'
  | 'prometheus-alertmanager'
  | 'promtool'
  | 'systemd-analyze'
  | 'taskset'

/** Where the program is; undefined where this machine has none. */
export function pathOf(program: OptionalProgram): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

/** Why a test that needs these programs is skipped; false where all are installed. */
export function skipWithout(...programs: readonly OptionalProgram[]): string | false {
  const missing = programs.filter((program) => pathOf(program) === undefined)
  return missing.length > 0 && `not installed: ${missing.join(', ')}`
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
