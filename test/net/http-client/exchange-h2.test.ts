// HTTP/2: offered to every TLS target, used where the server chooses it, and bounded like HTTP/1.1.
import { once } from 'node:events'
import http2, { type ServerHttp2Stream } from 'node:http2'
import zlib from 'node:zlib'
import t from 'tap'
import { probeContract } from '../../contracts/probe.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { flags, frame, startFrameServer, status200 } from '../../support/http2-frames.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openClock, openProbe } from '../../support/open-probe.ts'
import { timed } from '../../support/starvation.ts'
import { answer, startTarget } from '../../support/target.ts'
import { until } from '../../support/until.ts'

const clock = openClock(t)
const probe = openProbe(t, clock, { ca: [testCa] })

type Answer = (stream: ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void

let script: Answer = () => {}
const sessions = new Set<http2.ServerHttp2Session>()
const server = http2.createSecureServer({ ...testCertificates.good, allowHTTP1: true })
server.on('session', (session) => {
  sessions.add(session)
  session.on('error', () => {})
  session.on('close', () => sessions.delete(session))
})
server.on('sessionError', () => {})
server.on('stream', (stream, headers) => {
  stream.on('error', () => {})
  script(stream, headers)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
// A test that has ended must not be kept alive by its server.
server.unref()
t.after(() => {
  for (const session of sessions) session.destroy()
  server.close()
})
const bound = server.address()
const url = `https://localhost:${typeof bound === 'object' ? bound?.port : 0}/path?q=1`

async function check(answer: Answer, fields: TargetFields = {}) {
  script = answer
  return probe(makeTarget({ url, ...fields }), { clock })
}

const raw = await startFrameServer()
t.after(() => raw.close())
const head = frame('headers', flags.endHeaders, 1, status200)
const piece = (text: string, flag = 0) => frame('data', flag, 1, text)

async function checkFrames(frames: readonly Buffer[], fields: TargetFields = {}) {
  raw.answer = (socket) => void socket.write(Buffer.concat(frames))
  return probe(makeTarget({ url: raw.url, timeoutMs: 1_000, ...fields }), { clock })
}

t.test('a server that chooses HTTP/2 is spoken to in HTTP/2', async (t) => {
  let got: http2.IncomingHttpHeaders = {}
  let body = ''
  const reading = await check(
    (stream, headers) => {
      got = headers
      stream.on('data', (chunk) => (body += chunk))
      stream.on('end', () => {
        stream.respond({ ':status': 201, 'content-type': 'text/plain', 'x-seen': 'yes' })
        stream.end('hello')
      })
    },
    {
      method: 'POST',
      headers: { 'X-Key': 'abc', Host: 'evil.example', Connection: 'close' },
      body: '{"a":1}',
      expect: {
        expectedStatus: 201,
        bodyContains: 'hello',
        assertions: [
          { source: 'header', path: 'X-Seen', type: 'equals', value: 'yes' },
          { source: 'header', path: ':status', type: 'notExists', value: null },
          { source: 'certificateDays', path: null, type: 'greaterThan', value: '1000' },
          { source: 'responseTime', path: null, type: 'lessThan', value: '2000' },
          { source: 'ip', path: null, type: 'equals', value: '127.0.0.1' },
        ],
      },
    },
  )
  t.match(reading, { result: 'good', status: 201, address: '127.0.0.1' })
  t.same(Object.keys(reading.phases ?? {}), ['dns', 'connect', 'tls', 'firstByte', 'download'])
  const { host } = new URL(url)
  t.match(got, { ':method': 'POST', ':path': '/path?q=1', ':scheme': 'https', ':authority': host })
  t.match(got, { 'x-key': 'abc', 'user-agent': 'stillup', 'content-length': '7' })
  t.equal(got.host, undefined)
  t.equal(body, '{"a":1}')
})

t.test('a server that does not gets HTTP/1.1', async (t) => {
  const target = await startTarget(answer({ body: 'one' }), { tls: testCertificates.good })
  t.after(() => target.close())
  const reading = await probe(
    makeTarget({
      url: `https://localhost:${target.port}/`,
      expect: { bodyContains: 'one' },
    }),
    { clock },
  )
  t.equal(reading.result, 'good')
  t.equal(target.calls.length, 1)
})

t.test('no connection outlives its check', async (t) => {
  for (let i = 0; i < 3; i++) {
    await check((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('x')
    })
  }
  await check(() => {}, { timeoutMs: 100 })
  await until(() => sessions.size === 0)
  t.equal(sessions.size, 0)
})

t.test('codings, redirects, HEAD, interim responses and trailers work as usual', async (t) => {
  const packed = zlib.gzipSync('well packed')
  const gzip = await check(
    (stream) => {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' })
      stream.end(packed)
    },
    { expect: { bodyContains: 'well packed' } },
  )
  t.equal(gzip.result, 'good')
  const followed = await check((stream, { ':path': path }) => {
    if (path === '/end') stream.respond({ ':status': 200 }, { endStream: true })
    else stream.respond({ ':status': 302, location: '/end' }, { endStream: true })
  })
  t.match(followed, { result: 'good', status: 200 })
  const headed = await check(
    (stream) => {
      stream.additionalHeaders({ ':status': 103 })
      stream.respond({ ':status': 200, 'content-length': '500' })
      stream.end()
    },
    { method: 'HEAD' },
  )
  t.equal(headed.result, 'good')
  const trailers = frame('headers', flags.endHeaders | flags.endStream, 1, [0, 1, 0x61, 1, 0x62])
  const trailed = await checkFrames([head, piece('all'), trailers], {
    expect: { bodyContains: 'all' },
  })
  t.equal(trailed.result, 'good')
})

t.test('every failure has its kind and a sentence', async (t) => {
  const broken = 'the server aborted the HTTP/2 exchange'
  const cases: readonly [string, readonly Buffer[], string, RegExp | string][] = [
    [
      'refused',
      [frame('reset', 0, 1, [0, 0, 0, 7])],
      'reset',
      `${broken} before the response (refused stream)`,
    ],
    [
      'reset',
      [head, piece('half'), frame('reset', 0, 1, [0, 0, 0, 2])],
      'reset',
      `${broken} during the response (internal error)`,
    ],
    [
      'cancelled',
      [head, piece('half'), frame('reset', 0, 1, [0, 0, 0, 8])],
      'invalid_response',
      /4 b/,
    ],
    ['goodbye', [frame('goaway', 0, 0, [0, 0, 0, 0, 0, 0, 0, 0])], 'reset', /refused stream/],
    ['angry goodbye', [frame('goaway', 0, 0, [0, 0, 0, 1, 0, 0, 0, 11])], 'reset', /before/],
    ['bad settings', [frame('settings', 0, 0, [1, 2, 3])], 'invalid_response', /valid HTTP\/2/],
    ['body first', [piece('x', flags.endStream)], 'invalid_response', /valid HTTP\/2/],
    ['no status', [frame('headers', 5, 1)], 'invalid_response', /valid HTTP\/2/],
    ['bad HPACK', [frame('headers', 5, 1, [255, 255, 255, 255])], 'invalid_response', /HTTP\/2/],
    ['HTTP/1.1', [Buffer.from('HTTP/1.1 200 OK\r\n\r\n')], 'invalid_response', /valid HTTP\/2/],
    ['silence', [], 'timeout', /still waiting for the response/],
    ['half a body', [head, piece('half')], 'timeout', /still reading the response/],
  ]
  for (const [title, frames, kind, message] of cases) {
    const reading = await checkFrames(frames, { timeoutMs: 300 })
    t.match(reading, { result: 'failed', error: { kind, message } }, title)
  }
  raw.answer = (socket) => void socket.end()
  const hungUp = await probe(makeTarget({ url: raw.url }), { clock })
  t.match(hungUp.error, { kind: 'reset', message: 'the connection was closed without a response' })
  const shown = await checkFrames([head, piece('half'), frame('reset', 0, 1, [0, 0, 0, 2])])
  t.match(shown.evidence, { status: 200, body: 'half', headers: [] })
  const goodbye = frame('goaway', 0, 0, [0, 0, 0, 1, 0, 0, 0, 0])
  t.equal((await checkFrames([goodbye, head, piece('x', 1)])).result, 'good', 'a polite goodbye')
  const header = await check(() => {}, { headers: { a: 'b\r\nc: d' } })
  t.match(header.error, { kind: 'invalid_response', message: /could not be sent/ })
})

t.test('bodies, headers and interim responses have the bounds of HTTP/1.1', async (t) => {
  const endless: Answer = (stream) => {
    const push = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(64 * 1024, 'x')));
    }
    stream.respond({ ':status': 200 })
    stream.on('drain', push)
    push()
  }
  t.match(await check(endless), { result: 'good' })
  const needed = await check(endless, { expect: { bodyContains: 'y' } })
  t.equal(needed.error?.kind, 'body_too_large')
  const large = await check((stream) => {
    stream.respond({ ':status': 200, 'x-large': 'x'.repeat(17_000) }, { endStream: true })
  })
  t.match(large.error, { kind: 'invalid_response', message: /larger than 16 KiB/ })
  const interims = await check((stream) => {
    for (let i = 0; i < 150; i++) stream.additionalHeaders({ ':status': 103 })
    stream.respond({ ':status': 200 }, { endStream: true })
  })
  t.match(interims.error, { kind: 'invalid_response', message: /interim/ })
  const short = await checkFrames([
    frame('headers', flags.endHeaders, 1, [...status200, 0x0f, 0x0d, 2, 0x31, 0x30]),
    piece('half'),
    frame('reset', 0, 1, [0, 0, 0, 0]),
  ])
  t.match(short.error, { kind: 'invalid_response', message: /after 4 bytes of an unfinished/ })
})

t.test('floods of empty frames end the check long before its deadline', async (t) => {
  const floods: Readonly<Record<string, Buffer>> = {
    settings: frame('settings', 0, 0),
    pings: frame('ping', 0, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
    windows: frame('window', 0, 0, [0, 0, 0, 1]),
    priorities: frame('priority', 0, 1, [0, 0, 0, 0, 16]),
    'empty data': frame('data', 0, 1),
    'answers to pings': frame('ping', flags.ack, 0, [1, 2, 3, 4, 5, 6, 7, 8]),
  }
  for (const [title, one] of Object.entries(floods)) {
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => one))
    raw.answer = (socket) => {
      const push = () => {
        while (!socket.destroyed && socket.write(many));
      }
      socket.write(head)
      socket.on('drain', push)
      push()
    }
    const flooded = makeTarget({ url: raw.url, timeoutMs: 10_000 })
    const [reading, tookMs] = await timed(() => probe(flooded, { clock }))
    t.equal(reading.result, 'failed', `${title}: ${reading.error?.message}`)
    t.ok(tookMs < 3_000, `${tookMs} ms`)
  }
  await until(() => raw.open === 0)
  t.equal(raw.open, 0)
})

t.test('the contract of a probe', async (t) => {
  const pieces = (stream: ServerHttp2Stream) => {
    const timer = setInterval(() => stream.write('x'), 20)
    stream.on('close', () => clearInterval(timer))
  }
  const scripts: Readonly<Record<string, Answer>> = {
    '/good': (stream) => stream.respond({ ':status': 200 }, { endStream: true }),
    '/silent': () => {},
    '/500': (stream) => stream.respond({ ':status': 500 }, { endStream: true }),
    '/destroy': (stream) => stream.session?.destroy(),
    '/cut': (stream) => stream.session?.socket.destroy(),
    '/drip': (stream) => {
      stream.respond({ ':status': 200 })
      pieces(stream)
    },
  }
  script = (stream, headers) => scripts[headers[':path'] ?? '']?.(stream, headers)
  const { origin } = new URL(url)
  const cases = Object.keys(scripts).map((path) => ({
    title: path,
    target: makeTarget({ url: origin + path, timeoutMs: 300 }),
  }))
  await probeContract(t, { probe, clock, cases })
})
