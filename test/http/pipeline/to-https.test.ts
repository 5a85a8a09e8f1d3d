// Who is led from plain HTTP to TLS, and where.
import t from 'tap'
import type { Endpoint, Exchange } from '../../../src/http/edge/exchange.ts'
import { toHttps } from '../../../src/http/pipeline/to-https.ts'

const endpoint: Endpoint<string> = {
  name: 'page',
  paramCount: 0,
  headers: [],
  bodyBytesMax: 0,
  deadlineMs: 1_000,
  admit: () => 'admitted',
  run: () => ({ status: 200, head: 'text/html' }),
}
const led = toHttps({ isCovered: (host) => host.endsWith('.example'), portText: ':8443' }, endpoint)

function answer(headers: Readonly<Record<string, string>>, more: Partial<Exchange> = {}) {
  const asked = { base: '', path: '/a/b', queryText: 'c=d', lines: '', isSecure: false, ...more }
  const exchange = { ...asked, header: (name: string) => headers[name] ?? '' } as Exchange
  const reply = led.run(exchange, led.admit(exchange))
  return 'status' in reply ? { status: reply.status, head: reply.head } : undefined
}

t.test('a page is at the same path over TLS, at the public port', async (t) => {
  const found = answer({ host: 'UP.example:80' })
  t.match(found, { status: 308, head: /Location: https:\/\/up\.example:8443\/a\/b\?c=d\r\n/ })
  t.match(answer({ host: 'up.example' }, { queryText: '' })?.head, /\/a\/b\r\n/)
})

t.test('what cannot or need not be led is served', async (t) => {
  t.equal(answer({ host: 'up.test' })?.status, 200, 'a host without a certificate')
  t.equal(answer({ host: '' })?.status, 200)
  t.equal(answer({ host: 'a b.example' })?.status, 200, 'a host that is none')
  t.equal(answer({ host: 'up.example' }, { isSecure: true })?.status, 200)
  const behind = { host: 'up.example', 'x-forwarded-proto': 'https' }
  t.equal(answer(behind)?.status, 200, 'behind a proxy with TLS')
})

t.test('nothing that a caller sends adds a header', async (t) => {
  const found = answer({ host: 'up.example' }, { path: '/a\r\nSet-Cookie: b', queryText: '' })
  t.match(found, { status: 308, head: /Location: https:\/\/up\.example:8443\/\r\n/ })
  t.notMatch(found?.head, /Set-Cookie/)
})
