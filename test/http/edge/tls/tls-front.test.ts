// TLS beside the plain listener: the same routes, the caller's own address, certificates that change
// while connections are open, and bounds for callers that are slow or lie.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import t, { type Test } from 'tap'
import { startClock } from '../../../../src/base/clock.ts'
import { exitCodes } from '../../../../src/base/exit.ts'
import { listenPrivately } from '../../../../src/http/edge/server.ts'
import { createContexts } from '../../../../src/http/edge/tls/contexts.ts'
import { proxyHeader } from '../../../../src/http/edge/tls/proxy-header.ts'
import { type KeyPair, startTlsFront } from '../../../../src/http/edge/tls/tls-front.ts'
import { type RawRoute, rawHead } from '../../../../src/http/routing/raw-route.ts'
import type { HttpTls } from '../../../../src/http/start.ts'
import { socketPath } from '../../../../src/net/socket-path.ts'
import { testCertificates } from '../../../support/certificates.ts'
import { startTestHttp, type TestHttpOptions } from '../../../support/http.ts'
import { notesApi } from '../../../support/http-routes.ts'
import { until } from '../../../support/until.ts'

const { good, other } = testCertificates
const large = Buffer.alloc(4 * 1024 * 1024, 'stillup ')

const echo: RawRoute = {
  name: 'echo',
  path: '/echo',
  rate: null,
  handle: ({ address }) => ({ status: 200, head: rawHead([]), body: address }),
}
const largeRoute: RawRoute = {
  name: 'large',
  path: '/large',
  rate: null,
  handle: () => ({ status: 200, head: rawHead([]), body: large }),
}

async function start(t: Test, tlsOptions: Partial<HttpTls> = {}, options: TestHttpOptions = {}) {
  const pairs = new Map<string, KeyPair>([
    ['localhost', good],
    ['other.example', other],
  ])
  const http = await startTestHttp({
    rawRoutes: [echo, largeRoute],
    ...options,
    tls: {
      host: '127.0.0.1',
      port: 0,
      socketDir: t.testdir({}),
      pairOf: (host) => pairs.get(host),
      defaultPair: () => undefined,
      onDefaultChanged() {},
      isCovered: (host) => pairs.has(host),
      challengeAnswer: (token) => (token === 'known' ? 'known.print' : undefined),
      hstsSeconds: 0,
      ...tlsOptions,
    },
  })
  t.teardown(() => http.stop())
  const port = http.tlsPort ?? 0
  return { http, pairs, port, open: (options: tls.ConnectionOptions) => open(port, options) }
}

/** A finished handshake; rejects with the alert. */
async function open(port: number, options: tls.ConnectionOptions): Promise<tls.TLSSocket> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  await once(socket, 'secureConnect')
  return socket
}

async function ask(socket: tls.TLSSocket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

const fingerprintOf = (socket: tls.TLSSocket) => socket.getPeerCertificate().raw.toString('base64')
const shown = ({ cert }: KeyPair) => cert.replace(/-----.*-----|\s/g, '')

t.test(
  'each name gets its certificate, and the routes are those of the plain listener',
  async (t) => {
    const { open } = await start(t)
    const socket = await open({ servername: 'localhost', ALPNProtocols: ['h2', 'http/1.1'] })
    t.equal(fingerprintOf(socket), shown(good))
    t.equal(socket.alpnProtocol, 'http/1.1')
    t.match(
      await ask(socket, '/echo'),
      /200 OK[\s\S]*127\.0\.0\.1$/,
      'with the address of the caller',
    )
    t.match(await ask(socket, '/nothing'), /404 Not Found/, 'on the same connection')
    socket.destroy()
    const second = await open({ servername: 'OTHER.example' })
    t.equal(fingerprintOf(second), shown(other))
    second.destroy()
  },
)

t.test('who names no known host gets the default', async (t) => {
  let renew = () => {}
  let pair: KeyPair = good
  const { open } = await start(t, {
    defaultPair: () => pair,
    onDefaultChanged(listener) {
      renew = listener
    },
  })
  for (const options of [{}, { servername: 'stranger.example' }]) {
    const socket = await open(options)
    t.equal(fingerprintOf(socket), shown(good))
    socket.destroy()
  }
  pair = other
  renew()
  const socket = await open({})
  t.equal(fingerprintOf(socket), shown(other), 'the new one, after a change')
  socket.destroy()
})

t.test('a name without a certificate, and old TLS, are refused with an alert', async (t) => {
  const { open, http } = await start(t)
  await t.rejects(open({ servername: 'stranger.example' }), { code: /HANDSHAKE_FAILURE/ })
  await t.rejects(open({}), { code: /HANDSHAKE_FAILURE/ }, 'and who names no host')
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await t.rejects(open({ servername: 'localhost', ...old }), { code: /PROTOCOL_VERSION/ })
  const weak = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES256-SHA' } as const
  await t.rejects(open({ servername: 'localhost', ...weak }), { code: /HANDSHAKE_FAILURE/ })
  await t.rejects(open({ servername: 'localhost', ALPNProtocols: ['h2'] }), 'no HTTP/2')
  t.equal((await fetch(http.url('/echo'))).status, 200, 'the service goes on')
})

t.test('a new certificate is used at once, and open connections continue', async (t) => {
  const { open, pairs } = await start(t)
  const socket = await open({ servername: 'localhost' })
  pairs.set('localhost', other)
  const next = await open({ servername: 'localhost' })
  t.equal(fingerprintOf(next), shown(other))
  t.match(await ask(socket, '/echo'), /200 OK/)
  pairs.delete('localhost')
  await t.rejects(open({ servername: 'localhost' }), 'a certificate that went away')
  t.match(await ask(socket, '/echo'), /200 OK/)
  for (const one of [socket, next]) one.destroy()
})

t.test('a caller cannot take the address of another', async (t) => {
  const { open } = await start(t)
  const request = 'GET /echo HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const header = proxyHeader('203.0.113.7')
  for (const at of [0, 5, 11]) {
    const socket = await open({ servername: 'localhost' })
    t.match(await ask(socket, '/echo'), /127\.0\.0\.1$/)
    const answer = text(socket)
    socket.write(header.subarray(0, at))
    socket.write(Buffer.concat([header.subarray(at), Buffer.from(request)]))
    t.equal(await answer.catch(() => ''), '', `with a header of its own, split at ${at}`)
  }
  const { http } = await start(t)
  const plain = await http.raw([header.toString('latin1'), request])
  t.notMatch(plain, /203\.0\.113\.7/, 'nor at the plain listener')
})

t.test('a slow reader gets all of a large response, to the byte', async (t) => {
  const { open } = await start(t)
  const socket = await open({ servername: 'localhost' })
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const chunks: Buffer[] = []
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    socket.pause()
    setImmediate(() => socket.resume())
  })
  await until(() => bytes > large.length)
  const all = Buffer.concat(chunks)
  const body = all.subarray(all.indexOf('\r\n\r\n') + 4)
  await until(() => bytes >= large.length + all.length - body.length)
  t.ok(Buffer.concat(chunks).subarray(-large.length).equals(large))
  socket.destroy()
})

t.test('pages lead from plain HTTP to TLS, and nothing else does', async (t) => {
  const world = { made: 0, aborted: 0, release() {} }
  const { http, open } = await start(t, { hstsSeconds: 600 }, { routes: notesApi(world) })
  const get = (path: string, headers: Record<string, string> = {}) =>
    http.raw(
      `GET ${path} HTTP/1.1\r\n${Object.entries({ Host: 'localhost:80', ...headers })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    )
  t.match(await get('/echo?a=b'), /308 [\s\S]*Location: https:\/\/localhost\/echo\?a=b\r\n/)
  for (const path of ['/app', '/app/setup', '/docs', '/problems']) {
    t.match(await get(path), new RegExp(`308 [\\s\\S]*Location: https://localhost${path}\\r\\n`))
  }
  t.match(await get('/api/v1/openapi.json'), /200 OK/, 'programs are not led')
  t.match(await get('/echo', { Host: 'bare.example' }), /200 OK/, 'not without a certificate')
  t.match(await get('/echo', { 'X-Forwarded-Proto': 'https' }), /200 OK/, 'not behind a proxy')
  t.match(await get('/healthz'), /200 OK/)
  t.match(await get('/api/v1/nothing'), /404/)
  t.match(await get('/.well-known/acme-challenge/known'), /200 OK[\s\S]*known\.print$/)
  t.match(await get('/.well-known/acme-challenge/unknown'), /404/)
  t.notMatch(await get('/healthz'), /Strict-Transport/)
  const socket = await open({ servername: 'localhost' })
  t.match(await ask(socket, '/echo'), /200 OK[\s\S]*Strict-Transport-Security: max-age=600\r\n/)
  socket.destroy()
})

t.test('draining answers open connections, and accepts no new ones', async (t) => {
  const { http, open } = await start(t)
  const socket = await open({ servername: 'localhost' })
  t.match(await ask(socket, '/echo'), /200 OK/)
  const closed = once(socket, 'close')
  const drained = http.drain(0)
  await t.rejects(open({ servername: 'localhost' }))
  await drained
  await closed
})

/** A front with bounds of its own, over a listener that says ok. */
async function startFront(t: Test, { connectionsMax = 100, handshakeMsMax = 10_000, idle = 10 }) {
  const clock = startClock()
  const { path: privatePath, release } = socketPath(t.testdir({}), 'p.sock')
  const ok = {
    method: 'any',
    pattern: '/*',
    handle: (res: { end(body: string): void }) => res.end('ok'),
  }
  const inner = await listenPrivately(privatePath, [ok as never], idle)
  let refused = 0
  const front = await startTlsFront({
    host: '127.0.0.1',
    port: 0,
    privatePath,
    contextOf: createContexts({ pairOf: () => good }),
    bounds: {
      connectionsMax,
      onRefused() {
        refused += 1
      },
    },
    handshakeMsMax,
    clock,
  })
  t.teardown(() => {
    front.close()
    inner.close()
    release()
    clock.stop()
  })
  return { front, clock, privatePath, refused: () => refused }
}

t.test('who does not finish the handshake is cut', async (t) => {
  const { front } = await startFront(t, { handshakeMsMax: 200 })
  const silent = connect(front.port, '127.0.0.1')
  await once(silent, 'connect')
  await until(() => front.connections() === 1)
  silent.resume()
  await once(silent, 'close')
  const nonsense = connect(front.port, '127.0.0.1')
  nonsense.on('error', () => {})
  nonsense.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  nonsense.resume()
  await once(nonsense, 'close')
  await until(() => front.connections() === 0)
})

t.test('connections over the bound are refused, and room is free again after an end', async (t) => {
  const { front, refused } = await startFront(t, { connectionsMax: 2 })
  const options = { servername: 'localhost' }
  const first = await open(front.port, options)
  const second = await open(front.port, options)
  await t.rejects(open(front.port, options))
  t.equal(refused(), 1)
  t.match(await ask(first, '/'), /ok$/)
  first.destroy()
  await until(() => front.connections() === 1)
  const third = await open(front.port, options)
  t.match(await ask(third, '/'), /ok$/)
  for (const socket of [second, third]) socket.destroy()
})

t.test('an idle connection ends', async (t) => {
  const { front } = await startFront(t, { idle: 1 })
  const socket = await open(front.port, { servername: 'localhost' })
  t.match(await ask(socket, '/'), /ok$/)
  socket.resume()
  await once(socket, 'end')
})

t.test('a second daemon on the same port is told which setting to change', async (t) => {
  const { front, clock, privatePath } = await startFront(t, {})
  const second = startTlsFront({
    host: '127.0.0.1',
    port: front.port,
    privatePath,
    contextOf: () => undefined,
    bounds: { connectionsMax: 1 },
    clock,
  })
  await t.rejects(second, { name: 'StartFailure', exitCode: exitCodes.io, hint: /http\.tlsListen/ })
})
