// The certificate authorities to trust, where the operator names one of their own.

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { exitCodes, StartFailure } from '../../base/exit.ts'

/**
 * The authorities of Node and the ones in the file, in PEM; without a file only the ones of Node. Throws
 * StartFailure if the file cannot be read; `setting` names it.
 */
export function trustedAuthorities(
  file: string | null,
  setting: string,
): { readonly ca?: string[] } {
  return file === null ? {} : { ca: [...rootCertificates, read(file, setting)] }
}

/**
 * The authorities in the file, to be trusted besides the ones of Node. Throws StartFailure if it cannot
 * be read, or if anything but whole certificates is between the lines that mark them.
 */
export function addedAuthorities(file: string, setting: string): readonly string[] {
  const text = read(file, setting)
  const added = text.match(/-----BEGIN CERTIFICATE-----[^-]*(-----END CERTIFICATE-----)?/g) ?? []
  const hint = `${setting} is a file of certificates in PEM.`
  if (added.length === 0) {
    throw new StartFailure(exitCodes.config, `${file} has no certificate (${setting})`, { hint })
  }
  for (const [index, pem] of added.entries()) {
    try {
      new X509Certificate(pem)
    } catch (cause) {
      const message = `certificate ${index + 1} in ${file} cannot be read (${setting})`
      throw new StartFailure(exitCodes.config, message, { hint, cause })
    }
  }
  return added
}

function read(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const message = `the authorities in ${file} cannot be read: ${cause}`
    const hint = `${setting} is a file of certificates in PEM.`
    throw new StartFailure(exitCodes.config, message, { hint, cause })
  }
}
