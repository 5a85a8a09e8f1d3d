// stillup healthcheck: asks the running daemon whether it is ready, over its control socket.
import { exitCodes } from '../base/exit.ts'
import { askDaemon, type DaemonStatus } from '../store/lock.ts'
import type { CommandOptions, Host } from './host.ts'
import { settingsFor } from './settings.ts'

/** Returns the exit code: 0 while the daemon is ready, else 1, as container engines expect. */
export async function healthcheck(host: Host, options: CommandOptions): Promise<number> {
  const loaded = settingsFor(host, options)
  if (!loaded) return exitCodes.config
  const { dir } = loaded.settings.data
  try {
    const status = (await askDaemon(dir, { verb: 'status' })) as DaemonStatus
    const state = status.ready ? 'ready' : 'not ready'
    host.print(`stillup ${status.version} (process ${status.pid}) is ${state}`)
    return status.ready ? exitCodes.ok : exitCodes.failed
  } catch (error) {
    host.complain(`${dir}: ${error instanceof Error ? error.message : error}`)
    return exitCodes.failed
  }
}
