// What a browser reaches through the proxy of its check, and what it does not.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Resolver } from '../../../src/net/dns/resolver.ts'
import { createGuard, type TargetPolicyRules } from '../../../src/net/egress-policy.ts'
import { openEgressProxy, type ProxyClient } from '../../../src/net/proxy/egress-proxy.ts'
import { resolverThat } from '../../support/fake-resolver.ts'
import { startShop } from '../../support/shop.ts'

const clock = startClock()
t.after(() => clock.stop())
const shop = await startShop(t, { '/': 'Hello' })

async function openProxy(
  t: Test,
  rules: TargetPolicyRules,
  {
    bytesMax = 1_000_000,
    resolve,
    client,
  }: { bytesMax?: number; resolve?: Resolver['resolve']; client?: ProxyClient } = {},
) {
  const resolver = resolverThat(resolve ?? (async () => ({ addresses: ['127.0.0.1'] })))
  const deps = { guard: createGuard(rules), clock, resolver }
  const proxy = await openEgressProxy({ deps, ipFamily: 'any', orgId: undefined, bytesMax, client })
  t.after(proxy.destroy)
  const [host = '', port = ''] = proxy.place.split(':')
  const place = { host, port: Number(port) }

  /** The status and body of a plain request for the URL. */
  async function get(url: string): Promise<string> {
    const asked = request({ ...place, path: url, headers: { host: new URL(url).host } }).end()
    const [answered] = await once(asked, 'response')
    return `${answered.statusCode} ${await text(answered)}`
  }
  /** The first line that a tunnel is answered with, and the tunnel. */
  async function tunnel(to: string): Promise<readonly [line: string, socket: Socket]> {
    const socket = connect(place)
    socket.on('error', () => {})
    socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`)
    const [first] = await once(socket, 'data')
    return [String(first).split('\r\n', 1).join(''), socket]
  }
  return { proxy, get, tunnel }
}

t.test('what is allowed is reached, by a request and by a tunnel', async (t) => {
  const { proxy, get, tunnel } = await openProxy(t, { targets: 'any' })
  t.equal(await get(`${shop.url}/`), '200 Hello')
  t.equal(await get(`http://shop.example:${shop.port}/`), '200 Hello')
  const [line, socket] = await tunnel(`shop.example:${shop.port}`)
  t.equal(line, 'HTTP/1.1 200 Connection established')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.match(await text(socket), /Hello$/)
  t.same(proxy.addresses, ['127.0.0.1'])
  t.ok(proxy.bytes() > 0)
})

t.test('what the policy forbids is not, by whatever door', async (t) => {
  const { proxy, get, tunnel } = await openProxy(t, { targets: 'public' })
  const before = shop.asked.length
  const { port } = shop
  for (const host of [
    '127.0.0.1',
    'localhost',
    '0x7f.1',
    'rebound.example',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ]) {
    t.match(await get(`http://${host}:${port}/`), /^502 /, host)
    const [line] = await tunnel(`${host}:${port}`)
    t.equal(line, 'HTTP/1.1 502 ', host)
  }
  t.match(await get('http://169.254.169.254/latest/meta-data/'), /^502 /)
  t.equal(shop.asked.length, before, 'nothing arrived')
  t.match(proxy.failureOf('rebound.example', port), { kind: 'blocked' })
  t.ok(proxy.refused.has('169.254.169.254:80'))
  t.same(proxy.addresses, [])
})

t.test('a name is looked up for each connection, and each answer is judged', async (t) => {
  let looked = 0
  const resolve = async () => {
    looked += 1
    return { addresses: [looked === 1 ? '127.0.0.1' : '10.0.0.1'] }
  }
  const rules = { targets: 'public', allow: ['127.0.0.1'] } as const
  const { get } = await openProxy(t, rules, { resolve })
  t.equal(await get(`http://turns.example:${shop.port}/`), '200 Hello')
  t.match(await get(`http://turns.example:${shop.port}/`), /^502 /)
})

t.test('it is no way to itself, and speaks nothing else', async (t) => {
  const { proxy, get, tunnel } = await openProxy(t, { targets: 'any' })
  t.match(await get(`http://${proxy.place}/`), /^502 /)
  t.match((await tunnel('no port'))[0], /^HTTP\/1\.1 400 /)
  t.equal((await tunnel('user:pw@127.0.0.1:1'))[0], 'HTTP/1.1 400 ')
})

t.test(
  'a browser elsewhere reaches it where it sees this machine, and nobody else does',
  async (t) => {
    const client = { ownAddress: '127.0.0.9', address: '127.0.0.8' }
    const { proxy } = await openProxy(t, { targets: 'any' }, { client })
    const [host = '', port = ''] = proxy.place.split(':')
    t.equal(host, '127.0.0.9')
    const from = (localAddress: string) =>
      request({ host, port, localAddress, path: `${shop.url}/`, agent: false }).end()
    const [answered] = await once(from('127.0.0.8'), 'response')
    t.equal(await text(answered), 'Hello')
    const before = shop.asked.length
    const [refused] = await once(from('127.0.0.7'), 'error')
    t.equal(refused.code, 'ECONNRESET')
    t.equal(shop.asked.length, before)
  },
)

t.test('it closes everything beyond its bytes, and when the check is over', async (t) => {
  const { proxy, tunnel } = await openProxy(t, { targets: 'any' }, { bytesMax: 100 })
  const [, socket] = await tunnel(`127.0.0.1:${shop.port}`)
  socket.write(`GET / HTTP/1.1\r\nHost: ${'a'.repeat(200)}\r\n\r\n`)
  await once(socket, 'close')
  t.ok(proxy.isFull())
  const other = await openProxy(t, { targets: 'any' })
  const [, open] = await other.tunnel(`127.0.0.1:${shop.port}`)
  other.proxy.destroy()
  await once(open, 'close')
  t.pass()
})
