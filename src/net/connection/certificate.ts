// The certificates of a TLS connection: what they say, and what is wrong with them.

import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { assert } from '../../base/assert.ts'
import { clip } from '../../base/clip.ts'
import { parseJson } from '../../domain/assertions/json-value.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { certificateFailure } from '../failure.ts'
import { stapleStatus } from './ocsp.ts'

/** What a server showed in a handshake that judged nothing. */
export interface Shown {
  readonly protocol: string | null
  readonly cipher: string
  /** The protocol that was agreed on, where any was offered and taken. */
  readonly alpn: string | null
  /** From the server's own certificate upwards, as the server sent them. */
  readonly chain: readonly X509Certificate[]
  /** What OpenSSL has against the chain, whoever it is for, as its code; null where nothing. */
  readonly trustProblem: string | null
  readonly isForHost: boolean
  readonly staple: Buffer | undefined
}

/** What of a connection tells about its certificates. */
export interface Connected {
  readonly socket: Socket
  /** The server's own certificate, which leads to those of its issuers that were sent along. */
  readonly peer?: X509Certificate
  /** What the server stapled, where it was asked to. */
  readonly staple?: Buffer
}

export function shownBy({ socket, peer, staple }: Connected, host: string): Shown {
  assert(socket instanceof tls.TLSSocket, 'only TLS shows a certificate')
  return {
    protocol: socket.getProtocol(),
    cipher: socket.getCipher().standardName,
    alpn: socket.alpnProtocol || null,
    chain: chainOf(peer),
    trustProblem: socket.authorized ? null : chainProblem(String(socket.authorizationError)),
    isForHost:
      peer !== undefined && tls.checkServerIdentity(host, peer.toLegacyObject()) === undefined,
    staple,
  }
}

/** Node looks at the name only where the chain is good, and tells of both by one code. */
function chainProblem(code: string): string | null {
  return code.startsWith('ERR_TLS_CERT_ALTNAME_') ? null : code
}

/** From the server's own certificate upwards, as far as they were sent along. */
export function chainOf(leaf: X509Certificate | undefined): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  let next = leaf
  while (next !== undefined && chain.length < limits.certificatesShownMax) {
    chain.push(next)
    next = isSelfIssued(next) ? undefined : next.issuerCertificate
  }
  return chain
}

function isSelfIssued({ subject, issuer }: X509Certificate): boolean {
  return subject === issuer
}

/** Everything that is wrong, the worst first, each as a sentence. */
export function problemsOf(shown: Shown, nowMs: number): readonly string[] {
  const { chain, trustProblem, staple } = shown
  const [leaf] = chain
  if (leaf === undefined) return ['the server showed no certificate']
  const found = [...dateProblems(leaf, nowMs)]
  if (!shown.isForHost) found.push(certificateFailure('ERR_TLS_CERT_ALTNAME_INVALID').message)
  if (staple && stapleStatus(staple, leaf.serialNumber) === 'revoked') {
    found.push(certificateFailure('CERT_REVOKED').message)
  }
  if (trustProblem !== null) found.push(trustSentence(trustProblem, found))
  found.push(...weaknessesOf(chain), ...protocolProblems(shown.protocol))
  return [...new Set(found)]
}

function dateProblems(leaf: X509Certificate, nowMs: number): readonly string[] {
  if (nowMs > leaf.validToDate.getTime()) return [certificateFailure('CERT_HAS_EXPIRED').message]
  if (nowMs >= leaf.validFromDate.getTime()) return []
  return [certificateFailure('CERT_NOT_YET_VALID').message]
}

/** By OpenSSL's code: what it means where the server's own certificate is in date. */
export const chainFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'a certificate of the chain has expired',
  CERT_NOT_YET_VALID: 'a certificate of the chain is not valid yet',
}

/** OpenSSL does not say which certificate it means: not the server's own, where that is in date. */
function trustSentence(code: string, found: readonly string[]): string {
  const sentence = certificateFailure(code).message
  return found.includes(sentence) ? sentence : (chainFaults[code] ?? sentence)
}

/** What is too weak in a chain, the server's own certificate first. */
export function weaknessesOf([leaf, ...above]: readonly X509Certificate[]): readonly string[] {
  if (leaf === undefined) return []
  // Nobody checks the signature of a root, and its key is for those who trust it to judge.
  const intermediates = above.filter((one) => !isSelfIssued(one))
  return [
    ...weaknesses(leaf, 'the certificate'),
    ...intermediates.flatMap((one) => weaknesses(one, 'an intermediate certificate')),
  ]
}

function weaknesses(certificate: X509Certificate, which: string): readonly string[] {
  const { type, bits } = keyOf(certificate)
  const found: string[] = []
  const bitsMin = type === 'ec' ? limits.ecBitsMin : limits.rsaBitsMin
  if (bits !== null && bits < bitsMin) {
    const size = `${type.toUpperCase()}, ${bits} bits`
    found.push(`the key of ${which} is too short (${size}): at least ${bitsMin} are needed`)
  }
  const hash = /md[245]|sha-?1(?!\d)/i.exec(signatureOf(certificate))?.[0].toUpperCase()
  if (hash !== undefined) {
    const name = hash.replace(/^SHA-?1$/, 'SHA-1')
    found.push(`${which} is signed with ${name}, which can be forged`)
  }
  return found
}

/** OpenSSL's name of each version that is too old, and the one that people know. */
const oldProtocols: Readonly<Record<string, string>> = {
  SSLv3: 'SSL 3.0',
  TLSv1: 'TLS 1.0',
  'TLSv1.1': 'TLS 1.1',
}

function protocolProblems(protocol: string | null): readonly string[] {
  const old = oldProtocols[protocol ?? '']
  return old === undefined ? [] : [`the server supports nothing newer than ${old}`]
}

interface Key {
  /** Such as `rsa`, `ec` or `ed25519`. */
  readonly type: string
  /** Null where the type says it all. */
  readonly bits: number | null
}

function keyOf(certificate: X509Certificate): Key {
  try {
    const { asymmetricKeyType = 'unknown' } = certificate.publicKey
    const { bits = null } = certificate.toLegacyObject()
    return { type: asymmetricKeyType, bits }
  } catch {
    // A kind of key that OpenSSL does not know.
    return { type: 'unknown', bits: null }
  }
}

function signatureOf({ signatureAlgorithm, signatureAlgorithmOid }: X509Certificate): string {
  return signatureAlgorithm ?? signatureAlgorithmOid
}

/** One certificate as people and assertions read it. */
export function described(certificate: X509Certificate, nowMs: number) {
  return {
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    validFrom: certificate.validFromDate.toISOString(),
    validTo: certificate.validToDate.toISOString(),
    /** -1 in the first day after it expired. */
    daysLeft: wholeDays(certificate.validToDate.getTime() - nowMs),
    names: namesOn(certificate),
    serial: certificate.serialNumber,
    fingerprint: certificate.fingerprint256,
    key: keyOf(certificate),
    signatureAlgorithm: signatureOf(certificate),
  }
}

/** Node writes a name in lines, one for each of its parts. */
function nameText(name: string | undefined): string {
  return clip((name ?? '').replaceAll('\n', ', '), limits.certificateTextCharsMax)
}

/** The alternative names: host names and addresses bare, of other kinds with their kind. */
export function namesOn({ subjectAltName }: X509Certificate): readonly string[] {
  const text = subjectAltName ?? ''
  // Node writes a name that holds a comma or a quotation mark as JSON.
  const entries = text.matchAll(/([\w ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, )?/gy)
  const found: string[] = []
  for (const [, kind = '', written = ''] of entries) {
    if (found.length === limits.certificateNamesMax) break
    const name = written.startsWith('"') ? String(parseJson(written) ?? written) : written
    const isHost = kind === 'DNS' || kind === 'IP Address'
    found.push(clip(isHost ? name : `${kind}:${name}`, limits.certificateTextCharsMax))
  }
  return found
}
