// What a command says where the system refuses its user, who is not that of the service.
import { readdirSync } from 'node:fs'
import { type ExitCode, exitCodes } from '../../base/exit.ts'
import { isDenied, nearestVisible } from '../../store/unusable-directory.ts'
import { CommandFailure } from './failure.ts'

/** `what` the user may not do, as in "ask the daemon", and the path that is closed. */
export function denied(
  what: string,
  path: string,
  { cause, exitCode }: { readonly cause: unknown; readonly exitCode: ExitCode },
): CommandFailure {
  return new CommandFailure(exitCode, `this user may not ${what}`, {
    hint: `Run the command as root${ownerOf(path)}.`,
    cause,
  })
}

/** The data, or the backups, of a service that is not this user's. */
export function mayNotUse(dir: string, cause: unknown, exitCode: ExitCode): CommandFailure {
  return denied(`use the data in ${dir}`, dir, { cause, exitCode })
}

/** An error of the system that names a path becomes a sentence; others stay as they are. */
export function explained(error: unknown): unknown {
  if (!(isDenied(error) && 'path' in error && typeof error.path === 'string')) return error
  const { path } = error
  return denied(`use ${path}`, path, { cause: error, exitCode: exitCodes.io })
}

/**
 * Throws the system's error for a directory that this user may not look into: everything in it looks as if
 * it did not exist. One that is missing is none.
 */
export function mustBeReachable(dir: string): void {
  try {
    readdirSync(dir)
  } catch (error) {
    if (isDenied(error)) throw error
  }
}

function ownerOf(path: string): string {
  const { uid } = nearestVisible(path)
  return uid === 0 || uid === process.geteuid?.()
    ? ''
    : `, or as the user of the daemon (uid ${uid})`
}
