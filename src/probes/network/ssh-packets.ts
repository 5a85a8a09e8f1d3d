// The packets of SSH: as they are before the keys are agreed on, and encrypted after that.
// https://www.rfc-editor.org/rfc/rfc4253#section-6, https://www.rfc-editor.org/rfc/rfc5647
import {
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Socket } from 'node:net'
import { RunError } from '../../net/run/guarded-run.ts'
import type { SocketReader } from '../run/byte-reader.ts'
import { notSpoken } from '../run/driver-socket.ts'

export const sshProtocol = 'SSH 2'
export const notSsh = () => new RunError(notSpoken(sshProtocol))

/** RFC 4253 §6.1 requires 35,000; a list of algorithms is the longest that comes. */
const packetBytesMax = 64 * 1024

/** Writes the data types of RFC 4251 §5. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function sshString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** A number that is not negative. */
export function mpint(value: Uint8Array): Buffer {
  const first = value.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? Buffer.alloc(0) : Buffer.from(value.subarray(first))
  return sshString((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits)
}

/** Reads the strings of a payload, one after another. Throws RunError where it is too short. */
export function readPayload(payload: Buffer) {
  let at = 1
  const bytes = (count: number): Buffer => {
    if (at + count > payload.length) throw notSsh()
    at += count
    return payload.subarray(at - count, at)
  }
  const string = (): Buffer => bytes(bytes(4).readUInt32BE())
  return {
    bytes,
    string,
    names: () => string().toString('latin1').split(',').filter(Boolean),
    flag: () => bytes(1)[0] !== 0,
  }
}

/** What a direction is encrypted by: AES-GCM, or AES-CTR with an HMAC over the plain packet. */
export interface SshCipher {
  readonly cipher: string
  readonly mac: string
  readonly iv: Buffer
  readonly key: Buffer
  readonly macKey: Buffer
}

const gcmNames: Readonly<Record<string, CipherGCMTypes>> = {
  'aes256-gcm@openssh.com': 'aes-256-gcm',
  'aes128-gcm@openssh.com': 'aes-128-gcm',
}
const macHashes: Readonly<Record<string, string>> = {
  'hmac-sha2-256': 'sha256',
  'hmac-sha2-512': 'sha512',
  'hmac-sha1': 'sha1',
}
/** The ciphers and the authentication codes that are known here, the best first. */
export const knownCiphers = [...Object.keys(gcmNames), 'aes256-ctr', 'aes192-ctr', 'aes128-ctr']
export const knownMacs = Object.keys(macHashes)

const blockBytes = 16
const tagBytes = 16
export const ivBytes = (cipher: string) => (cipher in gcmNames ? 12 : blockBytes)
export const keyBytes = (cipher: string) => Number(/\d+/.exec(cipher)?.[0]) / 8
export const macBytes = (mac: string) =>
  mac === 'hmac-sha2-512' ? 64 : mac === 'hmac-sha1' ? 20 : 32

/** The packet around a payload: its length, that of the padding, and the padding. */
function packetOf(payload: Buffer, block: number, aligned: number): Buffer {
  const least = 4 + ((block - ((aligned + 1 + payload.length + 4) % block)) % block)
  const size = 1 + payload.length + least
  return Buffer.concat([uint32(size), Buffer.from([least]), payload, randomBytes(least)])
}

function payloadOf(body: Buffer): Buffer {
  const padding = body[0] ?? 0
  if (padding < 4 || body.length - 1 - padding < 1) throw notSsh()
  return body.subarray(1, body.length - padding)
}

interface Way {
  readonly seal: (payload: Buffer) => Buffer
  readonly open: (reader: SocketReader) => Promise<Buffer>
}

const plainWay: Way = {
  seal: (payload) => packetOf(payload, 8, 4),
  async open(reader) {
    return payloadOf(await reader.take(sizeIn(await reader.take(4))))
  },
}

function sizeIn(bytes: Buffer): number {
  const size = bytes.readUInt32BE()
  if (size < 6 || size > packetBytesMax) throw notSsh()
  return size
}

/** Each packet has the next nonce: its last eight bytes count. */
function gcmWay({ cipher, iv, key }: SshCipher): Way {
  const name = gcmNames[cipher] ?? 'aes-256-gcm'
  const nonce = Buffer.from(iv)
  const next = (): Buffer => {
    const used = Buffer.from(nonce)
    nonce.writeBigUInt64BE(BigInt.asUintN(64, nonce.readBigUInt64BE(4) + 1n), 4)
    return used
  }
  return {
    seal(payload) {
      const packet = packetOf(payload, blockBytes, 0)
      const head = packet.subarray(0, 4)
      const sealing = createCipheriv(name, key, next()).setAAD(head)
      const sealed = Buffer.concat([sealing.update(packet.subarray(4)), sealing.final()])
      return Buffer.concat([head, sealed, sealing.getAuthTag()])
    },
    async open(reader) {
      const head = await reader.take(4)
      const size = sizeIn(head)
      const sealed = await reader.take(size + tagBytes)
      const opening = createDecipheriv(name, key, next()).setAAD(head)
      opening.setAuthTag(sealed.subarray(size))
      try {
        const opened = opening.update(sealed.subarray(0, size))
        return payloadOf(Buffer.concat([opened, opening.final()]))
      } catch {
        throw notSsh()
      }
    },
  }
}

function ctrWay({ cipher, mac, iv, key, macKey }: SshCipher, firstSequence: number): Way {
  const name = cipher.replace(/^aes(\d+)-ctr$/, 'aes-$1-ctr')
  const [sealing, opening] = [createCipheriv(name, key, iv), createDecipheriv(name, key, iv)]
  let sequence = firstSequence
  const codeOf = (packet: Buffer): Buffer => {
    const hash = createHmac(macHashes[mac] ?? 'sha256', macKey)
    return hash.update(uint32(sequence++)).update(packet).digest()
  }
  return {
    seal(payload) {
      const packet = packetOf(payload, blockBytes, 4)
      return Buffer.concat([sealing.update(packet), codeOf(packet)])
    },
    async open(reader) {
      const first = opening.update(await reader.take(blockBytes))
      const size = sizeIn(first)
      const rest = opening.update(await reader.take(Math.max(0, size + 4 - blockBytes)))
      const packet = Buffer.concat([first, rest])
      const code = codeOf(packet)
      if (!timingSafeEqual(code, await reader.take(code.length))) throw notSsh()
      return payloadOf(packet.subarray(4))
    },
  }
}

export type SshPackets = ReturnType<typeof createPackets>

/** Packets of both directions, plain until each direction has a cipher. */
export function createPackets(socket: Socket, reader: SocketReader) {
  let [there, here] = [plainWay, plainWay]
  let [sent, received] = [0, 0]
  const wayOf = (cipher: SshCipher, sequence: number): Way =>
    cipher.cipher in gcmNames ? gcmWay(cipher) : ctrWay(cipher, sequence)
  return {
    send(payload: Buffer): void {
      socket.write(there.seal(payload))
      sent += 1
    },
    async next(): Promise<Buffer> {
      const payload = await here.open(reader)
      received += 1
      return payload
    },
    sealWith(cipher: SshCipher): void {
      there = wayOf(cipher, sent)
    },
    openWith(cipher: SshCipher): void {
      here = wayOf(cipher, received)
    },
  }
}
