// stillup reset-password: asks the daemon on this machine for a link that sets a new password.
import { exitCodes } from '../base/exit.ts'
import { limits } from '../domain/limits/limits.ts'
import { askDaemon } from '../store/lock.ts'
import type { CommandOptions, Host } from './host.ts'
import { settingsFor } from './settings.ts'

export interface ResetPasswordOptions extends CommandOptions {
  readonly email: string
}

/** Returns the exit code: 0 with the link, 1 if there is no such account or no running daemon. */
export async function resetPassword(host: Host, options: ResetPasswordOptions): Promise<number> {
  const loaded = settingsFor(host, options)
  if (!loaded) return exitCodes.config
  const { dir } = loaded.settings.data
  try {
    const url = await askDaemon(dir, { verb: 'reset-password', email: options.email })
    const minutes = limits.linkMs['password-reset'] / 60_000
    host.print(`Open this address within ${minutes} minutes to choose a new password:\n\n${url}\n`)
    host.print(
      'It works once and ends the sessions of the account. A second factor stays on. In an account\n' +
        'whose address was never confirmed, it ends too, and so do the API keys, unless the person\n' +
        'is an administrator of the daemon.',
    )
    return exitCodes.ok
  } catch (error) {
    host.complain(`${error instanceof Error ? error.message : error}`)
    host.complain(`The daemon of data.dir, ${dir}, must be running: this command asks it.`)
    return exitCodes.failed
  }
}
