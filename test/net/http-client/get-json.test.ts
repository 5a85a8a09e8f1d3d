// Documents that the daemon fetches for itself: through the guard, within bounds, never rejecting.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard, type TargetPolicy } from '../../../src/net/egress-policy.ts'
import { createJsonClient } from '../../../src/net/http-client/get-json.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import {
  answer,
  answerJson,
  closedPort,
  raw,
  redirectTo,
  type Script,
  silent,
  startTarget,
} from '../../support/target.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'
import { until } from '../../support/until.ts'

const clock = startTickingClock(t)
const dns = await startDnsServer({})
const server = await startTarget(answer(), { tls: testCertificates.good })
t.after(async () => {
  dns.close()
  await server.close()
})

function fetchJson(
  script: Script | Record<string, Script>,
  { url = `${server.url}/a?b=1`, timeoutMs = 2_000, targets = 'any' as TargetPolicy } = {},
) {
  server.script = script
  const resolver = createResolver({ clock, servers: [dns.server] })
  const client = createJsonClient({
    guard: createGuard({ targets }),
    resolver,
    clock,
    ca: [testCa],
  })
  return client.get(url, { accept: 'application/rdap+json', timeoutMs })
}

t.test('a document is returned parsed', async (t) => {
  t.same(await fetchJson(answerJson({ a: 1 })), { status: 200, document: { a: 1 } })
  const call = server.calls.at(-1)
  t.match(call, { method: 'GET', path: '/a?b=1', headers: { accept: 'application/rdap+json' } })
  const body = gzipSync('{"a":2}')
  const zipped = answer({ headers: { 'content-encoding': 'gzip' }, body })
  t.match(await fetchJson(zipped), { document: { a: 2 } })
  t.same(await fetchJson(answer({ body: 'no JSON' })), { status: 200, document: undefined })
})

t.test('another status is returned without its body', async (t) => {
  t.same(await fetchJson(answerJson({}, { status: 404 })), { status: 404 })
  const busy = answer({ status: 429, headers: { 'retry-after': '120' } })
  t.same(await fetchJson(busy), { status: 429, retryAfterMs: 120_000 })
  const date = answer({ status: 503, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } })
  t.same(await fetchJson(date), { status: 503 })
})

t.test('redirects are followed and each is judged', async (t) => {
  const steps = {
    '/a?b=1': redirectTo('/2', 301),
    '/2': redirectTo(`${server.url}/3`, 307),
    '/3': redirectTo('4'),
    '/4': answerJson([1]),
  }
  t.match(await fetchJson(steps), { document: [1] })
  t.match(server.calls.at(-1)?.headers, { accept: 'application/rdap+json' })
  t.match(await fetchJson(redirectTo('/a?b=1')), { failure: { kind: 'redirect_loop' } })
  t.match(await fetchJson(redirectTo('http://127.0.0.1/')), { failure: { kind: 'blocked' } })
  t.match(await fetchJson(redirectTo('file:///etc/passwd')), { failure: { kind: 'blocked' } })
  const accepted = server.accepted
  const inside = await fetchJson(answer(), { targets: 'public' })
  t.match(inside, { failure: { result: 'failed', kind: 'blocked' } })
  t.equal(server.accepted, accepted)
})

t.test('a document beyond the bound is not read', async (t) => {
  const large = { failure: { kind: 'body_too_large', message: /larger than 256 KiB/ } }
  const body = JSON.stringify('x'.repeat(300 * 1024))
  t.match(await fetchJson(answer({ body })), large)
  const noLength = `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`
  t.match(await fetchJson(raw(noLength)), large)
  const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
  const zipped = answer({ headers: { 'content-encoding': 'gzip' }, body: bomb })
  t.match(await fetchJson(zipped), { failure: { kind: 'body_too_large' } })
})

t.test('every failure is a value', async (t) => {
  const late = await fetchJson(silent, { timeoutMs: 100 })
  t.match(late, { failure: { kind: 'timeout', message: /within 100 ms/ } })
  t.match(await fetchJson(raw('garbage\r\n\r\n')), { failure: { kind: 'invalid_response' } })
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'
  t.match(await fetchJson(raw(half)), { failure: { kind: 'invalid_response' } })
  const url = `https://127.0.0.1:${await closedPort()}/`
  t.match(await fetchJson(answer(), { url }), { failure: { kind: 'connect' } })
  const missing = await fetchJson(answer(), { url: 'https://missing.test/' })
  t.match(missing, { failure: { kind: 'dns' } })
  await until(() => server.open === 0)
  t.equal(server.open, 0, 'nothing is left open')
})
