// The operator's own certificate: read at the start, and again when its files change.

import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { exitCodes, StartFailure } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { Log } from '../../base/log/log.ts'
import { issuerName } from '../../net/connection/certificate.ts'

/** A certificate with its key, in PEM. */
export interface CertificatePair {
  readonly key: string
  readonly cert: string
}

/** A certificate that was read from files. */
export interface FileCertificate {
  readonly pair: CertificatePair
  readonly issuer: string
  readonly expiresAtMs: number
  /** Whether it names the host. */
  readonly covers: (host: string) => boolean
}

export interface CertificateFilesDeps {
  readonly certFile: string
  readonly keyFile: string
  readonly clock: Clock
  readonly log: Log
}

export type CertificateFiles = ReturnType<typeof watchCertificateFiles>

/** How often the operator's certificate files are looked at. */
export const tlsFilesLookedMs = 60_000

/** Throws StartFailure (78) if the files cannot be used. */
export function watchCertificateFiles({ certFile, keyFile, clock, log }: CertificateFilesDeps) {
  const listeners: (() => void)[] = []
  let current = readAtStart()
  let seen = stamp()
  let timer: unknown

  function read(): FileCertificate {
    const pair = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    // Throws if they do not belong together.
    createSecureContext(pair)
    const leaf = new X509Certificate(pair.cert)
    return {
      pair,
      issuer: issuerName(leaf),
      expiresAtMs: leaf.validToDate.getTime(),
      covers: (host) => leaf.checkHost(host) !== undefined,
    }
  }

  function readAtStart(): FileCertificate {
    try {
      return read()
    } catch (cause) {
      const why = errorText(cause)
      throw new StartFailure(
        exitCodes.config,
        `the certificate ${certFile} with the key ${keyFile} cannot be used: ${why}`,
        {
          hint: 'http.tlsCertFile needs a chain in PEM, the certificate of the host first; http.tlsKeyFile its private key without a password.',
          cause,
        },
      )
    }
  }

  function stamp(): string {
    return [certFile, keyFile]
      .map((file) => {
        const found = statSync(file, { throwIfNoEntry: false })
        return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'none'
      })
      .join(', ')
  }

  function look(): void {
    const now = stamp()
    if (now === seen) return
    seen = now
    try {
      current = read()
    } catch (error) {
      // Perhaps only one of the two was replaced yet: then this is repeated after the other.
      log.error('the changed certificate cannot be used: the former one stays', { certFile, error })
      return
    }
    log.info('certificate read again', { certFile })
    for (const listener of listeners) listener()
  }

  function again(): void {
    timer = clock.setTimeout(() => {
      look()
      again()
    }, tlsFilesLookedMs)
  }

  again()
  return {
    /** Reads the files now if they changed. */
    look,
    current: (): FileCertificate => current,
    onChanged: (listener: () => void): void => void listeners.push(listener),
    stop: () => clock.clearTimeout(timer),
  }
}
