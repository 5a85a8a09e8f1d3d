// Assertions on whole checks: what each source is, and what is told of those that do not hold.
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Assertion } from '../../../src/domain/assertions/expectation.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import { answer, answerJson, redirectTo, startTarget } from '../../support/target.ts'

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock, { ca: [testCa] })
const target = await startTarget()
const secure = await startTarget(answer(), { tls: testCertificates.good })
t.after(() => Promise.all([target.close(), secure.close()]))

const check = (fields: TargetFields) =>
  probe(makeTarget({ url: `${target.url}/`, ...fields }), { clock })

const say = (source: Assertion['source'], type: Assertion['type'], value: string | null = null) => {
  return { source, path: null, type, value }
}

t.test('the first failed assertion is the error, all of them are evidence', async (t) => {
  const headers = { 'x-cache': 'MISS', 'set-cookie': 'id=abcdefgh', server: 'key-of-mine' }
  target.script = answerJson({ key: 'key-of-mine', count: 3 }, { headers })
  const reading = await check({
    headers: { 'X-Key': 'key-of-mine' },
    expect: {
      assertions: [
        { source: 'header', path: 'X-Cache', type: 'equals', value: 'HIT' },
        { source: 'header', path: 'Set-Cookie', type: 'notExists', value: null },
        { source: 'header', path: 'Server', type: 'equals', value: 'nginx' },
        { source: 'json', path: '$.count', type: 'lessThan', value: '3' },
        { source: 'json', path: '$.key', type: 'notExists', value: null },
        say('certificateDays', 'exists'),
        say('ip', 'equals', '127.0.0.1'),
      ],
    },
  })
  t.match(reading, { result: 'failed', status: 200 })
  t.same(reading.error, { kind: 'assertion', message: 'expected header X-Cache to equal "HIT"' })
  t.same(reading.evidence?.failedAssertions, [
    { expected: 'header X-Cache to equal "HIT"', found: 'MISS' },
    { expected: 'header Set-Cookie not to exist', found: '••••' },
    { expected: 'header Server to equal "nginx"', found: '••••' },
    { expected: '$.count to be less than 3', found: '3' },
    { expected: '$.key not to exist', found: '••••' },
    { expected: 'days until the certificate expires to exist', found: 'nothing' },
  ])
  t.notMatch(JSON.stringify(reading), /key-of-mine|abcdefgh/)
})

t.test('our own numbers are in the message too', async (t) => {
  target.script = answer()
  const slow = await check({ expect: { assertions: [say('responseTime', 'lessThan', '0')] } })
  t.match(slow.error, {
    kind: 'assertion',
    message: /^expected response time to be less than 0 ms, found [\d.]+ ms$/,
  })
  const status = await check({ expect: { assertions: [say('status', 'equals', '201')] } })
  t.match(status.error, { kind: 'status', message: 'expected status to equal 201, found 200' })
  const url = `https://localhost:${secure.port}/`
  const assertions = [say('certificateDays', 'lessThan', '14')]
  const { error } = await check({ url, expect: { assertions } })
  t.match(error?.message, /to be less than 14, found \d{5}$/)
})

t.test('other kinds of checks have a time, an address and a certificate too', async (t) => {
  const assertions = [
    say('responseTime', 'lessThan', '5000'),
    say('ip', 'equals', '127.0.0.1'),
    say('certificateDays', 'notExists'),
  ]
  const tcp = { checkType: 'tcp', url: `tcp://127.0.0.1:${target.port}` } as const
  t.equal((await check({ ...tcp, expect: { assertions } })).result, 'good')
  const wrong = await check({ ...tcp, expect: { assertions: [say('ip', 'equals', '::1')] } })
  t.match(wrong, { result: 'failed', error: { kind: 'assertion' } })
  t.same(wrong.evidence?.failedAssertions, [
    { expected: 'address to equal "::1"', found: '127.0.0.1' },
  ])
  target.greet = (socket) => void socket.write('220 ready\r\n')
  const body = [say('body', 'regex', '^220 '), say('ip', 'exists')]
  t.equal((await check({ ...tcp, expect: { assertions: body } })).result, 'good')
  target.greet = undefined
  const ssl = { checkType: 'ssl', url: `https://localhost:${secure.port}` } as const
  const days = [say('certificateDays', 'greaterThan', '1000')]
  const seen = await check({ ...ssl, expect: { assertions: days } })
  t.equal(seen.result, 'good', `${seen.error?.message}`)
})

t.test('the size is that of the decoded body, and every followed redirect counts', async (t) => {
  const body = 'a'.repeat(50_000)
  const headers = { 'content-encoding': 'gzip' }
  target.script = {
    '/': redirectTo('/a'),
    '/a': redirectTo('/b'),
    '/b': answer({ body: gzipSync(body), headers }),
  }
  const small = [say('size', 'equals', '50000'), say('redirects', 'equals', '2')]
  t.equal((await check({ expect: { assertions: small } })).result, 'good')
  const { error } = await check({ expect: { assertions: [say('size', 'lessThan', '1000')] } })
  t.match(error?.message, /^expected body size to be less than 1000 bytes, found 50000 bytes at /)
  const once = await check({ expect: { assertions: [say('redirects', 'lessOrEqual', '1')] } })
  t.match(once.error?.message, /^expected number of redirects to be at most 1, found 2 at /)
  target.script = answer()
  const none = await check({ expect: { assertions: [say('redirects', 'equals', '0')] } })
  t.equal(none.result, 'good')
})

t.test('the TLS version and cipher are those of the last connection', async (t) => {
  const url = `https://localhost:${secure.port}/`
  const wanted = [
    say('tlsVersion', 'greaterOrEqual', 'TLSv1.2'),
    say('tlsCipher', 'regex', '^TLS_[A-Z0-9_]+$'),
  ]
  const ssl = { checkType: 'ssl', url } as const
  for (const kind of [{ url }, ssl]) {
    const seen = await check({ ...kind, expect: { assertions: wanted } })
    t.equal(seen.result, 'good', `${seen.error?.message}`)
  }
  const old = [say('tlsVersion', 'lessThan', 'TLSv1.2')]
  const { error } = await check({ url, expect: { assertions: old } })
  t.match(error?.message, /^expected TLS version to be less than "TLSv1.2", found TLSv1\.\d$/)
  target.script = redirectTo(url)
  const led = await check({ expect: { assertions: wanted } })
  t.equal(led.result, 'good', `${led.error?.message}`)
})

t.test('a health check reads the endpoint’s own report', async (t) => {
  target.script = {
    '/up': answerJson({ status: 'UP', components: {} }),
    '/down': answerJson({ status: 'DOWN' }, { status: 503 }),
    '/lies': answerJson({ status: 'DOWN' }),
    '/page': answer({ body: '<html>' }),
  }
  const health = (path: string) => check({ checkType: 'health', url: target.url + path })
  t.match(await health('/up'), { result: 'good' })
  t.match(await health('/down'), { error: { kind: 'status' } })
  const lies = await health('/lies')
  t.match(lies.error, { kind: 'assertion', message: /^expected a JSON "status" of ok, up/ })
  t.match(lies.evidence?.failedAssertions, [{ found: 'DOWN' }])
  t.match(await health('/page'), { error: { kind: 'invalid_response' } })
})
