// A browser that runs already, which the operator listed by its address: DevTools over a WebSocket (RFC 6455).
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { isRecord } from '../../base/schema/pick.ts'
import { Dial, startTls } from '../../net/connection/connect.ts'
import { hostOf, portOf } from '../../net/egress-policy.ts'
import type { ProxyClient } from '../../net/proxy/egress-proxy.ts'
import type { RunDeps } from '../../net/run/guarded-run.ts'
import { frameOf, opcodes } from '../websocket/websocket-frames.ts'
import type { DevtoolsCarrier } from './devtools.ts'

/** A browser does not answer at its address. */
export class EndpointSilent extends Error {
  override readonly name = 'EndpointSilent'
}

export interface DevtoolsEndpoint {
  readonly carrier: DevtoolsCarrier
  /** Where it reaches this program; undefined if it is on this machine. */
  readonly client: ProxyClient | undefined
  destroy(): void
}

const answerCharsMax = 65_536
const headBytesMax = 16 * 1024
const messageBytesMax = 4 * 1024 * 1024

/** Connects to it: `ws://` and `wss://` as they are, `http://` and `https://` by what they say at /json/version. */
export async function connectEndpoint(address: string, deps: RunDeps): Promise<DevtoolsEndpoint> {
  const url = new URL(address)
  const isHttp = /^https?:$/.test(url.protocol)
  const path = isHttp ? await debuggerPath(url, deps) : `${url.pathname}${url.search}`
  const socket = await openSocket(url, deps)
  try {
    const rest = await upgraded(socket, path)
    const client = clientOf(socket)
    return { carrier: socketCarrier(socket, rest), client, destroy: () => socket.destroy() }
  } catch (cause) {
    socket.destroy()
    throw cause
  }
}

/** The operator listed the address, so the policy for targets does not judge it. */
async function openSocket(url: URL, deps: RunDeps): Promise<Socket> {
  const host = hostOf(url)
  const isTls = /^(https|wss):$/.test(url.protocol)
  const port = url.port === '' && isTls ? 443 : portOf(url)
  const found = isIP(host) === 0 ? await deps.resolver.resolve(host, 'any') : { addresses: [host] }
  const { addresses } = found
  if (addresses === undefined) throw new EndpointSilent()
  return new Promise((resolve, reject) => {
    const fail = () => reject(new EndpointSilent())
    new Dial({ addresses, port }, deps, {
      connected({ socket }) {
        socket.on('error', () => {})
        if (!isTls) return resolve(socket)
        const request = { host, ignoreTlsErrors: false }
        startTls(socket, request, deps, {
          secured: (secured) => resolve(secured.socket),
          failed: fail,
        })
      },
      failed: fail,
    })
  })
}

/** The browser sees the address that we called from. */
function clientOf({ localAddress = '', remoteAddress = '' }: Socket): ProxyClient | undefined {
  if (/^127\.|^::1$/.test(remoteAddress)) return undefined
  return { ownAddress: localAddress, address: remoteAddress }
}

async function debuggerPath(url: URL, deps: RunDeps): Promise<string> {
  const socket = await openSocket(url, deps)
  const body = await new Promise<string>((resolve, reject) => {
    // Chromium answers to no other name: a page could have one that leads to it.
    const headers = { host: 'localhost' }
    const asked = get(
      { createConnection: () => socket, path: '/json/version', headers },
      (told) => {
        text(told).then(resolve, () => reject(new EndpointSilent()))
      },
    )
    asked.on('error', () => reject(new EndpointSilent()))
  }).finally(() => socket.destroy())
  let version: unknown
  try {
    version = JSON.parse(body.slice(0, answerCharsMax))
  } catch {
    throw new EndpointSilent()
  }
  const { webSocketDebuggerUrl } = isRecord(version) ? version : {}
  const told = URL.parse(String(webSocketDebuggerUrl))
  if (told === null) throw new EndpointSilent()
  return `${told.pathname}${told.search}`
}

/** Resolves with what came behind the handshake (§4). */
function upgraded(socket: Socket, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0)
    const fail = () => reject(new EndpointSilent())
    const take = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length < headBytesMax) return
      socket.off('data', take)
      socket.off('close', fail)
      socket.pause()
      if (end < 0 || !/^HTTP\/1\.1 101 /.test(head.toString('latin1'))) fail()
      else resolve(head.subarray(end + 4))
    }
    socket.on('data', take)
    socket.once('close', fail)
    const key = randomBytes(16).toString('base64')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
  })
}

function socketCarrier(socket: Socket, first: Buffer): DevtoolsCarrier {
  const send = (opcode: number, payload: Buffer) => {
    socket.write(
      frameOf(opcode === opcodes.pong ? opcodes.pong : opcodes.text, payload, randomBytes(4)),
    )
  }
  return {
    send: (message) => send(opcodes.text, Buffer.from(message)),
    listen({ message, closed }) {
      const take = messagesOf(message, (payload) => send(opcodes.pong, payload))
      socket.on('data', take)
      socket.once('close', closed)
      take(first)
      socket.resume()
    },
  }
}

/** Tells each message; one that is too long is passed over unread, as from a browser that is started. */
function messagesOf(tell: (text: string) => void, pong: (payload: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let skip = 0
  let pieces: Buffer[] = []
  let bytes = 0

  function frame(isFinal: boolean, opcode: number, payload: Buffer | undefined): void {
    if (opcode === opcodes.ping) pong(payload ?? Buffer.alloc(0))
    if (opcode >= opcodes.close) return
    bytes += payload?.length ?? messageBytesMax + 1
    if (payload !== undefined && bytes <= messageBytesMax) pieces.push(payload)
    if (!isFinal) return
    if (bytes <= messageBytesMax) tell(Buffer.concat(pieces).toString())
    pieces = []
    bytes = 0
  }

  return (chunk: Buffer): void => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      const passed = Math.min(skip, rest.length)
      skip -= passed
      rest = rest.subarray(passed)
      const [head = 0, second = 0] = rest
      const short = second & 0x7f
      const start = short === 127 ? 10 : short === 126 ? 4 : 2
      if (skip > 0 || rest.length < start) return
      const length =
        short === 127
          ? Number(rest.readBigUInt64BE(2))
          : short === 126
            ? rest.readUInt16BE(2)
            : short
      const [isFinal, opcode] = [(head & 0x80) !== 0, head & 0x0f]
      if (length > messageBytesMax) {
        frame(isFinal, opcode, undefined)
        skip = start + length
        continue
      }
      if (rest.length < start + length) return
      frame(isFinal, opcode, rest.subarray(start, start + length))
      rest = rest.subarray(start + length)
    }
  }
}
