// The sign-in by Digest: proves a password to a server that asked, without sending it.
// https://www.rfc-editor.org/rfc/rfc7616
import { createHash, randomBytes } from 'node:crypto'

type Digest = (text: string) => string

/** The best first. */
const algorithms: readonly [name: string, hash: string][] = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
]

export interface DigestChallenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  /** As the server wrote it; undefined: MD5. */
  readonly algorithm: string | undefined
  readonly hash: string
  /** Each `nonce` and `cnonce` have a hash of the password of their own. */
  readonly isOfSession: boolean
  readonly hasQop: boolean
  readonly hashesName: boolean
}

/** The best challenge in the values of WWW-Authenticate; undefined if none can be answered. */
export function challengeIn(values: readonly string[]): DigestChallenge | undefined {
  const found = values.flatMap(challengesIn).flatMap((one) => challengeOf(one) ?? [])
  const rank = ({ hash }: DigestChallenge) => algorithms.findIndex(([, own]) => own === hash)
  return found.toSorted((a, b) => rank(a) - rank(b))[0]
}

/** What of a header is looked at: several challenges have room in it. */
const challengeCharsMax = 2_048

/** The challenges in one value: they and their parameters alike are separated by commas. */
function challengesIn(value: string): readonly string[] {
  const challenges: string[] = []
  for (const part of value.slice(0, challengeCharsMax).match(/(?:"(?:[^"\\]|\\.)*"|[^,"])+/g) ??
    []) {
    if (/^\s*[\w-]+(\s+[\w-]+\s*=|\s*$)/.test(part)) challenges.push(part)
    else challenges.push(`${challenges.pop() ?? ''},${part}`)
  }
  return challenges
}

function challengeOf(text: string): DigestChallenge | undefined {
  const [, rest] = /^\s*Digest\s+(.*)$/is.exec(text) ?? []
  if (rest === undefined) return undefined
  const given = new Map(
    [...rest.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)].map(
      ([, name = '', quoted, bare = '']) => [
        name.toLowerCase(),
        quoted?.replaceAll(/\\(.)/g, '$1') ?? bare,
      ],
    ),
  )
  const { nonce, realm = '', opaque, algorithm, qop, userhash } = Object.fromEntries(given)
  const [, name, session] = /^(.*?)(-sess)?$/i.exec(algorithm ?? 'MD5') ?? []
  const [, hash] = algorithms.find(([one]) => one === name?.toUpperCase()) ?? []
  const hasQop = qop !== undefined
  const canAnswer = !hasQop || qop.split(/[\s,]+/).some((one) => one.toLowerCase() === 'auth')
  if (nonce === undefined || hash === undefined || !canAnswer) return undefined
  const isOfSession = session !== undefined
  const hashesName = userhash?.toLowerCase() === 'true'
  return { realm, nonce, opaque, algorithm, hash, isOfSession, hasQop, hashesName }
}

export interface DigestRequest {
  readonly username: string
  readonly password: string
  readonly method: string
  /** The path with the query. */
  readonly uri: string
  /** How often the nonce was used, with this time. */
  readonly count: number
  readonly cnonce?: string
}

/** The value of the header Authorization. */
export function digestAnswer(challenge: DigestChallenge, request: DigestRequest): string {
  const { realm, nonce, opaque, algorithm, hash, isOfSession, hasQop, hashesName } = challenge
  const { username, password, method, uri, count } = request
  const { cnonce = randomBytes(16).toString('base64url') } = request
  const digest: Digest = (text) => createHash(hash).update(text).digest('hex')
  const secret = digest(`${username}:${realm}:${password}`)
  const key = isOfSession ? digest(`${secret}:${nonce}:${cnonce}`) : secret
  const nc = count.toString(16).padStart(8, '0')
  const asked = digest(`${method}:${uri}`)
  const response = digest(
    hasQop ? `${key}:${nonce}:${nc}:${cnonce}:auth:${asked}` : `${key}:${nonce}:${asked}`,
  )
  const name = hashesName ? digest(`${username}:${realm}`) : username
  const parts = [
    `username=${quoted(name)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(hasQop ? ['qop=auth', `nc=${nc}`] : []),
    ...(hasQop || isOfSession ? [`cnonce=${quoted(cnonce)}`] : []),
    ...(hashesName ? ['userhash=true'] : []),
  ]
  return `Digest ${parts.join(', ')}`
}

/** Bytes of UTF-8, one a character, as headers have them. */
function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, String.raw`\$&`)
  return `"${Buffer.from(escaped).toString('latin1')}"`
}
