// What a command says where the system refuses its user, who is not that of the service.
import { readdirSync } from 'node:fs'
import { type ExitCode, exitCodes } from '../../base/exit.ts'
import { nearestVisible } from '../../store/unusable-directory.ts'
import { CommandFailure } from './failure.ts'

export function isDenied(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && ['EACCES', 'EPERM'].includes(`${error.code}`)
}

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
