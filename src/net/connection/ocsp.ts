// Reads a stapled OCSP response (RFC 6960) for a certificate, without verifying its signature: the
// server itself sent it, and no server staples a false revocation of its own certificate.

/** `unreadable`: it is not a response about this certificate. */
export type StapleStatus = 'good' | 'revoked' | 'unknown' | 'unreadable'

interface Element {
  readonly tag: number
  readonly content: Buffer
}

const sequence = 0x30
const statuses: Readonly<Record<number, StapleStatus>> = {
  128: 'good',
  161: 'revoked',
  130: 'unknown',
}

/** `serial`: the certificate's, in hexadecimal digits. */
export function stapleStatus(staple: Buffer, serial: string): StapleStatus {
  try {
    for (const single of responsesIn(staple)) {
      const [id, status] = elementsOf(single.content)
      if (serialIn(id) === plain(serial)) return statuses[status?.tag ?? 0] ?? 'unreadable'
    }
  } catch {
    // The staple is untrusted input: it may be truncated, or not DER at all.
  }
  return 'unreadable'
}

/** OCSPResponse → responseBytes → BasicOCSPResponse → tbsResponseData → responses. */
function responsesIn(staple: Buffer): readonly Element[] {
  const [status, wrapped] = elementsOf(only(elementsOf(staple)))
  if (status?.content[0] !== 0) return []
  const [, octets] = elementsOf(only(elementsOf(contentOf(wrapped))))
  const [data] = elementsOf(only(elementsOf(contentOf(octets))))
  // The fields before it are a version, a name in its own tag and a time.
  const list = elementsOf(contentOf(data)).find(({ tag }) => tag === sequence)
  return elementsOf(contentOf(list))
}

/** CertID: an algorithm, two hashes, and the serial number at its end. */
function serialIn(id: Element | undefined): string {
  return plain(contentOf(elementsOf(contentOf(id))[3]).toString('hex'))
}

function plain(hex: string): string {
  return hex.toLowerCase().replace(/^0+/, '')
}

function only([first]: readonly Element[]): Buffer {
  return contentOf(first)
}

function contentOf(element: Element | undefined): Buffer {
  if (element === undefined) throw new RangeError('an element is missing')
  return element.content
}

const staplePartsMax = 1_000

/** The consecutive elements of some DER; throws if it is truncated. */
function elementsOf(bytes: Buffer): readonly Element[] {
  const found: Element[] = []
  let at = 0
  while (at < bytes.length && found.length < staplePartsMax) {
    const tag = bytes.readUInt8(at)
    const short = bytes.readUInt8(at + 1)
    const wide = short < 0x80 ? 0 : short - 0x80
    const length = wide === 0 ? short : bytes.readUIntBE(at + 2, wide)
    const start = at + 2 + wide
    if (start + length > bytes.length) throw new RangeError('an element is cut off')
    found.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return found
}
