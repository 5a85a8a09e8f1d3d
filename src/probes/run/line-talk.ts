// A conversation in lines with a server of mail or files: TLS from the first byte, or begun in between.
import type { Socket } from 'node:net'
import { within } from '../../base/timeout.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { withoutTls } from './driver-socket.ts'
import { type LineReader, readLines } from './lines.ts'
import { type PlaceUrl, parsePlaceUrl, readOptions, type UrlFault } from './place-url.ts'
import type { ProbeRun } from './probe-run.ts'

export interface LineTalk {
  /** The next line of the server. */
  hear(): Promise<string>
  say(line: string): void
  /** Begins TLS, once the server has agreed to it. */
  secure(host: string): Promise<void>
  /** Waits briefly for the answer to a goodbye: the verdict does not depend on it. */
  end(line: string): Promise<void>
}

const bounds = { lineBytesMax: 8_192, bytesMax: 256 * 1024 }
const goodbyeMs = 500

export interface LinePlace {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly usualPorts: ReadonlySet<number>
}

/** Offers no protocol: there is none for these, and some servers hang up if one is offered. */
const handshake = { alpn: [] }

export async function talkTo(place: LinePlace, run: ProbeRun): Promise<LineTalk> {
  const { host, port, isTls, usualPorts } = place
  const { clock, record } = run
  const isUsualPort = usualPorts.has(port)
  const { socket: first } = await run.connect({ host, port, isTls }, { isUsualPort, handshake })
  let socket: Socket = first
  let reader: LineReader = readLines(socket, bounds)
  let hasHeard = false
  return {
    async hear() {
      const line = await reader.next()
      if (!hasHeard) {
        hasHeard = true
        record.end('firstByte')
        record.enter('download')
      }
      return line
    },
    say: (line) => void socket.write(`${line}\r\n`),
    async secure(host) {
      if (reader.release() > 0) {
        // An attacker on the way may have inserted it, for us to take it for a part of what TLS protects.
        const message = 'the server sent plain text after it agreed to TLS'
        throw new RunError(failure('invalid_response', message), 'tls')
      }
      socket = (await run.secure(socket, host, handshake)).socket
      reader = readLines(socket, bounds)
      record.enter('download')
    },
    async end(line) {
      record.end()
      socket.write(`${line}\r\n`)
      await within(
        clock,
        reader.next().catch(() => ''),
        goodbyeMs,
      )
    },
  }
}

export interface MailboxUrl extends Pick<PlaceUrl, 'host' | 'path'> {
  readonly port: number
  readonly isTls: boolean
  /** TLS that begins after the greeting: absent: if the server offers it, and always before a sign-in. */
  readonly starttls?: string
  readonly problem?: never
}

export interface MailboxScheme {
  readonly scheme: string
  readonly port: number
  readonly tlsPort: number
}

/** The words of the API reference about TLS that begins after the greeting. */
export const starttlsWords =
  'TLS begins after the greeting if the server offers it, and always before a sign-in; with ' +
  '`?starttls=required` a server that does not offer it is down, with `?starttls=off` it does not begin'

/** Reads `scheme://host[:port][/path][?starttls=required|off]`, or the same with an s and TLS. */
export function parseMailboxUrl(
  text: string,
  { scheme, port, tlsPort }: MailboxScheme,
): MailboxUrl | UrlFault {
  const url = parsePlaceUrl(text, [scheme, `${scheme}s`])
  if (url.problem !== undefined) return url
  const options = readOptions(url.query, { starttls: ['required', 'off'] })
  if ('problem' in options) return options as UrlFault
  const isTls = url.scheme === `${scheme}s`
  if (isTls && options.starttls !== undefined) {
    return {
      problem: `must not have starttls with ${scheme}s://, where TLS is there from the start`,
    }
  }
  const { host, path } = url
  const { starttls } = options
  const place = { host, path, port: url.port ?? (isTls ? tlsPort : port), isTls }
  return starttls === undefined ? place : { ...place, starttls }
}

/** Whether TLS has to begin after the greeting. Throws a RunError if it has to, and the server cannot. */
export function needsStarttls(
  { isTls, starttls }: Pick<MailboxUrl, 'isTls' | 'starttls'>,
  { isOffered, signsIn }: { readonly isOffered: boolean; readonly signsIn: boolean },
): boolean {
  if (isTls || starttls === 'off') return false
  if (isOffered) return true
  // A password does not go where anybody on the way may read it, unless that is said.
  if (signsIn || starttls === 'required') throw withoutTls()
  return false
}
