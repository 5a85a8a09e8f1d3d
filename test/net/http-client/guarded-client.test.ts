// The way out for messages: names, certificates, dripping answers, and what the policy forbids.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { rootCertificates } from 'node:tls'
import t, { type Test } from 'tap'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { trustedAuthorities } from '../../../src/net/http-client/authorities.ts'
import { createEgress } from '../../../src/net/http-client/guarded-client.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { startDnsServer, type Zone } from '../../support/dns-server.ts'
import { startReceiver } from '../../support/receiver.ts'
import { answer, drip, startTarget } from '../../support/target.ts'
import { testFolder } from '../../support/test-folder.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'

async function start(t: Test, zone: Zone = {}, targets: 'any' | 'public' = 'any') {
  const clock = startTickingClock(t)
  const dns = await startDnsServer(zone)
  t.teardown(() => {
    dns.close()
  })
  const resolver = createResolver({ clock, servers: [dns.server] })
  const request = createEgress({
    clock,
    resolver,
    guard: createGuard({ targets }),
    ca: [testCa],
  })
  return (url: string, timeoutMs = 5_000) =>
    request({ url, method: 'POST', headers: { 'x-one': '1' }, body: '{"ü":1}', timeoutMs })
}

t.test('a name is resolved, and the request arrives as requested', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const send = await start(t, { 'hook.test': ['127.0.0.1'] })
  const said = await send(receiver.url.replace('127.0.0.1', 'hook.test'))
  t.match(said, { kind: 'answered', status: 200, body: 'ok' })
  t.match(receiver.requests, [
    {
      method: 'POST',
      path: '/hook',
      body: '{"ü":1}',
      headers: { 'x-one': '1', 'content-length': '8', host: /^hook\.test:\d+$/ },
    },
  ])
})

t.test('a name that leads to one forbidden address is refused as a whole', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const zone = { 'hook.test': ['192.0.80.1', '127.0.0.1'] }
  const send = await start(t, zone, 'public')
  const said = await send(receiver.url.replace('127.0.0.1', 'hook.test'))
  t.match(said, { kind: 'refused', reason: /loopback/ })
  t.equal(receiver.requests.length, 0)
})

t.test('an unknown name is a temporary failure', async (t) => {
  const send = await start(t)
  t.match(await send('http://nowhere.test/'), {
    kind: 'failed',
    cause: 'connection',
    reason: /no such name/i,
  })
})

t.test('a body that drips does not undo the status', async (t) => {
  const target = await startTarget(
    drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x', 20),
  )
  t.teardown(() => target.close())
  const send = await start(t)
  t.match(await send(target.url, 300), { kind: 'answered', status: 200, body: /^x+$/ })
})

t.test('a missing response is a failure after the time limit', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  receiver.script('hang')
  const send = await start(t)
  t.match(await send(receiver.url, 200), {
    kind: 'failed',
    cause: 'timeout',
    reason: /within 0.2 seconds/,
  })
})

t.test('authorities of the operator are trusted besides those of Node', async (t) => {
  const dir = testFolder(t, { 'ca.pem': testCa })
  const { ca = [] } = trustedAuthorities(`${dir}/ca.pem`, 'acme.caFile')
  t.equal(ca.at(-1), testCa)
  t.same(ca.slice(0, -1), rootCertificates)
  t.same(trustedAuthorities(null, 'acme.caFile'), {})
  const refused = { exitCode: 78, message: /missing\.pem cannot be read/, hint: /^acme\.caFile/ }
  t.throws(() => trustedAuthorities(`${dir}/missing.pem`, 'acme.caFile'), refused)
})

t.test('a certificate must be valid before a byte is sent', async (t) => {
  for (const name of ['good', 'expired', 'other', 'self'] as const) {
    const target = await startTarget(answer(), { tls: testCertificates[name] })
    t.teardown(() => target.close())
    const send = await start(t)
    const said = await send(target.url)
    if (name === 'good') t.match(said, { kind: 'answered', status: 200 })
    else t.match(said, { kind: 'failed', cause: 'tls', reason: /certificate/i }, name)
    t.equal(target.calls.length, name === 'good' ? 1 : 0)
  }
})

t.test(
  'a handshake that breaks off may succeed later; a server without TLS will not',
  async (t) => {
    const send = await start(t)
    const cut = createServer((socket) => socket.destroy())
    const plain = createServer((socket) => socket.end('220 hello\r\n'))
    for (const [server, cause] of [
      [cut, 'connection'],
      [plain, 'tls'],
    ] as const) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      t.teardown(() => server.close())
      const { port } = server.address() as AddressInfo
      t.match(await send(`https://127.0.0.1:${port}/`), { kind: 'failed', cause })
    }
  },
)
