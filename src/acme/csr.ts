// The request for a certificate with which an order is finalized (PKCS #10, RFC 2986): one host, and
// a key on P-256.
import { createPublicKey, type KeyObject, sign } from 'node:crypto'

/** In DER, as base64url. */
export function signingRequest(host: string, key: KeyObject): string {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const names = sequence(der(tags.dnsName, Buffer.from(host, 'latin1')))
  const extension = sequence(ids.subjectAltName, der(tags.octets, names))
  const attribute = sequence(ids.extensionRequest, der(tags.set, sequence(extension)))
  // Authorities read the host from the extension, so the subject stays empty.
  const subject = sequence()
  const body = sequence(versionZero, subject, publicKey, der(tags.attributes, attribute))
  const signature = Buffer.concat([noUnusedBits, sign('sha256', body, key)])
  return sequence(body, sequence(ids.ecdsaWithSha256), der(tags.bits, signature)).toString(
    'base64url',
  )
}

const tags = {
  bits: 0x03,
  octets: 0x04,
  objectId: 0x06,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  attributes: 0xa0,
} as const

const versionZero = Buffer.from([0x02, 0x01, 0x00])
const noUnusedBits = Buffer.from([0])

const ids = {
  subjectAltName: objectId('551d11'),
  extensionRequest: objectId('2a864886f70d01090e'),
  ecdsaWithSha256: objectId('2a8648ce3d040302'),
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

/** One value: its tag, its length in one to three bytes, its content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(head), content])
}
