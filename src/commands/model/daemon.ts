// Asks the running daemon, and has words for every reason why it does not answer.
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { isRecord } from '../../base/schema/pick.ts'
import {
  ControlRefused,
  type ControlRequest,
  NotListening,
  type PartTaker,
} from '../../store/control.ts'
import { askDaemon, type DaemonStatus, unknownVerb } from '../../store/lock.ts'
import { isDenied } from '../../store/unusable-directory.ts'
import { denied, mustBeReachable } from './denied.ts'
import { CommandFailure } from './failure.ts'
import type { CommandOptions, Host } from './host.ts'
import { settingsFor } from './settings.ts'

/** How long a command of the command line waits for the daemon, which may be busy. */
const commandWaitMs = 15_000

/**
 * The answer of the running daemon, as it came. Throws CommandFailure: no daemon runs, this user may
 * not ask it, it refuses, it does not know the request.
 */
export async function askRunning(
  host: Host,
  options: CommandOptions,
  request: ControlRequest,
  timeoutMs: number = commandWaitMs,
  onPart?: PartTaker,
): Promise<unknown> {
  const { dir } = settingsFor(host, options).settings.data
  try {
    mustBeReachable(dir)
    return await askDaemon(dir, request, timeoutMs, onPart)
  } catch (error) {
    if (error instanceof ControlRefused) throw await refusal(host, dir, request, error)
    if (error instanceof NotListening) throw noDaemon(host, dir, error)
    if (isDenied(error)) throw mayNotAsk(dir, error)
    const why = errorText(error)
    throw new CommandFailure(exitCodes.failed, `${dir}: ${why}`, { cause: error })
  }
}

function mayNotAsk(dir: string, cause: unknown): CommandFailure {
  return denied(`ask the daemon of ${dir}`, dir, { cause, exitCode: exitCodes.failed })
}

function noDaemon({ program }: Host, dir: string, cause: unknown): CommandFailure {
  return new CommandFailure(exitCodes.failed, `no daemon runs on the data directory ${dir}`, {
    hint:
      'This command asks the daemon, which must be running. If that uses another data.dir, name its settings ' +
      `file with -c FILE. To start one here: ${program} serve`,
    cause,
  })
}

/** A refusal is the daemon's own sentence, unless the daemon is too old or too new to know. */
export async function refusal(
  { version }: Host,
  dir: string,
  { verb }: ControlRequest,
  error: ControlRefused,
): Promise<CommandFailure> {
  if (error.message !== unknownVerb(verb)) {
    return new CommandFailure(exitCodes.failed, error.message, { cause: error })
  }
  const running = versionIn(await askDaemon(dir, { verb: 'owner' }))
  if (running === version) {
    return new CommandFailure(
      exitCodes.failed,
      'the running daemon does not know this command: it is a standby, or still starts',
      { hint: 'Run it on the machine that leads.', cause: error },
    )
  }
  return new CommandFailure(
    exitCodes.failed,
    `the running daemon does not know this command: it is version ${running}, this is ${version}`,
    { hint: 'Restart the daemon with this version, or use its own command line.', cause: error },
  )
}

/** What every version of the daemon answers to `status`. Throws CommandFailure for anything else. */
export function statusIn(answer: unknown): DaemonStatus {
  if (isRecord(answer) && typeof answer.pid === 'number') {
    const { pid, version, ready, standby } = answer
    const status = { pid, version: String(version), ready: ready === true }
    return isRecord(standby) ? { ...status, standby: standbyIn(standby) } : status
  }
  throw new CommandFailure(exitCodes.failed, 'the daemon answers in an unknown form')
}

function standbyIn({ of, heardAtMs, failure, hasAll }: Readonly<Record<string, unknown>>) {
  return {
    of: String(of),
    heardAtMs: typeof heardAtMs === 'number' ? heardAtMs : null,
    failure: typeof failure === 'string' ? failure : null,
    hasAll: hasAll === true,
  }
}

function versionIn(owner: unknown): string {
  const isKnown = typeof owner === 'object' && owner !== null && 'version' in owner
  return isKnown ? String(owner.version) : 'unknown'
}
