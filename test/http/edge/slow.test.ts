// The edge under slow callers: whoever sends or reads next to nothing is cut, others are served.
// In real time: uWebSockets.js keeps its own, and takes no clock. So as few seconds as it allows.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createProxyTrust } from '../../../src/http/edge/address.ts'
import type { Endpoint } from '../../../src/http/edge/exchange.ts'
import { exchangeHandler } from '../../../src/http/edge/handler.ts'
import { listen } from '../../../src/http/edge/server.ts'
import { patienceMs, until } from '../../support/until.ts'

/** More than any system holds back for one connection. */
const largeBytes = 24 * 1024 * 1024
const large = Buffer.alloc(largeBytes, 'stillup ')
const text = 'ü'.repeat(largeBytes / 2)

const endpoint: Endpoint<void> = {
  name: 'test',
  paramCount: 0,
  headers: [],
  bodyBytesMax: 0,
  deadlineMs: 30_000,
  admit() {},
  run: () => ({ status: 200, head: 'text/plain', body: 'small' }),
}

/**
 * Far below the gigabytes that a thousand answers would be, and far above what the callers, the
 * garbage collector and the large answer itself take: they are all in this one process.
 */
const grownBytesMax = 384 * 1024 * 1024

async function startEdge(t: Test, idleSeconds?: number) {
  const clock = startClock()
  const hooks = {
    clock,
    trust: createProxyTrust([]),
    onStart() {},
    onDone() {},
    explain: () => ({ status: 500, head: '' }),
    onLate() {},
  }
  const get = (pattern: string, run: Endpoint<void>['run']) => {
    return { method: 'get', pattern, handle: exchangeHandler({ ...endpoint, run }, hooks) } as const
  }
  const head = { ...get('/small', endpoint.run), method: 'head' } as const
  const later = Promise.withResolvers<void>()
  const posted = { ...endpoint, bodyBytesMax: 65_536 }
  const reply = { status: 200, head: 'text/plain' }
  const server = await listen(
    '127.0.0.1',
    0,
    [
      get('/small', endpoint.run),
      head,
      get('/none', () => ({ ...reply, status: 204 })),
      get('/unchanged', () => ({ ...reply, status: 304 })),
      get('/empty', () => reply),
      get('/large', () => ({ ...reply, body: large })),
      get('/text', () => ({ ...reply, body: text })),
      get('/later', async () => {
        await later.promise
        return { ...reply, body: 'later' }
      }),
      { method: 'post', pattern: '/*', handle: exchangeHandler(posted, hooks) },
    ],
    { connectionsMax: limits.connectionsMax, ...(idleSeconds ? { idleSeconds } : {}) },
  )
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    clock.stop()
  })
  function open(): Socket {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    return socket
  }
  return { server, open, answerLater: later.resolve }
}

/** The body of an answer. */
function whole(chunks: readonly Buffer[]): Buffer {
  const all = Buffer.concat(chunks)
  return all.subarray(all.indexOf('\r\n\r\n') + 4)
}

const asking = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

for (const [path, method] of [
  ['/small', 'GET'],
  ['/large', 'GET'],
  ['/small', 'HEAD'],
  ['/none', 'GET'],
  ['/unchanged', 'GET'],
  ['/empty', 'GET'],
] as const) {
  t.test(`who asks ${method} ${path} again and again and reads nothing is cut`, async (t) => {
    const { open, server } = await startEdge(t)
    const before = process.memoryUsage().rss
    const socket = open()
    socket.pause()
    const requests = asking(path, method).repeat(1_000)
    let isClosed = false
    socket.once('close', () => {
      isClosed = true
    })
    const untilMs = Date.now() + patienceMs
    while (!isClosed && Date.now() < untilMs) {
      if (socket.writableNeedDrain) await sleep(1)
      else socket.write(requests)
    }
    t.ok(isClosed, 'cut')
    t.ok(process.memoryUsage().rss - before < grownBytesMax, 'nothing is piled up for them')
    await until(() => server.connections() === 0)
  })
}

t.test('a slow but steady reader gets all of a large response, to the byte', async (t) => {
  const { open } = await startEdge(t)
  for (const [path, body] of [
    ['/large', large],
    ['/text', Buffer.from(text)],
  ] as const) {
    const socket = open()
    socket.write(asking(path))
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      if (bytes % 7 === 0) await sleep(1)
      bytes += chunk.length
      if (bytes >= largeBytes && whole(chunks).length >= largeBytes) break
    }
    t.match(Buffer.concat(chunks).subarray(0, 300).toString('latin1'), `Length: ${largeBytes}\r\n`)
    t.ok(whole(chunks).equals(body), path)
  }
})

t.test('a caller that disconnects during a large response harms nobody', async (t) => {
  const { open, server } = await startEdge(t)
  for (let round = 0; round < 5; round += 1) {
    const socket = open()
    socket.write(asking('/large'))
    await once(socket, 'data')
    socket.resetAndDestroy()
  }
  const other = open()
  other.write(asking('/small'))
  t.match(String((await once(other, 'data'))[0]), /^HTTP\/1\.1 200 [\s\S]*small$/)
  other.destroy()
  await until(() => server.connections() === 0)
})

t.test('idle and slow connections are closed, one that waits for us is not', async (t) => {
  // The library looks every 4 s, and the first look may come at once.
  const { open, server, answerLater } = await startEdge(t, 1)
  const post = 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n'
  const rows = [
    { what: 'nothing at all', first: '', drop: '' },
    { what: 'a head without an end', first: 'GET /small HTTP/1.1\r\nX: ', drop: 'a' },
    { what: 'a body in drops', first: post, drop: 'a' },
    { what: 'nothing after the answer', first: asking('/small'), drop: '' },
  ]
  // Not `once`: that would take a reset for a failure, which is one way to be cut.
  const closing = (socket: Socket) =>
    new Promise((resolve) => socket.resume().once('close', resolve))
  const closed = rows.map(async ({ first, drop }) => {
    const socket = open()
    if (first) socket.write(first)
    const timer = drop && setInterval(() => socket.write(drop), 100)
    await closing(socket)
    if (timer) clearInterval(timer)
  })
  const unread = open().pause()
  unread.write(asking('/large'))
  await Promise.all(closed)
  await until(() => server.connections() === 0)
  t.pass('also the one that read nothing')

  // The library has just looked: the request is here when it looks again, which an idle one shows.
  const waiting = open()
  waiting.write(asking('/later'))
  await until(() => server.connections() === 1)
  await closing(open())
  t.equal(server.connections(), 1)
  const answer = once(waiting, 'data')
  answerLater()
  t.match(String((await answer)[0]), /^HTTP\/1\.1 200 [\s\S]*later$/)
})
