// A connection for the driver of a protocol: what the target sends can neither fill memory nor throw an error
// that nobody catches.
import type { Socket } from 'node:net'
import { countText } from '../../base/sizes.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import type { ProbeRun } from './probe-run.ts'

/** What a target may send in one check to a driver. */
export const driverBytesMax = 1024 * 1024

export interface DriverOptions {
  /** The name of the protocol in messages. */
  readonly protocol: string
  /** Default: 1 MiB. */
  readonly bytesMax?: number
}

/**
 * Lets a driver use a connection of the run. Drivers parse within the events of the socket: an error that
 * one throws there ends the check, where it would else end the process; so do too many bytes.
 */
export function lendSocket(
  run: ProbeRun,
  socket: Socket,
  { protocol, bytesMax = driverBytesMax }: DriverOptions,
): void {
  const { clock, record } = run
  let size = 0
  let firstMs: number | undefined
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...args: unknown[]) => boolean
  socket.emit = ((event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'data') {
      if (run.isOver) return true
      size += (args[0] as Buffer).length
      if (size > bytesMax) {
        run.end(tooMuch(bytesMax))
        return true
      }
      heard()
    }
    try {
      return emit(event, ...args)
    } catch {
      run.end(notSpoken(protocol))
      return true
    }
  }) as typeof socket.emit
  function heard(): void {
    const nowMs = clock.monoMs()
    if (firstMs === undefined) {
      firstMs = nowMs
      record.end('firstByte')
      record.enter('download')
    }
    record.set('download', nowMs - firstMs)
  }
  // The run has a listener only until the first error.
  socket.on('error', () => {})
}

/** The failure of a target that sends without an end. */
export function tooMuch(bytesMax: number) {
  return failure('body_too_large', `the server sent more than ${countText(bytesMax)} bytes`)
}

/** The failure of a server whose answer stands for too much. `most`: what a check reads. */
export function beyond(most: string): RunError {
  return new RunError(
    failure('body_too_large', `the server sent more than a check reads (${most})`),
  )
}

/** The failure of a target that answers in another protocol. */
export function notSpoken(protocol: string) {
  return failure('invalid_response', `the server does not speak ${protocol}`)
}

/** Why a conversation broke off before its end. */
export function brokenOff(): RunError {
  return new RunError(
    failure('reset', 'the connection was closed in the middle of the conversation'),
  )
}

/** What a server wrote, as a line of a message: without controls and what turns the direction of writing. */
export function inOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/** Why a server refuses what it was asked for, in the words of every protocol. */
const refusals = {
  signIn: 'the server refused the sign-in',
  rights: 'the server does not permit that to this user',
  missing: 'the server does not have what was asked for',
  full: 'the server takes no more connections',
  notReady: 'the server is not ready yet',
  error: 'the server answered with an error',
} as const
export type RefusalKind = keyof typeof refusals

/**
 * The failure of a target that answered with an error of its protocol. `code`: its short name there, '' if it
 * has none. `text` is the target's own: only people who may see its output see that.
 */
export function refusedBy(refusal: RefusalKind, code: string, text: string): RunError {
  const message = code === '' ? refusals[refusal] : `${refusals[refusal]} (${code})`
  const detail = inOneLine(text)
  return new RunError({ ...failure('status', message), ...(detail === '' ? {} : { detail }) })
}

/** The failure of a server that does not offer TLS where it is required. */
export function withoutTls(): RunError {
  return new RunError(failure('tls', 'the server does not offer TLS'), 'tls')
}

/** The failure of a query that the check had to cancel. */
export function tookTooLong(): RunError {
  return new RunError(failure('timeout', 'the query took too long, and was cancelled'))
}
