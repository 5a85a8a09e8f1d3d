// Exit codes (sysexits.h), and the error that carries one to the end of the process.

export const exitCodes = {
  ok: 0,
  /** The answer to the command's question is no. */
  failed: 1,
  /** The command line is wrong. */
  usage: 64,
  /** A bug in this program: the supervisor restarts it. */
  software: 70,
  /** The disk or the network failed: a taken port, a failed write. A restart may help. */
  io: 74,
  /** Another member of the cluster leads: the supervisor starts this one again, as a standby. */
  deposed: 75,
  /** Wrong settings, a second daemon, an unusable data directory: a restart does not help. */
  config: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The daemon cannot start or continue, and the operator can fix the cause. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
  readonly exitCode: ExitCode
  /** How to fix it, in a sentence. */
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
 * Delays the end of the process until the returned function is called, once. Native code that calls
 * back into this thread, such as an LMDB transaction, needs this: a process that exits in between
 * waits for a thread that waits for the callback, and hangs forever.
 */
export function holdExit(): () => void {
  holders += 1
  return () => {
    holders -= 1
    if (holders === 0) whenFree()
  }
}

/** Ends the process with `exit` once nothing delays it any more. Only the first call counts. */
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
