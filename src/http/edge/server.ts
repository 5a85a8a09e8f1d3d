// The listener: opens a port exclusively, reports which one it got, and closes in two steps.
import uws, { type HttpRequest, type HttpResponse, type us_listen_socket } from 'uWebSockets.js'
import { chmodSync, rmSync } from 'node:fs'
import { assert } from '../../base/assert.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { socketPathBytesMax } from '../../net/socket-path.ts'
import { normalAddress } from './address.ts'
import { cannotListen, refusalOf } from './listen-failure.ts'
import { connectionsOfSystem, createPeerShare, type PeerShare, peerKey } from './peers.ts'

export type EdgeMethod = 'get' | 'head' | 'post' | 'put' | 'patch' | 'del' | 'options' | 'any'

export interface EdgeRegistration {
  readonly method: EdgeMethod
  readonly pattern: string
  readonly handle: (res: HttpResponse, req: HttpRequest) => void
}

interface PeerBounds {
  /**
   * Whether a peer is not limited: a proxy that forwards for many people, or the daemon's own
   * machine.
   */
  readonly isExempt: (address: string) => boolean
  readonly monoMs: () => number
}

export interface ConnectionBounds {
  /** Connections beyond this are closed at once. */
  readonly connectionsMax: number
  /** Limits each peer to a share of the connections; without it one peer may take all. */
  readonly peers?: PeerBounds
  /** Called for each connection that was closed at once. */
  readonly onRefused?: () => void
  /** How long a connection may stay idle before it is closed. */
  readonly idleSeconds?: number
  /** Called in the moment before the port is taken, to give it up where it was held. */
  readonly releasePort?: (() => void) | undefined
}

const connectionIdleSeconds = 10

/**
 * Listens on `host` and `port` (0: any free port). Throws StartFailure.
 *
 * uWebSockets.js reads UWS_HTTP_MAX_HEADERS_SIZE from the environment when it is loaded: to change
 * its bound of 4 KiB, set it before importing this module.
 */
export async function listen(
  host: string,
  port: number,
  registrations: readonly EdgeRegistration[],
  bounds: ConnectionBounds,
) {
  const { connectionsMax, peers, onRefused, releasePort } = bounds
  const { idleSeconds = connectionIdleSeconds } = bounds
  const app = uws.App()
  dropIdle(app, idleSeconds)
  let connections = 0
  const count = () => connectionsOfSystem(boundPort)
  const share = peers && createPeerShare({ connectionsMax, monoMs: peers.monoMs, count })
  // `change` is 1 for a new connection and -1 for an ended one, including connections refused here. The
  // limit must stay well below the system's limit of open files: if none is left for a new
  // connection, uWebSockets.js retries in a busy loop.
  function countConnection(res: HttpResponse, change: number): void {
    connections += change
    if (change < 0) return
    const isOver = connections > connectionsMax
    if (!isOver && !(peers && share && holdsTooMany(res, peers, share, connections))) return
    onRefused?.()
    res.close()
  }
  const forget = register(app, registrations, countConnection)
  const token = await new Promise<us_listen_socket | false>((resolve) => {
    releasePort?.()
    listenAlone(app, host, port, resolve)
  })
  if (token === false) {
    app.close()
    throw cannotListen({ host, port, setting: 'http.listen', cause: await refusalOf(host, port) })
  }
  const boundPort = uws.us_socket_local_port(token)
  let isListening = true

  /** Accepts no new connections; running requests continue. */
  function stopListening(): void {
    if (isListening) uws.us_listen_socket_close(token as us_listen_socket)
    isListening = false
  }

  return {
    port: boundPort,
    /** How many connections are open. */
    connections: () => connections,
    stopListening,
    /** Closes every connection immediately. */
    close(): void {
      isListening = false
      app.close()
      forget()
    },
  }
}

/**
 * Listens on a Unix socket for connections that the daemon itself passes on. Each begins with a
 * PROXY header (version 2) that names the caller. `path` must be short enough: the library crashes
 * for one that is not (see net/socket-path.ts). Throws StartFailure (74).
 */
export async function listenPrivately(
  path: string,
  registrations: readonly EdgeRegistration[],
  idleSeconds: number = connectionIdleSeconds,
) {
  assert(Buffer.byteLength(path) <= socketPathBytesMax, 'the path of the socket is short enough')
  const app = uws.App()
  dropIdle(app, idleSeconds)
  const forget = register(app, registrations)
  // What a process that was killed left behind.
  rmSync(path, { force: true })
  const token = await new Promise<us_listen_socket | false>((resolve) => {
    app.listen_unix(resolve, path)
  })
  if (!token) {
    app.close()
    throw new StartFailure(exitCodes.io, `cannot listen on ${path}`, {
      hint: 'The data directory must be on a file system that can hold sockets (data.dir).',
    })
  }
  chmodSync(path, 0o600)
  return {
    /** Closes every connection immediately. */
    close(): void {
      app.close()
      forget()
      rmSync(path, { force: true })
    },
  }
}

/**
 * What it returns forgets the handlers, once the app is closed: the library keeps what it is given to the end
 * of the process, and with it all of a daemon that has stopped.
 */
function register(
  app: uws.TemplatedApp,
  registrations: readonly EdgeRegistration[],
  countConnection?: (res: HttpResponse, change: number) => void,
): () => void {
  const known = { countConnection, handles: registrations.map(({ handle }) => handle) }
  app.filter((res, change) => known.countConnection?.(res, Number(change)))
  registrations.forEach(({ method, pattern }, index) => {
    app[method](pattern, (res, req) => known.handles[index]?.(res, req))
  })
  return () => {
    known.countConnection = undefined
    known.handles = []
  }
}

function holdsTooMany(
  res: HttpResponse,
  { isExempt }: PeerBounds,
  share: PeerShare,
  open: number,
): boolean {
  const peer = normalAddress(Buffer.from(res.getRemoteAddressAsText()).toString('latin1'))
  return !isExempt(peer) && share.isTooMany(peerKey(new Uint8Array(res.getRemoteAddress())), open)
}

// Sets how long a connection may go without progress: a complete head, 16 KB of body per second, or
// a response that the caller reads. The library checks every 4 s. Its types omit these setters, and
// its defaults are three times as long.
function dropIdle(app: uws.TemplatedApp, idleSeconds: number): void {
  const settable = app as unknown as Record<string, (seconds: number) => void>
  for (const name of ['setIdleTimeout', 'setResponseTimeout']) {
    settable[name]?.(idleSeconds)
  }
}

// Without the exclusive option, a second daemon could listen on the same port and take half of the
// traffic. The library accepts the option between port and callback, even with a host; its types
// omit that.
function listenAlone(
  app: uws.TemplatedApp,
  host: string,
  port: number,
  callback: (token: us_listen_socket | false) => void,
): void {
  const { LIBUS_LISTEN_EXCLUSIVE_PORT: exclusive } = uws as unknown as Record<string, number>
  const listenOn = app.listen.bind(app) as unknown as (...args: unknown[]) => void
  listenOn(host, port, exclusive, callback)
}
