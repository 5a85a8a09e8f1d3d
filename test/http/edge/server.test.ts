// The listener's life: a port for itself alone, and an end that lets running requests finish.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { exitCodes } from '../../../src/base/exit.ts'
import { cannotListen } from '../../../src/http/edge/listen-failure.ts'
import { peersCountedMs } from '../../../src/http/edge/peers.ts'
import { type EdgeRegistration, listen } from '../../../src/http/edge/server.ts'
import { freePort } from '../../support/free-port.ts'
import { startTestHttp } from '../../support/http.ts'
import { notesApi } from '../../support/http-routes.ts'
import { patienceMs, until } from '../../support/until.ts'

interface TestOf {
  teardown(end: () => void): void
}

const hang = 'GET /api/v1/misc/hang HTTP/1.1\r\nHost: x\r\n\r\n'

async function untilHanging(world: { release: () => void }, idle: () => void): Promise<void> {
  await until(() => world.release !== idle)
}

t.test('a second server on the same port is refused, with the exit code for it', async (t) => {
  const first = await startTestHttp()
  t.teardown(() => first.stop())
  const second = startTestHttp({ settings: { port: first.port } })
  const message = `cannot listen on 127.0.0.1:${first.port}: another program uses the port`
  const hint = /http\.listen \(STILLUP_HTTP_LISTEN=127\.0\.0\.1:\d+\)/
  await t.rejects(second, { name: 'StartFailure', exitCode: exitCodes.io, message, hint })
})

t.test(
  'an address of another machine, and a port that needs a right, are called that',
  async (t) => {
    const elsewhere = startTestHttp({ settings: { host: '192.0.2.1', port: 0 } })
    const notOurs = /192\.0\.2\.1:\d+: the address does not belong to this machine/
    await t.rejects(elsewhere, { exitCode: exitCodes.io, message: notOurs })
    const cause = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
    t.match(cannotListen({ host: null, port: 443, setting: 'http.tlsListen', cause }), {
      exitCode: exitCodes.config,
      message: 'cannot listen on port 443: this user may not use a port below 1024',
      hint: /http\.tlsListen \(STILLUP_HTTP_TLS_LISTEN=:8443\)/,
    })
    t.match(cannotListen({ host: '::', port: 80, setting: 'http.listen', cause: undefined }), {
      exitCode: exitCodes.io,
      message: 'cannot listen on [::]:80',
    })
  },
)

t.test('the port is free again after the end', async (t) => {
  const first = await startTestHttp({ settings: { port: await freePort() } })
  await first.stop()
  const second = await startTestHttp({ settings: { port: first.port } })
  t.equal(second.port, first.port)
  await second.stop()
})

t.test('draining lets a running request finish and takes no new one', async (t) => {
  const idle = () => {}
  const world = { made: 0, aborted: 0, release: idle }
  const http = await startTestHttp({ routes: notesApi(world) })
  const kept = connect(http.port, '127.0.0.1')
  await once(kept, 'connect')
  const running = fetch(http.url('/api/v1/misc/hang'))
  await untilHanging(world, idle)
  const drained = http.drain(patienceMs)
  const refused = once(kept, 'data')
  kept.write('POST /api/v1/misc/open HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match(String((await refused)[0]), /^HTTP\/1\.1 503 [\s\S]*Retry-After[\s\S]*shutting_down/)
  await t.rejects(fetch(http.url('/healthz')), 'new connections are refused')
  world.release()
  t.equal((await running).status, 200)
  await drained
  await http.stop()
})

t.test('draining aborts requests that do not end by its deadline', async (t) => {
  const idle = () => {}
  const world = { made: 0, aborted: 0, release: idle }
  const http = await startTestHttp({ routes: notesApi(world) })
  const socket = connect(http.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(hang)
  await untilHanging(world, idle)
  const closed = once(socket, 'close')
  await http.drain(20)
  await closed
  t.equal(world.aborted, 1)
  world.release()
  await http.stop()
})

const answer: EdgeRegistration = {
  method: 'get',
  pattern: '/*',
  handle: (res) => void res.end('ok'),
}

t.test('connections over the bound are cut, those below it are served', async (t) => {
  let refused = 0
  const onRefused = () => {
    refused += 1
  }
  const server = await listen('127.0.0.1', 0, [answer], { connectionsMax: 2, onRefused })
  t.teardown(() => server.close())
  const open = () => connect(server.port, '127.0.0.1').on('error', () => {})
  const [one, two] = [open(), open()]
  await Promise.all([once(one, 'connect'), once(two, 'connect')])
  one.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(one, 'data')
  const three = open()
  await once(three, 'close')
  two.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(two, 'data')
  t.equal(server.connections(), 2)
  t.equal(refused, 1)
  one.destroy()
  two.destroy()
})

/** A server with room for eight, of which one peer may have two, and `dial` to come to it. */
async function startForPeers(t: TestOf, isExempt: (address: string) => boolean) {
  const time = { nowMs: 0 }
  const peers = { isExempt, monoMs: () => time.nowMs }
  const server = await listen('127.0.0.1', 0, [answer], { connectionsMax: 8, peers })
  const sockets: Socket[] = []
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Whether a connection from an address is served; it stays open. */
  async function dial(localAddress: string): Promise<boolean> {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    return Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ])
  }
  return { time, server, sockets, dial }
}

t.test('one address cannot have every connection', async (t) => {
  const { time, server, sockets, dial } = await startForPeers(t, () => false)
  const came = []
  for (let i = 0; i < 12; i++) came.push(await dial('127.0.0.2'))
  t.same(came, [true, true, ...Array(10).fill(false)])
  t.equal(await dial('127.0.0.3'), true, 'others are served')
  sockets[0]?.destroy()
  await until(() => server.connections() <= 2)
  time.nowMs += peersCountedMs
  t.equal(await dial('127.0.0.2'), true, 'as is whoever has let one go')
  t.equal(await dial('127.0.0.2'), false)
})

t.test('several addresses together cannot have every connection', async (t) => {
  const { time, server, dial } = await startForPeers(t, () => false)
  for (let round = 0; round < 3; round++) {
    for (let peer = 2; peer <= 6; peer++) {
      time.nowMs += peersCountedMs
      await dial(`127.0.0.${peer}`)
    }
  }
  t.ok(server.connections() > 4, 'they get most of them')
  t.equal(await dial('127.0.0.7'), true)
  t.equal(await dial('127.0.0.8'), true)
})

t.test('an address that carries many people may have all connections', async (t) => {
  const { dial } = await startForPeers(t, (address) => address === '127.0.0.2')
  for (let i = 0; i < 8; i++) t.equal(await dial('127.0.0.2'), true)
  t.equal(await dial('127.0.0.2'), false)
})
