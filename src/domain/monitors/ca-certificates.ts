// The certificates of authorities that the target of a monitor may be certified by, in PEM.
import { X509Certificate } from 'node:crypto'
import type { FieldProblem } from '../../base/fault.ts'
import { limits } from '../limits/limits.ts'

const wholeBlocks = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** Each whole certificate in the text; what is around them is a comment. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(wholeBlocks) ?? []
}

/** What is wrong with the text, as far as that shows without reading a certificate. */
export function caCertificatesProblems(
  text: string | null,
  pointer = '/caCertificates',
): FieldProblem[] {
  if (text === null) return []
  const { caCertificatesBytesMax: bytesMax, caCertificatesMax: countMax } = limits
  if (Buffer.byteLength(text) > bytesMax) {
    const message = `must have at most ${bytesMax} bytes in UTF-8`
    return [{ pointer, keyword: 'maxLength', message }]
  }
  const count = certificatesIn(text).length
  // A private key would be shown to every member.
  if (count === 0 || /-----(BEGIN|END)/.test(text.replace(wholeBlocks, ''))) {
    const message =
      'must be certificates in PEM, each from -----BEGIN CERTIFICATE----- to ' +
      '-----END CERTIFICATE-----, and nothing else in PEM, such as a key'
    return [{ pointer, keyword: 'format', message }]
  }
  if (count <= countMax) return []
  const message = `must be certificates in PEM, at most ${countMax}: there are ${count}`
  return [{ pointer, keyword: 'maxItems', message }]
}

/**
 * Whether each can be read. Takes up to a millisecond, so it is called outside of transactions. Of a
 * text that breaks another rule nothing is read.
 */
export function unreadableCertificates(text: string | null): FieldProblem[] {
  if (text === null || caCertificatesProblems(text).length > 0) return []
  const index = certificatesIn(text).findIndex((pem) => !isReadable(pem))
  if (index < 0) return []
  const pointer = '/caCertificates'
  const message = `must be certificates in PEM: number ${index + 1} cannot be read as X.509`
  return [{ pointer, keyword: 'format', message }]
}

function isReadable(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}
