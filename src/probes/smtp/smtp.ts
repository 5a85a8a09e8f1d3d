// The check of a mail server: greeting, extensions, certificate, and goodbye. Never sends a mail.
import type { Socket } from 'node:net'
import { within } from '../../base/timeout.ts'
import { mailPorts, smtpPort, smtpsPort } from '../../domain/letters/mail-ports.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { type Connection, identityFailure, shownBy } from '../../net/connection/certificate.ts'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { defineKind } from '../run/kind.ts'
import { type LineReader, readLines } from '../run/lines.ts'
import { parsePlaceUrl, type UrlFault } from '../run/place-url.ts'
import type { ProbeRun } from '../run/probe-run.ts'

/** Its findings are the greeting and the replies to EHLO. */
export const smtp = defineKind({
  type: 'smtp',
  fields: ['connection', 'stream', 'tls'],
  sources: ['certificateDays', 'ip'],
  textName: 'reply',
  schemes: ['smtp', 'smtps'],
  family: 'network',
  icon: 'mail',
  example: 'smtp://mx.example.com',
  urlForm:
    '`smtp://host[:port]` (25) or `smtps://host[:port]` (465, TLS from the first byte); ' +
    'with `?starttls=required` a server that does not offer STARTTLS is down',
  finds: 'text',
  ownsQuery: true,
  typed: { keeps: 'host', ports: [...mailPorts] },
  usualPorts: mailPorts,
  parse: parseSmtpUrl,
  destination: (url) => url,
  open: () => ({
    async look(url, target, run) {
      const shownLines: string[] = []
      try {
        await converse(url, { target, run, shownLines })
      } catch (cause) {
        if (shownLines.length > 0) run.record.text = shownLines.join('\n')
        throw cause
      }
      return { text: shownLines.join('\n') }
    },
  }),
})

export interface SmtpUrl {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly isTls: boolean
  /** A server that does not offer STARTTLS is a failure. */
  readonly needsStarttls: boolean
  readonly problem?: never
}

/** Reads `smtp://host[:port][?starttls=required]` or `smtps://host[:port]`. */
export function parseSmtpUrl(text: string): SmtpUrl | UrlFault {
  const url = parsePlaceUrl(text, ['smtp', 'smtps'])
  if (url.problem !== undefined) return url
  const { scheme, host, path, query } = url
  const port = url.port ?? (scheme === 'smtps' ? smtpsPort : smtpPort)
  const isTls = scheme === 'smtps' || port === smtpsPort
  if (path.length > 1) return { problem: 'must not have a path' }
  if (query !== '' && query !== 'starttls=required') {
    return { problem: 'must not have a query other than ?starttls=required' }
  }
  const needsStarttls = query !== ''
  if (needsStarttls && isTls) {
    return {
      problem: 'must not require STARTTLS on smtps://, where TLS starts with the first byte',
    }
  }
  return { host, port, isTls, needsStarttls }
}

/** Offers no protocol: mail has none, and some servers hang up if http/1.1 is offered. */
const handshake = { alpn: [], isLenient: true } as const

const smtpLineBytesMax = 2_048
const smtpReplyLinesMax = 100
const smtpBytesMax = 64 * 1024

const bounds = { lineBytesMax: smtpLineBytesMax, bytesMax: smtpBytesMax }

interface SmtpCheck {
  readonly target: EndpointTarget
  readonly run: ProbeRun
  /** The server's lines so far that are worth showing. */
  readonly shownLines: string[]
}

async function converse(url: SmtpUrl, check: SmtpCheck): Promise<void> {
  const { run, shownLines } = check
  const { host, port, isTls, needsStarttls } = url
  const isUsualPort = mailPorts.has(port)
  const opened = await run.connect({ host, port, isTls }, { isUsualPort, handshake })
  const startedMs = run.clock.monoMs()
  if (isTls) judge(opened, host, check)
  const plain = talkOn(opened.socket)
  const greeting = await plain.hear(shownLines)
  run.record.set('firstByte', run.clock.monoMs() - startedMs)
  run.record.enter('download')
  expectCode(greeting, 220, 'greets')
  const offers = await introduce(plain, shownLines)
  const offersStarttls = offers.some((offer) => /^STARTTLS\b/i.test(offer))
  if (isTls || !(offersStarttls || needsStarttls)) return sendQuit(plain, run)
  if (!offersStarttls) {
    throw new RunError(failure('tls', 'the mail server does not offer STARTTLS'), 'tls')
  }
  const secured = await upgrade(plain, host, check)
  await introduce(secured, shownLines)
  await sendQuit(secured, run)
}

/** The server and a reader of its lines. */
interface Talk {
  readonly socket: Socket
  readonly reader: LineReader
  /** The next reply; its lines are added to `heard`. */
  hear(shownLines: string[]): Promise<Reply>
  ask(command: string, shownLines: string[]): Promise<Reply>
}

interface Reply {
  readonly code: number
  /** The lines without their codes. */
  readonly texts: readonly string[]
}

function talkOn(socket: Socket): Talk {
  const reader = readLines(socket, bounds)
  const hear = (shownLines: string[]) => readReply(reader, shownLines)
  return {
    socket,
    reader,
    hear,
    ask(command, shownLines) {
      socket.write(`${command}\r\n`)
      return hear(shownLines)
    },
  }
}

async function readReply(reader: LineReader, shownLines: string[]): Promise<Reply> {
  const texts: string[] = []
  let first: string | undefined
  for (;;) {
    const line = await reader.next()
    const [, code = '', more, text = ''] = /^([2-5]\d\d)(?:([ -])(.*))?$/.exec(line) ?? []
    first ??= code
    shownLines.push(line)
    texts.push(text)
    if (code === '' || code !== first) throw noSmtp
    if (more !== '-') return { code: Number(code), texts }
    if (texts.length === smtpReplyLinesMax) throw tooManyLines
  }
}

const noSmtp = new RunError(failure('invalid_response', 'the server does not speak SMTP'))

const tooManyLines = new RunError(
  failure(
    'invalid_response',
    `the mail server sent a reply of more than ${smtpReplyLinesMax} lines`,
  ),
)

function expectCode({ code }: Reply, wanted: number, doing: string): void {
  if (code === wanted) return
  const message = `the mail server ${doing} with ${code} instead of ${wanted}`
  throw new RunError(failure('status', message))
}

/** A client without a host name sends an address (RFC 5321 §4.1.3). This one does not reveal ours. */
const ourName = '[127.0.0.1]'
const unknownCommand: ReadonlySet<number> = new Set([500, 502])

/** The server's extensions. Very old servers know only HELO, and have none. */
async function introduce(talk: Talk, shownLines: string[]): Promise<readonly string[]> {
  const extended = await talk.ask(`EHLO ${ourName}`, shownLines)
  if (!unknownCommand.has(extended.code)) {
    expectCode(extended, 250, 'answers EHLO')
    return extended.texts.slice(1)
  }
  expectCode(await talk.ask(`HELO ${ourName}`, shownLines), 250, 'answers HELO')
  return []
}

async function upgrade(plain: Talk, host: string, check: SmtpCheck): Promise<Talk> {
  const ready = await plain.ask('STARTTLS', [])
  expectCode(ready, 220, 'answers STARTTLS')
  if (plain.reader.release() > 0) {
    // An attacker on the way may have inserted this text before TLS began, so that we take it for
    // part of the encrypted session.
    const message = 'the mail server sent plain text after it agreed to TLS'
    throw new RunError(failure('invalid_response', message), 'tls')
  }
  const secured = await check.run.secure(plain.socket, host, handshake)
  judge(secured, host, check)
  check.run.record.enter('download')
  return talkOn(secured.socket)
}

/**
 * Judges the certificate as the certificate probe does, or not at all if the monitor does not
 * verify. Throws RunError.
 */
function judge(opened: Connection, host: string, { target, run }: SmtpCheck): void {
  if (target.ignoreTlsErrors) return
  const found = identityFailure(run.deps, shownBy(opened, host), run.clock.wallMs())
  if (found !== undefined) throw new RunError(found, 'tls')
}

/** How long a check waits for the reply to its QUIT. */
const smtpGoodbyeMs = 500

/**
 * Says goodbye. The verdict is already decided, so this waits only briefly for the reply, and never
 * fails.
 */
async function sendQuit(talk: Talk, { clock }: ProbeRun): Promise<void> {
  const answered = talk.ask('QUIT', []).catch(() => undefined)
  await within(clock, answered, smtpGoodbyeMs)
}
