// The packets of SSH: as they are before the keys are agreed on, and encrypted after that.
// https://www.rfc-editor.org/rfc/rfc4253#section-6, https://www.rfc-editor.org/rfc/rfc5647
// https://github.com/openssh/openssh-portable/blob/master/PROTOCOL has what OpenSSH added,
// https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.chacha20poly1305 its cipher.
import {
  type CipherGCMTypes,
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { Socket } from 'node:net'
import nacl from 'tweetnacl'
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

/** What a direction is encrypted by: a cipher that authenticates, or AES-CTR with an HMAC. */
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
const chachaName = 'chacha20-poly1305@openssh.com'
/** The codes with this ending are over the encrypted packet, others over the plain one. */
const overSealed = '-etm@openssh.com'
const macHashes: Readonly<Record<string, string>> = {
  [`hmac-sha2-256${overSealed}`]: 'sha256',
  [`hmac-sha2-512${overSealed}`]: 'sha512',
  'hmac-sha2-256': 'sha256',
  'hmac-sha2-512': 'sha512',
  'hmac-sha1': 'sha1',
}
const hashOf = (mac: string) => macHashes[mac] ?? 'sha256'
const hashBytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }
/** The ciphers and the authentication codes that are known here, the best first. */
export const knownCiphers = [
  ...Object.keys(gcmNames),
  chachaName,
  'aes256-ctr',
  'aes192-ctr',
  'aes128-ctr',
]
export const knownMacs = Object.keys(macHashes)

/** Whether the cipher authenticates by itself, so that no authentication code is agreed on (RFC 5647 §5.1). */
export const authenticates = (cipher: string) => cipher in gcmNames || cipher === chachaName

const blockBytes = 16
const tagBytes = 16
export const ivBytes = (cipher: string) => (cipher in gcmNames ? 12 : blockBytes)
export const keyBytes = (cipher: string) =>
  cipher === chachaName ? 64 : Number(/\d+/.exec(cipher)?.[0]) / 8
export const macBytes = (mac: string) => hashBytes[hashOf(mac)] ?? 32

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

/** The part of tweetnacl that its types leave out. */
interface OneTimeAuth {
  readonly lowlevel: {
    crypto_onetimeauth(
      ...args: [
        out: Uint8Array,
        at: number,
        of: Uint8Array,
        from: number,
        n: number,
        key: Uint8Array,
      ]
    ): number
  }
}
const { lowlevel } = nacl as unknown as OneTimeAuth

/** ChaCha20 twice, with the number of the packet as nonce: once for the length, once for the rest. */
function chachaWay({ key }: SshCipher, firstSequence: number): Way {
  const [ofRest, ofLength] = [key.subarray(0, 32), key.subarray(32)]
  let sequence = firstSequence
  /** The bytes that are there, with the stream from that block of 64 bytes on. */
  const mixed = (key: Buffer, block: number, bytes: Buffer): Buffer => {
    const start = Buffer.alloc(16)
    start.writeUInt32LE(block)
    start.writeUInt32BE(sequence, 12)
    return createCipheriv('chacha20', key, start).update(bytes)
  }
  const tagOf = (sealed: Buffer): Buffer => {
    const tag = Buffer.alloc(tagBytes)
    const once = mixed(ofRest, 0, Buffer.alloc(32))
    lowlevel.crypto_onetimeauth(tag, 0, sealed, 0, sealed.length, once)
    return tag
  }
  return {
    seal(payload) {
      const packet = packetOf(payload, 8, 0)
      const head = mixed(ofLength, 0, packet.subarray(0, 4))
      const sealed = Buffer.concat([head, mixed(ofRest, 1, packet.subarray(4))])
      const tag = tagOf(sealed)
      sequence += 1
      return Buffer.concat([sealed, tag])
    },
    async open(reader) {
      const head = await reader.take(4)
      const rest = await reader.take(sizeIn(mixed(ofLength, 0, head)))
      if (!timingSafeEqual(tagOf(Buffer.concat([head, rest])), await reader.take(tagBytes))) {
        throw notSsh()
      }
      const opened = mixed(ofRest, 1, rest)
      sequence += 1
      return payloadOf(opened)
    },
  }
}

function ctrWay({ cipher, mac, iv, key, macKey }: SshCipher, firstSequence: number): Way {
  const name = cipher.replace(/^aes(\d+)-ctr$/, 'aes-$1-ctr')
  const [sealing, opening] = [createCipheriv(name, key, iv), createDecipheriv(name, key, iv)]
  let sequence = firstSequence
  const codeOf = (packet: Buffer): Buffer => {
    const hash = createHmac(hashOf(mac), macKey)
    return hash.update(uint32(sequence++)).update(packet).digest()
  }
  if (mac.endsWith(overSealed)) {
    return {
      seal(payload) {
        const packet = packetOf(payload, blockBytes, 0)
        const sealed = Buffer.concat([packet.subarray(0, 4), sealing.update(packet.subarray(4))])
        return Buffer.concat([sealed, codeOf(sealed)])
      },
      async open(reader) {
        const head = await reader.take(4)
        const sealed = await reader.take(sizeIn(head))
        const code = codeOf(Buffer.concat([head, sealed]))
        if (!timingSafeEqual(code, await reader.take(code.length))) throw notSsh()
        return payloadOf(opening.update(sealed))
      },
    }
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
  const wayOf = (cipher: SshCipher, sequence: number): Way => {
    if (cipher.cipher === chachaName) return chachaWay(cipher, sequence)
    return cipher.cipher in gcmNames ? gcmWay(cipher) : ctrWay(cipher, sequence)
  }
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
