// A name server on loopback that answers each name with whatever bytes a test wants; UDP and TCP.
import { createSocket } from 'node:dgram'
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { listenOnSamePort } from './same-port.ts'

/** A question as it came. */
export interface Question {
  readonly packet: Buffer
  /** 1 is A, 28 is AAAA. */
  readonly type: number
  /** In lower case. */
  readonly name: string
  /** Where the question ends in the packet. */
  readonly end: number
  readonly way: 'udp' | 'tcp'
}

/** The packets that are sent back; none: silence. */
export type Answering = (question: Question) => readonly Buffer[]

export interface BadNameServer {
  /** As `address:port`. */
  readonly server: string
  /** How many questions came for a name. */
  asked(name: string): number
  close(): void
}

/** `table` is by name; what is not in it does not exist. `lateMsOf` says how late an answer is. */
export async function startBadNameServer(
  table: Readonly<Record<string, Answering>>,
  lateMsOf: (name: string) => number = () => 0,
): Promise<BadNameServer> {
  const counts = new Map<string, number>()
  const respond = (packet: Buffer, way: 'udp' | 'tcp'): readonly Buffer[] => {
    const question = { ...readQuestion(packet), packet, way }
    counts.set(question.name, (counts.get(question.name) ?? 0) + 1)
    return (table[question.name] ?? coded(3))(question)
  }
  const tcp = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of respond(chunk.subarray(2), 'tcp')) {
        socket.write(Buffer.concat([number(bytes.length, 2), bytes]))
      }
    })
  })
  tcp.unref()
  const udp = createSocket('udp4')
  let isOpen = true
  udp.on('message', (packet, peer) => {
    const send = () => {
      if (!isOpen) return
      for (const bytes of packets) udp.send(bytes, peer.port, peer.address)
    }
    const packets = respond(packet, 'udp')
    const lateMs = lateMsOf(readQuestion(packet).name)
    if (lateMs > 0) setTimeout(send, lateMs).unref()
    else send()
  })
  udp.unref()
  const port = await listenOnSamePort(tcp, udp, '127.0.0.1')
  return {
    server: `127.0.0.1:${port}`,
    asked: (name) => counts.get(name) ?? 0,
    close() {
      isOpen = false
      udp.close()
      tcp.close()
    },
  }
}

function readQuestion(packet: Buffer): Pick<Question, 'type' | 'name' | 'end'> {
  const labels: string[] = []
  let at = 12
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.'), type: packet.readUInt16BE(at + 1), end: at + 5 }
}

export function number(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

export function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(`\0${label}`))
  for (const label of labels) label[0] = label.length - 1
  return Buffer.concat([...labels, Buffer.alloc(1)])
}

export const recordTypes = { a: 1, cname: 5, aaaa: 28 } as const
/** Points to the name in the question. */
const toQuestion = Buffer.from([0xc0, 12])

export interface RecordFields {
  readonly owner?: Buffer
  readonly ttlSeconds?: number
}

export function recordOf(type: number, data: Buffer, fields: RecordFields = {}): Buffer {
  const { owner = toQuestion, ttlSeconds = 30 } = fields
  return Buffer.concat([
    ...[owner, number(type, 2), number(1, 2), number(ttlSeconds, 4)],
    ...[number(data.length, 2), data],
  ])
}

export function addressBytes(text: string): Buffer {
  return Buffer.from(ipaddr.parse(text).toByteArray())
}

export interface ReplyFields {
  readonly flags?: number
  readonly count?: number
  readonly records?: Buffer
}

/** A packet to a question: its flags, how many records it claims to have, and what follows. */
export function reply(
  { packet, end }: Question,
  { flags = 0x8180, count = 0, records = Buffer.alloc(0) }: ReplyFields,
): Buffer {
  const head = Buffer.from(packet.subarray(0, 12))
  head.writeUInt16BE(flags, 2)
  head.writeUInt16BE(count, 6)
  head.writeUInt16BE(0, 10)
  return Buffer.concat([head, packet.subarray(12, end), records])
}

/** 2 is SERVFAIL, 3 is "no such name", 5 REFUSED. */
export function coded(code: number): Answering {
  return (question) => [reply(question, { flags: 0x8180 | code })]
}

/** The addresses of the family that is asked for. */
export function addresses(list: readonly string[], fields: RecordFields = {}): Answering {
  return (question) => {
    const wanted = question.type === recordTypes.a ? 'ipv4' : 'ipv6'
    const found = list.filter((one) => ipaddr.parse(one).kind() === wanted)
    const all = found.map((one) => recordOf(question.type, addressBytes(one), fields))
    return [reply(question, { count: all.length, records: Buffer.concat(all) })]
  }
}

/** One alias after the other, and the addresses of the last; to IPv6 questions the aliases alone. */
export function aliases(chain: readonly string[], four: readonly string[]): Answering {
  return (question) => {
    const links = chain.map((name, i) => {
      const owner = i === 0 ? {} : { owner: nameBytes(chain[i - 1] ?? '') }
      return recordOf(recordTypes.cname, nameBytes(name), owner)
    })
    const owner = nameBytes(chain.at(-1) ?? '')
    const last = question.type === recordTypes.a ? four : []
    const found = last.map((one) => recordOf(question.type, addressBytes(one), { owner }))
    const all = [...links, ...found]
    return [reply(question, { count: all.length, records: Buffer.concat(all) })]
  }
}
