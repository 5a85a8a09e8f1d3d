// Certificates that no tool makes: parts of them as bytes (RFC 5280), signed by their own key.
import { generateKeyPairSync, sign } from 'node:crypto'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The key of all of them. */
export const oddKey = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))

/** One value in DER. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const utcTime = (text: string) => der(0x17, Buffer.from(text))
export const anyTime = (text: string) => der(0x18, Buffer.from(text))

const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
const version3 = der(0xa0, der(0x02, Buffer.from([2])))

/** A name with one part: a common name, with the text in UTF-8 unless another tag is given. */
export function nameWith(text: string, tag = 0x0c): Buffer {
  const part = sequence(objectId('550403'), der(tag, Buffer.from(text, 'latin1')))
  return sequence(der(0x31, part))
}

export interface OddParts {
  readonly issuer?: Buffer
  readonly subject?: Buffer
  readonly from?: Buffer
  readonly to?: Buffer
  /** What is below `subjectAltName`. */
  readonly names?: Buffer
}

/** In PEM. */
export function oddCertificate(parts: OddParts): string {
  const names = parts.names && sequence(sequence(objectId('551d11'), der(0x04, parts.names)))
  const content = sequence(
    version3,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    parts.issuer ?? nameWith('odd'),
    sequence(parts.from ?? utcTime('250101000000Z'), parts.to ?? utcTime('450101000000Z')),
    parts.subject ?? nameWith('odd'),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(names ? [der(0xa3, names)] : []),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const lines = sequence(content, ecdsaWithSha256, signature)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}
