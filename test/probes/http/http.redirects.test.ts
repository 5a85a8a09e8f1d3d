// Redirects: followed by us, one by one, each through the egress policy.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard, type TargetPolicy } from '../../../src/net/egress-policy.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { testCertificates } from '../../support/certificates.ts'
import { stuckIn, withDeadline } from '../../support/deadline.ts'
import { resolverThat } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { answer, drip, redirectTo, type Script, silent, startTarget } from '../../support/target.ts'

const clock = startClock()
t.after(() => clock.stop())
const names: Record<string, string[]> = {}
const resolver = resolverThat(async (host) => ({ addresses: names[host] ?? ['127.0.0.1'] }))
const allow = ['127.0.0.9/32']
const guard = createGuard({ targets: 'any', allow })
const useTargets = (targets: TargetPolicy) => guard.setRules({ targets, allow })
const { probe: probeEndpoint } = createProbes({ guard, resolver, clock })
const target = await startTarget()
const other = await startTarget()
t.after(() => Promise.all([target.close(), other.close()]))

const check = (fields: TargetFields) =>
  probeEndpoint(makeTarget({ url: `${target.url}/`, ...fields }), { clock })

t.test('redirects are followed, and the last answer counts', async (t) => {
  target.script = {
    '/': redirectTo('/a', 301),
    '/a': redirectTo('b?x=1'),
    '/b?x=1': redirectTo(`${other.url}/end`, 307),
  }
  other.script = answer({ body: 'the end' })
  const reading = await check({ expect: { bodyContains: 'the end' } })
  t.match(reading, { result: 'good', status: 200 })
})

t.test('a redirect is not followed if the monitor says so, or expects that status', async (t) => {
  target.script = redirectTo('/elsewhere')
  const not = await check({ followRedirects: false })
  t.match(not, { result: 'failed', status: 302, error: { kind: 'status' } })
  t.equal((await check({ expect: { expectedStatus: 302 } })).result, 'good')
  t.equal((await check({ expect: { acceptedStatuses: ['302'] } })).result, 'good')
})

t.test('circles and too long chains are detected', async (t) => {
  target.script = { '/': redirectTo('/a'), '/a': redirectTo('/') }
  const circle = await check({})
  t.match(circle.error, { kind: 'redirect_loop', message: /circle/ })
  target.script = (call) => redirectTo(`${call.path}x`)(call)
  const before = target.calls.length
  const long = await check({ maxRedirects: 3 })
  t.match(long.error, { kind: 'redirect_loop', message: /more than 3/ })
  t.equal(target.calls.length - before, 4)
})

t.test('only the same origin gets the headers of the monitor', async (t) => {
  const headers = { Authorization: 'Bearer abcdef', Cookie: 'a=b', 'X-Key': 'k', Accept: 'a/b' }
  target.script = { '/': redirectTo('/same'), '/same': redirectTo(`${other.url}/other`) }
  other.script = answer()
  await check({ headers })
  t.match(target.calls.at(-1), { path: '/same', headers: { authorization: 'Bearer abcdef' } })
  const got = Object.keys(other.calls.at(-1)?.headers ?? {}).sort()
  t.same(got, ['accept', 'connection', 'host', 'user-agent'])
  t.equal(other.calls.at(-1)?.headers.accept, '*/*')
})

t.test('the method and the body are sent along as HTTP requires', async (t) => {
  const rows = [
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'abc'],
    [308, 'PUT', 'PUT', 'abc'],
    [302, 'PUT', 'PUT', 'abc'],
  ] as const
  for (const [status, method, then, body] of rows) {
    target.script = { '/': redirectTo('/next', status), '/next': answer() }
    await check({ method, body: 'abc', headers: { 'content-type': 'text/x' } })
    const call = target.calls.at(-1)
    t.match(call, { path: '/next', method: then, body }, `${status} ${method}`)
    t.equal(call?.headers['content-type'], body ? 'text/x' : undefined)
  }
})

t.test('a redirect cannot lead to forbidden addresses', async (t) => {
  const allowed = await startTarget(redirectTo(`${target.url}/secret`), { address: '127.0.0.9' })
  t.after(() => allowed.close())
  target.script = answer()
  useTargets('public')
  const before = target.accepted
  for (const [location, kind, shown = location] of [
    [`${target.url}/secret`, 'blocked'],
    [`http://[::ffff:127.0.0.1]:${target.port}/`, 'blocked', '[::ffff:7f00:1]'],
    [`http://localhost:${target.port}/`, 'blocked'],
    ['http://169.254.169.254/latest/meta-data/', 'blocked'],
    [`http://user:pass@127.0.0.9:${allowed.port}/`, 'blocked', `//••••@127.0.0.9:${allowed.port}/`],
    ['file:///etc/passwd', 'blocked'],
    ['gopher://127.0.0.1/', 'blocked'],
    ['http://', 'invalid_response'],
  ] as const) {
    allowed.script = redirectTo(location)
    const { result, error, evidence, phases } = await check({ url: allowed.url })
    t.match({ result, kind: error?.kind }, { result: 'failed', kind }, location)
    t.ok(error?.message.includes(shown), `${error?.message}`)
    t.notMatch(error?.message, 'pass@')
    t.match(evidence, { redirects: 1, url: shown })
    t.match(phases, { connect: Number, firstByte: Number }, 'what took place')
  }
  t.equal(target.accepted, before, 'nothing was connected to')
  useTargets('any')
})

t.test('a name with one forbidden address is forbidden as a whole', async (t) => {
  useTargets('public')
  const before = target.accepted
  names['two.example'] = ['127.0.0.9', '127.0.0.1']
  const reading = await check({ url: `http://two.example:${target.port}/` })
  const message = 'two.example leads to a loopback address, which is not allowed'
  t.match(reading, { result: 'failed', error: { kind: 'blocked', message } })
  t.equal(target.accepted, before)
  useTargets('any')
})

t.test(
  'a name is looked up once for a connection, so a second answer changes nothing',
  async (t) => {
    useTargets('public')
    let asked = 0
    const rebinding = resolverThat(async () => {
      return { addresses: [asked++ === 0 ? '127.0.0.9' : '127.0.0.1'] }
    })
    const allowed = await startTarget(answer(), { address: '127.0.0.9', port: target.port })
    t.after(() => allowed.close())
    const { probe: probeEndpoint } = createProbes({ guard, resolver: rebinding, clock })
    const before = target.accepted
    const fields = makeTarget({ url: `http://rebind.example:${target.port}/` })
    t.equal((await probeEndpoint(fields, { clock })).result, 'good')
    t.equal(asked, 1)
    t.equal((await probeEndpoint(fields, { clock })).error?.kind, 'blocked')
    t.equal(target.accepted, before)
    useTargets('any')
  },
)

t.test('a redirect from https to http is refused', async (t) => {
  const secure = await startTarget(redirectTo(`${target.url}/`), { tls: testCertificates.good })
  t.after(() => secure.close())
  const reading = await check({ url: secure.url, ignoreTlsErrors: true })
  t.match(reading.error, { kind: 'blocked', message: 'a redirect leads from https to http' })
})

t.test('nothing is followed where no redirect is allowed', async (t) => {
  target.script = { '/': redirectTo('/a'), '/a': answer() }
  const { error } = await check({ maxRedirects: 0 })
  t.match(error, { kind: 'redirect_loop', message: 'more than 0 redirects in a row' })
})

t.test(
  'from http to https and from port to port the origin changes, and secrets stay',
  async (t) => {
    const secure = await startTarget(answer(), { tls: testCertificates.good })
    t.after(() => secure.close())
    const headers = { Authorization: 'Bearer abcdef', Cookie: 'a=b', 'X-Key': 'k' }
    target.script = redirectTo(`${secure.url}/upgraded`, 308)
    const options = { headers, ignoreTlsErrors: true, method: 'POST', body: 'abc' } as const
    t.equal((await check(options)).result, 'good')
    const call = secure.calls.at(-1)
    t.match(call, { path: '/upgraded', method: 'POST', body: 'abc' })
    for (const name of ['authorization', 'cookie', 'x-key']) t.equal(call?.headers[name], undefined)
    // Back to where it came from: what was dropped on the way does not come back.
    target.script = { '/': redirectTo(`${other.url}/`), '/back': answer() }
    other.script = redirectTo(`${target.url}/back`)
    t.equal((await check({ headers })).result, 'good')
    t.match(target.calls.at(-1), { path: '/back' })
    t.equal(target.calls.at(-1)?.headers.authorization, undefined)
  },
)

t.test('a result contains the target and number of redirects', async (t) => {
  target.script = { '/': redirectTo('/a'), '/a': redirectTo('/x?user=me&token=abc#part') }
  const { error, evidence } = await check({})
  const url = `${target.url}/x?user=me&token=••••`
  // Everybody who hears of the failure reads this, and only members read the evidence.
  const told = `${target.url}/x?user=••••&token=••••`
  t.equal(error?.message, `expected status 200, found 404 at ${told} after 2 redirects`)
  t.match(evidence, { status: 404, url, redirects: 2 })
  target.script = { '/': redirectTo('/k3y-of-ours'), '/k3y-of-ours': answer() }
  const good = await check({ headers: { 'x-key': 'k3y-of-ours' } })
  t.match(good, { result: 'good', found: { url: `${target.url}/••••`, redirects: 1 } })
  target.script = answer()
  t.equal((await check({})).found, undefined)
  target.script = { '/': redirectTo('http://127.0.0.1:1/gone') }
  const gone = await check({})
  t.match(gone, { error: { kind: 'connect' }, evidence: { url: 'http://127.0.0.1:1/gone' } })
})

t.test('the target of a hidden redirect is not shown, but the fact is', async (t) => {
  const deps = { guard, resolver, clock, hidesPrivate: () => true }
  const { probe } = createProbes(deps)
  target.script = { '/': redirectTo('/secret') }
  const unmet = await probe(makeTarget({ url: `${target.url}/` }), { clock })
  t.equal(unmet.error?.message, 'expected status 200, found 404 after 1 redirect')
  target.script = { '/': redirectTo('file:///secret') }
  const refused = await probe(makeTarget({ url: `${target.url}/` }), { clock })
  t.equal(refused.error?.message, 'a redirect leads to a URL that checks may not open')
  for (const { evidence, found } of [unmet, refused]) {
    t.match(evidence, { redirects: 1, url: undefined })
    t.same(found, { redirects: 1 })
  }
})

t.test('each phase is the sum over all requests, including one that hung', async (t) => {
  const slowly =
    (then: Script): Script =>
    (call) =>
      void setTimeout(() => then(call), 60)
  target.script = { '/': slowly(redirectTo('/a')), '/a': slowly(answer()) }
  const { phases } = await check({})
  t.ok((phases?.firstByte ?? 0) >= 110, `${phases?.firstByte} ms`)
  target.script = { '/': redirectTo('/a'), '/a': silent }
  const hung = await withDeadline(
    150,
    (timeoutMs) => check({ timeoutMs }),
    ({ error }) => error?.phase === 'firstByte' && target.calls.at(-1)?.path === '/a',
  )
  t.match(hung.error, { kind: 'timeout', phase: 'firstByte' })
  t.same(Object.keys(hung.phases ?? {}).sort(), ['connect', 'firstByte'])
  const drips = drip('HTTP/1.1 200 OK\r\n\r\n', 'x')
  target.script = drips
  const dripping = await stuckIn('download', (timeoutMs) => check({ timeoutMs }), 150)
  t.same(Object.keys(dripping.phases ?? {}).sort(), ['connect', 'download', 'firstByte'])
})
