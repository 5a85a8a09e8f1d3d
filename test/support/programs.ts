// Programs that some tests use and a machine may lack: looked up on PATH, never by a fixed path.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export type OptionalProgram =
  | 'bash'
  | 'buildah'
  | 'caddy'
  | 'chronyd'
  | 'chromium'
  | 'chromium-headless-shell'
  | 'curl'
  | 'danted'
  | 'debootstrap'
  | 'dnsmasq'
  | 'dnssec-keygen'
  | 'dnssec-signzone'
  | 'dovecot'
  | 'faketime'
  | 'fish'
  | 'freeradius'
  | 'gcc'
  | 'git'
  | 'go'
  | 'haproxy'
  | 'ip'
  | 'jq'
  | 'lighttpd'
  | 'microsocks'
  | 'mosquitto'
  | 'mosquitto_pub'
  | 'murmurd'
  | 'named'
  | 'nft'
  | 'nginx'
  | 'openssl'
  | 'pebble'
  | 'pebble-challtestsrv'
  | 'ping'
  | 'podman'
  | 'prometheus'
  | 'prometheus-alertmanager'
  | 'promtool'
  | 'redis-server'
  | 'runc'
  | 'shellcheck'
  | 'slapd'
  | 'snmpd'
  | 'sshd'
  | 'systemd-analyze'
  | 'taskset'
  | 'tinyproxy'
  | 'unbound'
  | 'unshare'
  | 'versitygw'
  | 'xxd'
  | 'xz'
  | 'zsh'

/** Where the program is; undefined where this machine has none. */
export function pathOf(program: OptionalProgram): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

/** The browser of tests: without any window it takes a third less time; else the whole one. */
export const browserPath = () => pathOf('chromium-headless-shell') ?? pathOf('chromium')

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
