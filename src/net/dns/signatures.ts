// Asks a name server once whether its answer is authenticated and signed (DNSSEC, RFC 4035): c-ares shows
// neither. Nothing is validated here, so what is learned is as true as the server, and the way to it.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import net, { isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'

/** What a name server says of the signatures of an answer. */
export interface DnsSignatures {
  /** The server validated the answer (the flag AD). */
  readonly authenticated: boolean
  /** The answer has a signature of the records that were asked for. */
  readonly signed: boolean
  /** When the first signature of the answer expires. */
  readonly expiresAtMs?: number
}

export interface SignedQuestion {
  readonly type: keyof typeof typeNumbers
  /** In DNS form. */
  readonly name: string
}

export interface SignatureServer {
  /** An address that was judged. */
  readonly host: string
  readonly port: number
}

export interface SignatureDeps {
  readonly clock: Clock
  /** How long the server has for each of two tries over UDP, and for the one over TCP. */
  readonly waitMs: number
  /** Closes what is open when the check ends. */
  readonly track: (opened: { destroy(): void }) => void
}

const typeNumbers = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
} as const

/** Rejects with a code like those of c-ares. */
export async function askSignatures(
  question: SignedQuestion,
  server: SignatureServer,
  deps: SignatureDeps,
): Promise<DnsSignatures> {
  const query = queryOf(question)
  const short = await overUdp(query, server, deps).catch((cause) => {
    if (codeIn(cause) !== 'ETIMEOUT') throw cause
    return overUdp(query, server, deps)
  })
  const isCut = ((short[2] ?? 0) & flags.truncated) !== 0
  return read(isCut ? await overTcp(query, server, deps) : short, typeNumbers[question.type])
}

/** In the third and the fourth byte. */
const flags = {
  answer: 0x80,
  truncated: 0x02,
  recursionDesired: 0x01,
  authenticated: 0x20,
} as const
const headBytes = 12
/** The most that a server sends over UDP, so that nothing is cut on the way (DNS flag day 2020). */
const udpBytesMax = 1_232
/** OPT (RFC 6891) with the flag DO: signatures are wanted. */
const optRecord = Buffer.from([0, 0, 41, udpBytesMax >> 8, udpBytesMax & 255, 0, 0, 0x80, 0, 0, 0])

function queryOf({ type, name }: SignedQuestion): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt16BE(randomInt(0x1_0000), 0)
  head[2] = flags.recursionDesired
  head[3] = flags.authenticated
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(1, 10)
  const labels = name.split('.').filter((label) => label !== '')
  const labelBytes = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  const number = typeNumbers[type]
  const end = Buffer.from([0, number >> 8, number & 255, 0, 1])
  return Buffer.concat([head, ...labelBytes, end, optRecord])
}

function failed(code: string): Error {
  return Object.assign(new Error(code), { code })
}

function codeIn(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}

/** A socket sends the query, and `begin` says what it takes for an answer. */
function exchange(
  { clock, waitMs, track }: SignatureDeps,
  begin: (resolve: (answer: Buffer) => void, reject: (cause: Error) => void) => () => void,
): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    let close: (() => void) | undefined
    const end = (): void => {
      clock.clearTimeout(timer)
      close?.()
      close = undefined
    }
    const fail = (cause: Error): void => {
      end()
      reject(cause)
    }
    const timer = clock.setTimeout(() => fail(failed('ETIMEOUT')), waitMs)
    const take = (answer: Buffer): void => {
      end()
      resolve(answer)
    }
    close = begin(take, fail)
    track({ destroy: () => fail(failed('ECANCELLED')) })
  })
}

function overUdp(query: Buffer, { host, port }: SignatureServer, deps: SignatureDeps) {
  return exchange(deps, (resolve, reject) => {
    const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
    socket.on('error', reject)
    // Others may guess: what does not fit the query is passed over.
    socket.on('message', (bytes) => fits(bytes, query) && resolve(bytes))
    socket.connect(port, host, (...found: unknown[]) => {
      if (found[0] instanceof Error) reject(found[0])
      else socket.send(query)
    })
    return () => socket.close()
  })
}

function overTcp(query: Buffer, { host, port }: SignatureServer, deps: SignatureDeps) {
  return exchange(deps, (resolve, reject) => {
    const socket = net.connect({ host, port })
    let bytes = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('end', () => reject(failed('EBADRESP')))
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) return
      const answer = bytes.subarray(2, 2 + bytes.readUInt16BE(0))
      if (fits(answer, query)) resolve(answer)
      else reject(failed('EBADRESP'))
    })
    const length = Buffer.from([query.length >> 8, query.length & 255])
    socket.write(Buffer.concat([length, query]))
    return () => socket.destroy()
  })
}

/** Whether these bytes answer the query: number, flag and question are the same. */
function fits(bytes: Buffer, query: Buffer): boolean {
  if (bytes.length < headBytes || bytes.readUInt16BE(0) !== query.readUInt16BE(0)) return false
  if (((bytes[2] ?? 0) & flags.answer) === 0) return false
  // A server that does not understand the query need not repeat the question.
  if (bytes.readUInt16BE(4) === 0) return codeOfAnswer(bytes) !== 0
  const end = query.length - optRecord.length
  const questionOf = (from: Buffer) => from.toString('latin1', headBytes, end).toLowerCase()
  return questionOf(bytes) === questionOf(query)
}

function codeOfAnswer(bytes: Buffer): number {
  return (bytes[3] ?? 0) & 15
}

const codes: Readonly<Record<number, string>> = {
  1: 'EFORMERR',
  2: 'ESERVFAIL',
  3: 'ENOTFOUND',
  4: 'ENOTIMP',
  5: 'EREFUSED',
}

const signatureType = 46
/** The fields of a signature before the name of its signer. */
const signatureBytesMin = 18

function read(bytes: Buffer, type: number): DnsSignatures {
  const code = codeOfAnswer(bytes)
  if (code !== 0) throw failed(codes[code] ?? 'EBADRESP')
  let at = headBytes
  for (let left = bytes.readUInt16BE(4); left > 0; left -= 1) at = afterName(bytes, at) + 4
  let signed = false
  let expiresAtMs = Number.POSITIVE_INFINITY
  for (let left = bytes.readUInt16BE(6); left > 0; left -= 1) {
    at = afterName(bytes, at)
    if (at + 10 > bytes.length) throw failed('EBADRESP')
    const length = bytes.readUInt16BE(at + 8)
    const data = bytes.subarray(at + 10, at + 10 + length)
    if (data.length < length) throw failed('EBADRESP')
    if (bytes.readUInt16BE(at) === signatureType && length >= signatureBytesMin) {
      signed ||= data.readUInt16BE(0) === type
      expiresAtMs = Math.min(expiresAtMs, data.readUInt32BE(8) * 1_000)
    }
    at += 10 + length
  }
  const authenticated = ((bytes[3] ?? 0) & flags.authenticated) !== 0
  return { authenticated, signed, ...(Number.isFinite(expiresAtMs) ? { expiresAtMs } : {}) }
}

/** Where a name ends: after its last label, or after a pointer to the rest of it. */
function afterName(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    const length = bytes[at]
    if (length === undefined) throw failed('EBADRESP')
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    at += length + 1
  }
}
