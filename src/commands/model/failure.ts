// Why a command did not succeed: the lines on standard error, and the exit code.
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { Fault } from '../../base/fault.ts'
import { SealBroken } from '../../seal/box.ts'
import { KeyringError } from '../../seal/keyring.ts'
import type { Host } from './host.ts'

/** A command cannot do what it was asked for, and its user can read why. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number
  /** What to do about it, in a sentence. */
  readonly hint: string | undefined

  constructor(
    exitCode: number,
    message: string,
    options: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.exitCode = exitCode
    this.hint = options.hint
  }
}

/** Says what happened, and returns the exit code; undefined for a bug, which is the caller's. */
export function reportFailure(host: Host, error: unknown): number | undefined {
  if (error instanceof StartFailure || error instanceof CommandFailure) {
    host.complain(`stillup: ${error.message}`)
    if (error.hint) host.complain(error.hint)
    return error.exitCode
  }
  if (error instanceof Fault && error.code === 'damaged_record') {
    host.complain('stillup: a stored record that every start needs is damaged (see the log)')
    host.complain('Put back the data directory from a backup (docs/operating.md, "Damaged data").')
    return exitCodes.config
  }
  // A missing key, or not the one that sealed.
  if (error instanceof KeyringError || error instanceof SealBroken) {
    host.complain(`stillup: ${error.message}`)
    return exitCodes.config
  }
  if (isSystemError(error)) {
    host.complain(`stillup: ${error.message}`)
    return exitCodes.io
  }
  return undefined
}

/** Whether it is a system error, such as EACCES; our own errors have no such code. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))
}
