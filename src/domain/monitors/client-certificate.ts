// What a check proves itself with where a server asks for a client certificate: the certificate with its chain,
// and its private key, both in PEM.
import type { FieldProblem } from '../../base/fault.ts'
import { limits } from '../limits/limits.ts'
import { secretMask } from '../secret-mask.ts'
import { caCertificatesProblems } from './ca-certificates.ts'
import type { MonitorInput } from './monitor-fields.ts'

type Pair = Pick<MonitorInput, 'clientCertificate' | 'clientKey'>

/** What is wrong with the two, as far as that shows without reading them. */
export function clientCertificateProblems(input: Pair & Pick<MonitorInput, 'isActive'>) {
  const { clientCertificate, clientKey, isActive } = input
  const problems = caCertificatesProblems(clientCertificate, '/clientCertificate')
  const rule = clientKey === null || clientKey === secretMask ? null : keyRule(clientKey)
  if (rule !== null) problems.push(problem('/clientKey', 'format', rule))
  // A document that is imported lacks the key; its monitor waits for it, paused.
  if (!isActive) return problems
  if (clientCertificate !== null && clientKey === null) {
    problems.push(problem('/clientKey', 'required', 'is required with clientCertificate'))
  }
  if (clientKey !== null && clientCertificate === null) {
    problems.push(problem('/clientCertificate', 'required', 'is required with clientKey'))
  }
  return problems
}

function keyRule(text: string): string | null {
  const { clientKeyBytesMax: bytesMax } = limits
  if (Buffer.byteLength(text) > bytesMax) return `must have at most ${bytesMax} bytes in UTF-8`
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    return 'must not be encrypted: openssl pkey -in client.key writes it without its passphrase'
  }
  return null
}

function problem(pointer: string, keyword: string, message: string): FieldProblem {
  return { pointer, keyword, message }
}
