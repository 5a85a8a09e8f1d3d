// Ways to the target: another address in place of the name, and proxies that others wrote.
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { readConnectTo } from '../../../src/domain/monitors/connect-to.ts'
import { completedStep } from '../../../src/domain/steps/step.ts'
import { closedMachine } from '../../../src/net/machine-policy.ts'
import { readProxy } from '../../../src/net/proxy-address.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { startProxy } from '../../support/connect-proxy.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { skipWithout } from '../../support/programs.ts'
import { startDante, startMicrosocks, startTinyproxy } from '../../support/servers/proxies.ts'
import { startSmtpInbox } from '../../support/smtp-inbox.ts'
import { answer, redirectTo, startTarget } from '../../support/target.ts'

const { good } = testCertificates
const clock = startClock()
t.after(() => clock.stop())

function lookWith(t: Test, proxies: Readonly<Record<string, string>> = {}) {
  const machine = { ...closedMachine, proxies }
  const probe = openProbe(t, clock, { ca: [testCa], machine })
  return async (fields: TargetFields) => {
    const reading = await probe(makeTarget({ timeoutMs: 3_000, ...fields }), { clock })
    const { result, error } = reading
    return { ...reading, said: error === undefined ? result : `${result}: ${error.message}` }
  }
}

t.test('a check connects where it is told, and keeps the names of the URL', async (t) => {
  const look = lookWith(t)
  const target = await startTarget(answer(), { tls: good })
  const elsewhere = await startTarget(answer())
  const away = await startTarget(redirectTo(`http://127.0.0.1:${elsewhere.port}/end`))
  t.after(() => Promise.all([target.close(), elsewhere.close(), away.close()]))
  const here = `127.0.0.1:${target.port}`
  t.match(await look({ url: 'https://localhost/', connectTo: here }), { said: 'good' })
  t.match(target.calls[0], { headers: { host: 'localhost' } })
  t.match(await look({ url: 'https://shop.test/', connectTo: here }), {
    said: 'failed: the certificate is for another host name',
  })
  t.match(await look({ url: 'http://shop.test/', connectTo: `127.0.0.1:${away.port}` }), {
    said: 'good',
    address: '127.0.0.1',
  })
  t.equal(elsewhere.calls.length, 1, 'a redirect to another server leads to that')
  t.match(await look({ url: `http://shop.test:${elsewhere.port}/`, connectTo: '127.0.0.1' }), {
    said: 'good',
  })
  t.match(elsewhere.calls[1], { headers: { host: `shop.test:${elsewhere.port}` } })
  const tcp = { checkType: 'tcp', url: 'tcp://shop.test:1', connectTo: here } as const
  t.match(await look(tcp), { said: 'good' })
  const ssl = { checkType: 'ssl', url: 'https://localhost', connectTo: here } as const
  t.match(await look(ssl), { said: 'good' })
  t.match(await look({ url: 'http://shop.test/', connectTo: 'a b' }), {
    said: 'failed: the address to connect to cannot be read',
  })
})

t.test('the forms of an address to connect to', (t) => {
  const rows = [
    ['192.0.2.7', '192.0.2.7', null],
    ['192.0.2.7:8443', '192.0.2.7', 8443],
    ['B.Example.com:443', 'b.example.com', 443],
    ['b.example.com.', 'b.example.com', null],
    ['[2001:DB8:0::7]', '2001:db8::7', null],
    ['[2001:db8::7]:1', '2001:db8::7', 1],
    ['0x7f.1', '127.0.0.1', null],
    ['müller.example', 'xn--mller-kva.example', null],
  ] as const
  for (const [text, host, port] of rows) t.same(readConnectTo(text), { host, port }, text)
  const wrong = [
    '',
    ':80',
    'a:',
    'a:0',
    'a:65536',
    'a:b',
    'http://a',
    'a/b',
    'u@a',
    'a b',
    '::1',
    '[::1',
  ]
  for (const text of [...wrong, '[::1]x', 'a?b', 'a#b', 'a\\b', '[a]', '1.2.3.4.5', 'a%2eb']) {
    t.equal(readConnectTo(text), undefined, text)
  }
  t.end()
})

t.test('the forms of a proxy', (t) => {
  const usual = { host: '10.0.0.1', port: 3128, username: '', password: '', resolves: false }
  t.same(readProxy('http://10.0.0.1:3128'), { ...usual, protocol: 'http' })
  t.same(readProxy('socks5://a%40b:c%3Ad@[::1]:80/?resolves=true'), {
    ...{ protocol: 'socks5', host: '::1', port: 80, username: 'a@b', password: 'c:d' },
    resolves: true,
  })
  const wrong = [
    '10.0.0.1:3128',
    'https://a:1',
    'socks4://a:1',
    'http://a',
    'http://a:0',
    'http://a:1/x',
  ]
  for (const text of [
    ...wrong,
    'http://:b@a:1',
    'http://a:1?resolve=1',
    'http://a%zz@b:1',
    'http://a:1#x',
  ]) {
    t.equal(readProxy(text), undefined, text)
  }
  t.end()
})

interface Proxied {
  readonly port: number
  readonly scheme: 'http' | 'socks5'
}

/** What holds for every proxy; it signs in `ada`. */
async function proxyContract(t: Test, { port, scheme }: Proxied, unreached: RegExp): Promise<void> {
  const at = (login = '') => `${scheme}://${login}127.0.0.1:${port}`
  const look = lookWith(t, {
    mine: at('ada:s3cret@'),
    naming: `${at('ada:s3cret@')}?resolves=true`,
    wrong: at('ada:no@'),
    anonymous: at(),
    gone: `${scheme}://127.0.0.1:${await freePort()}`,
  })
  const web = await startTarget(answer())
  const secure = await startTarget(answer(), { tls: good })
  t.after(() => Promise.all([web.close(), secure.close()]))
  const mail = await startSmtpInbox(t, { tls: good })
  const url = `http://127.0.0.1:${web.port}/`
  const found = await look({ url, proxy: 'mine' })
  t.match(found, { said: 'good', address: '127.0.0.1' })
  t.ok(Number(found.phases?.connect) > 0)
  const https = { url: `https://localhost:${secure.port}/` }
  t.equal((await look({ ...https, proxy: 'mine' })).said, 'good')
  t.equal((await look({ ...https, proxy: 'naming' })).said, 'good')
  // A server that speaks first, and TLS that begins later.
  const smtp = {
    checkType: 'smtp',
    url: `smtp://localhost:${mail.port}?starttls=required`,
  } as const
  t.equal((await look({ ...smtp, proxy: 'mine' })).said, 'good')
  const both = { url: 'https://localhost/', connectTo: `127.0.0.1:${secure.port}`, proxy: 'mine' }
  t.equal((await look(both)).said, 'good', 'to another address through it')
  const nobody = await freePort()
  t.match((await look({ url: `http://127.0.0.1:${nobody}/`, proxy: 'mine' })).said, unreached)
  const made = 'unknown: the check could not be made: '
  const said = async (proxy: string) => (await look({ url, proxy })).said
  t.equal(await said('wrong'), `${made}the proxy wrong refused the sign-in`)
  t.equal(await said('anonymous'), `${made}the proxy anonymous refused the sign-in`)
  t.equal(await said('gone'), `${made}the proxy gone cannot be reached`)
  t.equal(await said('none'), `${made}there is no proxy none here for this monitor`)
}

t.test('tinyproxy', { skip: skipWithout('tinyproxy') }, async (t) => {
  const port = await startTinyproxy(t, { login: true })
  const unreached = /^failed: the proxy mine cannot reach the target \(status 50\d\)$/
  await proxyContract(t, { port, scheme: 'http' }, unreached)
  const closed = await startTinyproxy(t, { ports: [443] })
  const look = lookWith(t, { closed: `http://127.0.0.1:${closed}` })
  t.equal(
    (await look({ url: 'http://127.0.0.1:8/', proxy: 'closed' })).said,
    'unknown: the check could not be made: the proxy closed refused the connection (status 403)',
  )
})

t.test('microsocks', { skip: skipWithout('microsocks') }, async (t) => {
  const port = await startMicrosocks(t, { login: true })
  const unreached = /^failed: the proxy mine cannot reach the target \(connection refused\)$/
  await proxyContract(t, { port, scheme: 'socks5' }, unreached)
})

t.test('Dante', { skip: skipWithout('danted') }, async (t) => {
  const web = await startTarget(answer())
  t.after(() => web.close())
  const blocked = await freePort()
  const port = await startDante(t, blocked)
  const look = lookWith(t, { dante: `socks5://127.0.0.1:${port}` })
  const said = async (url: string) => (await look({ url, proxy: 'dante' })).said
  t.equal(await said(`http://127.0.0.1:${web.port}/`), 'good')
  t.equal(
    await said(`http://127.0.0.1:${blocked}/`),
    'unknown: the check could not be made: the proxy dante refused the connection (code 2)',
  )
  t.match(await said(`http://127.0.0.1:${await freePort()}/`), /cannot reach the target/)
})

t.test('a proxy gets the address that was judged, and a name only where it may', async (t) => {
  const web = await startTarget(answer())
  t.after(() => web.close())
  const { asked, url } = await startProxy(t)
  const look = lookWith(t, { plain: url, naming: `${url}?resolves=true` })
  const target = `http://localhost.:${web.port}/`
  await look({ url: target, proxy: 'plain' })
  t.match(asked.splice(0), [/^127\.0\.0\.1:|^\[::1\]:/])
  await look({ url: `http://intranet.test:${web.port}/`, proxy: 'naming' })
  t.same(asked, [`intranet.test:${web.port}`])
})

t.test('a proxy that hangs, floods or speaks another protocol', async (t) => {
  const peers: Readonly<Record<string, (socket: net.Socket) => void>> = {
    silent: () => {},
    closing: (socket) => socket.end(),
    mail: (socket) => socket.write('220 mail.test ESMTP\r\n\r\n'),
    endless: (socket) => {
      const more = (): void => void (socket.writable && socket.write('x'.repeat(4_096), more))
      more()
    },
    half: (socket) => socket.end('HTTP/1.1 20'),
  }
  const proxies: Record<string, string> = {}
  for (const [name, act] of Object.entries(peers)) {
    const server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.resume()
      act(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    proxies[`h-${name}`] = `http://127.0.0.1:${port}`
    proxies[`s-${name}`] = `socks5://127.0.0.1:${port}`
  }
  const look = lookWith(t, proxies)
  const bad =
    /^unknown: the check could not be made: the proxy \S+ (closed the connection|does not answer in its protocol)$/
  const url = 'http://127.0.0.1:8/'
  for (const name of Object.keys(proxies)) {
    const { said } = await look({ url, proxy: name, timeoutMs: 500 })
    const late = `failed: not finished within 500 ms, still connecting through the proxy ${name}`
    if (name.endsWith('silent')) t.equal(said, late)
    else t.match(said, bad, name)
  }
})

t.test('a secret of the organization goes nowhere that it is not for', async (t) => {
  const look = lookWith(t)
  const shop = await startTarget(answer())
  t.after(() => shop.close())
  const steps = [completedStep({ name: 'a', url: '/', headers: { 'x-key': '{{secret.KEY}}' } })]
  const said = async (hosts: readonly string[]) => {
    const secrets = { KEY: { value: 's3cret-value', hosts } }
    const way = { url: 'http://shop.test/', connectTo: `127.0.0.1:${shop.port}` }
    return (await look({ checkType: 'steps', steps, secrets, ...way })).said
  }
  t.match(await said(['shop.test']), /the secret KEY may not be sent to 127\.0\.0\.1$/)
  t.same(shop.calls, [])
  t.equal(await said(['shop.test', '127.0.0.1']), 'good')
})
