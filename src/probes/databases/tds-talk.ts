// TDS over a connection: messages in packets, and TLS whose handshake is in packets, too.
// https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/ (2.2.3, 3.2.5.2)
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { RunError } from '../../net/run/guarded-run.ts'
import { brokenOff, lendSocket, notSpoken } from '../run/driver-socket.ts'
import type { ProbeRun } from '../run/probe-run.ts'

/** The name of the protocol in messages. */
export const protocol = 'TDS'

/** The types of messages; a server answers all of them with `answer`. */
export const messages = { batch: 1, answer: 4, attention: 6, login: 16, prelogin: 18 } as const

const headerBytes = 8
const isLast = 1
/** What both sides begin with, header included. */
export const packetBytes = 4_096

/** A message, cut into packets. */
function* packetsOf(type: number, message: Buffer, bytesMax: number): Generator<Buffer> {
  const partBytes = bytesMax - headerBytes
  for (let [at, id] = [0, 1]; at === 0 || at < message.length; at += partBytes, id += 1) {
    const part = message.subarray(at, at + partBytes)
    const header = Buffer.alloc(headerBytes)
    header[0] = type
    header[1] = at + partBytes >= message.length ? isLast : 0
    header.writeUInt16BE(headerBytes + part.length, 2)
    header[6] = id & 0xff
    yield Buffer.concat([header, part])
  }
}

/** Requests and answers, one after the other. */
export class TdsTalk {
  readonly #socket: Socket
  readonly #answered: (answer: Buffer) => void
  readonly #take: (chunk: Buffer) => void
  #rest: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []
  #waiting: PromiseWithResolvers<Buffer> | undefined
  #isLost = false
  /** What a packet may have; the server may tell another size. */
  packetBytesMax = packetBytes

  constructor(run: ProbeRun, socket: Socket) {
    lendSocket(run, socket, { protocol })
    this.#socket = socket
    this.#answered = (answer) => {
      // Nothing follows an answer before the next request: before TLS, it would be read as if TLS protected it.
      if (this.#waiting === undefined || this.#rest.length > 0) throw new Error('unasked')
      this.#waiting.resolve(answer)
      this.#waiting = undefined
    }
    this.#take = (chunk) => this.#read(chunk)
    if (socket instanceof TLSSocket) socket.setMaxSendFragment(packetBytes)
    socket.on('data', this.#take)
    for (const event of ['end', 'close']) {
      socket.once(event, () => {
        this.#isLost = true
        this.#waiting?.reject(brokenOff())
      })
    }
  }

  /** Sends a message; its answer is that of `asked`. */
  tell(type: number, message: Buffer = Buffer.alloc(0)): void {
    // A write for each packet: servers expect each in a TLS record of its own.
    for (const packet of packetsOf(type, message, this.packetBytesMax)) this.#socket.write(packet)
  }

  /** Sends a message and resolves to the answer; rejects with a RunError if the connection ends. */
  ask(type: number, message: Buffer): Promise<Buffer> {
    if (this.#isLost) return Promise.reject(brokenOff())
    this.#waiting = Promise.withResolvers()
    const { promise } = this.#waiting
    this.tell(type, message)
    return promise
  }

  /** Leaves the connection to TLS. */
  release(): Socket {
    this.#socket.off('data', this.#take)
    return this.#socket
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#rest.length > 0) {
      if (this.#rest[0] !== messages.answer) throw new Error('no answer')
      if (this.#rest.length < headerBytes) return
      const size = this.#rest.readUInt16BE(2)
      if (size < headerBytes) throw new Error('no packet')
      if (this.#rest.length < size) return
      const end = (this.#rest[1] as number) & isLast
      this.#parts.push(this.#rest.subarray(headerBytes, size))
      this.#rest = this.#rest.subarray(size)
      if (end === 0) continue
      const answer = Buffer.concat(this.#parts)
      this.#parts = []
      this.#answered(answer)
    }
  }
}

/** The types of TLS records begin here; those of the packets of a server are below. */
const tlsRecords = 20
const recordHeaderBytes = 5

/**
 * What TLS writes to and reads from: each flight of its handshake is a message, and what follows is not. A
 * server may send the end of the handshake in packets when TLS has ended it on this side, so they are told
 * apart by their first byte.
 */
export class TlsInPackets extends Duplex {
  readonly #socket: Socket
  #head: Buffer = Buffer.alloc(0)
  #left = 0
  /** Whether this side has ended the handshake. */
  isOpen = false

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (chunk) => this.#unpack(chunk))
    socket.on('close', () => this.destroy())
    // TLS tells of it; without a listener it would end the process.
    this.on('error', () => {})
  }

  #unpack(chunk: Buffer): void {
    let bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    while (bytes.length > 0) {
      if (this.#left === 0) {
        const isPacket = (bytes[0] as number) < tlsRecords
        if (bytes.length < (isPacket ? headerBytes : recordHeaderBytes)) break
        this.#left = isPacket
          ? bytes.readUInt16BE(2) - headerBytes
          : bytes.readUInt16BE(3) + recordHeaderBytes
        if (this.#left < 0) throw new RunError(notSpoken(protocol))
        if (isPacket) bytes = bytes.subarray(headerBytes)
      }
      const part = bytes.subarray(0, this.#left)
      this.#left -= part.length
      bytes = bytes.subarray(part.length)
      if (part.length > 0) this.push(part)
    }
    this.#head = bytes
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (cause?: Error | null) => void): void {
    this.#send(chunk, done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (cause?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  #send(bytes: Buffer, done: (cause?: Error | null) => void): void {
    const sent = this.isOpen
      ? bytes
      : Buffer.concat([...packetsOf(messages.prelogin, bytes, packetBytes)])
    this.#socket.write(sent, done)
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(cause: Error | null, done: (cause: Error | null) => void): void {
    this.#socket.destroy()
    done(cause)
  }
}
