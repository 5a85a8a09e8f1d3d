// The way to the daemon: TLS that is verified, proxies, and failures in words.
import { rootCertificates } from 'node:tls'
import t, { type Test } from 'tap'
import { createWire, type WireOptions } from '../../src/net/daemon-wire.ts'
import { testCa, testCertificates } from '../support/certificates.ts'
import { startProxy } from '../support/connect-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { ok, serveDaemon } from '../support/probe-daemon.ts'

const noProxy = { httpProxy: '', httpsProxy: '', noProxy: '' }
const trusted = { ca: [...rootCertificates, testCa] }

async function serve(t: Test, certificate?: keyof typeof testCertificates) {
  const heard: { method: string; path: string; auth: string; body: string }[] = []
  const answer = async ({ method, path, auth, body }: (typeof heard)[number]) => {
    heard.push({ method, path, auth, body })
    return ok({ isHere: true })
  }
  const url = await serveDaemon(t, { answer }, certificate && testCertificates[certificate])
  return { heard, url }
}

function open(t: Test, options: Partial<WireOptions> = {}) {
  const wire = createWire({
    auth: 'secret',
    agent: 'stillup-probe/1.2.3',
    proxy: noProxy,
    ...options,
  })
  t.teardown(() => wire.close())
  const { signal } = new AbortController()
  return (url: string, body?: string) =>
    wire.send({
      method: body ? 'POST' : 'GET',
      url: `${url}/api/v1/probe/session`,
      body,
      signal,
    })
}

t.test('questions carry the credential, over TLS that is verified', async (t) => {
  const { heard, url } = await serve(t, 'good')
  const send = open(t, trusted)
  t.same(await send(url, '{"a":1}'), { status: 200, text: '{"isHere":true}' })
  t.same(heard, [{ method: 'POST', path: 'session', auth: 'secret', body: '{"a":1}' }])
})

t.test(
  'a certificate that is not trusted, has expired or is for another name is refused',
  async (t) => {
    const good = await serve(t, 'good')
    await t.rejects(open(t)(good.url), { message: /not trusted; name its authority with --ca/ })
    const expired = await serve(t, 'expired')
    await t.rejects(open(t, trusted)(expired.url), { message: 'its certificate has expired' })
    const other = await serve(t, 'other')
    await t.rejects(open(t, trusted)(other.url), { message: 'its certificate is for another name' })
    t.same([good.heard, expired.heard, other.heard], [[], [], []], 'and no token was sent')
  },
)

t.test('the proxy of the environment is asked to connect, and sees nothing inside', async (t) => {
  const { heard, url } = await serve(t, 'good')
  const proxy = await startProxy(t)
  const send = open(t, { ...trusted, proxy: { ...noProxy, httpsProxy: proxy.url } })
  t.match(await send(url), { status: 200 })
  t.same(proxy.asked, [new URL(url).host])
  t.equal(heard.length, 1)
})

t.test('NO_PROXY leads past the proxy', async (t) => {
  const { url } = await serve(t, 'good')
  const proxy = await startProxy(t)
  const past = { ...noProxy, httpsProxy: proxy.url, noProxy: 'localhost,127.0.0.1' }
  t.match(await open(t, { ...trusted, proxy: past })(url), { status: 200 })
  t.same(proxy.asked, [])
})

t.test('a proxy that refuses is told apart from a daemon that does', async (t) => {
  const { url } = await serve(t, 'good')
  const proxy = await startProxy(t, 407)
  const send = open(t, { ...trusted, proxy: { ...noProxy, httpsProxy: proxy.url } })
  await t.rejects(send(url), { message: /^the proxy refuses: .*407/ })
})

t.test('it says in words why nothing answers', async (t) => {
  const port = await freePort()
  await t.rejects(open(t)(`http://127.0.0.1:${port}`), { message: 'nothing listens there' })
  await t.rejects(open(t)(`https://no-such-host.invalid`), { message: /its name/ })
  const { url } = await serve(t)
  const asTls = url.replace('http:', 'https:')
  await t.rejects(open(t)(asTls), { message: 'it does not speak TLS as it should' })
})
