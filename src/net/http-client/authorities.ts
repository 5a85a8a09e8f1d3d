// The certificate authorities to trust, where the operator names one of their own.
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { exitCodes, StartFailure } from '../../base/exit.ts'

/**
 * Those of Node and those in the file, in PEM; only those of Node without a file. Throws StartFailure
 * if the file cannot be read; `setting` names it.
 */
export function trustedAuthorities(
  file: string | null,
  setting: string,
): { readonly ca?: string[] } {
  return file === null ? {} : { ca: [...rootCertificates, read(file, setting)] }
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
