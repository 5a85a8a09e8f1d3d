// The handler of an endpoint under crowds of requests: one socket has its share of a turn, no more;
// what was sent together is done and answered, or neither.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createProxyTrust } from '../../../src/http/edge/address.ts'
import { bodyRestBytesMax, pieceSenderMs } from '../../../src/http/edge/body.ts'
import { createSharedBounds, type Endpoint } from '../../../src/http/edge/exchange.ts'
import { exchangeHandler } from '../../../src/http/edge/handler.ts'
import { listen } from '../../../src/http/edge/server.ts'
import { turnRequestsMsMax, turnRequestsUntimed } from '../../../src/http/edge/turns.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { until } from '../../support/until.ts'

/** What one request takes of a turn here: a tenth. */
const requestMs = turnRequestsMsMax / 10

/** What one socket is answered at most: all that fits in one turn, and one request that waits. */
const askedMax = turnRequestsUntimed + 11

const reply = { status: 200, head: 'text/plain' }
const zipped = Buffer.from([0x1f, 0x8b, 0xff, 0x00, 0x80])

async function startEdge(t: Test) {
  const clock = new FakeClock()
  let workedMs = 0
  // The work of a request, without the time that it takes.
  const working = new Proxy(clock, {
    get: (of, name) =>
      name === 'monoMs' ? () => of.monoMs() + workedMs : Reflect.get(of, name, of),
  })
  const bounds = createSharedBounds(working)
  const world = { asked: 0, running: 0, written: [] as string[], release: () => {} }
  const hooks = {
    clock: working,
    trust: createProxyTrust([]),
    onStart() {
      world.running += 1
    },
    onDone() {
      world.running -= 1
    },
    explain: (error: unknown) => {
      const status = error instanceof Fault ? error.status : 500
      return { status, head: 'text/plain', body: String(error) }
    },
    onLate() {},
  }
  const endpoint: Endpoint<void> = {
    name: 'test',
    paramCount: 0,
    headers: [],
    bodyBytesMax: 0,
    deadlineMs: 30_000,
    admit() {
      world.asked += 1
      workedMs += requestMs
    },
    run: ({ path }) => ({ ...reply, body: path === '/zipped' ? zipped : 'small' }),
  }
  const writing: Endpoint<void> = {
    ...endpoint,
    bodyBytesMax: 65_536,
    mayWrite: true,
    run: async ({ body }) => {
      world.written.push(String(body))
      await new Promise<void>((resolve) => {
        world.release = resolve
      })
      return { ...reply, body: `wrote ${body}` }
    },
  }
  const reading = { ...writing, mayWrite: false, run: () => ({ ...reply, body: 'read' }) }
  const large = { ...writing, bodyBytesMax: 16 * 1024 * 1024 }
  const refusing: Endpoint<void> = {
    ...writing,
    admit() {
      throw new Fault('unauthenticated')
    },
  }
  const server = await listen(
    '127.0.0.1',
    0,
    [
      { method: 'any', pattern: '/*', handle: exchangeHandler(endpoint, hooks, bounds) },
      { method: 'post', pattern: '/write', handle: exchangeHandler(writing, hooks, bounds) },
      { method: 'post', pattern: '/large', handle: exchangeHandler(large, hooks, bounds) },
      { method: 'post', pattern: '/read', handle: exchangeHandler(reading, hooks, bounds) },
      { method: 'post', pattern: '/refuse', handle: exchangeHandler(refusing, hooks, bounds) },
    ],
    { connectionsMax: limits.connectionsMax },
  )
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Sends the bytes; `heard` is what came back so far. */
  function send(bytes: string) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    const call = { socket, heard: '', isClosed: false }
    socket.on('data', (chunk) => {
      call.heard += chunk
    })
    socket.on('close', () => {
      call.isClosed = true
    })
    socket.write(bytes)
    return call
  }
  return { clock, world, server, send }
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n`
const post = (path: string, body: string) =>
  `${head(path)}Content-Length: ${body.length}\r\n\r\n${body}`
const chunked = (path: string, rest: string) =>
  `${head(path)}Transfer-Encoding: chunked\r\n\r\n${rest}`
const answers = (heard: string) => heard.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))

t.test('large bodies that arrive slowly are few at once, and leave their room', async (t) => {
  const { send, world } = await startEdge(t)
  const bytes = 16 * 1024 * 1024
  const most = Math.floor((limits.largeBodies.bytesMax * limits.largeBodies.share) / bytes)
  const begun = () => send(`${head('/large')}Content-Length: ${bytes}\r\n\r\nx`)
  const calls = Array.from({ length: most }, begun)
  await until(() => world.running === most)
  const refused = begun()
  await until(() => answers(refused.heard)?.[0] === '503')
  const inChunks = send(chunked('/large', '1\r\nx\r\n'))
  await until(() => answers(inChunks.heard)?.[0] === '503')
  t.same(
    calls.map(({ heard }) => heard),
    calls.map(() => ''),
  )
  const small = send(post('/large', 'small'))
  await until(() => world.written.includes('small'))
  world.release()
  await until(() => answers(small.heard)?.[0] === '200')
  for (const { socket } of calls) socket.destroy()
  await until(() => world.running === 0)
  begun()
  await until(() => world.running === 1)
  t.pass('there is room again')
})

t.test('a few requests at once are all answered', async (t) => {
  const { send } = await startEdge(t)
  const call = send(get.repeat(5))
  await until(() => answers(call.heard)?.length === 5)
  t.notOk(call.isClosed)
})

t.test('thousands of requests at once cut their sender, and take one turn', async (t) => {
  const { send, world } = await startEdge(t)
  const call = send(get.repeat(5_000))
  await until(() => call.isClosed)
  t.ok(world.asked <= askedMax, `${world.asked}`)
  t.equal(world.running, 0)
})

t.test('others whose request comes in a crowded turn are answered in a later one', async (t) => {
  const { send, world } = await startEdge(t)
  const calls = Array.from({ length: 50 }, () => send(get))
  await until(() => calls.every(({ heard }) => heard.endsWith('small')))
  t.equal(world.running, 0)
  const posts = Array.from({ length: 50 }, () => send(post('/read', '{}')))
  await until(() => posts.every(({ heard }) => heard.endsWith('read')))
  t.equal(world.running, 0)
})

for (const path of ['/', '/refuse']) {
  t.test(`refusals at ${path} count like other requests`, async (t) => {
    const { send, world } = await startEdge(t)
    const call = send(post(path, '{}').repeat(5_000))
    if (path === '/') {
      await until(() => call.isClosed)
      t.ok(world.asked <= askedMax)
    } else await until(() => (answers(call.heard)?.length ?? 0) > 0 || call.isClosed)
    await until(() => world.running === 0)
  })
}

t.test('of two writes sent together neither is done', async (t) => {
  const { send, world } = await startEdge(t)
  const call = send(post('/write', 'one') + post('/write', 'two'))
  await until(() => call.isClosed)
  t.same(world.written, [])
  t.equal(call.heard, '')
  t.equal(world.running, 0)
})

t.test('a write with something after it that is no request is not done', async (t) => {
  for (const after of ['GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n', 'OPTIONS * HTTP/1.1\r\n\r\n']) {
    const { send, world } = await startEdge(t)
    const call = send(post('/write', 'one') + after)
    await until(() => call.isClosed)
    t.same(world.written, [], after)
    t.notMatch(call.heard, /200/)
  }
})

t.test('a compressed body comes whole after a request with a body of unknown length', async (t) => {
  const { send } = await startEdge(t)
  const call = send('GET /zipped HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  call.socket.setEncoding('latin1')
  await until(() => call.isClosed)
  t.match(call.heard, `\r\nContent-Length: ${zipped.length + 2}\r\n`)
  t.ok(call.heard.includes(`\r\n\r\n${zipped.toString('latin1')}\r\n`))
})

t.test('a chunked write is done and answered', async (t) => {
  const { send, world } = await startEdge(t)
  const call = send(chunked('/write', '2\r\non\r\n1\r\ne\r\n0\r\n'))
  await until(() => world.written.length === 1)
  call.socket.write('\r\n')
  world.release()
  await until(() => call.heard.endsWith('wrote one'))
  call.socket.write(post('/write', 'two'))
  await until(() => world.written.length === 2)
  world.release()
  await until(() => call.heard.endsWith('wrote two'))
  t.same(answers(call.heard), ['200', '200'])
})

t.test('a chunked write with a trailer is not done, or it is answered', async (t) => {
  const { send, world } = await startEdge(t)
  const together = send(chunked('/write', '3\r\none\r\n0\r\nX-Trailer: y\r\n\r\n'))
  await until(() => together.isClosed)
  t.same(world.written, [])
  const apart = send(chunked('/write', '3\r\none\r\n0\r\n'))
  await until(() => world.written.length === 1)
  apart.socket.write('X-Trailer: y\r\n\r\n')
  const other = send(get)
  await until(() => other.heard.endsWith('small'))
  t.equal(apart.heard, '')
  world.release()
  await until(() => apart.isClosed)
  t.match(apart.heard, /^HTTP\/1\.1 200 [\s\S]*wrote one/)
})

t.test('a body without a clear length is refused', async (t) => {
  const { send, world } = await startEdge(t)
  for (const line of ['Content-Length:', 'Content-Length:  ', 'Transfer-Encoding:']) {
    const call = send(`${head('/write')}${line}\r\n\r\n`)
    await until(() => call.heard.includes('\r\n\r\n'))
    t.match(call.heard, /^HTTP\/1\.1 400 [\s\S]*Connection: close[\s\S]*Content-Length/, line)
    call.socket.write(get)
    await until(() => call.isClosed)
  }
  t.same(world.written, [])
  t.equal(world.running, 0)
})

t.test('a refused caller hears it while the large body still comes, then is cut', async (t) => {
  const { send, world, server } = await startEdge(t)
  for (const path of ['/', '/refuse', '/write']) {
    const call = send(`${head(path)}Content-Length: 900000000\r\n\r\n`)
    await until(() => call.heard.includes('\r\n\r\n'))
    t.match(call.heard, /Connection: close/)
    t.notOk(call.isClosed)
    const size = Number(/Content-Length: (\d+)/.exec(call.heard)?.[1])
    t.equal(call.heard.length, call.heard.indexOf('\r\n\r\n') + 4 + size)
    call.socket.write('x'.repeat(bodyRestBytesMax + 1))
    await until(() => call.isClosed)
  }
  await until(() => server.connections() === 0)
  t.equal(world.running, 0)
})

t.test('a body in tiny chunks is refused, and its sender for a while', async (t) => {
  const { send, clock, world } = await startEdge(t)
  const tiny = '1\r\nx\r\n'.repeat(20_000)
  const first = send(chunked('/write', tiny))
  await until(() => first.isClosed)
  t.match(first.heard, /^HTTP\/1\.1 413 [\s\S]*too many small pieces/)
  const again = send(chunked('/write', '3\r\none\r\n0\r\n\r\n'))
  await until(() => again.isClosed)
  t.match(again.heard, /^HTTP\/1\.1 413 /)
  await clock.advance(pieceSenderMs)
  const later = send(chunked('/write', '3\r\none\r\n0\r\n\r\n'))
  await until(() => world.written.length === 1)
  world.release()
  await until(() => later.heard.endsWith('wrote one'))
  t.equal(world.running, 0)
})

t.test('a caller that hangs up while it waits is not worked for', async (t) => {
  const { send, world, server } = await startEdge(t)
  const call = send(`${head('/write')}Content-Length: 3\r\n\r\non`)
  await until(() => world.asked === 1)
  call.socket.destroy()
  await until(() => server.connections() === 0)
  t.same(world.written, [])
  t.equal(world.running, 0)
  const done = send(post('/write', 'one'))
  await until(() => world.written.length === 1)
  const closed = once(done.socket, 'close')
  done.socket.destroy()
  await closed
  world.release()
  await until(() => world.running === 0)
})
