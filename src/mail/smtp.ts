// Sends letters through a mail server: connections that are kept, TLS, and what its answers mean.
import { isIP } from 'node:net'
import type { SMTPPoolOptions } from 'nodemailer'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import type { Outcome } from '../domain/alerts/delivery.ts'
import { limits } from '../domain/limits/limits.ts'
import { isOneAddress } from './address.ts'
import { composed, type Transport, unaddressed } from './transport.ts'

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with the credentials in it where the server wants some. */
  readonly url: string
  /** Certificate authorities in PEM, in place of those of Node. */
  readonly ca?: readonly string[]
  readonly clock: Clock
  readonly log: Log
}

/**
 * The letter goes over TLS, with a certificate that is right, wherever it leaves this machine or a
 * password goes along: `smtps` from the first byte, `smtp` by STARTTLS, which the server then must
 * offer. On loopback without credentials there is nothing to protect.
 */
export function createSmtpMailer(options: SmtpOptions): Transport {
  const { clock, log } = options
  const pooled = poolOptions(options)
  const open = once(async () => {
    // Loaded with the first letter: a daemon that writes none does without.
    const { createTransport } = await import('nodemailer')
    return createTransport(pooled)
  })
  let isClosed = false

  async function attempt(mail: ReturnType<typeof composed>, signal: AbortSignal): Promise<Outcome> {
    if (isClosed) return { ok: false, mayRetry: true, reason: 'The daemon is shutting down.' }
    const transport = await open.get()
    await transport.sendMail({ ...mail, signal })
    return { ok: true }
  }

  return {
    async send(envelope, { signal }) {
      if (!isOneAddress(envelope.to)) return unaddressed
      // A server that drips its answers is never silent for long enough to be noticed.
      const late = new AbortController()
      const timer = clock.setTimeout(() => late.abort(), limits.letterTimeoutMs)
      try {
        return await attempt(composed(envelope), AbortSignal.any([signal, late.signal]))
      } catch (error) {
        const outcome = late.signal.aborted ? tooLate : outcomeOf(error)
        if (isOperatorsMatter(error)) log.error('mail server', { problem: outcome.reason })
        return outcome
      } finally {
        clock.clearTimeout(timer)
      }
    },
    close() {
      isClosed = true
      void open.made()?.then(
        (transport) => transport.close({ force: true }),
        () => {},
      )
    },
  }
}

/** The pool's options. Nothing else in the url counts: it cannot switch the TLS checks off. */
export function poolOptions({ url, ca }: Pick<SmtpOptions, 'url' | 'ca'>) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isSecure = protocol === 'smtps:'
  const mustBeSecret = username !== '' || !isLoopback(host)
  return {
    pool: true,
    host,
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: mustBeSecret,
    // A server on this machine often offers a certificate that nobody can check.
    ignoreTLS: !mustBeSecret,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca ? { ca: [...ca] } : {}) },
    maxConnections: limits.lettersInFlightMax,
    // Attempts are counted and timed by the outbox; this one is for a connection found dead.
    maxRequeues: 1,
    connectionTimeout: limits.smtpConnectMsMax,
    greetingTimeout: limits.smtpConnectMsMax,
    dnsTimeout: limits.smtpConnectMsMax,
    socketTimeout: limits.smtpSilenceMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  } as const satisfies SMTPPoolOptions
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost')
  return host.startsWith('127.') || host === '::1'
}

type Failed = Extract<Outcome, { ok: false }>

const tooLate: Failed = {
  ok: false,
  mayRetry: true,
  reason: `The mail server took longer than ${limits.letterTimeoutMs / 1_000} seconds.`,
}

/** What nodemailer says of a failure. Its message and the server's words stay where they are. */
interface Trouble {
  readonly code?: string
  /** The system's or OpenSSL's own code. */
  readonly originalCode?: string
  readonly responseCode?: number
  readonly command?: string
}

// What nodemailer throws carries these beside its message.
const troubleOf = (error: unknown): Trouble => (error instanceof Error ? error : {}) as Trouble

/** These statuses mean that the server wants other credentials, at whatever step it says so. */
const authStatuses: readonly number[] = [454, 530, 534, 535, 538]

/** Only what is wrong with the recipient or the letter is final: the rest somebody can put right. */
function outcomeOf(error: unknown): Failed {
  const { code, originalCode, responseCode: status = 0, command = '' } = troubleOf(error)
  const again = (reason: string): Failed => ({ ok: false, mayRetry: true, status, reason })
  const never = (reason: string): Failed => ({ ok: false, mayRetry: false, status, reason })
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

const certificateCauses = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/

/** What only the operator can put right, and should hear of at once. */
function isOperatorsMatter(error: unknown): boolean {
  const { code, originalCode = '', responseCode = 0 } = troubleOf(error)
  const isRefused = code === 'EAUTH' || code === 'ETLS' || authStatuses.includes(responseCode)
  return isRefused || certificateCauses.test(originalCode)
}

/** Made when it is first asked for; a failure to make it is forgotten. */
function once<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined
  return {
    get(): Promise<T> {
      making ??= make().catch((error: unknown) => {
        making = undefined
        throw error
      })
      return making
    },
    made: () => making,
  }
}
