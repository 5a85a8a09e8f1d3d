// Signs requests to an S3-compatible service (AWS Signature Version 4).
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHmac, hash } from 'node:crypto'

export interface BucketCredentials {
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

export interface SignableRequest {
  readonly method: string
  /** With its path and query as they are sent: made by `encodedPath` and `encodedQuery`. */
  readonly url: URL
  /** All of them are signed, and `host`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string
}

const algorithm = 'AWS4-HMAC-SHA256'
const service = 's3'

export const emptyBodyHash = hash('sha256', '', 'hex')

/** The headers to send: the request's, and the three that prove who sends it. */
export function signedHeaders(
  { method, url, headers, bodyHash }: SignableRequest,
  { accessKey, secretKey, region }: BucketCredentials,
  nowMs: number,
): Record<string, string> {
  const timeText = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = timeText.slice(0, 8)
  const sent = { ...headers, 'x-amz-content-sha256': bodyHash, 'x-amz-date': timeText }
  const signed = Object.entries({ ...sent, host: url.host }).sort(([a], [b]) => compare(a, b))
  const names = signed.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}`),
    '',
    names,
    bodyHash,
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
  return { ...sent, authorization }
}

/** A path as it is sent and signed: everything but unreserved characters and `/` is escaped. */
export function encodedPath(path: string): string {
  return path.split('/').map(encoded).join('/')
}

/** A query as it is sent and signed: sorted, and every parameter with a `=`. */
export function encodedQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(([a], [b]) => compare(a, b))
    .map((pair) => pair.join('='))
    .join('&')
}

/** encodeURIComponent leaves these alone; the specification does not. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** By code units, whatever the language of the machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
