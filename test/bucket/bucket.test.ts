// A bucket: what is stored comes back whole, faults are survived or told in a line. Run against a
// service of our own that verifies signatures, and against the S3 gateway of Versity.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startClock } from '../../src/base/clock.ts'
import {
  type Bucket,
  type BucketOptions,
  bucketPartBytes,
  bucketRequestMs,
  createBucket,
} from '../../src/bucket/bucket.ts'
import { BucketError } from '../../src/bucket/bucket-error.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createBytesClient } from '../../src/net/http-client/guarded-client.ts'
import { remoteContract } from '../contracts/remote.contract.ts'
import {
  type BucketServer,
  type BucketServerOptions,
  hostSuffix,
  startBucketServer,
} from '../support/bucket-server.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { resolverTo } from '../support/fake-resolver.ts'
import { skipWithoutVersitygw, startVersitygw } from '../support/servers/versitygw.ts'
import { until } from '../support/until.ts'

const dayMs = 24 * 3_600_000
const part = bucketPartBytes

/** A clock for connections, whose pauses between attempts take no time. */
function hastyClock(t: Test) {
  const real = startClock()
  t.teardown(() => real.stop())
  const pausesMs: number[] = []
  return {
    pausesMs,
    clock: {
      ...real,
      setTimeout(run: (...args: never[]) => void, delayMs: number) {
        const isPause = delayMs < bucketRequestMs && delayMs !== 5_000
        if (isPause) pausesMs.push(delayMs)
        return real.setTimeout(run, isPause ? 0 : delayMs)
      },
    },
  }
}

function bucketAt(
  t: Test,
  at: Pick<BucketServer, 'url' | 'bucket' | 'accessKey' | 'secretKey' | 'region'>,
  changes: Partial<BucketOptions> = {},
) {
  const { clock, pausesMs } = hastyClock(t)
  const request = createBytesClient({
    clock,
    resolver: resolverTo('127.0.0.1'),
    guard: createGuard({ targets: 'any' }),
    ca: [testCa],
  })
  const { url: endpoint, bucket: name, accessKey, secretKey, region } = at
  const options: BucketOptions = {
    endpoint,
    name,
    region,
    accessKey,
    secretKey,
    prefix: 'up 1/ü&+/',
    addressing: 'auto',
    serverEncryption: null,
    ...changes,
  }
  const bucket = createBucket(options, { request, clock, random: () => 0.5 })
  return { bucket, pausesMs }
}

async function start(
  t: Test,
  options: BucketServerOptions = {},
  changes: Partial<BucketOptions> = {},
) {
  const server = await startBucketServer(options)
  t.teardown(() => server.close())
  return { server, ...bucketAt(t, server, changes) }
}

async function* inPieces(bytes: Buffer, size = 1_000_003): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const store = (bucket: Bucket, name: string, bytes: Buffer, signal?: AbortSignal) =>
  bucket.put(name, inPieces(bytes), bytes.length, signal)

async function whole(bucket: Bucket, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await bucket.get(name)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function refusal(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => new Error('it was done'),
    (error: unknown) => error,
  )
  if (!(error instanceof BucketError)) throw error
  return error.message
}

const small = Buffer.from('hello')

/** What every service does. */
async function everyService(t: Test, bucket: ReturnType<typeof createBucket>) {
  t.same(await bucket.list(''), [])
  for (const bytes of [Buffer.alloc(0), small, randomBytes(part), randomBytes(2 * part + 5)]) {
    const name = `day/of-${bytes.length}.bin`
    await store(bucket, name, bytes)
    t.ok((await whole(bucket, name)).equals(bytes), `${bytes.length} bytes come back`)
  }
  await store(bucket, 'other', small)
  const listed = await bucket.list('day/')
  t.same(
    listed.map(({ name, bytes }) => [name, bytes]),
    [
      ['day/of-0.bin', 0],
      [`day/of-${part}.bin`, part],
      [`day/of-${2 * part + 5}.bin`, 2 * part + 5],
      ['day/of-5.bin', 5],
    ],
  )
  await store(bucket, 'day/of-5.bin', Buffer.from('again'))
  t.equal((await whole(bucket, 'day/of-5.bin')).toString(), 'again')
  for (const { name } of await bucket.list('')) await bucket.remove(name)
  await bucket.remove('none')
  t.same(await bucket.list(''), [])
  t.match(await refusal(bucket.get('day/of-5.bin')), 'The bucket has no day/of-5.bin.')
}

t.test('objects of every size are stored, listed, read and removed', async (t) => {
  const { server, bucket } = await start(t, { pageObjects: 3 })
  await remoteContract(t, bucket)
  for (const { name } of await bucket.list('')) await bucket.remove(name)
  await everyService(t, bucket)
  t.equal(server.uploads.size, 0)
  const paths = server.seen.map(({ path }) => path)
  t.ok(paths.every((path) => path.startsWith('/backups')))
  t.ok(paths.includes('/backups/up%201/%C3%BC%26%2B/day/of-0.bin'))
})

t.test('the same with a real service', { skip: skipWithoutVersitygw }, async (t) => {
  const at = await startVersitygw(t)
  const { bucket } = bucketAt(t, at)
  await until(() =>
    bucket.list('').then(
      () => true,
      () => false,
    ),
  )
  await remoteContract(t, bucket)
  for (const { name } of await bucket.list('')) await bucket.remove(name)
  await everyService(t, bucket)
  const told = (changes: Partial<BucketOptions>) =>
    refusal(bucketAt(t, at, changes).bucket.list(''))
  t.match(await told({ accessKey: 'AKIDOTHER' }), /does not know the access key/)
  t.match(await told({ secretKey: 'another' }), /The signature was refused/)
  t.match(await told({ name: 'other' }), /There is no bucket other/)
  t.match(await told({ region: 'us-east-1' }), /region/)
  mkdirSync(join(at.data, 'backups/foreign'))
  const dying = bucket.put('never.bin', dies(2 * part), 3 * part)
  await t.rejects(dying, /the disk died/)
  t.notMatch(readdirSync(join(at.data, 'backups'), { recursive: true }), ['never.bin'])
})

async function* dies(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.alloc(bytes)
  throw new Error('the disk died')
}

t.test('with https and a private authority; the name may be in the host', async (t) => {
  const tls = testCertificates.good
  const { server } = await start(t, { tls })
  const { bucket } = bucketAt(t, server)
  await store(bucket, 'a', small)
  t.equal((await whole(bucket, 'a')).toString(), 'hello')

  const plain = await startBucketServer()
  t.teardown(() => plain.close())
  const url = `http://${hostSuffix}:${plain.port}`
  const { bucket: inHost } = bucketAt(t, { ...plain, url }, { addressing: 'virtual-host' })
  await store(inHost, 'a', small)
  t.equal(plain.seen[0]?.host, `backups.${hostSuffix}:${plain.port}`)
  t.equal(plain.seen[0]?.path, '/up%201/%C3%BC%26%2B/a')
})

t.test('at Amazon the name is in the host, unless it has dots', async (t) => {
  const urls: string[] = []
  const at = (name: string) =>
    createBucket(
      {
        endpoint: 'https://s3.eu-central-1.amazonaws.com',
        name,
        region: 'eu-central-1',
        accessKey: 'a',
        secretKey: 'b',
        prefix: '',
        addressing: 'auto',
        serverEncryption: null,
      },
      {
        request: async ({ url }) => {
          urls.push(url)
          return { kind: 'refused', reason: 'No.' }
        },
        clock: new FakeClock(),
        random: () => 0,
      },
    )
  await t.rejects(at('backups').remove('x'))
  await t.rejects(at('my.backups').remove('x'))
  t.same(urls, [
    'https://backups.s3.eu-central-1.amazonaws.com/x',
    'https://s3.eu-central-1.amazonaws.com/my.backups/x',
  ])
})

t.test('the service can be asked to encrypt what it stores', async (t) => {
  const { server, bucket } = await start(t, {}, { serverEncryption: 'AES256' })
  await store(bucket, 'a', small)
  await store(bucket, 'b', Buffer.alloc(part + 1))
  for (const { headers } of server.objects.values()) {
    t.equal(headers['x-amz-server-side-encryption'], 'AES256')
  }
})

t.test('what goes wrong for a moment is repeated, part by part', async (t) => {
  const { server, bucket, pausesMs } = await start(t)
  const bytes = randomBytes(part + 7)
  let count = 0
  server.misbehave(() => {
    count += 1
    if (count % 2 === 0) return undefined
    const wait = { 'retry-after': '7' }
    return count % 4 === 1 ? 'reset' : { status: 503, headers: wait, body: slowDown }
  })
  await store(bucket, 'a', bytes)
  t.ok((await whole(bucket, 'a')).equals(bytes))
  t.ok(pausesMs.includes(1_000))
  t.ok(pausesMs.includes(7_000), 'as long as the service asks for')
})

const slowDown = '<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>'

t.test('a list whose pages do not go on comes to an end', async (t) => {
  const { server, bucket } = await start(t)
  const page = '<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>'
  server.misbehave(() => ({
    status: 200,
    body: `<ListBucketResult>${page}</ListBucketResult>`,
  }))
  t.match(await refusal(bucket.list('')), /the same page of a list again/)
})

t.test('the answer that ends an upload may get lost', async (t) => {
  const { server, bucket } = await start(t)
  let isLost = false
  server.misbehave(({ method, query }) => {
    if (method !== 'POST' || query.uploadId === undefined || isLost) return undefined
    isLost = true
    return 'reset-after'
  })
  await store(bucket, 'a', Buffer.alloc(part + 1))
  t.equal(server.objects.get('up 1/ü&+/a')?.body.length, part + 1)
  t.ok(isLost)
})

t.test('an error in an answer that began well is an error', async (t) => {
  const { server, bucket } = await start(t)
  server.misbehave(({ method, query }) =>
    method === 'POST' && query.uploadId !== undefined
      ? { status: 200, body: `<?xml version="1.0"?>\n\n${slowDown}` }
      : undefined,
  )
  t.match(await refusal(store(bucket, 'a', Buffer.alloc(part + 1))), /SlowDown/)
  t.equal(server.uploads.size, 0, 'and the upload is ended')
})

t.test('an upload that fails or is stopped leaves nothing behind', async (t) => {
  const { server, bucket } = await start(t)
  await t.rejects(bucket.put('a', dies(2 * part), 3 * part), /the disk died/)
  const stopping = new AbortController()
  server.misbehave(({ query }) => {
    if (query.partNumber === '2') stopping.abort(new Error('stopped'))
    return undefined
  })
  const { signal } = stopping
  await t.rejects(store(bucket, 'b', Buffer.alloc(2 * part), signal), /stopped/)
  t.same([server.uploads.size, server.objects.size], [0, 0])
})

t.test('the next large upload ends those of a process that died more than a day ago', async (t) => {
  const { server, bucket } = await start(t)
  const nowMs = Date.now()
  const begin = (id: string, key: string, atMs: number) =>
    server.uploads.set(id, { key, headers: {}, parts: new Map(), atMs })
  begin('old', 'up 1/ü&amp;+/a', nowMs - dayMs - 1)
  begin('new', 'up 1/ü&amp;+/b', nowMs - dayMs / 2)
  begin('foreign', 'other/c', nowMs - 2 * dayMs)
  await store(bucket, 'large', Buffer.alloc(part + 1))
  t.same([...server.uploads.keys()], ['new', 'foreign'])
})

t.test('an object has exactly the bytes that were promised, or is not there', async (t) => {
  const { server, bucket } = await start(t)
  for (const bytes of [4, 6]) {
    t.match(await refusal(bucket.put('a', inPieces(small), bytes)), new RegExp(`of ${bytes} bytes`))
  }
  t.equal(server.objects.size, 0)
})

t.test('an object that is replaced while it is read is not mixed', async (t) => {
  const { server, bucket } = await start(t)
  await store(bucket, 'a', Buffer.alloc(2 * part, 1))
  const other = bucketAt(t, server).bucket
  const reading = (await bucket.get('a'))[Symbol.asyncIterator]()
  await reading.next()
  await store(other, 'a', Buffer.alloc(2 * part, 2))
  t.match(await refusal(reading.next()), /was replaced while it was read/)
})

t.test('a bucket that kept less than was sent is told of, and the rest removed', async (t) => {
  const { server, bucket } = await start(t)
  server.misbehave(({ method, path }) => {
    const kept = server.objects.get('up 1/ü&+/a')
    if (method === 'HEAD' && path.endsWith('/a') && kept) {
      server.objects.set('up 1/ü&+/a', { ...kept, body: kept.body.subarray(1) })
    }
    return undefined
  })
  t.match(await refusal(store(bucket, 'a', small)), 'The bucket kept 4 of the 5 bytes of a.')
  t.equal(server.objects.size, 0)
})

t.test('every mistake in the settings is told in a line that names the setting', async (t) => {
  const { server } = await start(t)
  const told = (changes: Partial<BucketOptions>) =>
    refusal(bucketAt(t, server, changes).bucket.list(''))
  const { url } = server
  t.equal(
    await told({ accessKey: 'AKIDOTHER' }),
    `The server at ${url} does not know the access key: check backup.bucketAccessKey.`,
  )
  t.match(
    await told({ secretKey: 'other' }),
    /^The signature was refused: check backup\.bucketSecretKey/,
  )
  t.match(
    await told({ region: 'us-east-1' }),
    /^The bucket backups is in the region eu-test-1: set backup\.bucketRegion to it/,
  )
  t.equal(
    await told({ name: 'other' }),
    `There is no bucket other at ${url}: create it, or check backup.bucketName.`,
  )
  const { bucket: late } = await start(t, { nowMs: () => Date.now() + 3_600_000 })
  t.match(
    await refusal(late.list('')),
    /^The clock of this machine differs by 60 minutes from that/,
  )

  const answers = (answer: { status: number; headers?: Record<string, string>; body?: string }) => {
    server.misbehave(() => answer)
    return told({})
  }
  const denied = '<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>'
  t.equal(
    await answers({ status: 403, body: denied }),
    'The access key may not do this in the bucket backups: grant it s3:ListBucket (Access Denied).',
  )
  t.match(
    await answers({
      status: 301,
      headers: { 'x-amz-bucket-region': 'eu-west-2' },
      body: '<Error><Code>PermanentRedirect</Code></Error>',
    }),
    /in the region eu-west-2/,
  )
  t.match(
    await answers({ status: 302, headers: { location: 'https://login.example.com/' } }),
    /redirects to https:\/\/login\.example\.com\/: set backup\.bucketUrl/,
  )
  t.match(
    await answers({ status: 404, body: '<html>no</html>' }),
    /answered 404, and not as an S3-compatible service does/,
  )
  t.match(await answers({ status: 200, body: '<html>hi</html>' }), /check backup\.bucketUrl/)
  t.match(await answers({ status: 503, body: slowDown }), /asks for fewer requests/)
  t.match(
    await answers({
      status: 507,
      body: '<Error><Code>QuotaExceeded</Code><Message>Full.</Message></Error>',
    }),
    `The server at ${url} refused s3:ListBucket: QuotaExceeded: Full (507).`,
  )
  await server.close()
  t.match(await told({}), /could not be reached: /)
})

t.test('a certificate of an unknown authority is told of, and what helps', async (t) => {
  const { server } = await start(t, { tls: testCertificates.good })
  const clock = startClock()
  t.teardown(() => clock.stop())
  const request = createBytesClient({
    clock,
    resolver: resolverTo('127.0.0.1'),
    guard: createGuard({ targets: 'any' }),
  })
  const { url: endpoint, bucket: name } = server
  const options = { ...server, endpoint, name, prefix: '', serverEncryption: null } as const
  const bucket = createBucket(
    { ...options, addressing: 'path' },
    { request, clock, random: () => 0 },
  )
  t.match(await refusal(bucket.list('')), /is not trusted: .*backup\.bucketCaFile/)
})
