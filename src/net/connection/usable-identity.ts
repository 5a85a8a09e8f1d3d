// Whether a client certificate can be used with its key.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { FieldProblem } from '../../base/fault.ts'
import { certificatesIn } from '../../domain/monitors/ca-certificates.ts'
import { clientCertificateProblems } from '../../domain/monitors/client-certificate.ts'
import type { MonitorInput } from '../../domain/monitors/monitor-fields.ts'
import { secretMask } from '../../domain/secret-mask.ts'

/**
 * Whether both can be read, fit each other and are strong enough for TLS. Takes about a millisecond, so it is
 * called outside of transactions. Of texts that break another rule nothing is read.
 */
export function unusableClientCertificate(
  input: Pick<MonitorInput, 'clientCertificate' | 'clientKey'>,
): FieldProblem[] {
  const { clientCertificate: cert, clientKey: key } = input
  if (cert === null || clientCertificateProblems({ ...input, isActive: false }).length > 0) {
    return []
  }
  const found = certificatesIn(cert).map(readCertificate)
  const broken = found.indexOf(undefined)
  if (broken >= 0) {
    const message = `must be certificates in PEM: number ${broken + 1} cannot be read as X.509`
    return [problem('/clientCertificate', 'format', message)]
  }
  if (key === null || key === secretMask) return []
  const readKey = readPrivateKey(key)
  if (readKey === undefined) {
    const message = 'must be one private key in PEM: PKCS#8, PKCS#1 or SEC 1'
    return [problem('/clientKey', 'format', message)]
  }
  const fitting = found.findIndex((one) => one?.checkPrivateKey(readKey))
  if (fitting < 0) {
    return [problem('/clientKey', 'match', 'must be the key of the first of clientCertificate')]
  }
  if (fitting > 0) {
    const message = `must begin with the certificate of clientKey, which is number ${fitting + 1}`
    return [problem('/clientCertificate', 'match', message)]
  }
  try {
    createSecureContext({ cert, key })
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(':').at(-1) : ''
    return [problem('/clientCertificate', 'format', `cannot be used for TLS (${reason})`)]
  }
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

function readPrivateKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined
  }
}

function problem(pointer: string, keyword: string, message: string): FieldProblem {
  return { pointer, keyword, message }
}
