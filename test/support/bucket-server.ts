// An S3-compatible service on loopback: verifies every signature from the specification, keeps
// objects in memory, and misbehaves as told.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'

export interface BucketServerOptions {
  readonly bucket?: string
  readonly region?: string
  readonly accessKey?: string
  readonly secretKey?: string
  /** Serves https with this certificate. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The time by the service's clock. */
  readonly nowMs?: () => number
  /** Objects of a page of a list, at most. */
  readonly pageObjects?: number
}

export interface SeenRequest {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly bytes: number
}

/** What one request gets in place of its answer; undefined: what it asks for. */
export type BucketFault =
  | 'reset'
  /** The request is done, and its answer lost. */
  | 'reset-after'
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

interface KeptObject {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  readonly atMs: number
}

interface KeptUpload {
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly parts: Map<number, KeptObject>
  readonly atMs: number
}

class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly more: string

  constructor(status: number, code: string, more = '') {
    super(code)
    this.status = status
    this.code = code
    this.more = more
  }
}

export type BucketServer = Awaited<ReturnType<typeof startBucketServer>>

export async function startBucketServer(options: BucketServerOptions = {}) {
  const {
    bucket = 'backups',
    region = 'eu-test-1',
    accessKey = 'AKIDSTILLUP',
    secretKey = 'a/secret+of=the-bucket',
    nowMs = () => Date.now(),
    pageObjects = 1_000,
  } = options
  const objects = new Map<string, KeptObject>()
  const uploads = new Map<string, KeptUpload>()
  const seen: SeenRequest[] = []
  let faultOf: (request: SeenRequest) => BucketFault | undefined = () => undefined

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => answer(request, response, Buffer.concat(chunks)))
  }
  const server = options.tls
    ? createTlsServer({ ...options.tls }, listener)
    : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { method = '', url = '' } = request
    const [path = '', search = ''] = url.split('?')
    const query = Object.fromEntries(pairsOf(search))
    const host = request.headers.host ?? ''
    const one = { method, host, path, query, headers: request.headers, bytes: body.length }
    seen.push(one)
    const fault = faultOf(one)
    if (fault === 'reset') return void request.socket.destroy()
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '')
      return
    }
    try {
      verify(request, body)
      serve(one, body, fault === 'reset-after' ? undefined : response)
      if (fault === 'reset-after') request.socket.destroy()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const text =
        `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${error.code}</Code>` +
        `<Message>It is ${error.code}.</Message>${error.more}<RequestId>1</RequestId></Error>`
      response.writeHead(error.status, {
        'content-type': 'application/xml',
        date: new Date(nowMs()).toUTCString(),
      })
      response.end(method === 'HEAD' ? undefined : text)
    }
  }

  /** https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html */
  function verify(request: IncomingMessage, body: Buffer): void {
    const { headers, method = '', url = '' } = request
    const parsed =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      )
    if (!parsed) throw new Refused(403, 'AccessDenied')
    const [, who = '', day = '', where = '', names = '', signature = ''] = parsed
    if (who !== accessKey) throw new Refused(403, 'InvalidAccessKeyId')
    if (where !== region) {
      throw new Refused(400, 'AuthorizationHeaderMalformed', `<Region>${region}</Region>`)
    }
    const time = String(headers['x-amz-date'])
    const atMs = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (!time.startsWith(day) || !(Math.abs(atMs - nowMs()) < 15 * 60_000)) {
      throw new Refused(403, 'RequestTimeTooSkewed')
    }
    const signedNames = names.split(';')
    const mustBeSigned = Object.keys(headers).filter(
      (name) => name === 'host' || name.startsWith('x-amz-') || name === 'content-type',
    )
    if (mustBeSigned.some((name) => !signedNames.includes(name))) {
      throw new Refused(403, 'AccessDenied')
    }
    const bodyHash = createHash('sha256').update(body).digest('hex')
    const claimed = String(headers['x-amz-content-sha256'])
    if (claimed !== bodyHash) throw new Refused(400, 'XAmzContentSHA256Mismatch')
    const [path = '', search = ''] = url.split('?')
    // Decoded and encoded anew: the client must have sent it in the canonical form.
    const canonicalPath = path
      .split('/')
      .map((part) => rfc3986(decodeURIComponent(part)))
      .join('/')
    const canonicalQuery = pairsOf(search)
      .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`)
      .sort()
      .join('&')
    const canonical = [
      method,
      canonicalPath,
      canonicalQuery,
      ...signedNames.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
      '',
      names,
      claimed,
    ].join('\n')
    const scope = `${day}/${where}/s3/aws4_request`
    const hashed = createHash('sha256').update(canonical).digest('hex')
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hashed}`
    const mac = (key: string | Buffer, value: string) =>
      createHmac('sha256', key).update(value).digest()
    const key = mac(mac(mac(mac(`AWS4${secretKey}`, day), where), 's3'), 'aws4_request')
    if (mac(key, text).toString('hex') !== signature) {
      throw new Refused(403, 'SignatureDoesNotMatch')
    }
  }

  /** Serves a request. If there is no response to write to, the work is done and nothing is answered. */
  function serve(one: SeenRequest, body: Buffer, response: ServerResponse | undefined): void {
    const { method, query, headers } = one
    const [inHost] = one.host.split(':')[0]?.split(`.${hostSuffix}`) ?? []
    const isInHost = inHost !== undefined && one.host.includes(`.${hostSuffix}`)
    const whole = decodeURIComponent(one.path.slice(1))
    const slash = whole.indexOf('/')
    const name = isInHost ? inHost : slash < 0 ? whole : whole.slice(0, slash)
    const key = isInHost ? whole : slash < 0 ? '' : whole.slice(slash + 1)
    if (name !== bucket) throw new Refused(404, 'NoSuchBucket')
    const send = (status: number, more: Record<string, string> = {}, text: string | Buffer = '') =>
      response?.writeHead(status, more).end(method === 'HEAD' ? undefined : text)
    const kept = objects.get(key)
    const notes = Object.fromEntries(
      Object.entries(headers)
        .filter(([header]) => /^(content-type|x-amz-meta-.*|x-amz-server-side.*)$/.test(header))
        .map(([header, value]) => [header, String(value)]),
    )
    if (key === '' && method === 'GET' && query['list-type'] === '2') {
      return void send(200, xml, listing(query))
    }
    if (key === '' && method === 'GET' && 'uploads' in query) {
      return void send(200, xml, uploadListing())
    }
    if (method === 'POST' && 'uploads' in query) {
      const id = randomUUID()
      uploads.set(id, { key, headers: notes, parts: new Map(), atMs: nowMs() })
      const text = `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`
      return void send(200, xml, text)
    }
    if ('uploadId' in query) return void serveUpload(one, body, send)
    switch (method) {
      case 'PUT': {
        const etag = etagOf(body)
        objects.set(key, { body, etag, headers: notes, atMs: nowMs() })
        return void send(200, { etag })
      }
      case 'DELETE':
        objects.delete(key)
        return void send(204)
      default: {
        if (!kept) throw new Refused(404, 'NoSuchKey')
        const { etag } = kept
        if ((headers['if-match'] ?? etag) !== etag) throw new Refused(412, 'PreconditionFailed')
        const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
        const piece = range ? kept.body.subarray(Number(range[1]), Number(range[2]) + 1) : kept.body
        return void send(
          range ? 206 : 200,
          { ...kept.headers, etag, 'content-length': String(piece.length) },
          piece,
        )
      }
    }
  }

  function serveUpload(
    { method, query }: SeenRequest,
    body: Buffer,
    send: (status: number, more?: Record<string, string>, text?: string) => void,
  ): void {
    const { uploadId = '', partNumber } = query
    const upload = uploads.get(uploadId)
    if (!upload) throw new Refused(404, 'NoSuchUpload')
    if (method === 'PUT') {
      const etag = etagOf(body)
      upload.parts.set(Number(partNumber), { body, etag, headers: {}, atMs: nowMs() })
      return void send(200, { etag })
    }
    uploads.delete(uploadId)
    if (method === 'DELETE') return void send(204)
    const named = [
      ...body
        .toString()
        .matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/g),
    ]
    const parts = named.map(([, number, etag]) => {
      const part = upload.parts.get(Number(number))
      if (!part || part.etag !== etag) throw new Refused(400, 'InvalidPart')
      return part.body
    })
    if (parts.slice(0, -1).some((part) => part.length < 5 * 1024 * 1024)) {
      throw new Refused(400, 'EntityTooSmall')
    }
    const whole = Buffer.concat(parts)
    const etag = etagOf(whole)
    objects.set(upload.key, {
      body: whole,
      etag,
      headers: upload.headers,
      atMs: nowMs(),
    })
    const text = `<CompleteMultipartUploadResult><ETag>${etag}</ETag></CompleteMultipartUploadResult>`
    send(200, xml, text)
  }

  function listing(query: Readonly<Record<string, string>>): string {
    const { prefix = '', delimiter = '' } = query
    const after = query['continuation-token'] ?? ''
    const all = [...objects.keys()].sort().filter((key) => {
      const rest = key.slice(prefix.length)
      return key.startsWith(prefix) && key > after && !(delimiter && rest.includes(delimiter))
    })
    const page = all.slice(0, Math.min(Number(query['max-keys']), pageObjects))
    const isCut = page.length < all.length
    const contents = page.map((key) => {
      const { body, atMs } = objects.get(key) ?? { body: Buffer.alloc(0), atMs: 0 }
      const time = new Date(atMs).toISOString()
      return `<Contents><Key>${key.replace(/&/g, '&amp;')}</Key><LastModified>${time}</LastModified><Size>${body.length}</Size></Contents>`
    })
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`
  }

  function uploadListing(): string {
    const all = [...uploads].map(
      ([id, { key, atMs }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(atMs).toISOString()}</Initiated></Upload>`,
    )
    return `<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`
  }

  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    bucket,
    region,
    accessKey,
    secretKey,
    objects,
    uploads,
    seen,
    /** Chooses what goes wrong, for each request anew. */
    misbehave(choose: (request: SeenRequest) => BucketFault | undefined): void {
      faultOf = choose
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A name below it is that of a bucket. */
export const hostSuffix = 's3.test'

const xml = { 'content-type': 'application/xml' }

/** What tells versions of an object apart; others take the MD5, which is many times slower. */
const etagOf = (bytes: Buffer) => `"${crc32(bytes).toString(16)}-${bytes.length}"`

function pairsOf(search: string): [string, string][] {
  if (search === '') return []
  return search.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [decodeURIComponent(name), decodeURIComponent(value)]
  })
}

/** Letters, digits and -._~ stand for themselves. */
function rfc3986(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      const isPlain = /[A-Za-z0-9\-._~]/.test(char)
      return isPlain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
