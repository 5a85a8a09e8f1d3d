// The listener: opens a port for itself alone, tells which one it got, and closes in two steps.
import uws, { type HttpRequest, type HttpResponse, type us_listen_socket } from 'uWebSockets.js'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { limits } from '../../domain/limits/limits.ts'
import { normalAddress } from './address.ts'
import { createPeerShare, heldOfSystem, type PeerShare, peerKey } from './peers.ts'

export type EdgeMethod = 'get' | 'head' | 'post' | 'put' | 'patch' | 'del' | 'options' | 'any'

export interface EdgeRegistration {
  readonly method: EdgeMethod
  readonly pattern: string
  readonly handle: (res: HttpResponse, req: HttpRequest) => void
}

export interface PeerBounds {
  /** Whether very many people stand behind an address, or the daemon's own machine. */
  readonly isExempt: (address: string) => boolean
  readonly monoMs: () => number
}

export interface ConnectionBounds {
  /** Those beyond it are closed as they come. */
  readonly connectionsMax: number
  /** Holds one peer to a share of them; without it the first to come may have all. */
  readonly peers?: PeerBounds
  /** Called for each connection that was closed as it came. */
  readonly onRefused?: () => void
  /** How long one may bring nothing of use. */
  readonly idleSeconds?: number
}

export interface EdgeServer {
  readonly port: number
  /** How many connections are open. */
  connections(): number
  /** Takes no new connections; requests that run go on. */
  stopListening(): void
  /** Cuts every connection. */
  close(): void
}

/**
 * Listens on `host` and `port` (0: any free one). Throws StartFailure (74).
 *
 * uWebSockets.js reads UWS_HTTP_MAX_HEADERS_SIZE from the environment when it is loaded: whoever
 * wants another bound than its 4 KiB sets it before this module is imported.
 */
export async function listen(
  host: string,
  port: number,
  registrations: readonly EdgeRegistration[],
  bounds: ConnectionBounds,
): Promise<EdgeServer> {
  const { connectionsMax, peers, onRefused } = bounds
  const { idleSeconds = limits.connectionIdleSeconds } = bounds
  const app = uws.App()
  dropIdle(app, idleSeconds)
  let connections = 0
  const count = () => heldOfSystem(boundPort)
  const share = peers && createPeerShare({ connectionsMax, monoMs: peers.monoMs, count })
  // Told 1 of a new connection and -1 of an ended one, also of those that are refused here. Where
  // no file is left for a new one, uWebSockets.js asks for it again and again with all its might:
  // the bound has to be well below what the system allows.
  function countConnection(res: HttpResponse, change: number): void {
    connections += change
    if (change < 0) return
    const isOver = connections > connectionsMax
    if (!isOver && !(peers && share && holdsTooMany(res, peers, share, connections))) return
    onRefused?.()
    res.close()
  }
  app.filter((res, change) => countConnection(res, Number(change)))
  for (const { method, pattern, handle } of registrations) app[method](pattern, handle)
  const token = await new Promise<us_listen_socket | false>((resolve) => {
    listenAlone(app, host, port, resolve)
  })
  if (token === false) {
    app.close()
    throw new StartFailure(exitCodes.io, `cannot listen on ${host}:${port}`, {
      hint: 'another program uses the port, or the address does not belong to this machine',
    })
  }
  const boundPort = uws.us_socket_local_port(token)
  let isListening = true

  function stopListening(): void {
    if (isListening) uws.us_listen_socket_close(token as us_listen_socket)
    isListening = false
  }

  return {
    port: boundPort,
    connections: () => connections,
    stopListening,
    close() {
      isListening = false
      app.close()
    },
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

// How long a connection may bring nothing of use: no whole head, less than 16 KB of body a second,
// nobody who reads the answer. The library looks every 4 s. Its types do not name the setters, and
// what it does without them is three times as patient.
function dropIdle(app: uws.TemplatedApp, idleSeconds: number): void {
  const settable = app as unknown as Record<string, (seconds: number) => void>
  for (const name of ['setIdleTimeout', 'setResponseTimeout']) {
    settable[name]?.(idleSeconds)
  }
}

// Without the exclusive option a second daemon would share the port and the traffic in silence. The
// library takes it between port and callback also where a host is named; its types do not say so.
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
