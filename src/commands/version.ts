// stillup version: this program, what it runs on, and the running daemon.
import { limits } from '../domain/limits/limits.ts'
import { askDaemon, type DaemonStatus } from '../store/lock.ts'
import { currentSchema } from '../store/migrate.ts'
import { defineCommand } from './model/command.ts'
import { statusIn } from './model/daemon.ts'
import { glibcVersion } from './model/glibc.ts'
import type { CommandOptions, Host } from './model/host.ts'
import { loadedFor } from './model/settings.ts'

export const command = defineCommand({
  about: 'With a running daemon it tells whether that is the same version.',
  examples: [['stillup version --json', 'is what a report of a problem should have']],
  async run({ host, configPath, show }) {
    const { version, libraries, program } = host
    const found = {
      version,
      node: process.versions.node,
      libraries,
      platform: `${process.platform} ${process.arch}`,
      glibc: glibcVersion(),
      schema: currentSchema().version,
    }
    const daemon = await runningDaemon(host, { configPath })
    const names = Object.entries(libraries).map(([name, one]) => `${name} ${one}`)
    show(
      { ...found, daemon: daemon ?? null },
      `stillup ${version}`,
      `Node ${found.node}, ${names.join(', ')}`,
      `${found.platform}, ${found.glibc === null ? 'no glibc' : `glibc ${found.glibc}`}`,
      `version of the data: ${found.schema}`,
      ...daemonLines(daemon, version, program),
    )
  },
})

function daemonLines(daemon: RunningDaemon | undefined, version: string, program: string) {
  if (!daemon) return ['no running daemon was found']
  const line = `running daemon: ${daemon.version} (process ${daemon.pid}), on ${daemon.dir}`
  if (daemon.version === version) return [line]
  return [line, `The daemon is another version than this ${program}: restart it to use this one.`]
}

interface RunningDaemon extends Pick<DaemonStatus, 'pid' | 'version'> {
  readonly dir: string
}

/** The daemon that runs; undefined also where the settings are wrong, or this user may not ask it. */
async function runningDaemon(
  host: Host,
  { configPath }: CommandOptions,
): Promise<RunningDaemon | undefined> {
  const loaded = loadedFor(host, { configPath })
  if (!('settings' in loaded)) return undefined
  const { dir } = loaded.settings.data
  try {
    const { version, pid } = statusIn(
      await askDaemon(dir, { verb: 'status' }, limits.controlTimeoutMs),
    )
    return { version, pid, dir }
  } catch {
    return undefined
  }
}
