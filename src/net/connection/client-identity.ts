// What a check proves itself with where a server asks for a client certificate, and how servers refuse it.
import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { codeOf, type Failure, failure, unknownFailure } from '../failure.ts'

/** A client certificate with its key, in PEM. */
export interface ClientIdentity {
  /** The certificate, then its chain. */
  readonly cert: string
  readonly key: string
  /** By our clock: servers refuse it then. */
  readonly isExpired: boolean
}

/** The texts of a monitor. */
export interface IdentityTexts {
  readonly clientCertificate?: string | null | undefined
  readonly clientKey?: string | null | undefined
}

/** Undefined if the texts name none; a failure of ours if they cannot be used. */
export function identityOf(
  { clientCertificate: cert, clientKey: key }: IdentityTexts,
  clock: Pick<Clock, 'wallMs'>,
): ClientIdentity | Failure | undefined {
  if (!cert) return undefined
  if (!key) return unknownFailure('tls', 'the key of the client certificate is missing')
  try {
    const { validToDate } = new X509Certificate(cert)
    return { cert, key, isExpired: validToDate.getTime() < clock.wallMs() }
  } catch {
    return unusableIdentity
  }
}

export const unusableIdentity = unknownFailure('tls', 'the client certificate cannot be used')

/** Alerts about the certificate of the other side (RFC 8446 §6.2), as OpenSSL names them. */
const alert =
  /_ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|UNKNOWN_CA|ACCESS_DENIED)$/

/**
 * The failure if a server ended the connection because of our certificate: in the handshake of TLS 1.2, after it
 * in TLS 1.3. `identity`: what it was offered. Undefined for every other cause.
 */
export function clientFailure(cause: unknown, identity?: ClientIdentity): Failure | undefined {
  const [, name] = alert.exec(codeOf(cause)) ?? []
  // To a client without a certificate, servers say so of names that they do not serve.
  if (name === undefined || (name === 'ACCESS_DENIED' && !identity)) return undefined
  if (identity === undefined || name === 'CERTIFICATE_REQUIRED') {
    return failure('tls', 'the server asks for a client certificate')
  }
  if (identity.isExpired) {
    return failure('tls', 'the server refused the client certificate, which has expired')
  }
  const reason = name.replaceAll('_', ' ').toLowerCase()
  return failure('tls', `the server refused the client certificate (${reason})`)
}
