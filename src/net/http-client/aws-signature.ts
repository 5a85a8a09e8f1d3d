// Signs requests by Signature Version 4 of AWS.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createHmac, hash } from 'node:crypto'

export interface AwsCredentials {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
  /** As it is named in the scope of credentials: `s3`, `execute-api`. */
  readonly service: string
}

export interface AwsRequest {
  readonly method: string
  readonly host: string
  /** Path and query in their canonical form: `awsPath` and `awsQuery` make it. */
  readonly path: string
  readonly query: string
  /** All of them are signed, besides `host` and `x-amz-date`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string
}

const algorithm = 'AWS4-HMAC-SHA256'

export const emptyBodyHash = hash('sha256', '', 'hex')

/** The headers that prove who sends the request, and when. */
export function awsProof(
  { method, host, path, query, headers, bodyHash }: AwsRequest,
  { accessKey, secretKey, region, service }: AwsCredentials,
  nowMs: number,
) {
  const timeText = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = timeText.slice(0, 8)
  const signed = Object.entries({ ...headers, 'x-amz-date': timeText, host }).sort(([a], [b]) =>
    compare(a, b),
  )
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    ...[method, path, query],
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    ...['', names, bodyHash],
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = [algorithm, timeText, scope, hash('sha256', canonical, 'hex')].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(
    hmac,
    `AWS4${secretKey}`,
  )
  const signature = hmac(key, toSign).toString('hex')
  const credential = `Credential=${accessKey}/${scope}`
  const authorization = `${algorithm} ${credential},SignedHeaders=${names},Signature=${signature}`
  return { 'x-amz-date': timeText, authorization, signature }
}

/** Services that take a path as it is, and its encoding once. */
const pathsAsTheyAre: ReadonlySet<string> = new Set([
  ...['s3', 's3express', 's3-object-lambda', 's3-outposts'],
])

/** The path in which a request to the service is sent: for S3 as it is signed, which not every server works out. */
export function awsSentPath(path: string, service: string): string {
  return pathsAsTheyAre.has(service) ? awsEncodedPath(decoded(path)) : path
}

/**
 * The canonical form of a path. For S3, what is encoded stays so, once, in the way of AWS. For every other service
 * it is encoded once more, without empty segments and those of dots.
 */
export function awsPath(path: string, service: string): string {
  if (pathsAsTheyAre.has(service)) return awsSentPath(path, service)
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const isFolder = segments.length > 0 && /\/\.{0,2}$/.test(path)
  return awsEncodedPath(`/${segments.join('/')}${isFolder ? '/' : ''}`)
}

/** A path in which everything but unreserved characters and `/` is escaped. */
export function awsEncodedPath(path: string): string {
  return path.split('/').map(encoded).join('/')
}

/** A query in its canonical form: sorted by names, then by values, and every parameter with a `=`. */
export function awsQuery(parameters: Iterable<readonly [name: string, value: string]>): string {
  return encodedPairs(parameters)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&')
}

/** A query encoded in the same way, in the order in which it was given. */
export function awsEncodedQuery(parameters: Iterable<readonly [string, string]>): string {
  return encodedPairs(parameters)
    .map((pair) => pair.join('='))
    .join('&')
}

function encodedPairs(parameters: Iterable<readonly [string, string]>) {
  return Array.from(parameters, ([name, value]) => [encoded(name), encoded(value)] as const)
}

/** encodeURIComponent leaves these alone; the specification does not. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** By code units, whatever the language of the machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
