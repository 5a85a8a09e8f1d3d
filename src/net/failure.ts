// Why a check failed: maps errors of Node, c-ares, OpenSSL and undici to our closed list.
import { type Doubt, doubtOver } from '../domain/checks/observer.ts'
import type { ErrorKind, PhaseName } from '../domain/checks/reading.ts'
import { isRouteError, localError, localErrorAtConnect } from './local-errors.ts'

export interface Failure {
  /** `unknown`: the prober's own failure; it says nothing about the target. */
  readonly result: 'failed' | 'unknown'
  readonly kind: ErrorKind
  /** One sentence for a person, without anything that the target sent. */
  readonly message: string
  /**
   * The target's own error text. It is added to the message for people who may see the target's
   * output.
   */
  readonly detail?: string
  /**
   * The part of our side that could have caused the same failure: our name servers, or our route to
   * the network.
   */
  readonly doubt?: 'dns' | 'way'
}

export function failure(kind: ErrorKind, message: string): Failure {
  return { result: 'failed', kind, message }
}

/** The failure for a missing answer, with a doubt: the answer may have been lost on our side. */
export function silence(
  kind: ErrorKind,
  message: string,
  doubt: NonNullable<Failure['doubt']> = 'way',
): Failure {
  return { result: 'failed', kind, message, doubt }
}

/**
 * The failure for a check that could not be made, for the given reason. It says nothing about the
 * target.
 */
export function unknownFailure(kind: ErrorKind, errorText: string): Failure {
  return { result: 'unknown', kind, message: `the check could not be made: ${errorText}` }
}

const brokeOff = 'the check failed because of a bug in this service'
/** A bug of ours is not the target's fault. */
export const internalFailure: Failure = { result: 'unknown', kind: 'timeout', message: brokeOff }

/** Says which part of our side could have caused the failure, for a target at these addresses. */
export function doubtOf(
  { result, doubt }: Failure,
  addresses: readonly string[],
): Doubt | undefined {
  if (result !== 'failed' || doubt === undefined) return undefined
  return doubt === 'dns' ? 'dns' : doubtOver(addresses)
}

/** The failure if the code is about this machine; undefined if it is about the target. */
function localFailure(kind: ErrorKind, code: string): Failure | undefined {
  const errorText = localError(code)
  return errorText === undefined ? undefined : unknownFailure(kind, errorText)
}

/** Why an open connection broke; undefined if the code is about the target. */
export function brokenFailure(cause: unknown): Failure | undefined {
  const code = codeOf(cause)
  const isWay = code === 'ETIMEDOUT' || isRouteError(code)
  if (isWay) return silence('timeout', 'the connection was lost: no packets came back')
  return localFailure('reset', code)
}

const connectTexts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused by',
  ECONNRESET: 'connection reset by',
  ETIMEDOUT: 'no answer to the connection attempt from',
}

/**
 * The failure of a TCP connection. `place` is address and port; `isAtOnce` if it failed before the
 * network could have answered.
 */
export function connectFailure(
  cause: unknown,
  place: string,
  { isAtOnce = false }: { readonly isAtOnce?: boolean } = {},
): Failure {
  const code = codeOf(cause)
  const own = isAtOnce ? localErrorAtConnect(code) : localError(code)
  if (own !== undefined) return unknownFailure('connect', own)
  if (isRouteError(code)) return silence('connect', `no way to reach ${place}`)
  const errorText = connectTexts[code]
  const message = errorText ? `${errorText} ${place}` : `cannot connect to ${place} (${code})`
  return code === 'ETIMEDOUT' ? silence('connect', message) : failure('connect', message)
}

/** The same for a socket of this machine, by its name. */
export function socketFailure(cause: unknown, name: string): Failure {
  if (codeOf(cause) !== 'EACCES') return connectFailure(cause, name)
  return unknownFailure('connect', 'this machine does not permit it')
}

const certificateTexts: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate chain ends in one that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'an intermediate certificate is missing or not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the issuer of the certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of the certificate is not trusted',
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 'a date of the certificate cannot be read',
  ERROR_IN_CERT_NOT_AFTER_FIELD: 'a date of the certificate cannot be read',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
}

export function certificateFailure(code: string): Failure {
  return failure('tls', certificateTexts[code] ?? `the certificate is not accepted (${code})`)
}

export const handshakeCutText = 'the connection was closed during the TLS handshake'

/** The failure of a TLS handshake. */
export function handshakeFailure(cause: unknown): Failure {
  const broken = brokenFailure(cause)
  if (broken !== undefined) return { ...broken, kind: 'tls' }
  const code = codeOf(cause)
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return failure('tls', handshakeCutText)
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return failure('tls', 'the server does not speak TLS on this port')
  }
  const reason = code
    .replace(/^ERR_SSL_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
  return failure('tls', `the TLS handshake failed (${reason})`)
}

const dnsTexts: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name as',
  ENODATA: 'no address is known for',
  ETIMEOUT: 'the name servers did not answer in time for',
  ESERVFAIL: 'the name servers failed to answer (SERVFAIL) for',
  EREFUSED: 'the name servers refused to answer for',
  EBADNAME: 'not a valid host name:',
}

/** Codes of c-ares when it could not even send a query. */
const unasked: ReadonlySet<string> = new Set(['ENONAME', 'ENOTINITIALIZED', 'EDESTRUCTION'])
/** Codes when the name servers did not answer, or could not. "There is no such name" is an answer. */
const unanswered: ReadonlySet<string> = new Set(['ETIMEOUT', 'ESERVFAIL', 'EREFUSED'])

export const noNameServer = unknownFailure('dns', 'no name server is reachable')

/** The failure of a look-up that never reached a name server; undefined if it reached one. */
export function localDnsFailure(code: string): Failure | undefined {
  return unasked.has(code) ? noNameServer : localFailure('dns', code)
}

/** The failure of a name look-up. A missing resolver of ours is our own failure. */
export function dnsFailure(code: string, host: string): Failure {
  if (code === 'ECONNREFUSED') return noNameServer
  const own = localDnsFailure(code)
  if (own !== undefined) return own
  const message = `${dnsTexts[code] ?? `name look-up failed (${code}) for`} ${host}`
  return unanswered.has(code) ? silence('dns', message, 'dns') : failure('dns', message)
}

export interface Progress {
  /** Whether a final status line has been read. */
  readonly hasStatus: boolean
  readonly bodyBytes: number
}

export const headersTooLarge = new Error('the response headers are larger than 16 KiB')
/** Aborts an exchange with endless interim responses (1xx). */
export const tooManyInterims = new Error('the server sends nothing but interim responses (1xx)')
/** Aborts an exchange with more bytes than any response needs. */
export const tooManyBytes = new Error('the response is endless, or almost all of it is framing')

/** The failure for an error in the middle of an exchange. */
export function exchangeFailure(cause: unknown, { hasStatus, bodyBytes }: Progress): Failure {
  const broken = brokenFailure(cause)
  if (broken !== undefined) return broken
  const code = codeOf(cause)
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ECONNABORTED') {
    return failure(
      'reset',
      `the connection was reset ${hasStatus ? 'during' : 'before'} the response`,
    )
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || cause === headersTooLarge) {
    return failure('invalid_response', headersTooLarge.message)
  }
  if (cause === tooManyInterims) return failure('invalid_response', tooManyInterims.message)
  if (cause === tooManyBytes) return failure('invalid_response', tooManyBytes.message)
  const text = cause instanceof Error ? cause.message : ''
  if (code.startsWith('ERR_HTTP2_')) return http2Failure(code, text, hasStatus)
  // undici reports a wrong length also when the head is invalid, if an earlier length is known.
  const isHead = !hasStatus && code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  const isSyntax = isHead || (cause instanceof Error && cause.name === 'HTTPParserError')
  // The parser reports a syntax error also if the stream ends in the middle of a message.
  if (isSyntax && !text.includes('EOF')) {
    return failure('invalid_response', 'the response is not valid HTTP')
  }
  // undici fails an assertion if the server switches protocols unasked, or sends a status below
  // 100.
  if (text === 'bad response' || text === 'bad upgrade' || code === 'ERR_ASSERTION') {
    return failure('invalid_response', 'the server answered something other than a response')
  }
  if (/^(UND_ERR_INVALID|UND_ERR_NOT_SUPPORTED$|ERR_INVALID_)/.test(code)) {
    return failure('invalid_response', `the request could not be sent: ${text}`)
  }
  if (hasStatus) {
    const after = `the connection was closed after ${bodyBytes} bytes of an unfinished body`
    return failure('invalid_response', after)
  }
  return failure('reset', 'the connection was closed without a response')
}

/** Interprets Node's HTTP/2 errors: the peer's codes by name, or Node's own findings. */
function http2Failure(code: string, text: string, hasStatus: boolean): Failure {
  if (code === 'ERR_HTTP2_ERROR' || /PROTOCOL|FRAME_SIZE|COMPRESSION|FLOW_CONTROL/.test(text)) {
    return failure('invalid_response', 'the response is not valid HTTP/2')
  }
  if (code.startsWith('ERR_HTTP2_INVALID_')) {
    return failure('invalid_response', `the request could not be sent: ${text}`)
  }
  const [, reason] = /NGHTTP2_(\w+)/.exec(text) ?? []
  const errorText = reason ? ` (${reason.replaceAll('_', ' ').toLowerCase()})` : ''
  const when = hasStatus ? 'during' : 'before'
  return failure('reset', `the server aborted the HTTP/2 exchange ${when} the response${errorText}`)
}

const waitingFor: Readonly<Record<PhaseName, string>> = {
  dns: 'looking up the name',
  connect: 'connecting',
  tls: 'in the TLS handshake',
  firstByte: 'waiting for the response',
  download: 'reading the response',
}

export function timeoutFailure(
  timeoutMs: number,
  phase: PhaseName,
  proxy?: string | null,
): Failure {
  if (proxy && phase === 'connect') {
    const waiting = `not finished within ${timeoutMs} ms, still connecting through the proxy ${proxy}`
    return silence('timeout', waiting)
  }
  const message = `not finished within ${timeoutMs} ms, still ${waitingFor[phase]}`
  return silence('timeout', message, phase === 'dns' ? 'dns' : 'way')
}

export function codeOf(cause: unknown, otherwise = 'unknown reason'): string {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return otherwise
  return typeof cause.code === 'string' ? cause.code : otherwise
}
