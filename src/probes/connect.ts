// A fresh connection to an address that was judged: TCP, then TLS, each timed by itself.
import net from 'node:net'
import tls from 'node:tls'
import type { Clock } from '../base/clock.ts'
import { limits } from '../domain/limits.ts'
import type { Certificate, PhaseName } from '../domain/reading.ts'
import {
  certificateFailure,
  connectFailure,
  type Failure,
  failure,
  handshakeFailure,
} from './failure.ts'
import type { Guard } from './guard.ts'

export interface ConnectRequest {
  /** Judged already; tried in this order. */
  readonly addresses: readonly string[]
  readonly port: number
  /** The name the certificate must be for; null for plain TCP. */
  readonly tlsHost: string | null
  readonly ignoreTlsErrors: boolean
}

export interface Connection {
  readonly socket: net.Socket
  readonly address: string
  readonly connectMs: number
  readonly tlsMs?: number
  readonly certificate?: Certificate
}

export interface ConnectDeps {
  readonly guard: Guard
  readonly clock: Clock
  /** Certificate authorities in PEM, in place of those of Node. */
  readonly ca?: readonly string[]
}

/** What is heard of a dial. Exactly one of `connected` and `failed`, unless it is cancelled. */
export interface DialListener {
  entered(phase: PhaseName): void
  connected(connection: Connection): void
  failed(failure: Failure, phase: PhaseName, certificate?: Certificate): void
}

const contexts = new WeakMap<ConnectDeps, tls.SecureContext>()

/** Reading the authorities takes milliseconds, so all connections share one context. */
function secureContext(deps: ConnectDeps): tls.SecureContext {
  const known = contexts.get(deps)
  if (known !== undefined) return known
  const context = tls.createSecureContext(deps.ca ? { ca: [...deps.ca] } : {})
  contexts.set(deps, context)
  return context
}

function ignoreError(): void {
  // Told already, or of no interest any more; without a listener the process would end.
}

/**
 * One attempt to connect, to the first address that answers: the next is tried when one fails, and
 * beside it when it is slow (happy eyeballs, RFC 8305).
 */
export class Dial {
  readonly #request: ConnectRequest
  readonly #deps: ConnectDeps
  readonly #listener: DialListener
  readonly #startedMs: number
  #open: net.Socket[] = []
  #next = 0
  #stagger: unknown
  #failure: Failure | undefined
  #isOver = false

  constructor(request: ConnectRequest, deps: ConnectDeps, listener: DialListener) {
    this.#request = request
    this.#deps = deps
    this.#listener = listener
    this.#startedMs = deps.clock.monoMs()
    this.#attempt()
  }

  /** Gives up: closes what is open and tells nobody. */
  cancel(): void {
    this.#isOver = true
    this.#closeOthers(undefined)
  }

  #attempt(): void {
    const { addresses, port } = this.#request
    const address = addresses[this.#next++]
    if (address === undefined) return
    const socket = net.connect({ host: address, port, autoSelectFamily: false, noDelay: false })
    this.#open.push(socket)
    socket.on('error', ignoreError)
    const refuse = (cause: unknown): void => this.#refused(socket, address, cause)
    socket.once('error', refuse)
    socket.once('connect', () => {
      socket.off('error', refuse)
      if (!this.#isOver) this.#arrived(socket, address)
    })
    if (this.#next < addresses.length) {
      this.#stagger = this.#deps.clock.setTimeout(() => this.#attempt(), limits.connectAttemptMs)
    }
  }

  #refused(socket: net.Socket, address: string, cause: unknown): void {
    if (this.#isOver) return
    this.#open = this.#open.filter((one) => one !== socket)
    const found = connectFailure(cause, placeOf(address, this.#request.port))
    // What one address says of the target weighs more than that we have no route to another.
    if (this.#failure?.outcome !== 'failed') this.#failure = found
    if (this.#next < this.#request.addresses.length) {
      this.#deps.clock.clearTimeout(this.#stagger)
      this.#attempt()
    } else if (this.#open.length === 0) {
      this.#fail(this.#failure ?? found, 'connect')
    }
  }

  #arrived(socket: net.Socket, address: string): void {
    this.#closeOthers(socket)
    const connectMs = this.#deps.clock.monoMs() - this.#startedMs
    const peer = socket.remoteAddress
    if (peer !== address) {
      const judgement = this.#deps.guard.judgeAddress(peer ?? '', this.#request.port)
      if (!judgement.allowed) {
        const message = `the connection leads to ${judgement.reason}, which is not allowed`
        this.#fail(peer ? failure('blocked', message) : closedEarly, 'connect')
        return
      }
    }
    if (this.#request.tlsHost === null) {
      this.#isOver = true
      this.#listener.connected({ socket, address, connectMs })
    } else {
      this.#secure(socket, address, connectMs, this.#request.tlsHost)
    }
  }

  #secure(plain: net.Socket, address: string, connectMs: number, host: string): void {
    const { clock } = this.#deps
    const startedMs = clock.monoMs()
    this.#listener.entered('tls')
    const socket = tls.connect({
      socket: plain,
      host,
      servername: net.isIP(host) === 0 ? host : '',
      secureContext: secureContext(this.#deps),
      ALPNProtocols: ['http/1.1'],
      // Judged below instead, before a byte is sent: so the certificate of a failure can be shown.
      rejectUnauthorized: false,
    })
    this.#open = [socket]
    socket.on('error', ignoreError)
    const end = (cause: unknown): void => this.#fail(handshakeFailure(cause), 'tls')
    const close = (): void => this.#fail(handshakeFailure({ code: 'ECONNRESET' }), 'tls')
    socket.once('error', end)
    socket.once('close', close)
    socket.once('secureConnect', () => {
      socket.off('error', end)
      socket.off('close', close)
      if (this.#isOver) return
      const certificate = certificateOf(socket)
      if (!socket.authorized && !this.#request.ignoreTlsErrors) {
        this.#fail(certificateFailure(String(socket.authorizationError)), 'tls', certificate)
        return
      }
      this.#isOver = true
      const tlsMs = clock.monoMs() - startedMs
      const seen = certificate === undefined ? {} : { certificate }
      this.#listener.connected({ socket, address, connectMs, tlsMs, ...seen })
    })
  }

  #fail(found: Failure, phase: PhaseName, certificate?: Certificate): void {
    if (this.#isOver) return
    this.cancel()
    this.#listener.failed(found, phase, certificate)
  }

  #closeOthers(winner: net.Socket | undefined): void {
    if (this.#stagger !== undefined) this.#deps.clock.clearTimeout(this.#stagger)
    for (const socket of this.#open) if (socket !== winner) socket.destroy()
    this.#open = winner === undefined ? [] : [winner]
  }
}

const closedEarly = failure('reset', 'the connection was closed as soon as it was open')

function certificateOf(socket: tls.TLSSocket): Certificate | undefined {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) return undefined
  const fields = new Map(certificate.issuer.split('\n').map((line) => splitOnce(line)))
  const issuer = fields.get('O') ?? fields.get('CN') ?? certificate.issuer
  return { expiresAtMs: certificate.validToDate.getTime(), issuer }
}

function splitOnce(line: string): [name: string, value: string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}

/** `127.0.0.1:80` or `[::1]:80`. */
function placeOf(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** Two decimals: a microsecond says nothing, and a long fraction costs bytes. */
export function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100
}
