// The certificates of a TLS connection: their content, and what is wrong with them.
import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import { assert } from '../../base/assert.ts'
import { clip } from '../../base/clip.ts'
import { timeText } from '../../base/time-text.ts'
import { parseJson } from '../../domain/assertions/json-value.ts'
import { wholeDays } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { certificateFailure, type Failure, failure } from '../failure.ts'
import { type ClockTrustDeps, clockFailure } from './clock-trust.ts'
import { stapleStatus } from './ocsp.ts'

/** What a server presented in a handshake that did not verify it. */
export interface TlsIdentity {
  readonly protocol: string | null
  readonly cipher: string
  /** The negotiated protocol, if any was offered and accepted. */
  readonly alpn: string | null
  /** The server's certificate first, then its issuers' certificates, as the server sent them. */
  readonly chain: readonly X509Certificate[]
  /** OpenSSL's code for what is wrong with the chain, not counting the host name; or null. */
  readonly trustProblem: string | null
  readonly isForHost: boolean
  readonly staple: Buffer | undefined
}

/** A connection, and the server's TLS identity if there was a handshake. */
export interface Connection {
  readonly socket: Socket
  /** The server's own certificate, linked to the issuers' certificates that were sent. */
  readonly peer?: X509Certificate
  /** The server's OCSP staple, if requested. */
  readonly staple?: Buffer
}

export function shownBy({ socket, peer, staple }: Connection, host: string): TlsIdentity {
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

/**
 * Null if only the name is wrong. Node reports that in the same place, but checks the name only if
 * the chain is good.
 */
function chainProblem(code: string): string | null {
  return code.startsWith('ERR_TLS_CERT_ALTNAME_') ? null : code
}

/** Certificates of one chain, and names in one of them. */
const certificatesShownMax = 10
export const certificateNamesMax = 500

/** The chain begins with the server's own certificate and goes up as far as it was sent. */
function chainOf(leaf: X509Certificate | undefined): readonly X509Certificate[] {
  const chain: X509Certificate[] = []
  let next = leaf
  while (next !== undefined && chain.length < certificatesShownMax) {
    chain.push(next)
    next = isSelfIssued(next) ? undefined : next.issuerCertificate
  }
  return chain
}

function isSelfIssued({ subject, issuer }: X509Certificate): boolean {
  return subject === issuer
}

/** Everything that is wrong, the worst first, each as a sentence. */
export function problemsOf(shown: TlsIdentity, nowMs: number): readonly string[] {
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

/** The worst problem as a failure, or that our clock may be wrong; undefined if there is no problem. */
export function identityFailure(
  deps: ClockTrustDeps,
  shown: TlsIdentity,
  nowMs: number,
): Failure | undefined {
  const [leaf] = shown.chain
  const ours = clockFailure(deps, shown.trustProblem, leaf)
  if (ours !== undefined) return ours
  const [worst] = problemsOf(shown, nowMs)
  return worst === undefined ? undefined : detailed(worst, leaf)
}

function dateProblems(leaf: X509Certificate, nowMs: number): readonly string[] {
  const { fromMs, toMs } = validityOf(leaf)
  if (nowMs > toMs) return [certificateFailure('CERT_HAS_EXPIRED').message]
  if (nowMs >= fromMs) return []
  return [certificateFailure('CERT_NOT_YET_VALID').message]
}

/** What OpenSSL's codes mean if the server's own certificate is in date. */
const chainFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'a certificate of the chain has expired',
  CERT_NOT_YET_VALID: 'a certificate of the chain is not valid yet',
}

/**
 * OpenSSL does not say which certificate has expired. If the server's own one is in date, it is
 * another one of the chain.
 */
function trustSentence(code: string, found: readonly string[]): string {
  const sentence = certificateFailure(code).message
  return found.includes(sentence) ? sentence : (chainFaults[code] ?? sentence)
}

/** The weaknesses of a chain, the server's own certificate first. */
function weaknessesOf([leaf, ...above]: readonly X509Certificate[]): readonly string[] {
  if (leaf === undefined) return []
  // Clients trust a root by itself, without verifying its signature, so the weakness of roots does
  // not matter.
  const intermediates = above.filter((one) => !isSelfIssued(one))
  return [
    ...weaknesses(leaf, 'the certificate'),
    ...intermediates.flatMap((one) => weaknesses(one, 'an intermediate certificate')),
  ]
}

const rsaBitsMin = 2_048
const ecBitsMin = 224

function weaknesses(certificate: X509Certificate, which: string): readonly string[] {
  const { type, bits } = keyOf(certificate)
  const found: string[] = []
  const bitsMin = type === 'ec' ? ecBitsMin : rsaBitsMin
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

/** OpenSSL's names of outdated versions, with the names that people know. */
const oldProtocols: Readonly<Record<string, string>> = {
  SSLv3: 'SSL 3.0',
  TLSv1: 'TLS 1.0',
  'TLSv1.1': 'TLS 1.1',
}

function protocolProblems(protocol: string | null): readonly string[] {
  const old = oldProtocols[protocol ?? '']
  return old === undefined ? [] : [`the server supports nothing newer than ${old}`]
}

interface PublicKeyInfo {
  /** The type, such as `rsa`, `ec` or `ed25519`. */
  readonly type: string
  /** Null if the type determines it. */
  readonly bits: number | null
}

function keyOf(certificate: X509Certificate): PublicKeyInfo {
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

/** One certificate in the form for people and assertions. */
export function described(certificate: X509Certificate, nowMs: number) {
  const { fromMs, toMs } = validityOf(certificate)
  return {
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    validFrom: new Date(fromMs).toISOString(),
    validTo: new Date(toMs).toISOString(),
    /** -1 in the first day after it expired. */
    daysLeft: wholeDays(toMs - nowMs),
    names: namesOn(certificate),
    serial: certificate.serialNumber,
    fingerprint: certificate.fingerprint256,
    key: keyOf(certificate),
    signatureAlgorithm: signatureOf(certificate),
  }
}

/** Characters of one field of a certificate. */
export const certificateTextCharsMax = 500

/** Node separates the parts of a name by line breaks. */
function nameText(name: string | undefined): string {
  return clip((name ?? '').replaceAll('\n', ', '), certificateTextCharsMax)
}

/** The alternative names: host names and addresses as they are, others with their kind. */
function namesOn({ subjectAltName }: X509Certificate): readonly string[] {
  const text = subjectAltName ?? ''
  // Node writes a name that contains a comma or a quotation mark as JSON.
  const entries = text.matchAll(/([\w ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, )?/gy)
  const found: string[] = []
  for (const [, kind = '', written = ''] of entries) {
    if (found.length === certificateNamesMax) break
    const name = written.startsWith('"') ? String(parseJson(written) ?? written) : written
    const isHost = kind === 'DNS' || kind === 'IP Address'
    found.push(clip(isHost ? name : `${kind}:${name}`, certificateTextCharsMax))
  }
  return found
}

/** The failure for OpenSSL's verdict on a server's certificate or its chain. */
export function certificateFault(
  code: string,
  leaf: X509Certificate | undefined,
  nowMs: number,
): Failure {
  if (leaf === undefined) return certificateFailure(code)
  // Node has no message for weak keys and signatures; the chain shows which it is.
  const [weakness] = code === 'UNSPECIFIED' ? weaknessesOf(chainOf(leaf)) : []
  if (weakness !== undefined) return failure('tls', weakness)
  const ofChain = isInDate(leaf, nowMs) ? chainFaults[code] : undefined
  return ofChain === undefined
    ? detailed(certificateFailure(code).message, leaf)
    : failure('tls', ofChain)
}

/** A fault as a sentence, with the relevant content of the certificate. */
export function detailed(sentence: string, leaf: X509Certificate | undefined): Failure {
  const found = failure('tls', sentence)
  const detail = leaf && details.get(sentence)?.(leaf)
  return detail === undefined ? found : { ...found, detail }
}

const details: ReadonlyMap<string, (leaf: X509Certificate) => string> = new Map([
  [
    certificateFailure('CERT_HAS_EXPIRED').message,
    (leaf) => `it was valid until ${timeText(validityOf(leaf).toMs)}`,
  ],
  [
    certificateFailure('CERT_NOT_YET_VALID').message,
    (leaf) => `it is valid from ${timeText(validityOf(leaf).fromMs)}`,
  ],
  [certificateFailure('ERR_TLS_CERT_ALTNAME_INVALID').message, namesSentence],
])

function isInDate(leaf: X509Certificate, nowMs: number): boolean {
  const { fromMs, toMs } = validityOf(leaf)
  return fromMs <= nowMs && nowMs <= toMs
}

/** Whether a name is a host name or an address; any other could be arbitrary text. */
function isHostLike(name: string): boolean {
  return isIP(name) === 0 ? hostName.test(name) : !name.includes('%')
}

/** A host name, possibly with a leading `*.`; its last label contains a letter. */
const hostName =
  /^(?=.{1,253}\.?$)(\*\.)?([a-z0-9_]([\w-]{0,61}[a-z0-9])?\.)*(?!\d+\.?$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.?$/i

/** Names of a certificate in the message of a failure. */
const certificateNamesTold = 3

function namesSentence(leaf: X509Certificate): string {
  const names = namesOn(leaf)
  const shownNames = names.filter((name) => isHostLike(name)).slice(0, certificateNamesTold)
  if (shownNames.length === 0) return 'it names no host'
  const list = shownNames.map((name) => clip(name, limits.quotedCharsMax))
  const more = names.length - shownNames.length
  if (more > 0) return `it is for ${list.join(', ')} and ${more} more`
  const last = list.pop()
  return `it is for ${list.length === 0 ? '' : `${list.join(', ')} and `}${last}`
}

/**
 * From when until when it is valid, in milliseconds since 1970. A date that cannot be read counts as the
 * start of 1970: such a certificate has expired, or OpenSSL says what is wrong with it.
 */
export function validityOf({ validFromDate, validToDate }: X509Certificate) {
  return { fromMs: validFromDate.getTime() || 0, toMs: validToDate.getTime() || 0 }
}

/** The organization that issued it, else the name of its certificate; empty if it names nobody. */
export function issuerName(certificate: X509Certificate): string {
  // Undefined where the name is empty, which the type does not say.
  const { issuer = '' }: { issuer?: string } = certificate
  const fields = new Map(issuer.split('\n').map((line) => splitOnce(line)))
  return fields.get('O') ?? fields.get('CN') ?? issuer
}

function splitOnce(line: string): [name: string, value: string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}
