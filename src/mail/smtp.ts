// Sends letters through a mail server: pooled connections, TLS, and the meaning of its replies.
import { isIP } from 'node:net'
import type { SMTPPoolOptions } from 'nodemailer'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import { limitMsOf, TooLate } from '../base/timeout.ts'
import type { FailedOutcome, Outcome } from '../domain/alerts/attempt.ts'
import { smtpsPort, submissionPort } from '../domain/letters/mail-ports.ts'
import { limits } from '../domain/limits/limits.ts'
import { RunError } from '../net/run/guarded-run.ts'
import { isOneAddress, maskedAddress } from './address.ts'
import { loadNodemailer } from './nodemailer.ts'
import { composed, type Transport, unaddressed } from './transport.ts'

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, including the credentials if the server needs them. */
  readonly url: string
  /** Certificate authorities in PEM, instead of Node's. */
  readonly ca?: readonly string[]
  readonly clock: Clock
  readonly log: Log
}

/**
 * A letter that leaves this machine, or a connection with a password, requires TLS with a valid
 * certificate: `smtps` from the first byte, `smtp` by STARTTLS, which the server must then offer.
 * On loopback without credentials there is nothing to protect.
 */
export function createSmtpMailer(options: SmtpOptions): Transport {
  const { clock, log } = options
  const pooled = poolOptions(options)
  /** Opened with the first letter. */
  let pool: ReturnType<typeof openPool> | undefined
  let isClosed = false

  function openPool() {
    return loadNodemailer().createTransport(pooled)
  }

  async function attempt(mail: ReturnType<typeof composed>, signal: AbortSignal): Promise<Outcome> {
    if (isClosed) return { ok: false, mayRetry: true, reason: 'The daemon is shutting down.' }
    pool ??= openPool()
    await pool.sendMail({ ...mail, signal })
    return { ok: true }
  }

  return {
    async send(envelope, { signal }) {
      if (!isOneAddress(envelope.to)) return unaddressed
      // Bounds the whole attempt: a server that drips its replies never triggers an idle timeout.
      const late = new AbortController()
      const { letterTimeoutMs } = limits
      const timer = clock.setTimeout(
        () => late.abort(new TooLate(letterTimeoutMs)),
        letterTimeoutMs,
      )
      const ended = AbortSignal.any([signal, late.signal])
      try {
        const outcome = await attempt(composed(envelope), ended)
        const { to, letter } = envelope
        if (outcome.ok) log.info('letter sent', { to: maskedAddress(to), subject: letter.subject })
        return outcome
      } catch (error) {
        const limitMs = limitMsOf(ended)
        const outcome = limitMs === undefined ? outcomeOf(error) : tooLateAfter(limitMs)
        if (isOperatorsMatter(error)) log.error('mail server', { problem: outcome.reason })
        return outcome
      } finally {
        clock.clearTimeout(timer)
      }
    },
    close() {
      isClosed = true
      pool?.close({ force: true })
    },
  }
}

/** Connects, with TLS and the password as for a letter, but sends none. Never rejects. */
export async function verifySmtp(options: Pick<SmtpOptions, 'url' | 'ca'>): Promise<Outcome> {
  const { createTransport } = loadNodemailer()
  const transport = createTransport(poolOptions(options))
  try {
    await transport.verify()
    return { ok: true }
  } catch (error) {
    return outcomeOf(error)
  } finally {
    transport.close({ force: true })
  }
}

export const smtpConnectMsMax = 10_000
const smtpSilenceMsMax = 30_000

/** Options of the connection pool. The query of the url is ignored: it cannot weaken TLS. */
export function poolOptions({ url, ca }: Pick<SmtpOptions, 'url' | 'ca'>) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = protocol === 'smtps:'
  const mustBeSecret = username !== '' || !isLoopback(host)
  return {
    pool: true,
    host,
    port: port === '' ? (isSecure ? smtpsPort : submissionPort) : Number(port),
    secure: isSecure,
    requireTLS: mustBeSecret,
    // A server on this machine often has a certificate that cannot be verified.
    ignoreTLS: !mustBeSecret,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca ? { ca: [...ca] } : {}) },
    maxConnections: limits.lettersInFlightMax,
    // The outbox counts and times attempts; this one only replaces a connection found dead.
    maxRequeues: 1,
    connectionTimeout: smtpConnectMsMax,
    greetingTimeout: smtpConnectMsMax,
    dnsTimeout: smtpConnectMsMax,
    socketTimeout: smtpSilenceMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  } as const satisfies SMTPPoolOptions
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost')
  return host.startsWith('127.') || host === '::1'
}

/** `missing`: what had not happened by then, as the end of a sentence. */
export function tooLateAfter(ms: number, missing?: string): FailedOutcome {
  const late = `The mail server took longer than ${ms / 1_000} seconds`
  const reason = missing === undefined ? `${late}.` : `${late}: ${missing}.`
  return { ok: false, mayRetry: true, class: 'timeout', reason }
}

/** The used parts of nodemailer's errors. Its message goes no further. */
interface SmtpError {
  readonly code?: string
  /** The original error code of the system or OpenSSL. */
  readonly originalCode?: string
  readonly responseCode?: number
  /** Which of the library's limits of time passed. */
  readonly timeoutType?: string
  /** What the server said. It goes no further than to an administrator who tries a server. */
  readonly response?: string
  readonly command?: string
}

// Nodemailer's errors carry these fields in addition to the message.
export const smtpErrorOf = (error: unknown): SmtpError =>
  (error instanceof Error ? error : {}) as SmtpError

/** The limit of silence, or of the time up to the first answer, that passed; undefined if none did. */
export function silenceMsOf(error: unknown): number | undefined {
  const { timeoutType } = smtpErrorOf(error)
  if (timeoutType === undefined) return undefined
  return timeoutType === 'SOCKET_TIMEOUT' ? smtpSilenceMsMax : smtpConnectMsMax
}

/** With these replies the server asks for other credentials, at any step. */
const authStatuses: readonly number[] = [454, 530, 534, 535, 538]

/** Whether a letter to another recipient may succeed now. */
export function isReachable(outcome: Outcome): boolean {
  if (outcome.ok || !outcome.mayRetry) return true
  const { status } = outcome
  return status !== undefined && status !== goodbye && !authStatuses.includes(status)
}

/** RFC 5321 §3.8: the server closes the connection. */
const goodbye = 421

/** Only problems with the recipient or the letter are final; somebody can fix all others. */
export function outcomeOf(error: unknown): FailedOutcome {
  if (error instanceof RunError) return unreached(error)
  const { code, originalCode, responseCode: status = 0, command = '' } = smtpErrorOf(error)
  const said = status > 0 ? { status } : {}
  const again = (reason: string): FailedOutcome => ({ ok: false, mayRetry: true, ...said, reason })
  const never = (reason: string): FailedOutcome => ({ ok: false, mayRetry: false, ...said, reason })
  if (code === 'ETLS') return again('The mail server offers no usable TLS.')
  if (code === 'EAUTH' || authStatuses.includes(status)) {
    return again(`The mail server refused the credentials${status ? ` (${status})` : ''}.`)
  }
  if (status >= 500 && status < 600 && status !== 503) {
    if (command === 'RCPT TO') return never(`The mail server refused the recipient (${status}).`)
    if (command === 'DATA') return never(`The mail server refused the letter (${status}).`)
    return again(`The mail server refused the sender or the session (${status}).`)
  }
  if (status > 0) return again(`The mail server deferred the letter (${status}).`)
  const cause = [originalCode, code].find((one) => one !== undefined && /^[A-Z0-9_]+$/.test(one))
  if (cause && certificateCauses.test(cause)) {
    return again(`The certificate of the mail server is not trusted (${cause}).`)
  }
  return again(`The mail server could not be reached${cause ? ` (${cause})` : ''}.`)
}

/** No connection came about: the look-up or the dial failed, or the egress policy forbids it. */
function unreached({ failure: { kind, message } }: RunError): FailedOutcome {
  const reason = `The mail server could not be reached: ${message}.`
  const cause = kind === 'blocked' ? 'not_allowed' : kind === 'timeout' ? 'timeout' : 'connection'
  return { ok: false, mayRetry: true, class: cause, reason }
}

const certificateCauses = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/

/** Whether only the operator can fix it, and should learn of it at once. */
function isOperatorsMatter(error: unknown): boolean {
  const { code, originalCode = '', responseCode = 0 } = smtpErrorOf(error)
  const isRefused = code === 'EAUTH' || code === 'ETLS' || authStatuses.includes(responseCode)
  return isRefused || certificateCauses.test(originalCode)
}
