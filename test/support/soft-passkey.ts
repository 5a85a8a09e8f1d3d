// An authenticator in software, which also does what a real one never would.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

interface Site {
  readonly origin: string
  readonly rpId: string
}

interface Deviation {
  /** Default: the site that it was made for. */
  readonly origin?: string
  readonly rpId?: string
  /** False: the person was not checked. */
  readonly isVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  readonly type?: string
  /** The attestation names a certificate. */
  readonly hasCertificate?: boolean
}

/** CBOR of the few types that are needed: texts, bytes, integers, lists and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((pair) => pair.map(cbor))])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

export function softPasskey(site: Site, credentialId = randomBytes(16).toString('base64url')) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  // biome-ignore format: the labels of COSE in pairs
  const cose = cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]]))
  let counter = 0

  function dataOf(
    { rpId = site.rpId, isVerified = true, ...more }: Deviation,
    credential?: Buffer,
  ) {
    counter = more.counter ?? counter + 1
    const flags = 1 | (isVerified ? 4 : 0) | (credential ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential ?? Buffer.alloc(0)])
  }

  const clientData = (
    type: string,
    challenge: string,
    { origin = site.origin, ...more }: Deviation,
  ) =>
    Buffer.from(JSON.stringify({ type: more.type ?? type, challenge, origin, crossOrigin: false }))

  return {
    credentialId,

    create(challenge: string, deviation: Deviation = {}) {
      const id = bytes(credentialId)
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      const certificate = new Map<string, unknown>([
        ['alg', -7],
        ['sig', randomBytes(70)],
        ['x5c', [randomBytes(300)]],
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', deviation.hasCertificate ? 'packed' : 'none'],
        ['attStmt', deviation.hasCertificate ? certificate : new Map()],
        ['authData', dataOf(deviation, credential)],
      ])
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, deviation).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      }
    },

    use(challenge: string, userHandle: string, deviation: Deviation = {}) {
      const authenticatorData = dataOf(deviation)
      const client = clientData('webauthn.get', challenge, deviation)
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(client)]),
        privateKey,
      )
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? userHandle,
        },
        clientExtensionResults: {},
      }
    },
  }
}
