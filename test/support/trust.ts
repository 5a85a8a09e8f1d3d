// The authorities that the process of a test trusts.
import tls from 'node:tls'
import type { Test } from 'tap'
import { testCa } from './certificates.ts'

/** Trusts the authority of tests until the test ends, as with an operator's NODE_EXTRA_CA_CERTS. */
export function trustTestCa(t: Test): void {
  const before = tls.getCACertificates()
  tls.setDefaultCACertificates([...before, testCa])
  t.teardown(() => tls.setDefaultCACertificates(before))
}
