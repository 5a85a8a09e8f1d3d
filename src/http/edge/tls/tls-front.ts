// TLS: ends it, and passes what callers send to the private listener, which serves the same routes as
// the plain one.
//
// uWebSockets.js has TLS of its own, but not for certificates that come and go. Each name gets a
// router of its own that must be filled with every route; removing a name frees the router while
// open connections still use it; nothing can replace a certificate without that; keys must be
// files. Node takes a certificate for each handshake, from memory.
import { constants } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import tls, { type SecureContext, type TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../../base/clock.ts'
import { normalAddress } from '../address.ts'
import { cannotListen } from '../listen-failure.ts'
import { createPeerShare, peerKey } from '../peers.ts'
import type { ConnectionBounds } from '../server.ts'
import { proxyHeader, watchSignature } from './proxy-header.ts'

/** A certificate with its key, in PEM. */
export interface KeyPair {
  readonly key: string
  readonly cert: string
}

export interface TlsFrontOptions {
  /** null: every address of the machine. */
  readonly host: string | null
  /** 0: any free port. */
  readonly port: number
  /** The socket of the private listener. */
  readonly privatePath: string
  /**
   * The context for the name that a caller asks for, in lower case; undefined if there is no
   * certificate for it.
   */
  readonly contextOf: (name: string) => SecureContext | undefined
  readonly bounds: ConnectionBounds
  /** How long a handshake may take. */
  readonly handshakeMsMax?: number
  readonly clock: Clock
}

/** TLS 1.2 only with forward secrecy and authenticated encryption; TLS 1.3 has nothing else. */
const ciphers = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
].join(':')

const agreed = {
  minVersion: 'TLSv1.2',
  ciphers,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const

/** Throws if the key does not belong to the certificate, or either cannot be read. */
export function secureContextOf({ key, cert }: KeyPair): SecureContext {
  return tls.createSecureContext({ ...agreed, key, cert })
}

/** How long a TLS handshake may take. */
const tlsHandshakeMs = 10_000

/** Listens. Throws StartFailure. */
export async function startTlsFront(options: TlsFrontOptions) {
  const { host, port, privatePath, contextOf, bounds, clock } = options
  const { connectionsMax, peers, onRefused } = bounds
  const open = new Set<Socket>()
  const held = new Map<string, number>()
  const share =
    peers && createPeerShare({ connectionsMax, monoMs: peers.monoMs, count: () => held })
  // Has no certificate, so the server's own is used, or the handshake ends with an alert.
  const nothing = tls.createSecureContext(agreed)

  const server = tls.createServer({
    ...agreed,
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: options.handshakeMsMax ?? tlsHandshakeMs,
    noDelay: true,
    SNICallback: (name, done) => done(null, contextOf(name.toLowerCase()) ?? nothing),
  })

  function isTooMany(address: string): boolean {
    if (open.size > connectionsMax) return true
    if (!peers || !share || peers.isExempt(address)) return false
    return share.isTooMany(keyOf(address), open.size)
  }

  function countConnection(socket: Socket): void {
    const address = normalAddress(socket.remoteAddress ?? '')
    // A caller that is gone already has none.
    if (!ipaddr.isValid(address)) {
      socket.destroy()
      return
    }
    open.add(socket)
    if (isTooMany(address)) {
      open.delete(socket)
      onRefused?.()
      socket.destroy()
      return
    }
    const key = keyOf(address)
    held.set(key, (held.get(key) ?? 0) + 1)
    socket.once('close', () => {
      open.delete(socket)
      const left = (held.get(key) ?? 1) - 1
      if (left === 0) held.delete(key)
      else held.set(key, left)
    })
  }

  server.prependListener('connection', countConnection)
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('secureConnection', (socket) => passOn(socket, privatePath, clock))

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(cannotListen({ host, port, setting: 'http.tlsListen', cause })),
    )
    server.listen({ port, ...(host === null ? {} : { host }) }, resolve)
  })
  server.on('error', () => {})
  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port

  /**
   * The certificate for callers that name no host, or one without a certificate; without it they
   * are refused.
   */
  function useDefault(pair: KeyPair | undefined): void {
    server.setSecureContext({ ...agreed, ...pair })
  }

  return {
    port: boundPort,
    connections: () => open.size,
    useDefault,
    /** Accepts no new connections; open ones continue. */
    stopListening(): void {
      server.close()
    },
    /** Closes every connection immediately. */
    close(): void {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

const keyOf = (address: string) => peerKey(Uint8Array.from(ipaddr.parse(address).toByteArray()))

/** How long a slow caller may take to receive what is left when its TLS connection ends. */
const tlsFlushMs = 10_000

/** Passes a connection on, in both directions, as fast as the slower side takes it. */
function passOn(caller: TLSSocket, privatePath: string, clock: Clock): void {
  const { remoteAddress } = caller
  if (remoteAddress === undefined) {
    caller.destroy()
    return
  }
  const inner = connect(privatePath)
  const watch = watchSignature()
  let flushing: unknown
  inner.write(proxyHeader(remoteAddress))
  caller.on('data', (chunk: Buffer) => {
    if (watch.seenIn(chunk)) caller.destroy()
    else if (!inner.write(chunk)) caller.pause()
  })
  inner.on('drain', () => caller.resume())
  inner.pipe(caller)
  caller.on('end', () => inner.end())
  caller.on('error', () => caller.destroy())
  caller.on('close', () => {
    clock.clearTimeout(flushing)
    inner.destroy()
  })
  inner.on('error', () => caller.destroy())
  inner.on('close', () => {
    if (caller.destroyed) return
    caller.end()
    // The listener has let go; what it sent last may still be on its way to a slow caller.
    flushing = clock.setTimeout(() => caller.destroy(), tlsFlushMs)
  })
}
