// The domain probe: what a registry says becomes a reading, and its silence is nobody's fault.
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { domain, parseDomainUrl } from '../../../src/probes/domain/domain.ts'
import { createRdapBootstrap } from '../../../src/probes/domain/rdap-bootstrap.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { type RdapFields, rdapDomain, rdapList } from '../../support/rdap.ts'
import {
  answer,
  answerJson,
  closedPort,
  drip,
  hangUp,
  raw,
  redirectTo,
  type Script,
  silent,
  startTarget,
} from '../../support/target.ts'
import { until } from '../../support/until.ts'

const dns = await startDnsServer({})
const registry = await startTarget({}, { tls: testCertificates.good })
const wrong = await startTarget(answer(), { tls: testCertificates.other })
const clock = startClock()
t.after(async () => {
  clock.stop()
  dns.close()
  await registry.close()
  await wrong.close()
})

const rdap = (fields: RdapFields = {}) =>
  answerJson(rdapDomain(fields), { headers: { 'content-type': 'application/rdap+json' } })

const breakOff: Script = ({ socket }) => {
  socket.destroy()
}

const closed = await closedPort()
const list = rdapList({
  test: `${registry.url}/rdap`,
  uk: `${registry.url}/rdap`,
  wrong: `${wrong.url}/`,
  closed: `https://127.0.0.1:${closed}/`,
  unknown: 'https://missing.test/',
})

/** A probe with an empty memory, and a clock that a test moves. */
function start(scripts: Record<string, Script>, fake = new FakeClock()) {
  registry.script = Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [`/rdap/domain/${name}`, script]),
  )
  const calls = registry.calls.length
  const guard = createGuard({ targets: 'any' })
  const resolver = createResolver({ clock: fake, servers: [dns.server] })
  const bootstrap = createRdapBootstrap({ list })
  const probe = domain.open({ guard, resolver, clock: fake, ca: [testCa], bootstrap }).probe
  return {
    clock: fake,
    check: (url: string, fields: TargetFields = {}) =>
      probe(makeTarget({ url, ...fields }), { clock: fake }),
    asked: () => registry.calls.slice(calls).map(({ path }) => path.replace('/rdap/domain/', '')),
  }
}

t.test('a registered domain is good, with its registration as findings', async (t) => {
  const { check } = start({ 'example.test': rdap() })
  t.match(await check('domain://example.test'), {
    result: 'good',
    registration: {
      name: 'example.test',
      expiresAtMs: Date.UTC(2027, 0, 1),
      registrar: 'Some Registrar Ltd',
    },
  })
  const shown = await check('domain://www.example.test', { expect: { bodyContains: 'nowhere' } })
  t.same(JSON.parse(shown.evidence?.body ?? ''), {
    name: 'example.test',
    expiresAt: '2027-01-01T00:00:00.000Z',
    daysLeft: 365,
    registrar: 'Some Registrar Ltd',
    status: ['active', 'client transfer prohibited'],
    nameServers: ['ns1.example.test', 'ns2.example.test'],
    isSigned: true,
    registeredAt: '2001-02-03T04:05:06.000Z',
    changedAt: '2025-06-07T08:09:10.000Z',
    readAt: '2026-01-01T00:00:00.000Z',
  })
})

t.test('a monitor can require a number of days left', async (t) => {
  const { clock, check, asked } = start({
    'example.test': rdap({ expiresAt: '2026-02-01T00:00:00Z' }),
  })
  const expect = {
    responseAssertionType: 'greaterOrEqual',
    responseAssertionPath: '$.daysLeft',
    responseAssertionValue: '31',
  } as const
  t.match(await check('domain://example.test', { expect }), { result: 'good' })
  await clock.advance(1)
  const late = await check('domain://example.test', { expect })
  t.match(late, { result: 'failed', error: { kind: 'assertion' } })
  t.match(late.evidence?.failedAssertions, [{ found: '30' }])
  t.same(asked(), ['example.test'], 'days pass without a question')
})

t.test('an expired, withheld or missing domain fails in a sentence', async (t) => {
  const { check } = start({
    'old.test': rdap({ name: 'old.test', expiresAt: '2025-12-31T23:59:59Z' }),
    'hold.test': rdap({ name: 'hold.test', status: ['client hold'] }),
  })
  const old = await check('domain://old.test')
  const failed = { result: 'failed', error: { kind: 'assertion' } }
  t.match(old, failed)
  t.equal(old.error?.message, 'the registration of old.test expired on 2025-12-31')
  t.match(JSON.parse(old.evidence?.body ?? ''), { daysLeft: -1, name: 'old.test' })
  t.match(await check('domain://hold.test'), failed)
  const missing = await check('domain://www.missing.test')
  t.match(missing, failed)
  t.equal(missing.error?.message, 'missing.test is not registered')
})

t.test('the registry is queried once, however often monitors run', async (t) => {
  const { clock, check, asked } = start({ 'example.test': rdap() })
  for (let i = 0; i < 10; i++) {
    await Promise.all([check('domain://example.test'), check('domain://EXAMPLE.test.')])
    await clock.advance(30 * 60_000)
  }
  t.same(asked(), ['example.test'])
})

t.test('a name is queried as its registered domain, with everything below it', async (t) => {
  const { check, asked } = start({
    'good.test': rdap({ name: 'good.test' }),
    'shop.co.uk': rdap({ name: 'shop.co.uk' }),
  })
  const seen = await check('domain://www.good.test')
  t.match(seen, { result: 'good', found: { name: 'good.test' } })
  await Promise.all([check('domain://good.test'), check('domain://a.b.GOOD.test.')])
  t.match(await check('domain://a.b.c.shop.co.uk'), { found: { name: 'shop.co.uk' } })
  t.same(asked(), ['good.test', 'shop.co.uk'])
})

t.test('a name below a public suffix is a domain, the suffix itself is not', async (t) => {
  const names: Record<string, string> = {
    'www.good.com': 'good.com',
    'a.b.c.shop.co.uk': 'shop.co.uk',
    'www.ck': 'www.ck',
    'me.github.io': 'github.io',
    '_dmarc.good.com': 'good.com',
    'www.食狮.公司.cn': 'xn--85x722f.xn--55qx5d.cn',
  }
  for (const [host, name] of Object.entries(names)) {
    t.same(parseDomainUrl(`domain://${host}`), { name }, host)
  }
  for (const suffix of ['co.uk', 'CO.UK.', 'any.ck', 'xn--55qx5d.cn']) {
    const { problem } = parseDomainUrl(`domain://${suffix}`)
    const shown = suffix.toLowerCase().replace(/\.$/, '')
    const such = `such as domain://example.${shown}`
    t.equal(problem, `must name a domain below the public suffix ${shown}, ${such}`)
  }
})

t.test('a registry in trouble is not the fault of the domain', async (t) => {
  const { check } = start({
    'busy.test': answer({ status: 429 }),
    'away.test': redirectTo('http://127.0.0.1/'),
    'reset.test': breakOff,
  })
  const names = ['away.test', 'reset.test', 'busy.test', 'a.wrong', 'a.closed', 'a.unknown', 'a.no']
  for (const name of names) {
    const reading = await check(`domain://${name}`)
    t.match(reading, { result: 'unknown', error: { message: /^the registry could not/ } }, name)
  }
})

t.test('a check with little time leaves the answer to the next one', async (t) => {
  const held: (() => void)[] = []
  const late: Script = (call) => {
    held.push(() => rdap()(call))
  }
  const { clock, check, asked } = start({ 'example.test': late })
  const hasty = check('domain://example.test', { timeoutMs: 100 })
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(90)
  t.match(await hasty, {
    result: 'unknown',
    error: { kind: 'timeout', message: /did not answer within 100 ms/ },
  })
  const patient = check('domain://example.test')
  for (const release of held) release()
  t.match(await patient, { result: 'good' })
  t.same(asked(), ['example.test'])
})

t.test('a URL that names no domain is refused with its reason', async (t) => {
  const reasons: Record<string, RegExp> = {
    'example.test': /must start with domain:\/\//,
    'domain://': /must contain a name/,
    'domain://test': /must name a registered domain/,
    'domain://192.0.2.1': /not an address/,
    'domain://*.example.test': /wildcard/,
    'domain://example.test/x': /path/,
    'domain://example.test?x=1': /query/,
    'domain://example.test:443': /port/,
    'domain://me@example.test': /user name/,
    'domain://a/../../help': /path/,
    'domain://%2e%2e%2fhelp.test': /not a valid name/,
  }
  for (const [url, reason] of Object.entries(reasons)) {
    t.match(parseDomainUrl(url).problem, reason, url)
  }
  t.same(parseDomainUrl('domain://Bücher.Test.'), { name: 'xn--bcher-kva.test' })
  const { check } = start({})
  t.match(await check('domain://test'), { result: 'failed', error: { kind: 'blocked' } })
})

const scripts: Record<string, Script> = {
  good: rdap({ name: 'good.test' }),
  silent,
  reset: breakOff,
  hangup: hangUp,
  tombstones: raw('this is no HTTP\r\n\r\n'),
  text: answer({ body: '<html>' }),
  drip: drip('HTTP/1.1 200 OK\r\n', 'x: y\r\n'),
  loop: redirectTo('/rdap/domain/loop.test'),
  half: raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{'),
}
const troubled = await startTarget(
  Object.fromEntries(
    Object.entries(scripts).map(([name, script]) => [`/domain/${name}.test`, script]),
  ),
  { tls: testCertificates.good },
)
t.after(() => troubled.close())
const ending = new AbortController()
await probeContract(t, {
  probe: domain.open({
    guard: createGuard({ targets: 'any' }),
    resolver: createResolver({ clock, servers: [dns.server] }),
    clock,
    ca: [testCa],
    signal: ending.signal,
    bootstrap: createRdapBootstrap({
      list: rdapList({
        test: troubled.url,
        wrong: wrong.url,
        closed: `https://127.0.0.1:${closed}`,
      }),
    }),
  }).probe,
  clock,
  cases: [...Object.keys(scripts).map((name) => `${name}.test`), 'a.wrong', 'a.closed', 'x'].map(
    (name) => ({
      title: `the domain ${name}`,
      target: makeTarget({ url: `domain://${name}`, timeoutMs: 400 }),
    }),
  ),
})
t.test('queries that wait for a registry end with the daemon', async (t) => {
  ending.abort()
  await until(() => troubled.open === 0)
  t.equal(troubled.open, 0)
})
