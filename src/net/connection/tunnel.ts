// Asks a proxy for the way to a target: CONNECT of HTTP (RFC 9110 §9.3.6), or SOCKS 5 (RFC 1928, RFC 1929).
import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Failure, failure, unknownFailure } from '../failure.ts'
import type { ProxyAddress } from '../proxy-address.ts'
import { placeOf } from './connect.ts'

/** Where the proxy is to connect: an address that was judged, or a name that the proxy resolves. */
export interface TunnelEnd {
  readonly host: string
  readonly port: number
}

/** A proxy with the name by which monitors and messages know it. */
export interface NamedProxy extends ProxyAddress {
  readonly name: string
}

/** Why there is no way. `mayTryOther`: another address of the target may be reached. */
export class TunnelError extends Error {
  override readonly name = 'TunnelError'
  readonly failure: Failure
  readonly mayTryOther: boolean

  constructor(found: Failure, { mayTryOther = false } = {}) {
    super(found.message)
    this.failure = found
    this.mayTryOther = mayTryOther
  }
}

/**
 * Makes a connection to the proxy one to the target. Nothing of what the target sends is lost. Rejects with a
 * TunnelError; the deadline is the caller's, who closes the socket.
 */
export async function openTunnel(socket: Socket, proxy: NamedProxy, end: TunnelEnd): Promise<void> {
  const talk = talkOn(socket, proxy)
  try {
    await (proxy.protocol === 'http' ? byConnect(talk, proxy, end) : bySocks(talk, proxy, end))
  } finally {
    talk.end()
  }
}

/** The proxy cannot be reached: that says nothing about the target. */
export function withoutProxy({ name }: NamedProxy): Failure {
  return unknownFailure('connect', `the proxy ${name} cannot be reached`)
}

/** What a proxy does that says nothing about the target. */
const refusals = {
  signIn: (name: string) => `the proxy ${name} refused the sign-in`,
  protocol: (name: string) => `the proxy ${name} does not answer in its protocol`,
  end: (name: string) => `the proxy ${name} closed the connection`,
}

function refusedBy({ name }: NamedProxy, refusal: keyof typeof refusals): TunnelError {
  return new TunnelError(unknownFailure('connect', refusals[refusal](name)))
}

function notPermitted({ name }: NamedProxy, reason: string): TunnelError {
  const message = `the proxy ${name} refused the connection (${reason})`
  return new TunnelError(unknownFailure('connect', message))
}

function unreached({ name }: NamedProxy, reason: string): TunnelError {
  const message = `the proxy ${name} cannot reach the target (${reason})`
  return new TunnelError(failure('connect', message), { mayTryOther: true })
}

const headBytesMax = 16 * 1024

async function byConnect(
  talk: ProxyTalk,
  proxy: NamedProxy,
  { host, port }: TunnelEnd,
): Promise<void> {
  const place = placeOf(host, port)
  const login = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
  const lines = [
    `CONNECT ${place} HTTP/1.1`,
    `Host: ${place}`,
    ...(proxy.username === '' ? [] : [`Proxy-Authorization: Basic ${login}`]),
  ]
  talk.send(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`))
  const head = await talk.hear((bytes) => {
    const found = bytes.indexOf('\r\n\r\n')
    if (found >= 0) return found + 4
    return bytes.length > headBytesMax ? null : undefined
  })
  const [, status = ''] = /^HTTP\/1\.[01] (\d{3})(?:[ \r]|$)/.exec(head.toString('latin1')) ?? []
  if (/^2/.test(status)) return
  // tinyproxy answers 401 to a wrong password.
  if (status === '407' || status === '401') throw refusedBy(proxy, 'signIn')
  if (/^5/.test(status)) throw unreached(proxy, `status ${status}`)
  throw status === '' ? refusedBy(proxy, 'protocol') : notPermitted(proxy, `status ${status}`)
}

/** What a proxy says of the way to the target (RFC 1928 §6). */
const unreachable: Readonly<Record<number, string>> = {
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'no answer in time',
}

async function bySocks(
  talk: ProxyTalk,
  proxy: NamedProxy,
  { host, port }: TunnelEnd,
): Promise<void> {
  const { username, password } = proxy
  const methods = username === '' ? [0] : [0, 2]
  talk.send(Buffer.from([5, methods.length, ...methods]))
  const [version, method = 0xff] = await talk.hear(() => 2)
  if (version !== 5) throw refusedBy(proxy, 'protocol')
  if (!methods.includes(method)) throw refusedBy(proxy, 'signIn')
  if (method === 2) {
    talk.send(Buffer.concat([Buffer.from([1]), counted(username), counted(password)]))
    const [, status] = await talk.hear(() => 2)
    if (status !== 0) throw refusedBy(proxy, 'signIn')
  }
  const portBytes = Buffer.from([port >> 8, port & 0xff])
  talk.send(Buffer.concat([Buffer.from([5, 1, 0]), addressBytes(host), portBytes]))
  const reply = await talk.hear((bytes) => {
    if (bytes.length >= 2 && bytes[1] !== 0) return bytes.length
    if (bytes.length < 5) return 5
    const lengths: Readonly<Record<number, number>> = { 1: 4, 3: 1 + (bytes[4] ?? 0), 4: 16 }
    const length = lengths[bytes[3] ?? 0]
    return length === undefined ? null : 4 + length + 2
  })
  const code = reply[1] ?? 1
  if (reply[0] !== 5) throw refusedBy(proxy, 'protocol')
  const reason = unreachable[code]
  if (reason !== undefined) throw unreached(proxy, reason)
  if (code !== 0) throw notPermitted(proxy, `code ${code}`)
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

function addressBytes(host: string): Buffer {
  switch (isIP(host)) {
    case 4:
      return Buffer.from([1, ...host.split('.').map(Number)])
    case 6:
      return Buffer.concat([Buffer.from([4]), bytesOfIPv6(host)])
    default:
      return Buffer.concat([Buffer.from([3]), counted(host)])
  }
}

function bytesOfIPv6(host: string): Buffer {
  return Buffer.from(ipaddr.IPv6.parse(host).toByteArray())
}

type ProxyTalk = ReturnType<typeof talkOn>

/**
 * What a proxy sends, read in pieces: each is as long as a function says, once it knows. No more is taken off the
 * socket, as a stream that was read to its end takes nothing back.
 */
function talkOn(socket: Socket, proxy: NamedProxy) {
  let isOver = false
  let wake = (): void => {}
  const come = (): void => wake()
  const end = (): void => {
    isOver = true
    wake()
  }
  socket.on('readable', come).on('end', end).on('close', end).on('error', end)
  return {
    send(bytes: Buffer): void {
      socket.write(bytes)
    },
    /** `lengthOf`: undefined, more is needed; null, it is no answer of the protocol. */
    async hear(lengthOf: (bytes: Buffer) => number | undefined | null): Promise<Buffer> {
      let held = Buffer.alloc(0)
      for (;;) {
        const chunk: Buffer | null = socket.read()
        if (chunk === null) {
          if (isOver || socket.destroyed) throw refusedBy(proxy, 'end')
          await new Promise<void>((resolve) => (wake = resolve))
          continue
        }
        held = Buffer.concat([held, chunk])
        const length = lengthOf(held)
        if (length === null) throw refusedBy(proxy, 'protocol')
        if (length === undefined || held.length < length) continue
        if (held.length > length) socket.unshift(held.subarray(length))
        return held.subarray(0, length)
      }
    },
    end(): void {
      socket.off('readable', come).off('end', end).off('close', end).off('error', end)
    },
  }
}
