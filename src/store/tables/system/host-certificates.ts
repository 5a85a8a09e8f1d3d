// The certificates of the hosts that the service serves, by [hash of the host]: keys are sealed.
import { createHash } from 'node:crypto'
import type { HostCertificate } from '../../../domain/system/host-certificate.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** Hosts are chosen by users, so only their hash is a key. */
function keyOf(host: string): [string] {
  return [createHash('sha256').update(host).digest('base64url')]
}

export function openHostCertificates(env: Env) {
  const certificates = openTable<HostCertificate>(env, { name: 'hostCertificates' })

  return {
    get: (host: string) => certificates.readable(keyOf(host)),

    /** The records after `after`, in the order of their keys. */
    slice: (limit: number, after?: HostCertificate) =>
      certificates.range({ prefix: [], limit, ...(after && { after: keyOf(after.host)[0] }) }),

    put: (tx: Tx, certificate: HostCertificate) =>
      certificates.put(tx, keyOf(certificate.host), certificate),

    remove: (tx: Tx, host: string) => certificates.remove(tx, keyOf(host)),
  }
}
