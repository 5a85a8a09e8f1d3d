// WebSocket servers for tests: a real one, and scripts of a raw one that does what a test says.

import uws from 'uWebSockets.js'
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Call, Script } from './target.ts'

export interface EchoServer {
  readonly url: string
  /** Every message so far, and the code of every close. */
  readonly messages: readonly string[]
  readonly closes: readonly number[]
  close(): void
}

/** uWebSockets.js on loopback: greets with `hello`, and answers `echo: …` to every message. */
export async function startEchoServer(wishedPort = 0): Promise<EchoServer> {
  const messages: string[] = []
  const closes: number[] = []
  const app = uws.App().ws('/echo', {
    open: (ws) => void ws.send('hello'),
    message(ws, message) {
      const text = Buffer.from(message).toString()
      messages.push(text)
      ws.send(`echo: ${text}`)
    },
    close: (_, code) => void closes.push(code),
  })
  const port = await new Promise<number>((resolve, reject) => {
    app.listen('127.0.0.1', wishedPort, (token) => {
      if (token === false) reject(new Error('no port'))
      else resolve(uws.us_socket_local_port(token))
    })
  })
  return { url: `ws://127.0.0.1:${port}/echo`, messages, closes, close: () => void app.close() }
}

/** The answer to a handshake, with these headers changed or added. */
export function welcomeTo(call: Call, headers: Readonly<Record<string, string>> = {}): string {
  const key = `${call.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const accept = createHash('sha1').update(key).digest('base64')
  const defaults = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': accept }
  const lines = Object.entries({ ...defaults, ...headers }).map(([name, value]) => {
    return `${name}: ${value}\r\n`
  })
  return `HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`
}

/** Agrees to the handshake in one write with these bytes, then goes on as the test says. */
export function welcome(
  bytes: Buffer = Buffer.alloc(0),
  then: (socket: Socket) => void = () => {},
): Script {
  return (call) => {
    call.socket.write(Buffer.concat([Buffer.from(welcomeTo(call)), bytes]))
    then(call.socket)
  }
}

/** A frame as a server sends it: `first` is its first byte, such as 0x81 for a whole text. */
export function serverFrame(first: number, payload: string | Buffer = ''): Buffer {
  const bytes = Buffer.from(payload)
  if (bytes.length < 126) return Buffer.concat([Buffer.from([first, bytes.length]), bytes])
  if (bytes.length > 0xffff) throw new Error('no test needs so long a frame')
  return Buffer.concat([Buffer.from([first, 126, bytes.length >> 8, bytes.length & 0xff]), bytes])
}
