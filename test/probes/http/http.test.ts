// The probe of endpoints: what it sends, what it reads, and what it says went wrong.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { PhaseName } from '../../../src/domain/checks/reading.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { stuckIn } from '../../support/deadline.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import {
  answer,
  closedPort,
  drip,
  hangUp,
  raw,
  reset,
  type Script,
  silent,
  startTarget,
} from '../../support/target.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
const guard = createGuard({ targets: 'any' })
const dns = await startDnsServer({})
const resolver = createResolver({ clock, servers: [dns.server] })
const probeEndpoint = openProbe(t, clock, { nameServers: [dns.server] })
t.after(() => {
  clock.stop()
  dns.close()
})

const target = await startTarget()
t.after(() => target.close())

async function check(script: Script, fields: TargetFields = {}) {
  target.script = script
  return probeEndpoint(makeTarget({ url: `${target.url}/`, ...fields }), { clock })
}

const okHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

t.test('a good response is a good reading, with its phases and its address', async (t) => {
  const reading = await check(answer({ body: 'hello' }))
  t.match(reading, { result: 'good', status: 200, address: '127.0.0.1' })
  t.same(Object.keys(reading.phases ?? {}).sort(), ['connect', 'download', 'firstByte'])
  t.equal(reading.evidence, undefined)
})

t.test('every check opens a connection of its own and leaves none open', async (t) => {
  const before = target.accepted
  for (let i = 0; i < 3; i++) await check(answer({ headers: { connection: 'keep-alive' } }))
  t.equal(target.accepted - before, 3)
  await until(() => target.open === 0)
  t.equal(target.open, 0)
})

t.test('the request carries the method, headers and body of the monitor', async (t) => {
  await check(answer(), {
    url: `${target.url}/path?q=1#part`,
    method: 'POST',
    headers: { 'X-Key': 'abc', Host: 'evil.example', 'content-length': '1', 'user-agent': 'me' },
    body: '{"a":1}',
  })
  const call = target.calls.at(-1)
  t.match(call, { method: 'POST', path: '/path?q=1', body: '{"a":1}' })
  t.match(call?.headers, { 'x-key': 'abc', 'content-length': '7', 'user-agent': 'me' })
  t.equal(call?.headers.host, `127.0.0.1:${target.port}`)
  t.equal(call?.headers['accept-encoding'], undefined, 'no compression is asked for')
})

t.test('a body is sent with GET but not with HEAD', async (t) => {
  await check(answer(), { method: 'GET', body: 'abc' })
  t.equal(target.calls.at(-1)?.body, 'abc')
  t.match(await check(answer(), { method: 'HEAD', body: 'abc' }), { result: 'good' })
  t.match(target.calls.at(-1), { method: 'HEAD', body: '' })
})

t.test('every failure has its kind and a sentence', async (t) => {
  const port = await closedPort()
  const refused = await check(answer(), { url: `http://127.0.0.1:${port}/` })
  t.match(refused, {
    result: 'failed',
    error: {
      kind: 'connect',
      message: `connection refused by 127.0.0.1:${port}`,
      phase: 'connect',
    },
  })
  const cases: readonly [string, Script, TargetFields, object][] = [
    ['status', answer({ status: 503 }), {}, { message: 'expected status 200, found 503' }],
    ['timeout', silent, {}, { phase: 'firstByte', message: /within \d+ ms, still waiting/ }],
    ['timeout', drip('HTTP/1.1 200 OK\r\n', 'a: b\r\n'), {}, { phase: 'download' }],
    ['timeout', drip(`${okHead}\r\n`, 'x'), {}, { phase: 'download' }],
    ['reset', reset(), {}, { message: 'the connection was reset before the response' }],
    ['reset', hangUp, {}, { message: 'the connection was closed without a response' }],
    ['reset', reset(`${okHead}content-length: 9\r\n\r\nhalf`), {}, { message: /during/ }],
    ['invalid_response', raw(`${okHead}content-length: 9\r\n\r\nhalf`), {}, { message: /4 bytes/ }],
    ['invalid_response', raw(`${okHead}transfer-encoding: chunked\r\n\r\n9\r\nhalf`), {}, {}],
    ['invalid_response', raw('SSH-2.0-OpenSSH_9.2\r\n'), {}, { message: /not valid HTTP/ }],
    ['invalid_response', raw('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'), {}, {}],
    [
      'invalid_response',
      raw(`${okHead}x: ${'x'.repeat(17_000)}\r\n\r\n`),
      {},
      { message: /16 KiB/ },
    ],
    ['dns', silent, { url: 'http://no.example/' }, { message: /no such name as no.example/ }],
  ]
  for (const [kind, script, fields, error] of cases) {
    const { phase } = error as { phase?: PhaseName }
    const look = (timeoutMs: number) => check(script, { ...fields, timeoutMs })
    const reading = await (kind === 'timeout' && phase !== undefined
      ? stuckIn(phase, look)
      : check(script, fields))
    t.match(
      reading,
      { result: 'failed', error: { kind, ...error } },
      `${kind} ${JSON.stringify(reading.error)}`,
    )
  }
})

t.test('a bug of ours ends the check without blaming the target', async (t) => {
  const bug = new TypeError('ours')
  const told: unknown[] = []
  const onBug = (error: unknown) => told.push(error)
  const { probe } = createProbes({ guard, resolver, clock, onBug })
  const source = { source: 'body', path: null, type: 'contains' } as const
  const broken = {
    ...source,
    get value(): never {
      throw bug
    },
  }
  target.script = answer({ body: 'fine' })
  const fields = { url: `${target.url}/`, expect: { assertions: [broken] } }
  const reading = await probe(makeTarget(fields), { clock })
  t.match(reading, { result: 'unknown', error: { message: /a bug in this service/ } })
  t.notOk('evidence' in reading)
  t.same(told, [bug])
})

t.test('an aborted check ends at once, and counts for nothing', async (t) => {
  const stop = new AbortController()
  target.script = () => stop.abort()
  const reading = probeEndpoint(makeTarget({ url: target.url }), { clock, signal: stop.signal })
  t.match(await reading, { result: 'unknown' })
})
