// What is wrong with a certificate, and what it says itself of it: since when, for which names.
import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'
import { certificateFailure, type Failure, failure } from '../failure.ts'
import { chainFaults, chainOf, namesOn, weaknessesOf } from './certificate.ts'

/** OpenSSL's verdict on the certificate of a server, which may be one on its chain. */
export function certificateFault(
  code: string,
  leaf: X509Certificate | undefined,
  nowMs: number,
): Failure {
  if (leaf === undefined) return certificateFailure(code)
  // Node has no word for keys and signatures that are too weak; the chain says which it is.
  const [weakness] = code === 'UNSPECIFIED' ? weaknessesOf(chainOf(leaf)) : []
  if (weakness !== undefined) return failure('tls', weakness)
  const ofChain = isInDate(leaf, nowMs) ? chainFaults[code] : undefined
  return ofChain === undefined
    ? detailed(certificateFailure(code).message, leaf)
    : failure('tls', ofChain)
}

/** A fault by its sentence, with what the certificate says of it. */
export function detailed(sentence: string, leaf: X509Certificate | undefined): Failure {
  const found = failure('tls', sentence)
  const detail = leaf && details.get(sentence)?.(leaf)
  return detail === undefined ? found : { ...found, detail }
}

const details: ReadonlyMap<string, (leaf: X509Certificate) => string> = new Map([
  [
    certificateFailure('CERT_HAS_EXPIRED').message,
    ({ validToDate }) => `it was valid until ${validToDate.toISOString()}`,
  ],
  [
    certificateFailure('CERT_NOT_YET_VALID').message,
    ({ validFromDate }) => `it is valid from ${validFromDate.toISOString()}`,
  ],
  [certificateFailure('ERR_TLS_CERT_ALTNAME_INVALID').message, whoItIsFor],
])

function isInDate({ validFromDate, validToDate }: X509Certificate, nowMs: number): boolean {
  return validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime()
}

/** Whatever is no host name or address could be a sentence of its owner's own. */
function isHostLike(name: string): boolean {
  return isIP(name) === 0 ? hostName.test(name) : !name.includes('%')
}

/** A wildcard has a name behind it, and the last label a letter in it. */
const hostName =
  /^(?=.{1,253}\.?$)(\*\.)?([a-z0-9_]([\w-]{0,61}[a-z0-9])?\.)*(?!\d+\.?$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.?$/i

function whoItIsFor(leaf: X509Certificate): string {
  const names = namesOn(leaf)
  const told = names.filter((name) => isHostLike(name)).slice(0, limits.certificateNamesTold)
  if (told.length === 0) return 'it names no host'
  const list = told.map((name) => clip(name, limits.quotedCharsMax))
  const more = names.length - told.length
  if (more > 0) return `it is for ${list.join(', ')} and ${more} more`
  const last = list.pop()
  return `it is for ${list.length === 0 ? '' : `${list.join(', ')} and `}${last}`
}
