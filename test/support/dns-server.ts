// A name server on loopback that answers from a table, and counts what it was asked.
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

/** `*` is any name that is not in it. */
export interface Zone {
  /** Addresses of either family, or a number: the DNS error code (3 is "no such name"). */
  readonly [name: string]: readonly string[] | number | 'silent' | 'silent6'
}

export interface DnsServer {
  /** As `address:port`. */
  readonly server: string
  /** Every question so far, such as `A example.test`. */
  readonly questions: readonly string[]
  zone: Zone
  /** Answers at last, from the zone of now, what it kept silent about: so much as a socket holds. */
  speak(): void
  close(): void
}

const typeNames: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }

export async function startDnsServer(zone: Zone, ttlSeconds = 30): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  let isOpen = true
  const close = (): void => {
    if (isOpen) socket.close()
    isOpen = false
  }
  const kept: (readonly [query: Buffer, peer: RemoteInfo])[] = []
  const speak = (): void => {
    for (const [query, peer] of kept.splice(0, 100)) respond(query, peer)
  }
  const dns: DnsServer = { server: '', questions, zone, speak, close }
  const respond = (query: Buffer, peer: RemoteInfo): void => {
    const { name, type, end } = readQuestion(query)
    const known = dns.zone[name] ?? dns.zone['*'] ?? 3
    if (known === 'silent' || (known === 'silent6' && type === 28)) {
      kept.push([query, peer])
      return
    }
    const wanted = type === 1 ? 'ipv4' : 'ipv6'
    const list = known === 'silent6' ? ['127.0.0.1'] : typeof known === 'number' ? [] : known
    const addresses = list.map((one) => ipaddr.parse(one)).filter((one) => one.kind() === wanted)
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | (typeof known === 'number' ? known : 0), 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt16BE(0, 10)
    const answers = addresses.map((one) => record(type, ttlSeconds, one.toByteArray()))
    socket.send(Buffer.concat([head, query.subarray(12, end), ...answers]), peer.port, peer.address)
  }
  socket.on('message', (query, peer) => {
    const { name, type } = readQuestion(query)
    questions.push(`${typeNames[type] ?? type} ${name}`)
    respond(query, peer)
  })
  socket.unref()
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return Object.assign(dns, { server: `127.0.0.1:${socket.address().port}` })
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function record(type: number, ttlSeconds: number, bytes: readonly number[]): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttlSeconds, 6)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, Buffer.from(bytes)])
}
