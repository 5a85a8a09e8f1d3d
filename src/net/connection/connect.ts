// Opens a fresh connection to a judged address: TCP, then TLS, each timed separately.
import type { X509Certificate } from 'node:crypto'
import net from 'node:net'
import tls from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import type { Certificate, TlsChoice } from '../../domain/checks/reading.ts'
import type { Guard } from '../egress-policy.ts'
import { connectFailure, type Failure, failure, handshakeFailure } from '../failure.ts'
import { watchStart } from '../local-errors.ts'
import { type Connection, certificateFault, issuerName, validityOf } from './certificate.ts'
import { type ClientIdentity, clientFailure } from './client-identity.ts'
import { clockFailure, clockTrustOf } from './clock-trust.ts'
import { secureContext, type TrustDeps } from './trust.ts'

export interface DialRequest {
  /** The addresses are judged already, and tried in this order. */
  readonly addresses: readonly string[]
  readonly port: number
}

/** How a handshake differs from that of an HTTP request. */
export interface Handshake {
  /** The protocols to offer; default: `http/1.1`. */
  readonly alpn?: readonly string[]
  /** Accepts old TLS, weak keys and any certificate, so that the caller can report them. */
  readonly isLenient?: boolean
  /** Requests the answer of the authority's OCSP service. */
  readonly wantsStaple?: boolean
}

export interface TcpConnection {
  readonly socket: net.Socket
  readonly address: string
  readonly connectMs: number
}

export interface TlsConnection extends Connection {
  readonly socket: tls.TLSSocket
  readonly tlsMs: number
  readonly certificate?: Certificate
  readonly choice: TlsChoice
}

export interface ConnectDeps extends TrustDeps {
  readonly guard: Guard
  readonly clock: Clock
}

/** The result of a dial: exactly one of the two, unless it is destroyed. */
export interface DialListener {
  connected(connection: TcpConnection): void
  failed(failure: Failure): void
}

function ignoreError(): void {
  // The error was already reported, or no longer matters; but without a listener it would end the
  // process.
}

/** How long one address may take to connect before the next is tried in parallel (RFC 8305). */
const connectAttemptMs = 250

/**
 * One attempt to connect, to the first address that answers: the next is tried when one fails, and
 * in parallel when it is slow (happy eyeballs, RFC 8305).
 */
export class Dial {
  readonly #request: DialRequest
  readonly #deps: ConnectDeps
  readonly #listener: DialListener
  readonly #startedMs: number
  #open: net.Socket[] = []
  #next = 0
  #stagger: unknown
  #failure: Failure | undefined
  #isOver = false

  constructor(request: DialRequest, deps: ConnectDeps, listener: DialListener) {
    this.#request = request
    this.#deps = deps
    this.#listener = listener
    this.#startedMs = deps.clock.monoMs()
    this.#attempt()
  }

  /** Gives up: closes what is open, without notifying the listener. */
  destroy(): void {
    this.#isOver = true
    this.#closeOthers(undefined)
  }

  #attempt(): void {
    const { addresses, port } = this.#request
    const address = addresses[this.#next++]
    if (address === undefined) return
    const socket = net.connect({ host: address, port, autoSelectFamily: false, noDelay: false })
    this.#open.push(socket)
    const isAtOnce = watchStart(socket)
    socket.on('error', ignoreError)
    const refuse = (cause: unknown): void => {
      const place = placeOf(address, port)
      this.#refused(socket, connectFailure(cause, place, { isAtOnce: isAtOnce() }))
    }
    socket.once('error', refuse)
    socket.once('connect', () => {
      socket.off('error', refuse)
      if (!this.#isOver) this.#arrived(socket, address)
    })
    if (this.#next < addresses.length) {
      this.#stagger = this.#deps.clock.setTimeout(() => this.#attempt(), connectAttemptMs)
    }
  }

  #refused(socket: net.Socket, found: Failure): void {
    if (this.#isOver) return
    this.#open = this.#open.filter((one) => one !== socket)
    // If one address failed because of the target and another because we have no route to it, the
    // former is reported.
    if (this.#failure?.result !== 'failed') this.#failure = found
    if (this.#next < this.#request.addresses.length) {
      this.#deps.clock.clearTimeout(this.#stagger)
      this.#attempt()
    } else if (this.#open.length === 0) {
      this.#fail(this.#failure ?? found)
    }
  }

  #arrived(socket: net.Socket, address: string): void {
    this.#closeOthers(socket)
    const connectMs = this.#deps.clock.monoMs() - this.#startedMs
    const peer = socket.remoteAddress
    if (peer !== address) {
      const judgement = this.#deps.guard.judgeAddress(peer ?? '', this.#request.port)
      if (!judgement.allowed) {
        const refused = this.#deps.guard.refusal('the connection leads to', judgement)
        this.#fail(peer ? refused : closedEarly)
        return
      }
    }
    this.#isOver = true
    this.#listener.connected({ socket, address, connectMs })
  }

  #fail(found: Failure): void {
    if (this.#isOver) return
    this.destroy()
    this.#listener.failed(found)
  }

  #closeOthers(winner: net.Socket | undefined): void {
    if (this.#stagger !== undefined) this.#deps.clock.clearTimeout(this.#stagger)
    for (const socket of this.#open) if (socket !== winner) socket.destroy()
    this.#open = winner === undefined ? [] : [winner]
  }
}

export interface TlsRequest {
  /** The name or address that the certificate must be for. */
  readonly host: string
  readonly ignoreTlsErrors: boolean
  readonly handshake?: Handshake | undefined
  /** What is offered to a server that asks for a client certificate. */
  readonly identity?: ClientIdentity | undefined
}

/** The result of a handshake: exactly one of the two. */
export interface HandshakeListener {
  secured(secured: TlsConnection): void
  failed(found: Failure, certificate?: Certificate): void
}

/**
 * Starts TLS on an open connection. Verifies the certificate unless the handshake is lenient. Throws an error of
 * OpenSSL for an identity that TLS cannot use.
 */
export function startTls(
  plain: net.Socket,
  { host, ignoreTlsErrors, handshake = {}, identity }: TlsRequest,
  deps: ConnectDeps,
  listener: HandshakeListener,
): tls.TLSSocket {
  const { alpn = ['http/1.1'], isLenient = false, wantsStaple = false } = handshake
  const startedMs = deps.clock.monoMs()
  const socket = tls.connect({
    socket: plain,
    host,
    servername: net.isIP(host) === 0 ? host : '',
    secureContext: secureContext(deps, isLenient, identity),
    ALPNProtocols: [...alpn],
    requestOCSP: wantsStaple,
    // Verification happens below, before any byte is sent, so that the certificate can be shown if
    // it fails.
    rejectUnauthorized: false,
  })
  let staple: Buffer | null = null
  // Typed as a Buffer, but null if the server staples nothing.
  if (wantsStaple) socket.once('OCSPResponse', (response: Buffer | null) => (staple = response))
  socket.on('error', ignoreError)
  const end = (cause: unknown): void =>
    listener.failed(clientFailure(cause, identity) ?? handshakeFailure(cause))
  const close = (): void => listener.failed(handshakeFailure({ code: 'ECONNRESET' }))
  socket.once('error', end)
  socket.once('close', close)
  socket.once('secureConnect', () => {
    socket.off('error', end)
    socket.off('close', close)
    // Called only once: each call removes the certificate from the chain, so a second call would
    // return the issuer's.
    const peer = socket.getPeerX509Certificate()
    const identity = peer === undefined ? {} : { peer, certificate: certificateOf(peer) }
    if (socket.authorized) clockTrustOf(deps).noteValid()
    if (!socket.authorized && !ignoreTlsErrors && !isLenient) {
      const code = String(socket.authorizationError)
      const ours = clockFailure(deps, code, peer)
      const found = ours ?? certificateFault(code, peer, deps.clock.wallMs())
      listener.failed(found, identity.certificate)
      return
    }
    listener.secured({
      socket,
      tlsMs: deps.clock.monoMs() - startedMs,
      ...identity,
      choice: { version: socket.getProtocol() ?? '', cipher: socket.getCipher().standardName },
      ...(staple === null ? {} : { staple }),
    })
  })
  return socket
}

const closedEarly = failure('reset', 'the connection was closed as soon as it was open')

function certificateOf(certificate: X509Certificate): Certificate {
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  const { toMs: expiresAtMs } = validityOf(certificate)
  return { expiresAtMs, issuer: issuerName(certificate), fingerprint }
}

/** `127.0.0.1:80` or `[::1]:80`. */
export function placeOf(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** Rounds to two decimals: microseconds are meaningless, and a long fraction costs bytes. */
export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100
}
