// A bucket of an S3-compatible service: lists, stores, reads and removes objects below a prefix.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
import { hash } from 'node:crypto'
import { required } from '../base/assert.ts'
import type { Clock } from '../base/clock.ts'
import { awsEncodedPath, awsQuery, emptyBodyHash } from '../net/http-client/aws-signature.ts'
import type { BytesClient } from '../net/http-client/guarded-client.ts'
import { allFieldsOf, fieldsOf } from './answer-xml.ts'
import { type BucketAnswer, BucketError, bucketAnswerBytesMax, problemOf } from './bucket-error.ts'
import { type BodyPart, bodyParts } from './parts.ts'
import { type BucketCredentials, signedHeaders } from './signature.ts'

export interface BucketOptions extends BucketCredentials {
  /** The address of the service: http(s)://host[:port][/path]. */
  readonly endpoint: string
  readonly name: string
  /** Begins the key of every object; '' or text that ends in a slash. */
  readonly prefix: string
  /** Whether the name of the bucket is in the path or in the host; `auto`: as the service wants. */
  readonly addressing: 'auto' | 'path' | 'virtual-host'
  /** How the service shall encrypt what it stores. */
  readonly serverEncryption: 'AES256' | 'aws:kms' | null
}

export interface BucketDeps {
  readonly request: BytesClient
  readonly clock: Clock
  /** A number in [0, 1), for the spread of repetitions. */
  readonly random: () => number
}

export interface BucketObject {
  /** The name without the prefix. */
  readonly name: string
  readonly bytes: number
}

interface BucketObjectHead {
  readonly bytes: number
  /** Changes when the object is replaced. */
  readonly etag: string
}

export type Bucket = ReturnType<typeof createBucket>

interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The name of the object; absent for the bucket itself. */
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Omit<BodyPart, 'isLast'>
  /** The right that it needs. */
  readonly right: string
  readonly timeoutMs?: number
  readonly bodyBytesMax?: number
  readonly signal?: AbortSignal | undefined
}

/** The size of each part of an upload. */
export const bucketPartBytes = 16 * 1024 * 1024
/** The bytes of an object that are read at once. */
const bucketRangeBytes = 4 * 1024 * 1024
/** Parts of one upload: S3 has no more. */
const bucketPartsMax = 10_000
/** The time of a request with one part, on a line of half a megabit per second. */
const bucketPartMs = 5 * 60_000
/** The time of any other request. */
export const bucketRequestMs = 60_000
const bucketPageObjects = 200
/** Objects below the prefix that are looked at. */
const bucketObjectsMax = 10_000
const bucketAttempts = 6
/** The pause before the second attempt; each further one is twice as long, give or take a half. */
const bucketPauseMs = 1_000
/** An upload that began so long ago is no longer going on. */
const bucketUploadStaleMs = 24 * 60 * 60_000

/** Every method throws a BucketError, whose message says what to change. */
export function createBucket(options: BucketOptions, { request, clock, random }: BucketDeps) {
  const { prefix, name: bucketName, region, serverEncryption } = options
  const base = baseOf(options)

  async function once(asked: BucketRequest): Promise<BucketAnswer> {
    const { method, query = {}, headers = {}, body, signal, right } = asked
    const url = new URL(base)
    if (asked.name !== undefined) url.pathname += awsEncodedPath(prefix + asked.name)
    else if (url.pathname !== '/') url.pathname = url.pathname.replace(/\/$/, '')
    url.search = awsQuery(Object.entries(query))
    const wallMs = clock.wallMs()
    const bodyHash = body?.hash ?? emptyBodyHash
    const answer = await request({
      url: url.href,
      method,
      headers: {
        ...signedHeaders({ method, url, headers, bodyHash }, options, wallMs),
        'user-agent': 'stillup',
      },
      body: body?.bytes ?? (method === 'PUT' || method === 'POST' ? Buffer.alloc(0) : null),
      timeoutMs: asked.timeoutMs ?? bucketRequestMs,
      bodyBytesMax: asked.bodyBytesMax ?? bucketAnswerBytesMax,
      ...(signal ? { signal } : {}),
    })
    signal?.throwIfAborted()
    const attempt = { right, bucketName, endpoint: url.origin, region, wallMs }
    const problem = problemOf(answer, attempt)
    if (problem || answer.kind !== 'answered') throw required(problem, 'the problem')
    return answer
  }

  /** Repeats what may succeed later, with growing pauses. */
  async function ask(asked: BucketRequest): Promise<BucketAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(asked)
      } catch (error) {
        const mayRetry = error instanceof BucketError && error.mayRetry
        if (!mayRetry || attempt >= bucketAttempts) throw error
        const growingMs = bucketPauseMs * 2 ** (attempt - 1) * (0.5 + random())
        await pause(Math.max(error.retryAfterMs ?? 0, growingMs), asked.signal)
      }
    }
  }

  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(end, ms)
      function end() {
        clock.clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      if (signal?.aborted) end()
      else signal?.addEventListener('abort', end)
    })
    signal?.throwIfAborted()
  }

  /** Every object whose name begins so, up to `bucketObjectsMax`. */
  async function list(begin: string, signal?: AbortSignal): Promise<readonly BucketObject[]> {
    const found: BucketObject[] = []
    let token: string | undefined
    do {
      const { body } = await ask({
        method: 'GET',
        query: {
          'list-type': '2',
          'max-keys': String(bucketPageObjects),
          prefix: prefix + begin,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        },
        right: 's3:ListBucket',
        signal,
      })
      const text = body.toString('utf8')
      const page = fieldsOf(text, 'ListBucketResult')
      if (!page) {
        throw new BucketError(
          `The server at ${base.origin} does not answer as an S3-compatible service does: check backup.bucketUrl.`,
        )
      }
      for (const { Key = '', Size } of allFieldsOf(text, 'Contents')) {
        const name = Key.slice(prefix.length)
        if (Key.startsWith(prefix) && name !== '') found.push({ name, bytes: Number(Size) })
      }
      const next = page.IsTruncated === 'true' ? page.NextContinuationToken : undefined
      if (next !== undefined && next === token) {
        throw new BucketError(
          `The server at ${base.origin} sends the same page of a list again and again.`,
        )
      }
      token = next
    } while (token !== undefined && found.length < bucketObjectsMax)
    return found
  }

  /** What is known of an object; undefined if there is none. */
  async function head(name: string, signal?: AbortSignal): Promise<BucketObjectHead | undefined> {
    try {
      const { headers } = await ask({ method: 'HEAD', name, right: 's3:GetObject', signal })
      return { bytes: Number(headers['content-length']), etag: headers.etag ?? '' }
    } catch (error) {
      if (error instanceof BucketError && error.code === 'NoSuchKey') return undefined
      throw error
    }
  }

  async function remove(name: string, signal?: AbortSignal): Promise<void> {
    await ask({ method: 'DELETE', name, right: 's3:DeleteObject', signal })
  }

  /**
   * Stores an object of exactly so many bytes, with at most one part of it in memory. It replaces one
   * of the same name, and is there as a whole or not at all.
   */
  async function put(
    name: string,
    content: AsyncIterable<Uint8Array>,
    bytes: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const headers = {
      'content-type': 'application/octet-stream',
      ...(serverEncryption === null ? {} : { 'x-amz-server-side-encryption': serverEncryption }),
    }
    if (bytes > bucketPartBytes * bucketPartsMax) throw tooLarge()
    const parts = bodyParts(exactly(content, bytes), bucketPartBytes)
    const target = { name, headers, signal }
    try {
      const first = required((await parts.next()).value || undefined, 'a part, perhaps empty')
      if (first.isLast) await putWhole(target, first)
      else await putParts(target, first, parts)
      const stored = await head(name, signal)
      if (stored?.bytes === bytes) return
      if (stored) await remove(name, signal)
      const found = stored ? `${stored.bytes} of the ${bytes} bytes` : 'nothing'
      throw new BucketError(`The bucket kept ${found} of ${name}.`)
    } finally {
      // Also ends the content, if not all of it was read.
      await parts.return(undefined)
    }
  }

  interface PutTarget {
    readonly name: string
    readonly headers: Readonly<Record<string, string>>
    readonly signal: AbortSignal | undefined
  }

  async function putWhole({ name, headers, signal }: PutTarget, body: BodyPart): Promise<void> {
    await ask({
      method: 'PUT',
      name,
      headers,
      body,
      right: 's3:PutObject',
      timeoutMs: bucketPartMs,
      signal,
    })
  }

  async function putParts(
    { name, headers, signal }: PutTarget,
    first: BodyPart,
    rest: AsyncIterator<BodyPart>,
  ): Promise<void> {
    // Services may not offer a list of uploads, or not allow it.
    await abandonStale(signal).catch(() => signal?.throwIfAborted())
    const right = 's3:PutObject'
    const begun = await ask({
      method: 'POST',
      name,
      query: { uploads: '' },
      headers,
      right,
      signal,
    })
    const uploadId = fieldsOf(
      begun.body.toString('utf8'),
      'InitiateMultipartUploadResult',
    )?.UploadId
    if (!uploadId)
      throw new BucketError(`The server at ${base.origin} began an upload without an id.`)
    const etags: string[] = []
    try {
      for (let part: BodyPart | undefined = first; part; part = (await rest.next()).value) {
        const { headers: said } = await ask({
          method: 'PUT',
          name,
          query: { partNumber: String(etags.length + 1), uploadId },
          body: part,
          right,
          timeoutMs: bucketPartMs,
          signal,
        })
        etags.push(said.etag ?? '')
      }
      await complete(name, { uploadId, etags }, signal)
    } catch (error) {
      // Its parts would be paid for until somebody finds them. The original error is what counts.
      await abandon(name, uploadId).catch(() => {})
      throw error
    }
  }

  async function complete(
    name: string,
    { uploadId, etags }: { readonly uploadId: string; readonly etags: readonly string[] },
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const parts = etags.map(
      (etag, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
    )
    const bytes = Buffer.from(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    )
    const body = { bytes, hash: hash('sha256', bytes, 'hex') }
    const right = 's3:PutObject'
    const query = { uploadId }
    const timeoutMs = bucketPartMs
    try {
      await ask({ method: 'POST', name, query, body, right, timeoutMs, signal })
    } catch (error) {
      // The answer to an earlier attempt was lost, or somebody ended the upload: the size will tell.
      if (!(error instanceof BucketError && error.code === 'NoSuchUpload')) throw error
    }
  }

  async function abandon(name: string, uploadId: string): Promise<void> {
    await ask({ method: 'DELETE', name, query: { uploadId }, right: 's3:AbortMultipartUpload' })
  }

  /** The bytes of an object, range by range: a broken connection repeats one range. */
  async function get(name: string, signal?: AbortSignal): Promise<AsyncIterable<Buffer>> {
    const found = await head(name, signal)
    if (!found) throw new BucketError(`The bucket has no ${name}.`, { code: 'NoSuchKey' })
    return ranges(name, found, signal)
  }

  async function* ranges(
    name: string,
    { bytes, etag }: BucketObjectHead,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Buffer, void> {
    // All of the same object, also if it is replaced meanwhile.
    const same: Record<string, string> = etag === '' ? {} : { 'if-match': etag }
    for (let at = 0; at < bytes; at += bucketRangeBytes) {
      const length = Math.min(bucketRangeBytes, bytes - at)
      const { body } = await ask({
        method: 'GET',
        name,
        headers: { range: `bytes=${at}-${at + length - 1}`, ...same },
        right: 's3:GetObject',
        timeoutMs: bucketPartMs,
        bodyBytesMax: bucketRangeBytes,
        signal,
      })
      if (body.length !== length) {
        throw new BucketError(`The bucket sent ${body.length} of ${length} bytes of ${name}.`)
      }
      yield body
    }
  }

  /** Ends the uploads that a process which died left behind. */
  async function abandonStale(signal?: AbortSignal): Promise<void> {
    const right = 's3:ListBucketMultipartUploads'
    const query = { uploads: '', prefix }
    const { body } = await ask({ method: 'GET', query, right, signal })
    const beforeMs = clock.wallMs() - bucketUploadStaleMs
    for (const upload of allFieldsOf(body.toString('utf8'), 'Upload')) {
      const { Key = '', UploadId = '', Initiated = '' } = upload
      if (!Key.startsWith(prefix) || UploadId === '') continue
      if (!(Date.parse(Initiated) < beforeMs)) continue
      await abandon(Key.slice(prefix.length), UploadId)
    }
  }

  return {
    /** For messages: where the objects are. */
    title: `${bucketName} at ${base.host}`,
    list,
    put,
    get,
    /** One that is missing is no error. */
    remove,
  }
}

/** Where the bucket is, with a slash at the end. */
function baseOf({ endpoint, name, addressing }: BucketOptions): URL {
  const base = new URL(endpoint.endsWith('/') ? endpoint : `${endpoint}/`)
  // AWS wants names in the host; most others take both, and need no wildcard certificate for paths.
  // A name with dots would not match a wildcard certificate.
  const isAmazon = /(^|\.)amazonaws\.com(\.cn)?$/.test(base.hostname)
  const isInHost =
    addressing === 'virtual-host' || (addressing === 'auto' && isAmazon && !name.includes('.'))
  if (isInHost) base.hostname = `${name}.${base.hostname}`
  else base.pathname += `${awsEncodedPath(name)}/`
  return base
}

/** Fails at the end if it is too short, and at once if it is too long. */
async function* exactly(
  content: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void> {
  let passed = 0
  for await (const chunk of content) {
    passed += chunk.length
    if (passed > bytes) break
    yield chunk
  }
  if (passed === bytes) return
  const found = passed > bytes ? 'more' : `only ${passed}`
  throw new BucketError(`An object of ${bytes} bytes was to be stored, and there are ${found}.`)
}

function tooLarge(): BucketError {
  const gib = Math.floor((bucketPartsMax * bucketPartBytes) / 1024 ** 3)
  return new BucketError(`A backup of more than ${gib} GiB is too large for a bucket.`)
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
