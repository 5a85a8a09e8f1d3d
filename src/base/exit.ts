// Exit codes (sysexits.h) and the one error that carries them to the process's end.

export const exitCodes = {
  ok: 0,
  /** A question was answered with no. */
  failed: 1,
  /** The command line is wrong. */
  usage: 64,
  /** A bug of ours: the supervisor restarts us. */
  software: 70,
  /** The disk or the network refused: a taken port, a failed write. A restart may help. */
  io: 74,
  /** Settings, a second daemon, an unusable data directory: a restart does not help. */
  config: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The daemon cannot start or go on, and the operator can do something about it. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
  readonly exitCode: ExitCode
  /** What to do about it, in a sentence. */
  readonly hint: string | undefined

  constructor(
    exitCode: ExitCode,
    message: string,
    options: { hint?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.exitCode = exitCode
    this.hint = options.hint
  }
}

let holders = 0
let whenFree = () => {}

/**
 * Holds the process's end back until the returned function is called, once: for work of native code
 * that calls back into this thread, such as a transaction of LMDB. A process that exits under it
 * waits for a thread that waits for the callback, and so hangs for ever.
 */
export function holdExit(): () => void {
  holders += 1
  return () => {
    holders -= 1
    if (holders === 0) whenFree()
  }
}

/** Ends the process with `exit` once nothing holds it any more. The first call counts. */
export function leave(exit: () => void): void {
  if (isLeaving) return
  isLeaving = true
  whenFree = () => {
    whenFree = () => {}
    isLeaving = false
    exit()
  }
  if (holders === 0) whenFree()
}

let isLeaving = false
