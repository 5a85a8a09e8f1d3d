// What a SQL Server says, replayed: the answers were recorded from Babelfish for PostgreSQL 4.3, which speaks its
// protocol. With STILLUP_TEST_SQLSERVER=host:port the answers are those of that server, where `ada` signs in with
// the password `s3cret` without TLS; with GOLDEN=1, too, they are recorded anew. TLS ends here in either case.
import { readFileSync, writeFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { Test } from 'tap'
import { TlsInPackets } from '../../../src/probes/databases/tds-talk.ts'
import { testCertificates } from '../certificates.ts'

const file = join(import.meta.dirname, 'tds-answers.json')
const answers: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
const real = process.env.STILLUP_TEST_SQLSERVER
const isRecording = process.env.GOLDEN !== undefined && real !== undefined
const headerBytes = 8
const types = { batch: 1, answer: 4, attention: 6, login: 16, prelogin: 18 } as const
const encryption = { on: 1, none: 2, required: 3 } as const

export interface TdsOptions {
  /** Default: as the client asks. */
  readonly tls?: keyof typeof encryption
  /** Sends clients there once they have signed in. */
  readonly routeTo?: { readonly host: string; readonly port: number }
  /** What is said instead of the answer kept for that name; the sign-in is `login`. */
  readonly says?: Readonly<Record<string, Buffer>>
  readonly certificate?: { readonly key: string; readonly cert: string }
}

export interface TdsServer {
  readonly port: number
  /** What clients asked, each as the name of its answer. */
  readonly asked: readonly string[]
}

export async function startTds(
  t: Pick<Test, 'teardown'>,
  options: TdsOptions = {},
): Promise<TdsServer> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const server = net.createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    void serve(socket, options, asked).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
    if (!isRecording) return
    const sorted = Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  })
  return { port: (server.address() as net.AddressInfo).port, asked }
}

interface Message {
  readonly type: number
  readonly body: Buffer
}

/** The messages that arrive; a queue, because a client may interrupt. */
function messagesOn(way: Duplex) {
  const waiting: ((message: Message) => void)[] = []
  const arrived: Message[] = []
  let rest = Buffer.alloc(0)
  let parts: Buffer[] = []
  const take = (chunk: Buffer): void => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= headerBytes && rest.length >= rest.readUInt16BE(2)) {
      const size = rest.readUInt16BE(2)
      const [type = 0, status = 0] = rest
      parts.push(rest.subarray(headerBytes, size))
      rest = rest.subarray(size)
      if ((status & 1) === 0) continue
      const message = { type, body: Buffer.concat(parts) }
      parts = []
      const next = waiting.shift()
      if (next) next(message)
      else arrived.push(message)
    }
  }
  way.on('data', take)
  way.on('error', () => {})
  way.resume()
  return {
    next(): Promise<Message> {
      const message = arrived.shift()
      if (message) return Promise.resolve(message)
      return new Promise((resolve) => waiting.push(resolve))
    },
    stop: () => way.off('data', take),
  }
}

function packetOf(type: number, body: Buffer): Buffer {
  const packets: Buffer[] = []
  for (let at = 0; at === 0 || at < body.length; at += 4_000) {
    const part = body.subarray(at, at + 4_000)
    const header = Buffer.alloc(headerBytes)
    header[0] = type
    header[1] = at + 4_000 >= body.length ? 1 : 0
    header.writeUInt16BE(headerBytes + part.length, 2)
    packets.push(header, part)
  }
  return Buffer.concat(packets)
}

async function serve(raw: Socket, options: TdsOptions, asked: string[]): Promise<void> {
  const { tls, routeTo, says, certificate = testCertificates.good } = options
  const upstream = await upstreamOf(raw)
  const secured = async (way: Duplex, alpn?: string[]): Promise<TLSSocket> => {
    const secureContext = createSecureContext(certificate)
    const given = { isServer: true, secureContext, ...(alpn ? { ALPNProtocols: alpn } : {}) }
    const socket = new TLSSocket(way as Socket, given)
    socket.on('error', () => raw.destroy())
    await new Promise((resolve) => socket.once('secure', resolve))
    return socket
  }
  const first = await new Promise<Buffer>((resolve) => raw.once('data', resolve))
  raw.pause()
  raw.unshift(first)
  // TDS 8 begins with TLS.
  let way: Duplex = first[0] === 0x16 ? await secured(raw, ['tds/8.0']) : raw
  const isStrict = way !== raw
  let messages = messagesOn(way)
  for (;;) {
    const message = await messages.next()
    const name = nameOf(message)
    asked.push(name)
    const said = says?.[message.type === types.login ? 'login' : name]
    const answer = said ?? (await answerTo(name, message, upstream))
    if (answer === undefined) continue
    if (message.type === types.login && routeTo) {
      way.write(packetOf(types.answer, withRoute(answer, routeTo)))
      continue
    }
    if (message.type !== types.prelogin) {
      way.write(packetOf(types.answer, answer))
      continue
    }
    const wanted = tls ? encryption[tls] : optionOf(message.body)
    const told = Buffer.from(answer)
    told[encryptionAt(told)] = wanted
    way.write(packetOf(types.answer, told))
    if (isStrict || wanted === encryption.none) continue
    messages.stop()
    const inPackets = new TlsInPackets(raw)
    way = await secured(inPackets)
    inPackets.isOpen = true
    messages = messagesOn(way)
  }
}

/** Where the option for encryption is, 2.2.6.5: each has a token, and the place and length of its data. */
function encryptionAt(body: Buffer): number {
  for (let at = 0; body[at] !== 0xff; at += 5) if (body[at] === 1) return body.readUInt16BE(at + 1)
  throw new Error('without encryption')
}

const optionOf = (body: Buffer) => body[encryptionAt(body)] as number

/** The name under which the answer is kept: what was asked. */
function nameOf({ type, body }: Message): string {
  switch (type) {
    case types.prelogin:
      return 'prelogin'
    case types.attention:
      return 'attention'
    case types.login:
      return `login ${[40, 44, 68].map((at) => textAt(body, at, at === 44)).join(' ')}`.trim()
    default:
      return body.subarray(22).toString('utf16le')
  }
}

/** A text of a sign-in, 2.2.6.4: user, password or database. */
function textAt(body: Buffer, at: number, isScrambled: boolean): string {
  const start = body.readUInt16LE(at)
  const bytes = Buffer.from(body.subarray(start, start + 2 * body.readUInt16LE(at + 2)))
  if (isScrambled) for (const [i, byte] of bytes.entries()) bytes[i] = swapped(byte ^ 0xa5)
  return bytes.toString('utf16le')
}

const swapped = (byte: number) => ((byte << 4) | (byte >> 4)) & 0xff

/** The answer with a token that names another server, 2.2.7.9, before its end. */
function withRoute(answer: Buffer, { host, port }: NonNullable<TdsOptions['routeTo']>): Buffer {
  const name = Buffer.from(host, 'utf16le')
  const route = Buffer.alloc(15 + name.length)
  route[0] = 0xe3
  route.writeUInt16LE(route.length - 3, 1)
  route[3] = 20
  route.writeUInt16LE(5 + name.length, 4)
  route.writeUInt16LE(port, 7)
  route.writeUInt16LE(host.length, 9)
  name.copy(route, 11)
  const doneBytes = 13
  return Buffer.concat([
    answer.subarray(0, -doneBytes),
    route.subarray(0, 13 + name.length),
    answer.subarray(-doneBytes),
  ])
}

interface Upstream {
  readonly socket: Socket
  readonly messages: ReturnType<typeof messagesOn>
}

async function upstreamOf(raw: Socket): Promise<Upstream | undefined> {
  if (real === undefined) return undefined
  const [host = '', port] = real.split(':')
  const socket = net.connect({ host, port: Number(port) })
  raw.on('close', () => socket.destroy())
  return { socket, messages: messagesOn(socket) }
}

/** The answer to a client that interrupts: a token that says so, 2.2.7.6. */
const stoppedQuery = Buffer.from('fd2000fd000000000000000000', 'hex')

/** Undefined if there is none yet: a query that takes long. */
async function answerTo(
  name: string,
  { type, body }: Message,
  upstream: Upstream | undefined,
): Promise<Buffer | undefined> {
  // Babelfish answers it once the query has ended; SQL Server at once, 2.2.1.7.
  if (type === types.attention) {
    upstream?.socket.write(packetOf(type, body))
    return stoppedQuery
  }
  const isLong = name.includes('all_objects a,')
  if (upstream === undefined) {
    const kept = answers[name]
    if (kept === undefined && !isLong) throw new Error(`no answer to ${name}`)
    return kept === undefined ? undefined : Buffer.from(kept, 'base64')
  }
  const asked = Buffer.from(body)
  if (type === types.prelogin) asked[encryptionAt(asked)] = encryption.none
  // Babelfish knows no TDS 8, which differs from 7.4 in its beginning alone.
  if (type === types.login) asked.writeUInt32LE(0x7400_0004, 4)
  upstream.socket.write(packetOf(type, asked))
  if (isLong) return undefined
  const answer = (await upstream.messages.next()).body
  if (isRecording) answers[name] = answer.toString('base64')
  return answer
}
