// Names: looked up once, kept for their TTL, and local where they are local.
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { startDnsServer, type Zone } from '../../support/dns-server.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { freePort } from '../../support/free-port.ts'
import { startTickingClock } from '../../support/ticking-clock.ts'

async function start(zone: Zone, { ttlSeconds = 30, hosts = '' } = {}) {
  const dns = await startDnsServer(zone, ttlSeconds)
  t.after(() => dns.close())
  const clock = new FakeClock()
  const directory = t.testdir({ hosts })
  const hostsFile = join(directory, 'hosts')
  return { dns, clock, resolver: createResolver({ clock, servers: [dns.server], hostsFile }) }
}

t.test('a name gives its addresses of both families by turns', async (t) => {
  const { resolver } = await start({ 'a.test': ['127.0.0.1', '127.0.0.2', '::1'] })
  t.same(await resolver.resolve('a.test', 'any'), { addresses: ['::1', '127.0.0.1', '127.0.0.2'] })
})

t.test('a monitor of one family asks for that family only', async (t) => {
  const { resolver, dns } = await start({ 'a.test': ['127.0.0.1', '::1'] })
  t.same(await resolver.resolve('a.test', 'ipv4'), { addresses: ['127.0.0.1'] })
  t.same(await resolver.resolve('a.test', 'ipv6'), { addresses: ['::1'] })
  t.same(dns.questions, ['A a.test', 'AAAA a.test'])
})

t.test('an answer is used again for its TTL, but at most a minute', async (t) => {
  for (const [ttlSeconds, keptMs] of [
    [30, 30_000],
    [86_400, 60_000],
    [2 ** 31, 60_000],
    [0, 1_000],
  ] as const) {
    const { resolver, dns, clock } = await start({ 'a.test': ['127.0.0.1'] }, { ttlSeconds })
    await resolver.resolve('a.test', 'ipv4')
    await clock.advance(keptMs - 1)
    await resolver.resolve('a.test', 'ipv4')
    t.equal(dns.questions.length, 1)
    await clock.advance(2)
    await resolver.resolve('a.test', 'ipv4')
    t.equal(dns.questions.length, 2)
  }
})

t.test('checks that begin together ask once', async (t) => {
  const { resolver, dns } = await start({ 'a.test': ['127.0.0.1'] })
  await Promise.all(Array.from({ length: 20 }, () => resolver.resolve('a.test', 'ipv4')))
  t.equal(dns.questions.length, 1)
})

t.test('a missing name is queried again after seconds', async (t) => {
  const zone: Record<string, string[] | number> = { 'a.test': 3 }
  const { resolver, dns, clock } = await start(zone)
  const missing = await resolver.resolve('a.test', 'any')
  t.match(missing.failure, { result: 'failed', kind: 'dns', message: /no such name as a\.test/ })
  await resolver.resolve('a.test', 'any')
  t.equal(dns.questions.length, 2, 'A and AAAA, once')
  dns.zone = { 'a.test': ['127.0.0.1'] }
  await clock.advance(5_001)
  t.same(await resolver.resolve('a.test', 'any'), { addresses: ['127.0.0.1'] })
})

t.test('the defect of a name is reported', async (t) => {
  const zone = { 'none.test': [], 'fail.test': 2, 'refused.test': 5, 'four.test': ['127.0.0.1'] }
  const { resolver } = await start(zone)
  const problem = async (name: string, family: 'any' | 'ipv6' = 'any') =>
    (await resolver.resolve(name, family)).failure?.message
  t.match(await problem('none.test'), /no address is known for none\.test/)
  t.match(await problem('fail.test'), /SERVFAIL/)
  t.match(await problem('refused.test'), /refused to answer/)
  t.match(await problem('four.test', 'ipv6'), /no address is known/)
})

t.test('a missing name server is our failure, not the target’s', async (t) => {
  const servers = [`127.0.0.1:${await freePort()}`]
  const gone = createResolver({ clock: startTickingClock(t), servers })
  t.match((await gone.resolve('a.test', 'ipv4')).failure, { result: 'unknown', kind: 'dns' })
})

t.test('a server that answers A and drops AAAA does not delay a check', async (t) => {
  const { dns } = await start({ 'a.test': 'silent6' })
  const clock = startTickingClock(t)
  const resolver = createResolver({ clock, servers: [dns.server] })
  const startedMs = clock.monoMs()
  t.same(await resolver.resolve('a.test', 'any'), { addresses: ['127.0.0.1'] })
  t.ok(clock.monoMs() - startedMs < 1_000)
})

t.test('localhost is this machine, whatever a name server or the hosts file says', async (t) => {
  const hosts = '10.0.0.1 localhost\n'
  const { resolver, dns } = await start({ localhost: ['10.0.0.1'] }, { hosts })
  for (const name of ['localhost', 'x.localhost']) {
    t.same(await resolver.resolve(name, 'any'), { addresses: ['127.0.0.1', '::1'] })
    t.same(await resolver.resolve(name, 'ipv6'), { addresses: ['::1'] })
  }
  t.same(dns.questions, [])
})

t.test('names in the hosts file are used', async (t) => {
  const hosts = '# comment\n127.0.0.5 db.test Cache.test # more\n::1 db.test\nnonsense x.test\n'
  const { resolver, dns } = await start({}, { hosts })
  t.same(await resolver.resolve('db.test', 'any'), { addresses: ['127.0.0.5', '::1'] })
  t.same(await resolver.resolve('cache.test', 'ipv4'), { addresses: ['127.0.0.5'] })
  t.equal((await resolver.resolve('cache.test', 'ipv6')).failure?.kind, 'dns')
  t.same(dns.questions, [])
})

t.test('an answer with hundreds of addresses is whole, and looked up each time', async (t) => {
  const many = Array.from({ length: 500 }, (_, i) => `127.0.${i >> 8}.${i & 255}`)
  const some = many.slice(0, limits.dnsKeptAddressesMax)
  const { resolver, dns } = await start({ 'many.test': many, 'some.test': some })
  for (let time = 0; time < 2; time += 1) {
    t.same(await resolver.resolve('many.test', 'ipv4'), { addresses: many })
    t.same(await resolver.resolve('some.test', 'ipv4'), { addresses: some })
  }
  const asked = (name: string) => dns.questions.filter((question) => question.includes(name)).length
  t.same([asked('many.test') > 1, asked('some.test')], [true, 1])
})

t.test('an invalid name is not queried', async (t) => {
  const label = (length: number) => 'x'.repeat(length)
  const long = (last: number) => [label(63), label(63), label(63), label(last)].join('.')
  const longest = [`${label(63)}.test`, long(61)] as const
  const { resolver, dns } = await start({
    [longest[0]]: ['127.0.0.1'],
    [longest[1]]: ['127.0.0.1'],
  })
  for (const name of longest) {
    t.same(await resolver.resolve(name, 'ipv4'), { addresses: ['127.0.0.1'] })
  }
  dns.zone = {}
  for (const name of [`${label(64)}.test`, long(62), 'a..test']) {
    const { failure } = await resolver.resolve(name, 'ipv4')
    t.match(failure, { result: 'failed', kind: 'dns', message: /not a valid host name/ }, name)
  }
  t.equal(dns.questions.length, longest.length)
})

t.test('a name server works once it has given addresses or said that there are none', async (t) => {
  const zone = { 'a.test': ['127.0.0.1'], 'none.test': [], 'fail.test': 2, 'refused.test': 5 }
  const hosts = '127.0.0.5 db.test\n'
  for (const [name, proves] of [
    ...([
      ['a.test', true],
      ['none.test', true],
      ['gone.test', true],
    ] as const),
    ...([
      ['fail.test', false],
      ['refused.test', false],
    ] as const),
    ...([
      ['db.test', false],
      ['localhost', false],
    ] as const),
    ...([
      ['x.onion', false],
      [`${'x'.repeat(64)}.test`, false],
    ] as const),
  ] as const) {
    const { resolver } = await start(zone, { hosts })
    t.equal(resolver.hasAnswered(), false)
    await resolver.resolve(name, 'any')
    t.equal(resolver.hasAnswered(), proves, name)
  }
})
