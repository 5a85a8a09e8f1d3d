// A name server on loopback for records of every type, which can also be hostile; UDP and TCP.
import { createSocket } from 'node:dgram'
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { listenOnSamePort } from './same-port.ts'

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
type TypeName = keyof typeof typeNumbers

/** The bytes of a record's data. */
export const rdata = {
  address: (text: string) => Buffer.from(ipaddr.parse(text).toByteArray()),
  name: nameBytes,
  text: (...pieces: string[]) => Buffer.concat(pieces.map(characters)),
  mx: (priority: number, name: string) => Buffer.concat([uint16(priority), nameBytes(name)]),
  srv: (priority: number, weight: number, port: number, name: string) =>
    Buffer.concat([uint16(priority), uint16(weight), uint16(port), nameBytes(name)]),
  caa: (flags: number, tag: string, value: string) =>
    Buffer.concat([Buffer.from([flags]), characters(tag), Buffer.from(value)]),
  soa: (primary: string, hostmaster: string, ...numbers: number[]) =>
    Buffer.concat([nameBytes(primary), nameBytes(hostmaster), ...numbers.map(uint32)]),
}

interface Answer {
  readonly records?: readonly Buffer[]
  /** 0 is success, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  readonly code?: number
  readonly ttlSeconds?: number
  /** Over UDP only the word that the answer is too long for it. */
  readonly isTruncated?: boolean
  /** For who asks for signatures (DO): that it validated the answer, and a signature until then. */
  readonly isAuthentic?: boolean
  readonly signedUntilMs?: number
}

/** An answer, bytes to send in its place, or nothing at all. */
type Reply = Answer | Buffer | 'silent'

/** By `TYPE name`, such as `MX example.test`; what is not there is NXDOMAIN. */
export type RecordsZone = Readonly<Record<string, Reply>>

export interface RecordsServer {
  /** As `address:port`. */
  readonly server: string
  readonly port: number
  /** Every question so far, with the way it came. */
  readonly questions: readonly string[]
  zone: RecordsZone
  close(): Promise<void>
}

export async function startRecordsServer(zone: RecordsZone): Promise<RecordsServer> {
  const questions: string[] = []
  const answer = (query: Buffer, way: 'udp' | 'tcp'): Buffer | undefined => {
    const { key, end } = readQuestion(query)
    questions.push(`${way} ${key}`)
    const reply = dns.zone[key] ?? { code: 3 }
    if (reply === 'silent') return undefined
    return Buffer.isBuffer(reply) ? reply : packet(query, end, reply, way)
  }
  const tcp = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      const bytes = answer(chunk.subarray(2), 'tcp')
      if (bytes) socket.end(Buffer.concat([uint16(bytes.length), bytes]))
    })
  })
  tcp.unref()
  const udp = createSocket('udp4')
  udp.on('message', (query, peer) => {
    const bytes = answer(query, 'udp')
    if (bytes) udp.send(bytes, peer.port, peer.address)
  })
  udp.unref()
  const port = await listenOnSamePort(tcp, udp, '127.0.0.1')
  const dns: RecordsServer = {
    server: `127.0.0.1:${port}`,
    port,
    questions,
    zone,
    async close() {
      udp.close()
      await new Promise<void>((resolve) => tcp.close(() => resolve()))
    },
  }
  return dns
}

function packet(query: Buffer, end: number, answer: Answer, way: 'udp' | 'tcp'): Buffer {
  const { records = [], code = 0, ttlSeconds = 30, isTruncated = false } = answer
  const isCut = isTruncated && way === 'udp'
  const list = isCut ? [] : records
  // The last record of the query is OPT: DO is the first bit of its flags.
  const wantsSignatures = query.length > end && ((query.at(-4) ?? 0) & 0x80) !== 0
  const { isAuthentic = false, signedUntilMs } = answer
  const isSigned = wantsSignatures && !isCut && signedUntilMs !== undefined
  const head = Buffer.from(query.subarray(0, 12))
  const authentic = wantsSignatures && isAuthentic ? 0x0020 : 0
  head.writeUInt16BE(0x8180 | authentic | (isCut ? 0x0200 : 0) | code, 2)
  head.writeUInt16BE(list.length + (isSigned ? 1 : 0), 6)
  head.writeUInt16BE(0, 10)
  const type = query.subarray(end - 4, end - 2)
  const record = (kind: Buffer, bytes: Buffer) =>
    Buffer.concat([
      uint16(0xc00c),
      kind,
      uint16(1),
      uint32(ttlSeconds),
      uint16(bytes.length),
      bytes,
    ])
  const answers = list.map((bytes) => record(type, bytes))
  if (isSigned) answers.push(record(uint16(46), signature(type, signedUntilMs / 1_000)))
  return Buffer.concat([head, query.subarray(12, end), ...answers])
}

/** RRSIG (RFC 4034 §3.1), whose signature nobody here looks at. */
function signature(type: Buffer, untilSeconds: number): Buffer {
  const fields = [Buffer.from([13, 2]), uint32(300), uint32(untilSeconds), uint32(0), uint16(1)]
  return Buffer.concat([type, ...fields, nameBytes('test'), Buffer.alloc(64)])
}

function readQuestion(query: Buffer): { key: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  const number = query.readUInt16BE(at + 1)
  const known = Object.entries(typeNumbers).find(([, one]) => one === number) as
    | [TypeName, number]
    | undefined
  return { key: `${known?.[0] ?? number} ${labels.join('.')}`, end: at + 5 }
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  return Buffer.concat([...labels.map(characters), Buffer.from([0])])
}

function characters(text: string): Buffer {
  return Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
