// The edge under bad manners: whoever hangs up, floods, dawdles or smuggles, the service goes on.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { FakeClock } from '../../support/fake-clock.ts'
import { orgA, startTestHttp } from '../../support/http.ts'
import { notesApi, rawNotes } from '../../support/http-routes.ts'
import { until } from '../../support/until.ts'

const world = { made: 0, aborted: 0, release: () => {} }
const clock = new FakeClock()
const http = await startTestHttp({ routes: notesApi(world), rawRoutes: rawNotes, clock })
t.teardown(() => http.stop())
const notes = `/api/v1/orgs/${orgA}/notes`
const post = (more: string) =>
  `POST ${notes} HTTP/1.1\r\nHost: x\r\nX-Api-Key: key-member\r\nContent-Type: application/json\r\n${more}`
const isAlive = async () => (await fetch(http.url('/healthz'))).status === 200

t.test('requests that are cut anywhere leave the service alive', async (t) => {
  const whole = post('Content-Length: 13\r\n\r\n{"title":"x"}')
  for (let round = 0; round < 100; round += 1) {
    const socket = connect(http.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(whole.slice(0, 1 + ((round * 7) % whole.length)))
    if (round % 2 === 0) socket.resetAndDestroy()
    else socket.destroy()
  }
  t.ok(await isAlive())
})

t.test('a caller who hangs up while the handler works aborts its signal', async (t) => {
  const before = world.aborted
  const socket = connect(http.port, '127.0.0.1')
  world.release = () => {}
  const idle = world.release
  socket.write('GET /api/v1/misc/hang HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => world.release !== idle)
  socket.resetAndDestroy()
  await until(() => world.aborted > before)
  t.equal(world.aborted, before + 1)
  world.release()
  t.ok(await isAlive())
})

t.test('a handler that takes too long is answered for, and aborted', async (t) => {
  const before = world.aborted
  world.release = () => {}
  const idle = world.release
  const asked = fetch(http.url('/api/v1/misc/hang'))
  await until(() => world.release !== idle)
  await clock.advance(30_000)
  const answer = await asked
  t.equal(answer.status, 503)
  t.ok(answer.headers.get('retry-after'))
  t.match(await answer.json(), { code: 'unavailable', success: false })
  t.equal(world.aborted, before + 1)
  world.release()
})

t.test('a body over the bound is refused while it comes, whatever its length claims', async (t) => {
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
  const chunked = await http.raw(post(`Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`))
  t.match(chunked, /^HTTP\/1\.1 413 /)
  t.match(chunked, /body_too_large/)
  const long = await http.raw(post(`Content-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`))
  t.match(long, /^HTTP\/1\.1 413 /)
  t.ok(await isAlive())
})

t.test('a refused caller is answered before the body is there', async (t) => {
  const head = post('Content-Length: 60000\r\n\r\n{').replace('key-member', 'wrong')
  t.match(await http.raw(head), /^HTTP\/1\.1 401 /)
})

t.test('a body that comes in pieces is put together', async (t) => {
  const socket = connect(http.port, '127.0.0.1')
  const answered = once(socket, 'data')
  socket.write(post('Content-Length: 13\r\n\r\n{"ti'))
  await sleep(20)
  socket.write('tle":')
  await sleep(20)
  socket.write('"x"}')
  const [answer] = await answered
  t.match(String(answer), /^HTTP\/1\.1 200 OK[\s\S]*"title":"x"/)
  socket.destroy()
})

t.test('reads that are sent together are answered in order', async (t) => {
  const read = (tag: string) =>
    `GET ${notes}?limit=1&tag=${tag} HTTP/1.1\r\nHost: x\r\nX-Api-Key: key-member\r\n\r\n`
  const answers = await http.raw(read('1') + read('2') + read('3'))
  t.same(
    [...answers.matchAll(/"title":"(.+?)"/g)].map(([, title]) => title),
    ['one1', 'one2', 'one3'],
  )
})

t.test('of two writes that are sent together neither is done', async (t) => {
  const before = world.made
  const one = post('Content-Length: 13\r\n\r\n{"title":"1"}')
  t.equal(await http.raw(one + one), '')
  t.equal(world.made, before)
})

t.test('smuggled requests find no second parser', async (t) => {
  const inner = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const attempts = {
    'both lengths': post(
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    ),
    'unknown coding': post(`Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`),
    'negative length': post(`Content-Length: -1\r\n\r\n${inner}`),
    'length in words': post(`Content-Length: 4x\r\n\r\n${inner}`),
    'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
    'bare line feeds': 'GET /healthz HTTP/1.1\nHost: x\n\n',
    'blank before colon': `GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n`,
  }
  for (const [name, bytes] of Object.entries(attempts)) {
    t.notMatch(await http.raw(bytes), /HTTP\/1\.1 200/, name)
  }
  t.ok(await isAlive())
})

t.test('headers that are too large and lines that are no HTTP are refused', async (t) => {
  const large = `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`
  t.notMatch(await http.raw(large), /HTTP\/1\.1 200/)
  t.notMatch(await http.raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'), /HTTP\/1\.1 200/)
  t.ok(await isAlive())
})

t.test('paths that try to traverse are simply unknown', async (t) => {
  for (const path of [
    '/docs/../../etc/passwd',
    '/docs/%2e%2e/%2e%2e/etc/passwd',
    '/docs\\..\\x',
    '/%00',
  ]) {
    const answer = await http.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    t.match(answer, /^HTTP\/1\.1 40[04] /, path)
    t.notMatch(answer, /root:/)
  }
})

t.test('a forged Host is never repeated', async (t) => {
  const answer = await http.raw(
    `GET ${notes}?limit=1 HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Api-Key: key-viewer\r\n\r\n`,
  )
  t.match(answer, /HTTP\/1\.1 200[\s\S]*Link: <https:\/\/up\.example/)
  t.notMatch(answer, /evil/)
})
