// The keys of SSH: the exchanges that both sides may agree on, and the host keys by which servers prove who
// they are. https://www.rfc-editor.org/rfc/rfc4253#section-8, https://www.rfc-editor.org/rfc/rfc5656
import {
  createDiffieHellmanGroup,
  createECDH,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  verify,
} from 'node:crypto'
import { mpint, notSsh, readPayload, sshString } from './ssh-packets.ts'

/** Our half of an exchange. */
interface KeyHalf {
  /** Our public key and the server's, as they are sent and hashed. */
  readonly ours: Buffer
  readonly asSent: (key: Buffer) => Buffer
  /** The secret that both share. Throws if the key of the server is none. */
  readonly secret: (theirs: Buffer) => Buffer
}

interface KeyExchange {
  readonly hash: string
  readonly make: () => KeyHalf
}

/** The keys of X25519 without the names of RFC 8410 before them. */
function x25519(): KeyHalf {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const ours = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return {
    ours,
    asSent: sshString,
    secret(theirs) {
      const jwk = { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') }
      return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) })
    },
  }
}

function onCurve(curve: string): KeyHalf {
  const half = createECDH(curve)
  const ours = half.generateKeys()
  return { ours, asSent: sshString, secret: (theirs) => half.computeSecret(theirs) }
}

function inGroup(group: string): KeyHalf {
  const half = createDiffieHellmanGroup(group)
  const ours = half.generateKeys()
  return { ours, asSent: mpint, secret: (theirs) => half.computeSecret(theirs) }
}

/** The best first. */
export const exchanges: Readonly<Record<string, KeyExchange>> = {
  'curve25519-sha256': { hash: 'sha256', make: x25519 },
  'curve25519-sha256@libssh.org': { hash: 'sha256', make: x25519 },
  'ecdh-sha2-nistp256': { hash: 'sha256', make: () => onCurve('prime256v1') },
  'ecdh-sha2-nistp384': { hash: 'sha384', make: () => onCurve('secp384r1') },
  'ecdh-sha2-nistp521': { hash: 'sha512', make: () => onCurve('secp521r1') },
  'diffie-hellman-group16-sha512': { hash: 'sha512', make: () => inGroup('modp16') },
  'diffie-hellman-group14-sha256': { hash: 'sha256', make: () => inGroup('modp14') },
  'diffie-hellman-group14-sha1': { hash: 'sha1', make: () => inGroup('modp14') },
}

/** The kinds of host keys and signatures, in the order in which OpenSSH asks for them. */
export const hostKeyNames = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
]

const curves: Readonly<Record<string, readonly [crv: string, hash: string]>> = {
  nistp256: ['P-256', 'sha256'],
  nistp384: ['P-384', 'sha384'],
  nistp521: ['P-521', 'sha512'],
}
const rsaHashes: Readonly<Record<string, string>> = {
  'rsa-sha2-512': 'sha512',
  'rsa-sha2-256': 'sha256',
  'ssh-rsa': 'sha1',
}

/** The strings of a key or a signature, which begin with its kind. */
const partsOf = (blob: Buffer) => readPayload(Buffer.concat([Buffer.alloc(1), blob]))

/** The kind of a host key, as in known_hosts. */
export const keyTypeOf = (hostKey: Buffer) => partsOf(hostKey).string().toString('latin1')

/** Whether the server that signed has the host key. Throws RunError if either cannot be read. */
export function hasSigned(hostKey: Buffer, signature: Buffer, signed: Buffer): boolean {
  const signer = partsOf(signature)
  const algorithm = signer.string().toString('latin1')
  const given = signer.string()
  try {
    const { jwk, hash, size } = publicKeyOf(hostKey, algorithm)
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    if (size === undefined) return verify(hash, signed, key, given)
    const numbers = partsOf(given)
    const both = [numbers.string(), numbers.string()].map((number) => fixed(number, size))
    return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(both))
  } catch {
    throw notSsh()
  }
}

interface HostKey {
  readonly jwk: JsonWebKey
  readonly hash: string | null
  /** Bytes of each of the two numbers of a signature, where it has two. */
  readonly size?: number
}

function publicKeyOf(hostKey: Buffer, algorithm: string): HostKey {
  const parts = partsOf(hostKey)
  const type = parts.string().toString('latin1')
  const text = (bytes: Buffer) => bytes.toString('base64url')
  if (type === 'ssh-ed25519' && algorithm === type) {
    return { jwk: { kty: 'OKP', crv: 'Ed25519', x: text(parts.string()) }, hash: null }
  }
  const rsaHash = rsaHashes[algorithm]
  if (type === 'ssh-rsa' && rsaHash !== undefined) {
    const [e, n] = [parts.string(), parts.string()]
    return { jwk: { kty: 'RSA', e: text(e), n: text(fixed(n)) }, hash: rsaHash }
  }
  const [crv, hash] = curves[parts.string().toString('latin1')] ?? []
  if (crv === undefined || hash === undefined || algorithm !== type) throw notSsh()
  // The byte before the two coordinates says that both are there.
  const point = parts.string().subarray(1)
  const size = point.length / 2
  const [x, y] = [text(point.subarray(0, size)), text(point.subarray(size))]
  return { jwk: { kty: 'EC', crv, x, y }, hash, size }
}

/** A number with so many bytes, or with as few as it needs. */
function fixed(number: Buffer, size = 0): Buffer {
  const first = number.findIndex((byte) => byte !== 0)
  const digits = number.subarray(first < 0 ? number.length : first)
  return Buffer.concat([Buffer.alloc(Math.max(0, size - digits.length)), digits])
}
